//! A server behind a cluster, which is a server of this process: it says who has a token, and what users may do. That the cluster sends requests on is
//! shown by `e2e/aggregated/run` with a real kube-apiserver.

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::{ConfigMap, ServiceAccount};
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding};
use kindsmith::Server;
use kindsmith::server::Cluster;
use kindsmith_rust_examples::gate::Gate;
use kube::api::{ListParams, PostParams};
use kube::config::Kubeconfig;
use kube::{Api, Client, Config};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

async fn create<K>(api: Api<K>, object: Value)
where
    K: kube::Resource + DeserializeOwned + Clone + std::fmt::Debug + serde::Serialize,
{
    let object = serde_json::from_value(object).expect("an object");
    api.create(&PostParams::default(), &object)
        .await
        .expect("it is created");
}

/// The CA of a server, in PEM.
fn authority(server: &Server) -> String {
    let kubeconfig = Kubeconfig::from_yaml(&server.kubeconfig()).expect("a kubeconfig");
    let cluster = kubeconfig.clusters[0].cluster.as_ref().expect("a cluster");
    let encoded = json!(cluster.certificate_authority_data);
    let bytes: ByteString = serde_json::from_value(encoded).expect("base64");
    String::from_utf8(bytes.0).expect("PEM")
}

/// A cluster in which `keeper` may see gates, and `visitor` may not.
async fn cluster() -> (Server, Client) {
    let server = Server::builder().tls().start().await.expect("a server");
    let client = server.client().await.expect("a client");
    create::<ConfigMap>(
        Api::namespaced(client.clone(), "kube-system"),
        json!({
            "metadata": {"name": "extension-apiserver-authentication"},
            "data": {"requestheader-client-ca-file": authority(&server), "requestheader-allowed-names": "[]"},
        }),
    )
    .await;
    for name in ["keeper", "visitor"] {
        create::<ServiceAccount>(
            Api::namespaced(client.clone(), "default"),
            json!({"metadata": {"name": name}}),
        )
        .await;
    }
    create::<ClusterRole>(
        Api::all(client.clone()),
        json!({
            "metadata": {"name": "see-gates"},
            "rules": [{"apiGroups": ["park.example.org"], "resources": ["gates"], "verbs": ["list"]}],
        }),
    )
    .await;
    create::<ClusterRoleBinding>(
        Api::all(client.clone()),
        json!({
            "metadata": {"name": "keeper"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "see-gates"},
            "subjects": [{"kind": "ServiceAccount", "name": "keeper", "namespace": "default"}],
        }),
    )
    .await;
    (server, client)
}

/// The gates as the owner of a token sees them.
async fn gates(server: &Server, token: &str) -> Result<usize, String> {
    let mut config = Config::new(server.url().parse().expect("a URL"));
    config.accept_invalid_certs = true;
    config.auth_info.token = Some(token.to_owned().into());
    let gates: Api<Gate> = Api::all(Client::try_from(config).expect("a client"));
    match gates.list(&ListParams::default()).await {
        Ok(list) => Ok(list.items.len()),
        Err(error) => Err(error.to_string()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cluster_says_who_asks_and_what_they_may_do() {
    let (cluster, client) = cluster().await;
    let behind = Cluster::read(client.clone()).await.expect("it has proxies");
    let server = Server::builder()
        .kind::<Gate>()
        .behind(behind, "default", "park")
        .start()
        .await
        .expect("a server");
    let manifest = server.api_services("default", "park", 443);
    assert!(manifest.contains("name: v1.park.example.org"), "{manifest}");

    let accounts: Api<ServiceAccount> = Api::namespaced(client, "default");
    let request = serde_json::from_value(json!({"spec": {"audiences": []}})).expect("a request");
    let mut told = Vec::new();
    for name in ["keeper", "visitor"] {
        let made = accounts
            .create_token_request(name, &PostParams::default(), &request)
            .await
            .expect("a token");
        let token = made.status.and_then(|status| status.token);
        told.push(gates(&server, &token.expect("it is there")).await);
    }
    assert_eq!(told[0], Ok(0));
    let refused = told[1].as_ref().expect_err("the visitor has no role");
    assert!(
        refused.contains("\"system:serviceaccount:default:visitor\" cannot list resource \"gates\""),
        "{refused}"
    );
    assert!(
        gates(&server, "no token")
            .await
            .is_err_and(|error| error.contains("Unauthorized"))
    );
    drop(cluster);
}
