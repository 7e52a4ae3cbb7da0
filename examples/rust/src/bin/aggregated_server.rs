//! A server behind the kube-aggregator of a cluster: `cargo run --bin aggregated_server -- 127.0.0.1:8443`, with the cluster's
//! kubeconfig. Prints the `APIService` that registers it as the service `default/park`, and serves until it is stopped.

use kindsmith::Server;
use kindsmith::server::Cluster;
use kindsmith_rust_examples::gate::Gate;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address: std::net::SocketAddr = std::env::args()
        .nth(1)
        .unwrap_or("127.0.0.1:8443".to_owned())
        .parse()?;
    let cluster = Cluster::read(kube::Client::try_default().await?).await?;
    let server = Server::builder()
        .kind::<Gate>()
        .behind(cluster, "default", "park")
        .listen(address)
        .start()
        .await?;
    println!("{}", server.api_services("default", "park", address.port()));
    eprintln!("listening on {}", server.url());
    tokio::signal::ctrl_c().await?;
    Ok(())
}
