//! Values as the server's internal Go types print them: the reference shows these in messages about whole structs. Internal
//! types have the members of the versioned ones under their Go names, without leaving out empty ones.

use kindsmith_json::path::Step;
use kindsmith_json::write::{Escape, Format};
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::{BadValue, Behavior, Release};
use kindsmith_schema::{Field, Scalar, Schema, Shape, TypeId, TypeName, TypeRef, WellKnown};

use crate::go_value::empty::without_empty;
use crate::go_value::unified_diff::unified_diff;
use crate::types::schema_of;

/// The package of the core types.
pub(crate) const CORE: &str = "core/v1";

/// Internal structs that differ from those of a version: package and type, and the Go names of the members. Those that the
/// version does not have are null.
const OTHERWISE: &[(&str, &str, &[&str])] = &[
    (
        "k8s.io/api/autoscaling/v2",
        "ContainerResourceMetricSource",
        &["Name", "Container", "Target"],
    ),
    (
        "k8s.io/api/autoscaling/v2",
        "ContainerResourceMetricStatus",
        &["Name", "Container", "Current"],
    ),
    (
        "k8s.io/api/certificates/v1",
        "PodCertificateRequestSpec",
        &[
            "SignerName",
            "PodName",
            "PodUID",
            "ServiceAccountName",
            "ServiceAccountUID",
            "NodeName",
            "NodeUID",
            "MaxExpirationSeconds",
            "PKIXPublicKey",
            "ProofOfPossession",
            "StubPKCS10Request",
            "UnverifiedUserAnnotations",
        ],
    ),
    (
        "k8s.io/api/core/v1",
        "NodeSpec",
        &[
            "PodCIDRs",
            "ProviderID",
            "Unschedulable",
            "Taints",
            "ConfigSource",
            "DoNotUseExternalID",
            "PodPreemptionPolicy",
        ],
    ),
];

/// Internal structs of releases in which host namespaces are not members of a pod's spec ([`Behavior::HostNamespacesInSpec`]), as
/// [`OTHERWISE`]. Members that the release does not have are left out.
const BEFORE: &[(&str, &str, &[&str])] = &[
    (
        "k8s.io/api/core/v1",
        "PodSpec",
        &[
            "Volumes",
            "InitContainers",
            "Containers",
            "EphemeralContainers",
            "RestartPolicy",
            "TerminationGracePeriodSeconds",
            "ActiveDeadlineSeconds",
            "DNSPolicy",
            "NodeSelector",
            "ServiceAccountName",
            "AutomountServiceAccountToken",
            "NodeName",
            "SecurityContext",
            "ImagePullSecrets",
            "Hostname",
            "Subdomain",
            "SetHostnameAsFQDN",
            "Affinity",
            "SchedulerName",
            "Tolerations",
            "HostAliases",
            "PriorityClassName",
            "Priority",
            "PreemptionPolicy",
            "DNSConfig",
            "ReadinessGates",
            "RuntimeClassName",
            "Overhead",
            "EnableServiceLinks",
            "TopologySpreadConstraints",
            "OS",
            "SchedulingGates",
            "ResourceClaims",
            "Resources",
            "HostnameOverride",
            "SchedulingGroup",
            "WorkloadRef",
        ],
    ),
    (
        "k8s.io/api/core/v1",
        "PodSecurityContext",
        &[
            "HostNetwork",
            "HostPID",
            "HostIPC",
            "ShareProcessNamespace",
            "HostUsers",
            "SELinuxOptions",
            "WindowsOptions",
            "RunAsUser",
            "RunAsGroup",
            "RunAsNonRoot",
            "SupplementalGroups",
            "SupplementalGroupsPolicy",
            "FSGroup",
            "FSGroupChangePolicy",
            "Sysctls",
            "SeccompProfile",
            "AppArmorProfile",
            "SELinuxChangePolicy",
        ],
    ),
    (
        "k8s.io/api/core/v1",
        "PersistentVolumeSource",
        &[
            "GCEPersistentDisk",
            "AWSElasticBlockStore",
            "HostPath",
            "Glusterfs",
            "NFS",
            "RBD",
            "Quobyte",
            "ISCSI",
            "FlexVolume",
            "Cinder",
            "CephFS",
            "FC",
            "Flocker",
            "AzureFile",
            "VsphereVolume",
            "AzureDisk",
            "PhotonPersistentDisk",
            "PortworxVolume",
            "ScaleIO",
            "Local",
            "StorageOS",
            "CSI",
        ],
    ),
    (
        "k8s.io/api/core/v1",
        "VolumeSource",
        &[
            "HostPath",
            "EmptyDir",
            "GCEPersistentDisk",
            "AWSElasticBlockStore",
            "GitRepo",
            "Secret",
            "NFS",
            "ISCSI",
            "Glusterfs",
            "PersistentVolumeClaim",
            "RBD",
            "Quobyte",
            "FlexVolume",
            "Cinder",
            "CephFS",
            "Flocker",
            "DownwardAPI",
            "FC",
            "AzureFile",
            "ConfigMap",
            "VsphereVolume",
            "AzureDisk",
            "PhotonPersistentDisk",
            "Projected",
            "PortworxVolume",
            "ScaleIO",
            "StorageOS",
            "CSI",
            "Ephemeral",
            "Image",
        ],
    ),
    (
        "k8s.io/api/core/v1",
        "NodeSpec",
        &[
            "PodCIDRs",
            "ProviderID",
            "Unschedulable",
            "Taints",
            "ConfigSource",
            "DoNotUseExternalID",
        ],
    ),
];

