//! Types of `k8s-openapi`, by their names in Go.

mod keys;
mod rules;

use k8s_openapi::api::core::v1 as core;
use k8s_openapi::apimachinery::pkg::api::resource;
use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;
use k8s_openapi::apimachinery::pkg::{runtime, util};
use kindsmith_rust::{GoType, Types};

use super::Schema;
use super::kubernetes_types::kubernetes_types;
use super::typed::{Before, View};
use keys::{Seen, WithMembers as _, WithoutMembers as _};
use rules::Rules as _;

macro_rules! types {
    ($package:literal, $module:ident, $holds:ident: $($name:ident)*) => {
        $(impl Schema for $module::$name {
            const MINDS_REMOVAL: bool = false;

            fn go_type(_: &mut Types) -> GoType {
                GoType::imported($package, stringify!($name))
            }

            #[inline]
            fn holds(&self, _: Before<'_, Self>) -> bool {
                $holds!(self)
            }

            #[inline]
            #[allow(clippy::needless_borrow, reason = "the reference is what finds the trait")]
            fn view(&self) -> View<'_> {
                (&Seen(self)).view()
            }
        })*
    };
}

// Every value has the right form.
macro_rules! free {
    ($value:expr) => {
        true
    };
}

macro_rules! ruled {
    ($value:expr) => {
        $value.keeps()
    };
}

kubernetes_types!(types);

// Every value has the right form.
macro_rules! formed {
    ($($package:literal, $of:ty, $name:literal;)*) => {
        $(impl Schema for $of {
            const MINDS_REMOVAL: bool = false;

            fn go_type(_: &mut Types) -> GoType {
                GoType::imported($package, $name)
            }

            #[inline(always)]
            fn holds(&self, _: Before<'_, Self>) -> bool {
                true
            }
        })*
    };
}

formed! {
    "k8s.io/apimachinery/pkg/apis/meta/v1", meta::MicroTime, "MicroTime";
    "k8s.io/apimachinery/pkg/apis/meta/v1", meta::Time, "Time";
    "k8s.io/apimachinery/pkg/util/intstr", util::intstr::IntOrString, "IntOrString";
}

types! { "k8s.io/apimachinery/pkg/api/resource", resource, ruled: Quantity }

impl Schema for runtime::RawExtension {
    fn go_type(_: &mut Types) -> GoType {
        GoType::imported("k8s.io/apimachinery/pkg/runtime", "RawExtension")
    }
}

impl Schema for k8s_openapi::ByteString {
    fn go_type(_: &mut Types) -> GoType {
        GoType::Scalar("byte").list()
    }
}
