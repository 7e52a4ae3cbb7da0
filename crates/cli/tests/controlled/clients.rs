//! Clients of clusters and services as processes use them: kubeconfigs of several kinds, tokens from files.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

use kindsmith_testkit::tool::{Tool, left_out};
use serde_json::json;

use super::controlling::{CRDS, User, kubectl};
use super::processes::{Service, Serving};
use crate::binary;

fn scratch(name: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("clients_{}_{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the directory is there");
    folder
}

/// A service without resources that tells the header `authorization` of every request.
fn listening() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it is bound").to_string();
    let (sender, seen) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut answer = stream.try_clone().expect("it is a socket");
            let lines = BufReader::new(stream).lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let header = head.iter().find_map(|line| line.strip_prefix("authorization: "));
            let body = json!({ "error": { "code": 404, "message": "not found" } }).to_string();
            let length = body.len();
            let text = format!(
                "HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
            );
            answer.write_all(text.as_bytes()).expect("somebody listens");
            if sender.send(header.unwrap_or("nobody").to_owned()).is_err() {
                return;
            }
        }
    });
    (address, seen)
}

#[test]
fn a_token_file_is_read_when_a_request_is_sent() {
    let (address, seen) = listening();
    let folder = scratch("token");
    let file = folder.join("token");
    let export = |words: &str| {
        let topic = "PubSubTopic projects/park/topics/news";
        binary::kindsmith(&format!(
            "controller export {topic} --service-url http://{address} {words}"
        ))
    };
    for token in ["first", "second"] {
        std::fs::write(&file, format!("{token}\n")).expect("it is written");
        let run = export(&format!("--token-file {}", file.display()));
        assert!(
            run.stderr
                .contains("there is no resource `projects/park/topics/news`"),
            "{}",
            run.stderr
        );
        assert_eq!(seen.recv().ok(), Some(format!("Bearer {token}")));
    }
    // Google's credentials are not sent to another address.
    export("");
    assert_eq!(seen.recv().as_deref(), Ok("nobody"));
    std::fs::remove_file(&file).expect("it is there");
    let run = export(&format!("--token-file {}", file.display()));
    assert!(run.stderr.contains("No such file"), "{}", run.stderr);
    let _ = std::fs::remove_dir_all(folder);
}

/// The member of a kubeconfig, which has one cluster and one user.
fn member(text: &str, name: &str) -> String {
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.trim().strip_prefix(&format!("{name}: ")));
    line.unwrap_or_else(|| panic!("no {name} in {text}"))
        .trim_matches('"')
        .to_owned()
}

#[test]
fn a_cluster_is_read_with_every_kind_of_credentials() {
    let Some(kubectl) = kubectl() else {
        return left_out(Tool::Kubectl, "migrate --kubeconfig");
    };
    let serving = Serving::start_with_tls(&["--crds", CRDS]);
    let service = Service::start();
    let user = User {
        kubectl,
        kubeconfig: serving.kubeconfig.clone(),
    };
    user.apply(&json!({
        "apiVersion": "pubsub.cnrm.cloud.google.com/v1beta1", "kind": "PubSubTopic", "metadata": { "name": "news" }, "spec": {},
    }));
    let folder = scratch("kubeconfig");
    let text = std::fs::read_to_string(&serving.kubeconfig).expect("it is there");
    let token = member(&text, "token");
    std::fs::write(folder.join("token"), format!("{token}\n")).expect("it is written");
    let printed = json!({
        "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": { "token": token },
    });
    std::fs::write(folder.join("credential.json"), printed.to_string()).expect("it is written");
    let migrate = |kubeconfig: &Path| {
        binary::kindsmith(&format!(
            "controller migrate --kubeconfig {} --service-url http://{}",
            kubeconfig.display(),
            service.address
        ))
    };
    let expected = "PubSubTopic default/news: creates\n  resource: projects/default/topics/news\n";
    let run = migrate(Path::new(&serving.kubeconfig));
    assert!(run.stdout.contains(expected), "{} {}", run.stdout, run.stderr);
    let of = |cluster: &str, who: &str| {
        format!(
            "{{current-context: c, contexts: [{{name: c, context: {{cluster: c, user: u}}}}],\n\
             clusters: [{{name: c, cluster: {{server: \"{}\", {cluster}}}}}], users: [{{name: u, user: {{{who}}}}}]}}",
            member(&text, "server")
        )
    };
    let trusted = format!(
        "certificate-authority-data: {}",
        member(&text, "certificate-authority-data")
    );
    for (cluster, who) in [
        (&*trusted, format!("token: {token}")),
        (&*trusted, "tokenFile: token".to_owned()),
        (
            "insecure-skip-tls-verify: true",
            "exec: {command: cat, args: [CREDENTIAL]}".replace(
                "CREDENTIAL",
                &folder.join("credential.json").display().to_string(),
            ),
        ),
    ] {
        let file = folder.join("config");
        std::fs::write(&file, of(cluster, &who)).expect("it is written");
        let run = migrate(&file);
        assert!(
            run.stdout.contains(expected),
            "{who}: {} {}",
            run.stdout,
            run.stderr
        );
    }
    for (cluster, who, wrong) in [
        (&*trusted, "token: nobody", "Unauthorized"),
        ("tls-server-name: x", "", "certificate"),
        (&*trusted, "exec: {command: 'false'}", "false: exit status: 1"),
        (
            &*trusted,
            "auth-provider: {name: gcp}",
            "`auth-provider` of the kubeconfig is not supported",
        ),
    ] {
        let file = folder.join("config");
        std::fs::write(&file, of(cluster, who)).expect("it is written");
        let run = migrate(&file);
        assert!(run.stderr.contains(wrong), "{who}: {}", run.stderr);
        assert_eq!(run.code, Some(2), "{who}");
    }
    let _ = std::fs::remove_dir_all(folder);
}
