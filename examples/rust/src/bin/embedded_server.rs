//! An API server of a program: two versions of a kind, and a rule in code. `cargo run --bin embedded_server`.

use kindsmith::Server;
use serde_json::{Value, json};

mod v1 {
    use kindsmith::{Resource, Schema};
    use serde::{Deserialize, Serialize};

    #[derive(Resource, Serialize, Deserialize)]
    #[k8s(group = "park.example.org", version = "v1")]
    pub struct Gate {
        pub metadata: serde_json::Value,
        pub spec: Spec,
    }

    #[derive(Schema, Serialize, Deserialize)]
    pub struct Spec {
        pub meters: i32,
    }
}

mod v2 {
    use kindsmith::{Resource, Schema};
    use serde::{Deserialize, Serialize};

    #[derive(Resource, Serialize, Deserialize)]
    #[k8s(group = "park.example.org", version = "v2", storage_version)]
    pub struct Gate {
        pub metadata: serde_json::Value,
        pub spec: Spec,
    }

    #[derive(Schema, Serialize, Deserialize)]
    pub struct Spec {
        #[k8s(minimum = 60)]
        pub centimeters: i32,
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::builder()
        .kind::<v1::Gate>()
        .kind::<v2::Gate>()
        .convert::<v1::Gate, v2::Gate>(|gate| {
            let centimeters = gate.spec.meters * 100;
            Ok(v2::Gate {
                metadata: gate.metadata,
                spec: v2::Spec { centimeters },
            })
        })
        .convert::<v2::Gate, v1::Gate>(|gate| {
            let meters = gate.spec.centimeters / 100;
            Ok(v1::Gate {
                metadata: gate.metadata,
                spec: v1::Spec { meters },
            })
        })
        .validate::<v2::Gate>(|new, old, context| {
            if old.is_some_and(|old| new.spec.centimeters < old.spec.centimeters) {
                return vec![context.forbidden("spec.centimeters", "a gate never gets narrower")];
            }
            Vec::new()
        })
        .tls()
        .start()
        .await?;
    println!("listening on {}", server.url());

    let north = json!({"apiVersion": "park.example.org/v1", "kind": "Gate", "metadata": {"name": "north"}, "spec": {"meters": 2}});
    let answer = server.ask(
        "POST",
        "/apis/park.example.org/v1/namespaces/default/gates",
        &north.to_string(),
    );
    assert_eq!(answer.status, 201, "{}", answer.body);
    let path = "/apis/park.example.org/v2/namespaces/default/gates/north";
    let mut gate: Value = serde_json::from_str(&server.ask("GET", path, "").body)?;
    assert_eq!(gate["spec"]["centimeters"], 200);
    gate["spec"]["centimeters"] = json!(100);
    let refused = server.ask("PUT", path, &gate.to_string());
    println!("{}", serde_json::from_str::<Value>(&refused.body)?["message"]);
    assert_eq!(refused.status, 422);
    Ok(())
}
