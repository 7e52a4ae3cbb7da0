module k8s.io/apiextensions-apiserver/pkg/apis/apiextensions

go 1.24
