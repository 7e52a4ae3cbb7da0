//! Where the resource of an object is: below others, under a name that the service has made, or at another place than before.

use super::{Controller, Ended, Pass};
use crate::Json;
use crate::adapter::{Adapter, ServiceError};
use crate::cluster::Cluster;
use crate::kind::Ids;
use crate::memory::Memory;
use crate::moved::given_name;

/// Where a resource that does not exist belongs.
pub(super) enum Place {
    Here,
    Elsewhere,
    /// It cannot be created.
    Nowhere(ServiceError),
}

impl<C: Cluster, A: Adapter> Controller<C, A> {
    /// Finds the path of a resource below others once it is known what the object refers to, and remembers it before
    /// anything is created there: the deletion must find it again.
    pub(super) async fn locate(&self, pass: &mut Pass<'_>, resolved: &Json) -> Ended<()> {
        if self.kind.rest.parameters.is_empty() || pass.memory.identity.is_some() {
            return Ok(());
        }
        let name = if pass.is_unnamed() {
            String::new()
        } else {
            pass.identity.rsplit('/').next().unwrap_or_default().to_owned()
        };
        let parameters = self.kind.parameters(resolved, &pass.project);
        pass.identity = self.adapter.identity_at(&parameters, &name);
        if !pass.is_unnamed() {
            pass.memory.identity = Some(pass.identity.clone());
            self.remember(pass).await?;
        }
        Ok(())
    }

    /// Where to create a resource that does not exist where it was. If the object names another place since, the next pass
    /// looks for it there. A change of the place of a resource that exists is refused elsewhere.
    pub(super) async fn relocate(&self, pass: &mut Pass<'_>, resolved: &Json) -> Ended<Place> {
        let given = given_name(resolved);
        let is_generated = matches!(self.kind.rest.ids, Ids::Generated { .. });
        if let Some(given) = given.filter(|_| is_generated) {
            let text = format!(
                "spec.resourceID: there is no resource `{given}`, and the service names new ones; remove the field to create one"
            );
            return Ok(Place::Nowhere(ServiceError::Invalid(text)));
        }
        let parameters = self.kind.parameters(resolved, &pass.project);
        let own = if is_generated { "" } else { &*pass.what.name };
        let identity = self.adapter.identity_at(&parameters, given.unwrap_or(own));
        let known = pass.memory.identity.clone();
        if is_generated {
            pass.identity = identity;
            // It may have been created again already.
            if let Err(error) = self.name(pass).await {
                return Ok(Place::Nowhere(error));
            }
            if pass.is_unnamed() {
                return Ok(Place::Here);
            }
        } else if known.is_none() || known.as_ref() == Some(&identity) {
            return Ok(Place::Here);
        } else {
            pass.identity = identity;
        }
        pass.memory = Memory {
            identity: Some(pass.identity.clone()),
            ..Memory::default()
        };
        self.remember(pass).await?;
        Ok(Place::Elsewhere)
    }

    /// Looks for a resource that was created under a name that nobody recorded.
    pub(super) async fn name(&self, pass: &mut Pass<'_>) -> Result<(), ServiceError> {
        if pass.is_unnamed() {
            let uid = pass.object["metadata"]["uid"].as_str().unwrap_or_default();
            if let Some(identity) = self.adapter.find_marked(&pass.identity, uid).await? {
                pass.identity = identity;
            }
        }
        Ok(())
    }
}
