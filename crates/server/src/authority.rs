//! Certificates: the server's own CA, and what it signs.

use std::net::IpAddr;

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, SanType,
};

/// A certificate and its key, in PEM.
#[derive(Clone)]
pub struct Credential {
    /// The certificate.
    pub certificate: String,
    /// The private key.
    pub key: String,
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Credential").finish_non_exhaustive()
    }
}

/// A certificate authority.
#[derive(Debug)]
pub struct Authority {
    credential: Credential,
    issuer: Issuer<'static, KeyPair>,
}

/// The CA's name; a CA that is loaded again must sign under the same name.
const NAME: &str = "kindsmith-ca";

impl Authority {
    /// Creates a new CA.
    ///
    /// # Errors
    ///
    /// If no key can be generated.
    pub fn generate() -> Result<Self, rcgen::Error> {
        let key = KeyPair::generate()?;
        let params = params(NAME, &[]);
        let certificate = params.self_signed(&key)?.pem();
        let credential = Credential {
            certificate,
            key: key.serialize_pem(),
        };
        Ok(Authority {
            credential,
            issuer: Issuer::new(params, key),
        })
    }

    /// Loads a CA that was created before.
    ///
    /// # Errors
    ///
    /// If the key cannot be read.
    pub fn load(credential: Credential) -> Result<Self, rcgen::Error> {
        let key = KeyPair::from_pem(&credential.key)?;
        Ok(Authority {
            issuer: Issuer::new(params(NAME, &[]), key),
            credential,
        })
    }

    /// The CA's own certificate and key.
    #[must_use]
    pub fn credential(&self) -> &Credential {
        &self.credential
    }

    /// Signs a certificate for a server at these names and addresses.
    ///
    /// # Errors
    ///
    /// If no key can be generated.
    pub fn server(&self, names: &[&str], addresses: &[IpAddr]) -> Result<Credential, rcgen::Error> {
        let mut params =
            CertificateParams::new(names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())?;
        params
            .subject_alt_names
            .extend(addresses.iter().map(|&address| SanType::IpAddress(address)));
        params.distinguished_name = subject("kindsmith", &[]);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        self.sign(params)
    }

    /// Signs a certificate for a user in groups.
    ///
    /// # Errors
    ///
    /// If no key can be generated.
    pub fn client(&self, user: &str, groups: &[&str]) -> Result<Credential, rcgen::Error> {
        let mut params = CertificateParams::default();
        params.distinguished_name = subject(user, groups);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        self.sign(params)
    }

    fn sign(&self, mut params: CertificateParams) -> Result<Credential, rcgen::Error> {
        let key = KeyPair::generate()?;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.use_authority_key_identifier_extension = true;
        set_lifetime(&mut params);
        Ok(Credential {
            certificate: params.signed_by(&key, &self.issuer)?.pem(),
            key: key.serialize_pem(),
        })
    }
}

fn params(name: &str, groups: &[&str]) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = subject(name, groups);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
    set_lifetime(&mut params);
    params
}

/// Fixed dates, far apart, need no clock and tolerate wrong clocks.
fn set_lifetime(params: &mut CertificateParams) {
    params.not_before = rcgen::date_time_ymd(2020, 1, 1);
    params.not_after = rcgen::date_time_ymd(2120, 1, 1);
}

fn subject(name: &str, groups: &[&str]) -> DistinguishedName {
    let mut subject = DistinguishedName::new();
    for group in groups {
        subject.push(DnType::OrganizationName, *group);
    }
    subject.push(DnType::CommonName, name);
    subject
}
