// Package types declares names of objects.
package types

// UID is the identity of an object over all time. Most are UUIDs,
// but nothing may rely on that. It has a type of its own so that the
// compiler notices when a name is used where a UID belongs.
type UID string

type NamespacedName struct {
	Namespace string
	Name      string
}

// NodeName is the name of a Node object.
// It is a type of its own so that nobody passes
// one of the other names of a machine
// in its place.
//
// Some of these names:
//
//   - The name of the Node object, which is what this type is for. In the object
//     itself it is a plain string, because metadata is the same for all kinds.
//
//   - The host name that the machine gives itself.
//     A node's agent uses it for the object's name
//     where nothing else was configured,
//     and administrators do configure it.
//
// * Clouds have names and identifiers for machines, each its own.
//
//	Some of them are valid host names and become the host name of the machine; then the
//	object, too, has the name of the machine in the cloud. Whether that is so is for
//	the integration with the cloud to say.
//
//	Others are not, and the object has the DNS name that the cloud gave to the machine.
//	That one differs from the host name wherever
//	a domain was set by hand.
type NodeName string
