//! A controller written with kube-rs, run against a server until it has done everything expected.
//!
//! It defines a kind, reconciles its objects into ConfigMaps that they own with server-side apply, writes their status,
//! delays their deletion with a finalizer and records events. The server is that of `KUBECONFIG`.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{DeleteParams, ListParams, ObjectMeta, Patch, PatchParams, PostParams};
use kube::core::CustomResourceExt;
use kube::discovery::Discovery;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::finalizer::{self, finalizer};
use kube::runtime::wait::{Condition, await_condition, conditions};
use kube::runtime::watcher;
use kube::{Api, Client, CustomResource, Resource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

const NAMESPACE: &str = "garden";
const FINALIZER: &str = "garden.example.com/weeds";
const PLANTS: usize = 8;

/// The example kind.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "garden.example.com",
    version = "v1",
    kind = "Plant",
    namespaced,
    status = "PlantStatus",
    shortname = "pl"
)]
struct PlantSpec {
    #[schemars(length(min = 1))]
    species: String,
    /// The server sets this default, not serde: the field is not sent unless it is set.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 9))]
    liters: u32,
}

fn one() -> u32 {
    1
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
struct PlantStatus {
    watered: u32,
}

/// Records what the controller has done.
struct Garden {
    client: Client,
    reconciled: AtomicUsize,
    weeded: AtomicUsize,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

async fn reconcile(plant: Arc<Plant>, garden: Arc<Garden>) -> Result<Action, finalizer::Error<kube::Error>> {
    let plants = Api::<Plant>::namespaced(garden.client.clone(), NAMESPACE);
    finalizer(&plants, FINALIZER, plant, |event| async {
        match event {
            finalizer::Event::Apply(plant) => water(&plant, &garden).await,
            finalizer::Event::Cleanup(_) => {
                garden.weeded.fetch_add(1, Ordering::SeqCst);
                Ok(Action::await_change())
            }
        }
    })
    .await
}

/// Applies the ConfigMap of a plant and updates its status.
async fn water(plant: &Plant, garden: &Garden) -> Result<Action, kube::Error> {
    garden.reconciled.fetch_add(1, Ordering::SeqCst);
    let name = plant.name_any();
    let wanted = ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.clone()),
            owner_references: plant.controller_owner_ref(&()).map(|owner| vec![owner]),
            ..ObjectMeta::default()
        },
        data: Some([("liters".to_owned(), plant.spec.liters.to_string())].into()),
        ..ConfigMap::default()
    };
    let apply = PatchParams::apply("gardener").force();
    let maps = Api::<ConfigMap>::namespaced(garden.client.clone(), NAMESPACE);
    maps.patch(&name, &apply, &Patch::Apply(&wanted)).await?;
    let plants = Api::<Plant>::namespaced(garden.client.clone(), NAMESPACE);
    let status = json!({
        "apiVersion": Plant::api_version(&()),
        "kind": Plant::kind(&()),
        "status": { "watered": plant.spec.liters },
    });
    plants.patch_status(&name, &apply, &Patch::Apply(status)).await?;
    Ok(Action::await_change())
}

/// Defines the kind and waits until it is served.
async fn define(client: &Client) -> Result<(), Failure> {
    let definitions = Api::<CustomResourceDefinition>::all(client.clone());
    let definition = Plant::crd();
    let name = definition.name_any();
    let apply = PatchParams::apply("gardener");
    definitions
        .patch(&name, &apply, &Patch::Apply(&definition))
        .await?;
    await_condition(definitions, &name, conditions::is_crd_established()).await?;
    let found = Discovery::new(client.clone()).run().await?;
    let groups: Vec<_> = found.groups().map(|group| group.name().to_owned()).collect();
    let there = found.get("garden.example.com").is_some();
    expect(there, format!("the group is discovered among {groups:?}"))
}

fn expect(holds: bool, what: impl Debug) -> Result<(), Failure> {
    if holds {
        Ok(())
    } else {
        Err(format!("not so: {what:?}").into())
    }
}

fn watered(liters: u32) -> impl Condition<Plant> {
    move |plant: Option<&Plant>| {
        let status = plant.and_then(|plant| plant.status.as_ref());
        status.is_some_and(|status| status.watered == liters)
    }
}

fn holds(liters: &'static str) -> impl Condition<ConfigMap> {
    move |map: Option<&ConfigMap>| {
        let data = map.and_then(|map| map.data.as_ref());
        data.is_some_and(|data| data.get("liters").is_some_and(|there| there == liters))
    }
}

