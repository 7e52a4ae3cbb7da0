//! A controller that is killed after a write took effect and before it could record that, and an API server that is killed.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kindsmith_controller::Next;
use kindsmith_controller::fake::{Fake, Fault};
use serde_json::json;

use super::processes::{Service, Serving, http};
use super::rig::{Server, Which, World};

/// Addresses of the API server and of the service, for the controller in another process.
const ADDRESSES: &str = "KINDSMITH_CRASH_ADDRESSES";
/// What the other process prints when an object is settled.
const SETTLED: &str = "settled";

/// Not a test by itself: the controller that the tests below start and kill.
#[test]
#[allow(clippy::print_stdout, reason = "the other process waits for the line")]
fn the_controller_in_another_process() {
    let Ok(addresses) = std::env::var(ADDRESSES) else {
        return;
    };
    let (server, service) = addresses.split_once(' ').expect("there are two");
    let server = Server::connected(server);
    let world = World::with(Which::SqlInstance, server, Fake::default(), http(service));
    for _ in 0..10_000 {
        if matches!(world.pass(), Next::After(_) | Next::OnChange) {
            println!("\n{SETTLED}");
            return;
        }
    }
}

fn controller(serving: &Serving, service: &Service) -> Child {
    Command::new(std::env::current_exe().expect("tests are a program"))
        .args([
            "--exact",
            "controlled::crash::the_controller_in_another_process",
            "--nocapture",
        ])
        .env(ADDRESSES, format!("{} {}", serving.address, service.address))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

/// Starts a controller and kills it when a request with this method has taken effect, before it hears of that.
fn killed_after(method: &'static str, serving: &Serving, service: &Service) {
    let late = Fault::Slow(Duration::from_mins(1));
    service.fake.state().script.push_for(method, late);
    let sent = || {
        let state = service.fake.state();
        state.calls.iter().filter(|(known, _)| known == method).count()
    };
    let before = sent();
    let mut child = controller(serving, service);
    while sent() == before {
        std::thread::yield_now();
    }
    child.kill().expect("it runs");
    child.wait().expect("it ended");
}

/// Runs a controller until it has nothing left to do.
fn settle(serving: &Serving, service: &Service) {
    let mut child = controller(serving, service);
    let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut lines = stdout.lines().map_while(Result::ok);
    assert!(lines.any(|line| line == SETTLED), "it settles");
    child.wait().expect("it ended");
}

#[test]
fn a_controller_that_is_killed_between_write_and_status_loses_and_duplicates_nothing() {
    let serving = Serving::start(&[]);
    let service = Service::start();
    let server = Server::listening(&serving.address);
    let world = World::with(
        Which::SqlInstance,
        server.clone(),
        service.fake.clone(),
        service.http(),
    );
    let keep = json!({ "kindsmith.dev/keep-live-fields": "spec.settings.diskSize" });
    world.apply(&keep, &json!({ "settings": { "tier": "db-f1-micro" } }));
    killed_after("POST", &serving, &service);
    let status = world.object().expect("it is there")["status"].clone();
    assert!(
        world.live().is_some() && status["externalRef"].is_null(),
        "created, but not recorded: {status}"
    );
    settle(&serving, &service);
    assert!(world.condition().starts_with("UpToDate"), "{}", world.condition());

    // An update that is not recorded is not made again, and what is kept stays.
    world.edit(|live| live["settings"]["dataDiskSizeGb"] = "77".into());
    world.apply(&keep, &json!({ "settings": { "tier": "db-g1-small" } }));
    killed_after("PATCH", &serving, &service);
    let writes = world.writes_of(|| settle(&serving, &service));
    assert_eq!(writes, 0, "the change was made before");
    let settings = world.live().expect("it is there")["settings"].clone();
    assert_eq!(
        (&settings["tier"], &settings["dataDiskSizeGb"]),
        (&json!("db-g1-small"), &json!("77"))
    );

    server.send("DELETE", &world.what.path(), "application/json", "", 200);
    killed_after("DELETE", &serving, &service);
    settle(&serving, &service);
    assert_eq!((world.object(), world.live()), (None, None));
    assert_eq!(
        service.fake.state().creations.get(&world.identity),
        Some(&1),
        "nothing is created twice"
    );
}

#[test]
fn an_api_server_that_is_killed_and_comes_back_changes_nothing() {
    let directory =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("controlled_{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    let store = directory.to_str().expect("it is text").to_owned();
    let serving = Serving::start(&["--store", &store]);
    let address = serving.address.clone();
    let service = Service::start();
    let server = Server::listening(&address);
    let world = World::with(Which::SqlInstance, server, service.fake.clone(), service.http());
    world.apply(&json!({}), &json!({ "settings": { "tier": "db-f1-micro" } }));
    world.converge();
    let before = world.live();
    serving.kill();
    assert!(matches!(world.pass(), Next::Retry { .. }), "nobody answers");
    let serving = Serving::start(&["--store", &store, "--listen", &address]);
    assert_eq!(world.writes_of(|| world.converge()), 0);
    assert_eq!(world.live(), before);
    drop(serving);
    let _ = std::fs::remove_dir_all(&directory);
}
