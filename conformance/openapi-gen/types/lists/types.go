package lists

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Good struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	Items           []string `json:"items" protobuf:"bytes,2,rep,name=items"`
}

type Bad struct {
	metav1.ListMeta `json:"metadata" protobuf:"bytes,2,opt,name=metadata"`
	metav1.TypeMeta `json:"typeMeta" protobuf:"bytes,1,opt,name=typeMeta"`
	// +listType=atomic
	Items []string `json:"items,omitempty" protobuf:"bytes,3,rep,name=items"`
}

type Kinds struct {
	URLPath    string   `json:"urlPath"`
	URLpath    string   `json:"urlpath"`
	Dash_ed    string   `json:"dash_ed"`
	Wrong      string   `json:"right"`
	Upper      string   `json:"Upper"`
	Omit       string   `json:"omit,omitEmpty"`
	Skipped    []string `json:"-"`
	SkippedBut []string `json:"-,"`
	Bytes      []byte   `json:"bytes"`
	Small      []uint8  `json:"small"`
	Named      Named    `json:"named"`
	Plain      []int    `json:"plain"`
	Pointer    *[]int   `json:"pointer"`
	NoTag      string
	Meta       metav1.ObjectMeta `json:"meta"`
	ObjectMeta metav1.ObjectMeta `json:"metadata"`
	Inline     Good              `json:",inline"`
	*Inner     `json:""`
	Empty      string `json:",omitempty"`
}

type Inner struct {
	Inside string `json:"inside"`
}

type Named []string

type private struct {
	List []string `json:"list"`
}
