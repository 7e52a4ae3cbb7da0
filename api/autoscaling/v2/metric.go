// Metrics that autoscalers aim at.

package v2

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// One metric and its target. The field named by type is set.
type MetricSpec struct {
	// Source of the metric.
	Type MetricSourceType `json:"type" protobuf:"bytes,1,name=type"`
	// Metric of one Kubernetes object.
	// +optional
	// +k8s:alpha(since: "1.37")=+k8s:optional
	// +k8s:alpha(since: "1.37")=+k8s:opaqueType
	Object *ObjectMetricSource `json:"object,omitempty" protobuf:"bytes,2,opt,name=object"`
	// Metric of each pod, averaged.
	// +optional
	Pods *PodsMetricSource `json:"pods,omitempty" protobuf:"bytes,3,opt,name=pods"`
	// CPU or memory of all containers of each pod.
	// +optional
	Resource *ResourceMetricSource `json:"resource,omitempty" protobuf:"bytes,4,opt,name=resource"`
	// CPU or memory of one container of each pod.
	// +optional
	ContainerResource *ContainerResourceMetricSource `json:"containerResource,omitempty" protobuf:"bytes,7,opt,name=containerResource"`
	// Metric from outside the cluster.
	// +optional
	External *ExternalMetricSource `json:"external,omitempty" protobuf:"bytes,5,opt,name=external"`
}

// Where a metric comes from.
type MetricSourceType string

const (
	ObjectMetricSourceType            MetricSourceType = "Object"
	PodsMetricSourceType              MetricSourceType = "Pods"
	ResourceMetricSourceType          MetricSourceType = "Resource"
	ContainerResourceMetricSourceType MetricSourceType = "ContainerResource"
	ExternalMetricSourceType          MetricSourceType = "External"
)

// Metric of one Kubernetes object.
type ObjectMetricSource struct {
	// Object that the metric describes.
	DescribedObject CrossVersionObjectReference `json:"describedObject" protobuf:"bytes,1,name=describedObject"`
	// Value to aim at.
	Target MetricTarget `json:"target" protobuf:"bytes,2,name=target"`
	// Metric to read.
	Metric MetricIdentifier `json:"metric" protobuf:"bytes,3,name=metric"`
}

// Metric of each pod, averaged.
type PodsMetricSource struct {
	// Metric to read.
	Metric MetricIdentifier `json:"metric" protobuf:"bytes,1,name=metric"`
	// Value to aim at.
	Target MetricTarget `json:"target" protobuf:"bytes,2,name=target"`
}

// Resource use of all containers of each pod.
type ResourceMetricSource struct {
	// Resource, such as cpu.
	Name corev1.ResourceName `json:"name" protobuf:"bytes,1,name=name"`
	// Value to aim at.
	Target MetricTarget `json:"target" protobuf:"bytes,2,name=target"`
}

// Resource use of one container of each pod.
type ContainerResourceMetricSource struct {
	// Resource, such as cpu.
	Name corev1.ResourceName `json:"name" protobuf:"bytes,1,name=name"`
	// Value to aim at.
	Target MetricTarget `json:"target" protobuf:"bytes,2,name=target"`
	// Container to look at.
	Container string `json:"container" protobuf:"bytes,3,opt,name=container"`
}

// Metric from outside the cluster.
type ExternalMetricSource struct {
	// Metric to read.
	Metric MetricIdentifier `json:"metric" protobuf:"bytes,1,name=metric"`
	// Value to aim at.
	Target MetricTarget `json:"target" protobuf:"bytes,2,name=target"`
}

// Names a metric.
type MetricIdentifier struct {
	// Name of the metric.
	Name string `json:"name" protobuf:"bytes,1,name=name"`
	// Labels that narrow the metric down.
	// +optional
	Selector *metav1.LabelSelector `json:"selector,omitempty" protobuf:"bytes,2,name=selector"`
}

// Value to aim at. The field named by type is set.
type MetricTarget struct {
	// Which of the values applies.
	Type MetricTargetType `json:"type" protobuf:"bytes,1,name=type"`
	// Total to aim at.
	// +optional
	Value *resource.Quantity `json:"value,omitempty" protobuf:"bytes,2,opt,name=value"`
	// Average over all pods to aim at.
	// +optional
	AverageValue *resource.Quantity `json:"averageValue,omitempty" protobuf:"bytes,3,opt,name=averageValue"`
	// Average use to aim at, in percent of what the pods request.
	// +optional
	AverageUtilization *int32 `json:"averageUtilization,omitempty" protobuf:"bytes,4,opt,name=averageUtilization"`
}

// How a target is measured.
type MetricTargetType string

const (
	UtilizationMetricType  MetricTargetType = "Utilization"
	ValueMetricType        MetricTargetType = "Value"
	AverageValueMetricType MetricTargetType = "AverageValue"
)