/// Members of a pod's spec that are members of its security context in [`BEFORE`], with Go's zero value.
const MOVED: [(&str, &str, Value<'static>); 5] = [
    ("HostNetwork", "hostNetwork", Value::Bool(false)),
    ("HostPID", "hostPID", Value::Bool(false)),
    ("HostIPC", "hostIPC", Value::Bool(false)),
    ("ShareProcessNamespace", "shareProcessNamespace", Value::Null),
    ("HostUsers", "hostUsers", Value::Null),
];

/// A value of a type such as `core/v1` `PersistentVolumeSpec`, as an error shows it.
pub(crate) fn shown(release: Release, package: &str, name: &str, value: Option<Value<'_>>) -> BadValue {
    let arena = Arena::new();
    match internal(release, &arena, package, name, value) {
        None | Some(Value::Null) => BadValue::Nil,
        Some(value) => BadValue::Json(text(value, None).into()),
    }
}

/// The value at a path of an object of a type, as an error shows it.
pub(crate) fn shown_at(release: Release, root: TypeId, object: Value<'_>, path: &[Step]) -> BadValue {
    let arena = Arena::new();
    let schema = schema_of(release);
    let (mut ty, mut value) = (TypeRef::Named(root), Some(object));
    for step in path {
        let Some(next) = step_into(schema, &ty, step) else {
            return BadValue::Nil;
        };
        ty = next;
        value = value.and_then(|value| match step {
            Step::Field(key) | Step::Key(key) => value.get(key),
            Step::Index(index) => value.as_array()?.get(*index).copied(),
        });
    }
    let writer = Writer {
        arena: &arena,
        is_before: !release.has(Behavior::HostNamespacesInSpec),
        schema,
    };
    match writer.value(&ty, value) {
        Value::Null => BadValue::Nil,
        Value::Str(text) => BadValue::Text(text.into()),
        value => BadValue::Json(text(value, None).into()),
    }
}

fn step_into(schema: &'static Schema, ty: &TypeRef, step: &Step) -> Option<TypeRef> {
    match (ty, step) {
        (TypeRef::Pointer(of), step) => step_into(schema, of, step),
        (TypeRef::List(of) | TypeRef::Array(_, of), Step::Index(_)) | (TypeRef::Map(_, of), _) => {
            Some((**of).clone())
        }
        (TypeRef::Named(id), step) => match (&schema.ty(*id).shape, step) {
            (Shape::Def(of) | Shape::Alias(of), step) => step_into(schema, of, step),
            (Shape::Struct(_), Step::Field(key) | Step::Key(key)) => {
                let fields = schema.ty(*id).fields();
                let own = fields.iter().find(|field| field.json_name() == Some(&**key));
                own.map(|field| field.ty.clone())
            }
            _ => None,
        },
        _ => None,
    }
}

/// A list of values of a type, as an error shows it.
pub(crate) fn shown_list(release: Release, package: &str, name: &str, values: Option<Value<'_>>) -> BadValue {
    let arena = Arena::new();
    let Some(Value::Array(values)) = values else {
        return BadValue::Nil;
    };
    let list: Vec<Value<'_>> = values
        .iter()
        .filter_map(|value| internal(release, &arena, package, name, Some(*value)))
        .collect();
    BadValue::Json(text(Value::Array(&list), None).into())
}

/// Whether two values of a type are equal as Go values, where an empty list or map is the same as an absent one.
pub(crate) fn is_same(
    release: Release,
    package: &str,
    name: &str,
    left: Value<'_>,
    right: Value<'_>,
) -> bool {
    let arena = Arena::new();
    let text = |value| match shown(release, package, name, Some(without_empty(&arena, value))) {
        BadValue::Json(text) => text.to_string(),
        _ => String::new(),
    };
    text(left) == text(right)
}

/// What changed from one value of a type to another, line by line.
pub(crate) fn difference(
    release: Release,
    package: &str,
    name: &str,
    old: Option<Value<'_>>,
    new: Option<Value<'_>>,
) -> String {
    let arena = Arena::new();
    let pretty = |value| {
        let value = internal(release, &arena, package, name, value).unwrap_or_default();
        text(value, Some(" "))
    };
    unified_diff(&pretty(old), &pretty(new))
}

fn text(value: Value<'_>, indent: Option<&str>) -> String {
    let format = Format::default().escape(Escape::Html);
    match indent {
        Some(indent) => format.indent(indent).to_string(value),
        None => format.to_string(value),
    }
}

fn internal<'a>(
    release: Release,
    arena: &'a Arena,
    package: &str,
    name: &str,
    value: Option<Value<'a>>,
) -> Option<Value<'a>> {
    let writer = Writer {
        arena,
        is_before: !release.has(Behavior::HostNamespacesInSpec),
        schema: schema_of(release),
    };
    let id = writer
        .schema
        .find(&TypeName::new(format!("k8s.io/api/{package}"), name))?;
    Some(writer.named(id, value))
}

