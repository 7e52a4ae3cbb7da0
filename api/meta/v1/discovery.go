// What the server serves.

package v1

// Versions of the core group.
// +protobuf.options.(gogoproto.goproto_stringer)=false
type APIVersions struct {
	TypeMeta `json:""`
	// The versions.
	// +listType=atomic
	Versions []string `json:"versions" protobuf:"bytes,1,rep,name=versions"`
	// Where clients reach the server, by their own address.
	// +listType=atomic
	ServerAddressByClientCIDRs []ServerAddressByClientCIDR `json:"serverAddressByClientCIDRs" protobuf:"bytes,2,rep,name=serverAddressByClientCIDRs"`
}

// All groups.
type APIGroupList struct {
	TypeMeta `json:""`
	// The groups.
	// +listType=atomic
	Groups []APIGroup `json:"groups" protobuf:"bytes,1,rep,name=groups"`
}

// One group.
type APIGroup struct {
	TypeMeta `json:""`
	// Its name.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Its versions.
	// +listType=atomic
	Versions []GroupVersionForDiscovery `json:"versions" protobuf:"bytes,2,rep,name=versions"`
	// The version to use if any will do.
	// +optional
	PreferredVersion GroupVersionForDiscovery `json:"preferredVersion,omitempty" protobuf:"bytes,3,opt,name=preferredVersion"`
	// Where clients reach the server, by their own address.
	// +optional
	// +listType=atomic
	ServerAddressByClientCIDRs []ServerAddressByClientCIDR `json:"serverAddressByClientCIDRs,omitempty" protobuf:"bytes,4,rep,name=serverAddressByClientCIDRs"`
}

// Where some clients reach the server.
type ServerAddressByClientCIDR struct {
	// Addresses of the clients.
	ClientCIDR string `json:"clientCIDR" protobuf:"bytes,1,opt,name=clientCIDR"`
	// Name or address of the server.
	ServerAddress string `json:"serverAddress" protobuf:"bytes,2,opt,name=serverAddress"`
}

// A version in both spellings.
type GroupVersionForDiscovery struct {
	// With its group.
	GroupVersion string `json:"groupVersion" protobuf:"bytes,1,opt,name=groupVersion"`
	// Without.
	Version string `json:"version" protobuf:"bytes,2,opt,name=version"`
}

// A resource.
type APIResource struct {
	// Name in paths.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Name of one.
	SingularName string `json:"singularName" protobuf:"bytes,6,opt,name=singularName"`
	// Whether objects are in namespaces.
	Namespaced bool `json:"namespaced" protobuf:"varint,2,opt,name=namespaced"`
	// Group of the kind, if not that of the list.
	Group string `json:"group,omitempty" protobuf:"bytes,8,opt,name=group"`
	// Version of the kind, if not that of the list.
	Version string `json:"version,omitempty" protobuf:"bytes,9,opt,name=version"`
	// The kind.
	Kind string `json:"kind" protobuf:"bytes,3,opt,name=kind"`
	// What can be done.
	Verbs Verbs `json:"verbs" protobuf:"bytes,4,opt,name=verbs"`
	// Shorter names.
	// +listType=atomic
	ShortNames []string `json:"shortNames,omitempty" protobuf:"bytes,5,rep,name=shortNames"`
	// Groups of resources it belongs to.
	// +listType=atomic
	Categories []string `json:"categories,omitempty" protobuf:"bytes,7,rep,name=categories"`
	// Changes when objects are stored in another version.
	// +optional
	StorageVersionHash string `json:"storageVersionHash,omitempty" protobuf:"bytes,10,opt,name=storageVersionHash"`
}

// What can be done to a resource.
// +protobuf.nullable=true
// +protobuf.options.(gogoproto.goproto_stringer)=false
type Verbs []string

// Resources of one version.
type APIResourceList struct {
	TypeMeta `json:""`
	// The version with its group.
	GroupVersion string `json:"groupVersion" protobuf:"bytes,1,opt,name=groupVersion"`
	// The resources.
	// +listType=atomic
	APIResources []APIResource `json:"resources" protobuf:"bytes,2,rep,name=resources"`
}

// Paths of the server.
type RootPaths struct {
	// The paths.
	// +listType=atomic
	Paths []string `json:"paths" protobuf:"bytes,1,rep,name=paths"`
}

// A resource of any version.
// +protobuf.options.(gogoproto.goproto_stringer)=false
type GroupResource struct {
	// The group.
	Group string `json:"group" protobuf:"bytes,1,opt,name=group"`
	// The resource.
	Resource string `json:"resource" protobuf:"bytes,2,opt,name=resource"`
}

// A resource.
// +protobuf.options.(gogoproto.goproto_stringer)=false
type GroupVersionResource struct {
	// The group.
	Group string `json:"group" protobuf:"bytes,1,opt,name=group"`
	// The version.
	Version string `json:"version" protobuf:"bytes,2,opt,name=version"`
	// The resource.
	Resource string `json:"resource" protobuf:"bytes,3,opt,name=resource"`
}

// A kind of any version.
// +protobuf.options.(gogoproto.goproto_stringer)=false
type GroupKind struct {
	// The group.
	Group string `json:"group" protobuf:"bytes,1,opt,name=group"`
	// The kind.
	Kind string `json:"kind" protobuf:"bytes,2,opt,name=kind"`
}

// A kind.
// +protobuf.options.(gogoproto.goproto_stringer)=false
type GroupVersionKind struct {
	// The group.
	Group string `json:"group" protobuf:"bytes,1,opt,name=group"`
	// The version.
	Version string `json:"version" protobuf:"bytes,2,opt,name=version"`
	// The kind.
	Kind string `json:"kind" protobuf:"bytes,3,opt,name=kind"`
}

// A version of a group.
// +protobuf.options.(gogoproto.goproto_stringer)=false
type GroupVersion struct {
	// The group.
	Group string `json:"group" protobuf:"bytes,1,opt,name=group"`
	// The version.
	Version string `json:"version" protobuf:"bytes,2,opt,name=version"`
}
