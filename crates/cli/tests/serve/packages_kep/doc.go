// +groupName=demo.example.org
// +k8s:openapi-gen=true

package v1
