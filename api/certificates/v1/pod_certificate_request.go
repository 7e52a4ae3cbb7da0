// Certificate requests of pods.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Asks a signer for a certificate that a pod mounts.
// +genclient
// +k8s:supportsSubresource="/status"
type PodCertificateRequest struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The pod, its key and its signer. It never changes.
	// +required
	Spec PodCertificateRequestSpec `json:"spec" protobuf:"bytes,2,opt,name=spec"`
	// The certificate, or why there is none.
	// +optional
	Status PodCertificateRequestStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

// The pod, its key and its signer.
type PodCertificateRequestSpec struct {
	// Signer that should issue the certificate.
	// +required
	SignerName string `json:"signerName" protobuf:"bytes,1,opt,name=signerName"`
	// Name of the pod.
	// +required
	PodName string `json:"podName" protobuf:"bytes,2,opt,name=podName"`
	// UID of the pod.
	// +required
	PodUID types.UID `json:"podUID" protobuf:"bytes,3,opt,name=podUID"`
	// Name of the pod's service account.
	// +required
	ServiceAccountName string `json:"serviceAccountName" protobuf:"bytes,4,opt,name=serviceAccountName"`
	// UID of the pod's service account.
	// +required
	ServiceAccountUID types.UID `json:"serviceAccountUID" protobuf:"bytes,5,opt,name=serviceAccountUID"`
	// Name of the pod's node.
	// +required
	NodeName types.NodeName `json:"nodeName" protobuf:"bytes,6,opt,name=nodeName"`
	// UID of the pod's node.
	// +required
	NodeUID types.UID `json:"nodeUID" protobuf:"bytes,7,opt,name=nodeUID"`
	// Longest lifetime of the certificate, from an hour to 91 days.
	// +optional
	// +default=86400
	MaxExpirationSeconds *int32 `json:"maxExpirationSeconds,omitempty" protobuf:"varint,8,opt,name=maxExpirationSeconds"`
	// PKCS#10 request in DER form that carries the public key and proves that its owner holds the private key.
	// +required
	StubPKCS10Request []byte `json:"stubPKCS10Request" protobuf:"bytes,12,opt,name=stubPKCS10Request"`
	// Notes from the pod's author to the signer. Nobody has checked them.
	// +optional
	UnverifiedUserAnnotations map[string]string `json:"unverifiedUserAnnotations,omitempty" protobuf:"bytes,11,opt,name=unverifiedUserAnnotations"`
}

// The certificate, or why there is none.
type PodCertificateRequestStatus struct {
	// Outcome: Issued, Denied or Failed, at most one of them.
	// +patchMergeKey=type
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=type
	// +optional
	// +k8s:alpha(since: "1.37")=+k8s:listType=map
	// +k8s:alpha(since: "1.37")=+k8s:listMapKey=type
	// +k8s:alpha(since: "1.37")=+k8s:optional
	Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type" protobuf:"bytes,1,rep,name=conditions"`
	// Certificate in PEM form, followed by its intermediates.
	// +optional
	CertificateChain string `json:"certificateChain,omitempty" protobuf:"bytes,2,opt,name=certificateChain"`
	// Start of the certificate's validity.
	// +optional
	NotBefore *metav1.Time `json:"notBefore,omitempty" protobuf:"bytes,4,opt,name=notBefore"`
	// When the kubelet should start to get the next certificate.
	// +optional
	BeginRefreshAt *metav1.Time `json:"beginRefreshAt,omitempty" protobuf:"bytes,5,opt,name=beginRefreshAt"`
	// End of the certificate's validity.
	// +optional
	NotAfter *metav1.Time `json:"notAfter,omitempty" protobuf:"bytes,6,opt,name=notAfter"`
}

// Many certificate requests of pods.
type PodCertificateRequestList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []PodCertificateRequest `json:"items" protobuf:"bytes,2,rep,name=items"`
}
