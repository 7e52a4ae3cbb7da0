package v1

import "m/other"

const (
	// +k8s:enumExclude
	A Phase = "a" + `b` // x
	B
	C = 1 << (10 * iota)
	D, E = -0x1F &^ 3, len("é\x41\u00e9")
	F = other.T('a')
	G = A == B || !true && 1.5e3 >= 2
)

type Phase string