/// Creates, changes, disturbs and deletes plants, and waits for the controller each time.
async fn work(client: &Client, garden: &Garden) -> Result<(), Failure> {
    let plants = Api::<Plant>::namespaced(client.clone(), NAMESPACE);
    let maps = Api::<ConfigMap>::namespaced(client.clone(), NAMESPACE);
    let post = PostParams::default();
    for number in 0..PLANTS {
        let plant = Plant::new(
            &format!("rose-{number}"),
            PlantSpec {
                species: "rose".into(),
                liters: 1,
            },
        );
        plants.create(&post, &plant).await?;
    }
    let bad = Plant::new(
        "nothing",
        PlantSpec {
            species: String::new(),
            liters: 10,
        },
    );
    let refused = plants.create(&post, &bad).await;
    let refused =
        matches!(&refused, Err(kube::Error::Api(status)) if status.code == 422 && status.reason == "Invalid");
    expect(refused, "an invalid plant is refused")?;
    for number in 0..PLANTS {
        await_condition(plants.clone(), &format!("rose-{number}"), watered(1)).await?;
    }
    let merge = Patch::Merge(json!({ "spec": { "liters": 3 } }));
    plants.patch("rose-0", &PatchParams::default(), &merge).await?;
    await_condition(plants.clone(), "rose-0", watered(3)).await?;
    await_condition(maps.clone(), "rose-0", holds("3")).await?;
    // A deleted ConfigMap is created again.
    let lost = maps.get("rose-1").await?.uid().ok_or("every object has a uid")?;
    maps.delete("rose-1", &DeleteParams::default()).await?;
    await_condition(maps.clone(), "rose-1", conditions::is_deleted(&lost)).await?;
    await_condition(maps.clone(), "rose-1", holds("1")).await?;
    let mut left = plants.list(&ListParams::default().limit(3)).await?;
    let mut names: Vec<_> = left.iter().map(ResourceExt::name_any).collect();
    while let Some(token) = left.metadata.continue_.clone().filter(|token| !token.is_empty()) {
        left = plants
            .list(&ListParams::default().limit(3).continue_token(&token))
            .await?;
        names.extend(left.iter().map(ResourceExt::name_any));
    }
    expect(names.len() == PLANTS, &names)?;
    for name in names {
        let uid = plants.get(&name).await?.uid().ok_or("every object has a uid")?;
        plants.delete(&name, &DeleteParams::default()).await?;
        await_condition(plants.clone(), &name, conditions::is_deleted(&uid)).await?;
    }
    expect(
        garden.weeded.load(Ordering::SeqCst) >= PLANTS,
        "every finalizer ran",
    )?;
    expect(
        plants.list(&ListParams::default()).await?.items.is_empty(),
        "all plants are gone",
    )
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let client = Client::try_default().await?;
    let version = client.apiserver_version().await?;
    let namespaces = Api::<Namespace>::all(client.clone());
    let namespace: Namespace = serde_json::from_value(json!({ "metadata": { "name": NAMESPACE } }))?;
    namespaces.create(&PostParams::default(), &namespace).await?;
    define(&client).await?;
    let garden = Arc::new(Garden {
        client: client.clone(),
        reconciled: AtomicUsize::new(0),
        weeded: AtomicUsize::new(0),
    });
    // Once with a stream of initial events, once with a list and a watch.
    let plants = Api::<Plant>::namespaced(client.clone(), NAMESPACE);
    let maps = Api::<ConfigMap>::namespaced(client.clone(), NAMESPACE);
    let controller = Controller::new(plants, watcher::Config::default().streaming_lists())
        .owns(maps, watcher::Config::default())
        .run(
            reconcile,
            |_, _, _| Action::requeue(Duration::from_millis(100)),
            Arc::clone(&garden),
        )
        .for_each(|_| async {});
    let worked = tokio::time::timeout(Duration::from_secs(120), work(&client, &garden));
    tokio::select! {
        () = controller => return Err("the controller ended".into()),
        outcome = worked => outcome.map_err(|_| "it took too long")??,
    }
    let reconciled = garden.reconciled.load(Ordering::SeqCst);
    println!(
        "kube-rs against {}: {PLANTS} plants, {reconciled} reconciliations, all done",
        version.git_version
    );
    Ok(())
}
