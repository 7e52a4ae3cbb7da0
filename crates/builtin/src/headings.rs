//! The headings of built-in kinds, with the descriptions the API server sends with them: name, type, format, priority,
//! description.

pub(super) const NAME: &str = "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";

pub(super) const CREATION_TIMESTAMP: &str = "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

use crate::table::Heading;

pub(super) const POD_TEMPLATE: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    (
        "Containers",
        "string",
        "",
        0,
        "Names of each container in the template.",
    ),
    (
        "Images",
        "string",
        "",
        0,
        "Images referenced by each container in the template.",
    ),
    ("Pod Labels", "string", "", 0, "The labels for the pod template."),
];

pub(super) const REPLICATION_CONTROLLER: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    (
        "Desired",
        "integer",
        "",
        0,
        "Replicas is the number of desired replicas. This is a pointer to distinguish between explicit zero and unspecified. Defaults to 1. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller#what-is-a-replicationcontroller",
    ),
    (
        "Current",
        "integer",
        "",
        0,
        "Replicas is the most recently observed number of replicas. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller#what-is-a-replicationcontroller",
    ),
    (
        "Ready",
        "integer",
        "",
        0,
        "The number of ready replicas for this replication controller.",
    ),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
    (
        "Containers",
        "string",
        "",
        1,
        "Names of each container in the template.",
    ),
    (
        "Images",
        "string",
        "",
        1,
        "Images referenced by each container in the template.",
    ),
    (
        "Selector",
        "string",
        "",
        1,
        "Selector is a label query over pods that should match the Replicas count. If Selector is empty, it is defaulted to the labels present on the Pod template. Label keys and values that must match in order to be controlled by this replication controller, if empty defaulted to labels on Pod template. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
    ),
];

pub(super) const SERVICE: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    (
        "Type",
        "string",
        "",
        0,
        "type determines how the Service is exposed. Defaults to ClusterIP. Valid options are ExternalName, ClusterIP, NodePort, and LoadBalancer. \"ClusterIP\" allocates a cluster-internal IP address for load-balancing to endpoints. Endpoints are determined by the selector or if that is not specified, by manual construction of an Endpoints object or EndpointSlice objects. If clusterIP is \"None\", no virtual IP is allocated and the endpoints are published as a set of endpoints rather than a virtual IP. \"NodePort\" builds on ClusterIP and allocates a port on every node which routes to the same endpoints as the clusterIP. \"LoadBalancer\" builds on NodePort and creates an external load-balancer (if supported in the current cloud) which routes to the same endpoints as the clusterIP. \"ExternalName\" aliases this service to the specified externalName. Several other fields do not apply to ExternalName services. More info: https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types",
    ),
    (
        "Cluster-IP",
        "string",
        "",
        0,
        "clusterIP is the IP address of the service and is usually assigned randomly. If an address is specified manually, is in-range (as per system configuration), and is not in use, it will be allocated to the service; otherwise creation of the service will fail. This field may not be changed through updates unless the type field is also being changed to ExternalName (which requires this field to be blank) or the type field is being changed from ExternalName (in which case this field may optionally be specified, as describe above).  Valid values are \"None\", empty string (\"\"), or a valid IP address. Setting this to \"None\" makes a \"headless service\" (no virtual IP), which is useful when direct endpoint connections are preferred and proxying is not required.  Only applies to types ClusterIP, NodePort, and LoadBalancer. If this field is specified when creating a Service of type ExternalName, creation will fail. This field will be wiped when updating a Service to type ExternalName. More info: https://kubernetes.io/docs/concepts/services-networking/service/#virtual-ips-and-service-proxies",
    ),
    (
        "External-IP",
        "string",
        "",
        0,
        "externalIPs is a list of IP addresses for which nodes in the cluster will also accept traffic for this service.  These IPs are not managed by Kubernetes.  The user is responsible for ensuring that traffic arrives at a node with this IP.  A common example is external load-balancers that are not part of the Kubernetes system.",
    ),
    (
        "Port(s)",
        "string",
        "",
        0,
        "The list of ports that are exposed by this service. More info: https://kubernetes.io/docs/concepts/services-networking/service/#virtual-ips-and-service-proxies",
    ),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
    (
        "Selector",
        "string",
        "",
        1,
        "Route service traffic to pods with label keys and values matching this selector. If empty or not present, the service is assumed to have an external process managing its endpoints, which Kubernetes will not modify. Only applies to types ClusterIP, NodePort, and LoadBalancer. Ignored if type is ExternalName. More info: https://kubernetes.io/docs/concepts/services-networking/service/",
    ),
];

pub(super) const EVENT: &[Heading] = &[
    (
        "Last Seen",
        "string",
        "",
        0,
        "The time at which the most recent occurrence of this event was recorded.",
    ),
    (
        "Type",
        "string",
        "",
        0,
        "Type of this event (Normal, Warning), new types could be added in the future",
    ),
    (
        "Reason",
        "string",
        "",
        0,
        "This should be a short, machine understandable string that gives the reason for the transition into the object's current status.",
    ),
    ("Object", "string", "", 0, "The object that this event is about."),
    (
        "Subobject",
        "string",
        "",
        1,
        "If referring to a piece of an object instead of an entire object, this string should contain a valid JSON/Go field access statement, such as desiredState.manifest.containers[2]. For example, if the object reference is to a container within a pod, this would take on a value like: \"spec.containers{name}\" (where \"name\" refers to the name of the container that triggered the event) or if no container name is specified \"spec.containers[2]\" (container with index 2 in this pod). This syntax is chosen only to have some well-defined way of referencing a part of an object.",
    ),
    (
        "Source",
        "string",
        "",
        1,
        "The component reporting this event. Should be a short machine understandable string.",
    ),
    (
        "Message",
        "string",
        "",
        0,
        "A human-readable description of the status of this operation.",
    ),
    (
        "First Seen",
        "string",
        "",
        1,
        "The time at which the event was first recorded. (Time of server receipt is in TypeMeta.)",
    ),
    (
        "Count",
        "string",
        "",
        1,
        "The number of times this event has occurred.",
    ),
    ("Name", "string", "name", 1, NAME),
];

