module m // c
go 1.24
require (
	k8s.io/api v1.0.0
)
replace a => ../b
