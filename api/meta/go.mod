module k8s.io/apimachinery/pkg/apis/meta

go 1.24
