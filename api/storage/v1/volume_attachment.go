// Attachments of volumes to nodes.

package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Asks a driver to attach a volume to a node.
// +genclient
// +genclient:nonNamespaced
// +k8s:supportsSubresource="/status"
type VolumeAttachment struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Which volume and which node. It never changes.
	// +k8s:beta(since: "1.37")=+k8s:immutable
	// +required
	Spec VolumeAttachmentSpec `json:"spec" protobuf:"bytes,2,opt,name=spec"`
	// Whether the volume is attached.
	// +optional
	Status VolumeAttachmentStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

// Which volume is attached to which node.
type VolumeAttachmentSpec struct {
	// CSI driver that does the work.
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	// +k8s:beta(since: "1.37")=+k8s:format="k8s-long-name-caseless"
	// +k8s:beta(since: "1.37")=+k8s:maxLength=63
	Attacher string `json:"attacher" protobuf:"bytes,1,opt,name=attacher"`
	// Volume to attach.
	Source VolumeAttachmentSource `json:"source" protobuf:"bytes,2,opt,name=source"`
	// Node to attach it to.
	NodeName string `json:"nodeName" protobuf:"bytes,3,opt,name=nodeName"`
}

// Volume to attach. Exactly one field is set.
type VolumeAttachmentSource struct {
	// Existing persistent volume.
	// +optional
	PersistentVolumeName *string `json:"persistentVolumeName,omitempty" protobuf:"bytes,1,opt,name=persistentVolumeName"`
	// Volume of a pod that was migrated to CSI.
	// +optional
	InlineVolumeSpec *corev1.PersistentVolumeSpec `json:"inlineVolumeSpec,omitempty" protobuf:"bytes,2,opt,name=inlineVolumeSpec"`
}

// Whether a volume is attached.
type VolumeAttachmentStatus struct {
	// Whether attaching succeeded.
	Attached bool `json:"attached" protobuf:"varint,1,opt,name=attached"`
	// What the driver answered, to be handed on when mounting.
	// +optional
	AttachmentMetadata map[string]string `json:"attachmentMetadata,omitempty" protobuf:"bytes,2,rep,name=attachmentMetadata"`
	// Last failure to attach.
	// +optional
	AttachError *VolumeError `json:"attachError,omitempty" protobuf:"bytes,3,opt,name=attachError,casttype=VolumeError"`
	// Last failure to detach.
	// +optional
	DetachError *VolumeError `json:"detachError,omitempty" protobuf:"bytes,4,opt,name=detachError,casttype=VolumeError"`
}

// A failure of a volume operation.
type VolumeError struct {
	// When it happened.
	// +optional
	Time metav1.Time `json:"time,omitempty" protobuf:"bytes,1,opt,name=time"`
	// What happened; it may be logged, so it holds no secrets.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,2,opt,name=message"`
	// Code that the driver answered.
	// +optional
	ErrorCode *int32 `json:"errorCode,omitempty" protobuf:"varint,3,opt,name=errorCode"`
}

// Many volume attachments.
type VolumeAttachmentList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []VolumeAttachment `json:"items" protobuf:"bytes,2,rep,name=items"`
}