pub(super) const NAMESPACE: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    ("Status", "string", "", 0, "The status of the namespace"),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
];

pub(super) const SECRET: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    (
        "Type",
        "string",
        "",
        0,
        "Used to facilitate programmatic handling of secret data. More info: https://kubernetes.io/docs/concepts/configuration/secret/#secret-types",
    ),
    (
        "Data",
        "string",
        "",
        0,
        "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. The serialized form of the secret data is a base64 encoded string, representing the arbitrary (possibly non-string) data value here. Described in https://tools.ietf.org/html/rfc4648#section-4",
    ),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
];

pub(super) const SERVICE_ACCOUNT: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
];

pub(super) const DEPLOYMENT: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    ("Ready", "string", "", 0, "Number of the pod with ready state"),
    (
        "Up-to-date",
        "string",
        "",
        0,
        "Total number of non-terminating pods targeted by this deployment that have the desired template spec.",
    ),
    (
        "Available",
        "string",
        "",
        0,
        "Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment.",
    ),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
    (
        "Containers",
        "string",
        "",
        1,
        "Names of each container in the template.",
    ),
    (
        "Images",
        "string",
        "",
        1,
        "Images referenced by each container in the template.",
    ),
    (
        "Selector",
        "string",
        "",
        1,
        "Label selector for pods. Existing ReplicaSets whose pods are selected by this will be the ones affected by this deployment. It must match the pod template's labels.",
    ),
];

pub(super) const CONFIG_MAP: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    (
        "Data",
        "string",
        "",
        0,
        "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.",
    ),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
];

pub(super) const ROLE_BINDING: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    (
        "Role",
        "string",
        "",
        0,
        "roleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
    ),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
    ("Users", "string", "", 1, "Users in the roleBinding"),
    ("Groups", "string", "", 1, "Groups in the roleBinding"),
    (
        "ServiceAccounts",
        "string",
        "",
        1,
        "ServiceAccounts in the roleBinding",
    ),
];

pub(super) const CLUSTER_ROLE_BINDING: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    (
        "Role",
        "string",
        "",
        0,
        "roleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
    ),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
    ("Users", "string", "", 1, "Users in the clusterRoleBinding"),
    ("Groups", "string", "", 1, "Groups in the clusterRoleBinding"),
    (
        "ServiceAccounts",
        "string",
        "",
        1,
        "ServiceAccounts in the clusterRoleBinding",
    ),
];

pub(super) const CERTIFICATE_SIGNING_REQUEST: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
    (
        "SignerName",
        "string",
        "",
        0,
        "Requested signer for the request. It is a qualified name in the form: `scope-hostname.io/name`. If empty, it will be defaulted:\n 1. If it's a kubelet client certificate, it is assigned\n    \"kubernetes.io/kube-apiserver-client-kubelet\".\n 2. If it's a kubelet serving certificate, it is assigned\n    \"kubernetes.io/kubelet-serving\".\n 3. Otherwise, it is assigned \"kubernetes.io/legacy-unknown\".\nDistribution of trust for signers happens out of band. You can select on this field using `spec.signerName`.",
    ),
    ("Requestor", "string", "", 0, "Base64-encoded PKCS#10 CSR data"),
    (
        "RequestedDuration",
        "string",
        "",
        0,
        "expirationSeconds is the requested duration of validity of the issued certificate. The certificate signer may issue a certificate with a different validity duration so a client must check the delta between the notBefore and and notAfter fields in the issued certificate to determine the actual duration.\n\nThe v1.22+ in-tree implementations of the well-known Kubernetes signers will honor this field as long as the requested duration is not greater than the maximum duration they will honor per the --cluster-signing-duration CLI flag to the Kubernetes controller manager.\n\nCertificate signers may not honor this field for various reasons:\n\n  1. Old signer that is unaware of the field (such as the in-tree\n     implementations prior to v1.22)\n  2. Signer whose configured maximum is shorter than the requested duration\n  3. Signer whose configured minimum is longer than the requested duration\n\nThe minimum valid value for expirationSeconds is 600, i.e. 10 minutes.",
    ),
    (
        "Condition",
        "string",
        "",
        0,
        "Conditions applied to the request, such as approval or denial.",
    ),
];

pub(super) const LEASE: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    (
        "Holder",
        "string",
        "",
        0,
        "holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name field.",
    ),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
];

pub(super) const WEBHOOK_CONFIGURATION: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    (
        "Webhooks",
        "integer",
        "",
        0,
        "Webhooks indicates the number of webhooks registered in this configuration",
    ),
    ("Age", "string", "", 0, CREATION_TIMESTAMP),
];

/// Kinds without columns of their own.
pub(super) const DEFAULT: &[Heading] = &[
    ("Name", "string", "name", 0, NAME),
    ("Created At", "date", "", 0, CREATION_TIMESTAMP),
];
