//! An etcd with TLS that authenticates clients by their certificates.

use std::fs;
use std::time::Duration;

use kindsmith_store::{Error, Etcd, Store};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose,
};

use crate::stores::cluster::{Server, options};

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority() -> Authority {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
    let key = KeyPair::generate().expect("keys can be made");
    CertifiedIssuer::self_signed(params, key).expect("it can be signed")
}

/// A certificate and its key.
fn issue(authority: &Authority) -> (String, String) {
    let mut params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("it is an address");
    params.extended_key_usages = vec![
        ExtendedKeyUsagePurpose::ServerAuth,
        ExtendedKeyUsagePurpose::ClientAuth,
    ];
    let key = KeyPair::generate().expect("keys can be made");
    let certificate = params.signed_by(&key, authority).expect("it can be signed");
    (certificate.pem(), key.serialize_pem())
}

#[test]
fn both_sides_show_their_certificates() {
    let ours = authority();
    let ours_pem = ours.as_ref().pem();
    let folder = tempfile::tempdir().expect("there is room for certificates");
    let (certificate, key) = issue(&ours);
    for (name, text) in [
        ("ca.pem", &ours_pem),
        ("server.pem", &certificate),
        ("server.key", &key),
    ] {
        fs::write(folder.path().join(name), text).expect("there is room for certificates");
    }
    let Some(server) = Server::start_secure(folder) else {
        return;
    };
    let mut known = options();
    let (certificate, key) = issue(&ours);
    known.tls.ca = Some(ours_pem.into_bytes());
    known.tls.identity = Some((certificate.into_bytes(), key.into_bytes()));
    let store = server.open_with(known.clone());
    assert_eq!(store.create(b"/a", b"x"[..].into()), Ok(2));

    known.open_timeout = Duration::from_millis(500);
    let mut unknown = known.clone();
    unknown.tls.identity = None;
    let mut wary = known;
    wary.tls.ca = Some(authority().as_ref().pem().into_bytes());
    for other in [unknown, wary] {
        let opened = Etcd::open_with(&server.endpoints(), other);
        assert!(matches!(opened, Err(Error::Unavailable(_))));
    }
}
