module k8s.io/kube-aggregator/pkg/apis/apiregistration

go 1.24
