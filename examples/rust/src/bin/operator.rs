//! The operator: `cargo run --bin operator`, against the cluster of the kubeconfig. `--crd` prints its CRD.

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().any(|argument| argument == "--crd") {
        print!("{}", kindsmith::crd::<kindsmith_rust_examples::gate::Gate>()?);
        return Ok(());
    }
    let client = kube::Client::try_default().await?;
    kindsmith_rust_examples::operator::run(client).await;
    Ok(())
}
