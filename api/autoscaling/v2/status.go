// State of autoscalers.

package v2

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Last measurements and decision of an autoscaler.
type HorizontalPodAutoscalerStatus struct {
	// The generation this status describes.
	// +optional
	ObservedGeneration *int64 `json:"observedGeneration,omitempty" protobuf:"varint,1,opt,name=observedGeneration"`
	// When the scale was last changed.
	// +optional
	LastScaleTime *metav1.Time `json:"lastScaleTime,omitempty" protobuf:"bytes,2,opt,name=lastScaleTime"`
	// Pods that the autoscaler last saw.
	// +optional
	CurrentReplicas int32 `json:"currentReplicas,omitempty" protobuf:"varint,3,opt,name=currentReplicas"`
	// Pods that the autoscaler last asked for.
	DesiredReplicas int32 `json:"desiredReplicas" protobuf:"varint,4,opt,name=desiredReplicas"`
	// Last measurements.
	// +listType=atomic
	// +optional
	// +k8s:alpha(since: "1.37")=+k8s:optional
	CurrentMetrics []MetricStatus `json:"currentMetrics" protobuf:"bytes,5,rep,name=currentMetrics"`
	// Conditions, one per type.
	// +patchMergeKey=type
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []HorizontalPodAutoscalerCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type" listType:"map" protobuf:"bytes,6,rep,name=conditions"`
}

// What a condition of an autoscaler is about.
type HorizontalPodAutoscalerConditionType string

const (
	ScalingActive  HorizontalPodAutoscalerConditionType = "ScalingActive"
	AbleToScale    HorizontalPodAutoscalerConditionType = "AbleToScale"
	ScalingLimited HorizontalPodAutoscalerConditionType = "ScalingLimited"
	ScaledToZero   HorizontalPodAutoscalerConditionType = "ScaledToZero"
)

// One observation about an autoscaler.
type HorizontalPodAutoscalerCondition struct {
	// What it is about.
	Type HorizontalPodAutoscalerConditionType `json:"type" protobuf:"bytes,1,name=type"`
	// Whether it holds.
	Status corev1.ConditionStatus `json:"status" protobuf:"bytes,2,name=status"`
	// When status last changed.
	// +optional
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty" protobuf:"bytes,3,opt,name=lastTransitionTime"`
	// Why, in one CamelCase word for programs.
	// +optional
	Reason string `json:"reason,omitempty" protobuf:"bytes,4,opt,name=reason"`
	// Why, for people.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,5,opt,name=message"`
	// The generation this condition describes.
	// +optional
	ObservedGeneration *int64 `json:"observedGeneration,omitempty" protobuf:"varint,6,opt,name=observedGeneration"`
}

// Last measurement of one metric. The field named by type is set.
type MetricStatus struct {
	// Source of the metric.
	Type MetricSourceType `json:"type" protobuf:"bytes,1,name=type"`
	// Metric of one Kubernetes object.
	// +optional
	// +k8s:alpha(since: "1.37")=+k8s:optional
	// +k8s:alpha(since: "1.37")=+k8s:opaqueType
	Object *ObjectMetricStatus `json:"object,omitempty" protobuf:"bytes,2,opt,name=object"`
	// Metric of each pod, averaged.
	// +optional
	Pods *PodsMetricStatus `json:"pods,omitempty" protobuf:"bytes,3,opt,name=pods"`
	// CPU or memory of all containers of each pod.
	// +optional
	Resource *ResourceMetricStatus `json:"resource,omitempty" protobuf:"bytes,4,opt,name=resource"`
	// CPU or memory of one container of each pod.
	// +optional
	ContainerResource *ContainerResourceMetricStatus `json:"containerResource,omitempty" protobuf:"bytes,7,opt,name=containerResource"`
	// Metric from outside the cluster.
	// +optional
	External *ExternalMetricStatus `json:"external,omitempty" protobuf:"bytes,5,opt,name=external"`
}

// Measured metric of one Kubernetes object.
type ObjectMetricStatus struct {
	// Metric that was read.
	Metric MetricIdentifier `json:"metric" protobuf:"bytes,1,name=metric"`
	// Measured value.
	Current MetricValueStatus `json:"current" protobuf:"bytes,2,name=current"`
	// Object that the metric describes.
	DescribedObject CrossVersionObjectReference `json:"describedObject" protobuf:"bytes,3,name=describedObject"`
}

// Measured metric of each pod, averaged.
type PodsMetricStatus struct {
	// Metric that was read.
	Metric MetricIdentifier `json:"metric" protobuf:"bytes,1,name=metric"`
	// Measured value.
	Current MetricValueStatus `json:"current" protobuf:"bytes,2,name=current"`
}

// Measured resource use of all containers of each pod.
type ResourceMetricStatus struct {
	// Resource, such as cpu.
	Name corev1.ResourceName `json:"name" protobuf:"bytes,1,name=name"`
	// Measured value.
	Current MetricValueStatus `json:"current" protobuf:"bytes,2,name=current"`
}

// Measured resource use of one container of each pod.
type ContainerResourceMetricStatus struct {
	// Resource, such as cpu.
	Name corev1.ResourceName `json:"name" protobuf:"bytes,1,name=name"`
	// Measured value.
	Current MetricValueStatus `json:"current" protobuf:"bytes,2,name=current"`
	// Container that was looked at.
	Container string `json:"container" protobuf:"bytes,3,opt,name=container"`
}

// Measured metric from outside the cluster.
type ExternalMetricStatus struct {
	// Metric that was read.
	Metric MetricIdentifier `json:"metric" protobuf:"bytes,1,name=metric"`
	// Measured value.
	Current MetricValueStatus `json:"current" protobuf:"bytes,2,name=current"`
}

// A measured value, in the form of its target.
type MetricValueStatus struct {
	// Measured total.
	// +optional
	Value *resource.Quantity `json:"value,omitempty" protobuf:"bytes,1,opt,name=value"`
	// Measured average over all pods.
	// +optional
	AverageValue *resource.Quantity `json:"averageValue,omitempty" protobuf:"bytes,2,opt,name=averageValue"`
	// Measured average, in percent of what the pods request.
	// +optional
	AverageUtilization *int32 `json:"averageUtilization,omitempty" protobuf:"bytes,3,opt,name=averageUtilization"`
}