struct Writer<'a> {
    arena: &'a Arena,
    schema: &'static Schema,
    /// Whether structs have the members of [`BEFORE`].
    is_before: bool,
}

impl<'a> Writer<'a> {
    fn value(&self, ty: &TypeRef, value: Option<Value<'a>>) -> Value<'a> {
        let value = value.filter(|value| !value.is_null());
        match (ty, value) {
            (TypeRef::Named(id), value) => self.named(*id, value),
            (TypeRef::Pointer(inner), Some(_)) => self.value(inner, value),
            (TypeRef::List(item) | TypeRef::Array(_, item), Some(Value::Array(items))) => {
                let items: Vec<Value<'a>> =
                    items.iter().map(|value| self.value(item, Some(*value))).collect();
                Value::Array(self.arena.alloc_slice_copy(&items))
            }
            (TypeRef::Map(_, of), Some(Value::Object(object))) => {
                let mut map = Object::EMPTY;
                for entry in object.sorted() {
                    map.insert(self.arena, entry.key, self.value(of, Some(entry.value)));
                }
                Value::Object(map)
            }
            (TypeRef::Scalar(scalar), None) => zero(*scalar),
            (_, None) => Value::Null,
            (_, Some(value)) => value,
        }
    }

    fn named(&self, id: TypeId, value: Option<Value<'a>>) -> Value<'a> {
        let ty = self.schema.ty(id);
        match (ty.well_known, value) {
            (Some(WellKnown::Quantity), None) => return Value::Str("0"),
            (Some(WellKnown::IntOrString), None) => return Value::Int(0),
            (Some(_), None) => return Value::Null,
            (Some(_), Some(value)) => return value,
            (None, _) => {}
        }
        match &ty.shape {
            Shape::Def(of) | Shape::Alias(of) => self.value(of, value),
            // Types of metav1 have no internal form.
            Shape::Struct(_) if is_meta(&ty.name) => match value {
                Some(value) => without_empty(self.arena, value),
                None => Value::Object(Object::EMPTY),
            },
            Shape::Struct(_) => {
                let mut object = Object::EMPTY;
                self.members(id, value, &mut object);
                Value::Object(object)
            }
            Shape::Hole => Value::Null,
        }
    }

    fn members(&self, id: TypeId, value: Option<Value<'a>>, object: &mut Object<'a>) {
        let ty = self.schema.ty(id);
        let fields = ty.fields();
        let find = |table: &'static [(&str, &str, &'static [&'static str])]| {
            let mut lines = table.iter();
            lines.find(|(package, name, _)| *ty.name.package == **package && *ty.name.name == **name)
        };
        if let Some((_, name, names)) = find(BEFORE).filter(|_| self.is_before) {
            let value = value
                .filter(|_| *name == "PodSpec")
                .map(|spec| self.moved(spec))
                .or(value);
            for name in *names {
                match fields.iter().find(|field| *field.name == **name) {
                    Some(field) => self.member(field, value, object),
                    None => self.moved_member(name, value, object),
                }
            }
            return;
        }
        match find(OTHERWISE) {
            None => fields.iter().for_each(|field| self.member(field, value, object)),
            Some((.., names)) => {
                for name in *names {
                    match fields.iter().find(|field| *field.name == **name) {
                        Some(field) => self.member(field, value, object),
                        None => _ = object.insert(self.arena, name, Value::Null),
                    }
                }
            }
        }
    }

    /// A pod's spec whose security context has the host namespaces.
    fn moved(&self, spec: Value<'a>) -> Value<'a> {
        let mut spec = spec;
        let mut context = spec
            .get("securityContext")
            .filter(|context| !context.is_null())
            .unwrap_or(Value::Object(Object::EMPTY));
        for (_, key, _) in MOVED {
            if let Some(value) = spec.get(key) {
                context.set(self.arena, &[key], value);
            }
        }
        spec.set(self.arena, &["securityContext"], context);
        spec
    }

    fn moved_member(&self, name: &'static str, value: Option<Value<'a>>, object: &mut Object<'a>) {
        let Some((_, key, zero)) = MOVED.into_iter().find(|(known, ..)| *known == name) else {
            return;
        };
        let found = value.and_then(|value| value.get(key));
        object.insert(self.arena, name, found.unwrap_or(zero));
    }

    fn member(&self, field: &'static Field, value: Option<Value<'a>>, object: &mut Object<'a>) {
        if !field.embedded {
            let found = field
                .json_name()
                .and_then(|name| value.and_then(|value| value.get(name)));
            object.insert(self.arena, &field.name, self.value(&field.ty, found));
            return;
        }
        match (&*field.name, &field.ty) {
            ("TypeMeta", _) => {}
            ("ObjectMeta", _) => {
                let meta = value.and_then(|value| value.get("metadata"));
                let meta = meta.map(|meta| without_empty(self.arena, meta));
                for (key, value) in meta.and_then(Value::as_object).unwrap_or_default() {
                    object.insert(self.arena, key, value);
                }
            }
            (_, TypeRef::Named(id)) => self.members(*id, value, object),
            _ => {}
        }
    }
}

fn is_meta(name: &TypeName) -> bool {
    name.package.starts_with("k8s.io/apimachinery/")
}

fn zero(scalar: Scalar) -> Value<'static> {
    match scalar {
        Scalar::Bool => Value::Bool(false),
        Scalar::String => Value::Str(""),
        _ => Value::Int(0),
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::{Release, difference, shown};

    #[test]
    fn members_have_go_names_and_empty_ones_stay() {
        let arena = Arena::new();
        let value = parse_str(&arena, r#"{"storage":{"endpoints":"e","path":"p"}}"#).expect("it is JSON");
        let value = value.get("storage");
        assert_eq!(
            shown(
                Release::NEWEST,
                "core/v1",
                "GlusterfsPersistentVolumeSource",
                value
            )
            .to_json(),
            r#"{"EndpointsName":"e","Path":"p","ReadOnly":false,"EndpointsNamespace":null}"#
        );
    }

    #[test]
    fn differences_are_those_of_indented_text() {
        let arena = Arena::new();
        let [old, new] =
            [r#"{"path":"/a"}"#, r#"{"path":"/b"}"#].map(|text| parse_str(&arena, text).expect("it is JSON"));
        assert_eq!(
            difference(
                Release::NEWEST,
                "core/v1",
                "LocalVolumeSource",
                Some(old),
                Some(new)
            ),
            "@@ -1,4 +1,4 @@\n {\n- \"Path\": \"/a\",\n+ \"Path\": \"/b\",\n  \"FSType\": null\n }\n"
        );
    }
}
