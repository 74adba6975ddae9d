//! Against Postfix itself, with a certificate of a private authority and accounts to sign in with.
//!
//! It runs from a directory of the test alone, on ports of the loopback that were free, and throws
//! away what it takes. Postfix is started by root only.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use sixgate_engine::mail::{Outcome, Password, Security, SmtpSettings, freeze};
use tempfile::TempDir;
use tokio::net::TcpStream;

use crate::{AMPLE, letter, settings, transport};

struct Postfix {
    directory: TempDir,
    start_tls: u16,
    tls: u16,
}

impl Postfix {
    async fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        // Its parts run as another user.
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
        // Held until both are known, so that they are two.
        let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [start_tls, tls] = listeners.map(|listener| listener.local_addr().unwrap().port());
        let postfix = Self { directory, start_tls, tls };
        postfix.set_up();
        let started = as_root("postfix").arg("-c").arg(postfix.at("conf")).arg("start").output();
        let started = started.unwrap();
        assert!(started.status.success(), "{started:?}");
        let listening = async {
            for port in [start_tls, tls] {
                while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                    tokio::task::yield_now().await;
                }
            }
        };
        let listens = tokio::time::timeout(AMPLE, listening).await;
        assert!(listens.is_ok(), "Postfix does not listen: {}", postfix.log());
        postfix
    }

    fn at(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.at("log")).unwrap_or_default()
    }

    fn set_up(&self) {
        for folder in ["conf", "conf/sasl", "queue", "data"] {
            fs::create_dir(self.at(folder)).unwrap();
        }
        self.certify();
        let here = self.directory.path().display();
        let main = format!(
            "compatibility_level = 3.6\n\
             queue_directory = {here}/queue\n\
             data_directory = {here}/data\n\
             maillog_file = {here}/log\n\
             maillog_file_prefixes = {here}\n\
             myhostname = relay.example\n\
             mydestination =\n\
             mynetworks =\n\
             alias_maps =\n\
             inet_interfaces = 127.0.0.1\n\
             inet_protocols = ipv4\n\
             default_transport = discard\n\
             smtpd_tls_cert_file = {here}/certificate.pem\n\
             smtpd_tls_key_file = {here}/key.pem\n\
             smtpd_tls_auth_only = yes\n\
             smtpd_sasl_auth_enable = yes\n\
             smtpd_sasl_local_domain = relay.example\n\
             smtpd_relay_restrictions = permit_sasl_authenticated, reject\n"
        );
        let (start_tls, tls) = (self.start_tls, self.tls);
        let services = format!(
            "127.0.0.1:{start_tls} inet n - n - - smtpd -o smtpd_tls_security_level=encrypt\n\
             127.0.0.1:{tls} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes\n\
             cleanup unix n - n - 0 cleanup\n\
             qmgr unix n - n 300 1 qmgr\n\
             tlsmgr unix - - n 1000? 1 tlsmgr\n\
             rewrite unix - - n - - trivial-rewrite\n\
             bounce unix - - n - 0 bounce\n\
             defer unix - - n - 0 bounce\n\
             trace unix - - n - 0 bounce\n\
             anvil unix - - n - 1 anvil\n\
             discard unix - - n - - discard\n\
             error unix - - n - - error\n\
             retry unix - - n - - error\n\
             proxymap unix - - n - - proxymap\n\
             postlog unix-dgram n - n - 1 postlogd\n"
        );
        let accounts = format!(
            "pwcheck_method: auxprop\nauxprop_plugin: sasldb\nsasldb_path: {here}/accounts\n\
             mech_list: PLAIN LOGIN\n"
        );
        fs::write(self.at("conf/main.cf"), main).unwrap();
        fs::write(self.at("conf/master.cf"), services).unwrap();
        fs::write(self.at("conf/sasl/smtpd.conf"), accounts).unwrap();
        self.open_account("gates", "secret");
        let owned = as_root("chown").arg("postfix").arg(self.at("data")).status().unwrap();
        assert!(owned.success());
    }

    fn open_account(&self, user: &str, password: &str) {
        let mut made = Command::new(program("saslpasswd2"))
            .args(["-p", "-c", "-u", "relay.example", "-f"])
            .arg(self.at("accounts"))
            .arg(user)
            .stdin(Stdio::piped())
            .spawn()
            .expect("saslpasswd2 is in the package sasl2-bin");
        made.stdin.take().unwrap().write_all(password.as_bytes()).unwrap();
        assert!(made.wait().unwrap().success());
        fs::set_permissions(self.at("accounts"), fs::Permissions::from_mode(0o644)).unwrap();
    }

    /// A certificate for the loopback, vouched for by an authority that nobody else knows.
    fn certify(&self) {
        let authority_key = KeyPair::generate().unwrap();
        let mut authority = CertificateParams::new(Vec::new()).unwrap();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = authority.self_signed(&authority_key).unwrap();
        fs::write(self.at("authority.pem"), certificate.pem()).unwrap();
        let issuer = Issuer::new(authority, authority_key);
        let key = KeyPair::generate().unwrap();
        let names = ["127.0.0.1".to_owned(), "localhost".to_owned()];
        let own = CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
        fs::write(self.at("certificate.pem"), own.pem()).unwrap();
        fs::write(self.at("key.pem"), key.serialize_pem()).unwrap();
        fs::set_permissions(self.at("key.pem"), fs::Permissions::from_mode(0o600)).unwrap();
    }

    fn settings(&self, security: Security) -> SmtpSettings {
        let port = if security == Security::Tls { self.tls } else { self.start_tls };
        SmtpSettings {
            security,
            user: Some("gates".into()),
            password: Some(Password::new("secret")),
            certificate_authority_file: Some(self.at("authority.pem")),
            ..settings(port)
        }
    }

    async fn send(&self, settings: SmtpSettings) -> Outcome {
        transport(settings).send(&letter().envelope(), &freeze(&letter()).unwrap()).await
    }
}

impl Drop for Postfix {
    fn drop(&mut self) {
        let _ = as_root("postfix").arg("-c").arg(self.at("conf")).arg("stop").output();
    }
}

fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/sbin")])
        .map(|folder| folder.join(name))
        .find(|program| Path::is_file(program))
        .unwrap_or_else(|| panic!("{name} is neither in PATH nor in /usr/sbin"))
}

fn as_root(name: &str) -> Command {
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        return Command::new(program(name));
    }
    let mut command = Command::new("sudo");
    command.arg("-n").arg(program(name));
    command
}

#[tokio::test]
async fn postfix_takes_letters_over_tls_from_whoever_signs_in_and_knows_its_authority() {
    let postfix = Postfix::start().await;
    for security in [Security::StartTls, Security::Tls] {
        let outcome = postfix.send(postfix.settings(security)).await;
        let Outcome::Sent { reply } = &outcome else {
            panic!("{security:?}: {outcome:?} {}", postfix.log())
        };
        assert!(reply.contains("queued as"), "{reply}");
        let sender = "gates@procurement.example";
        assert_eq!(transport(postfix.settings(security)).probe(sender).await, Ok(()));

        let wrong = Some(Password::new("guessed"));
        let settings = SmtpSettings { password: wrong, ..postfix.settings(security) };
        let outcome = postfix.send(settings).await;
        assert!(matches!(outcome, Outcome::Misconfigured { .. }), "{security:?}: {outcome:?}");

        let nobody =
            SmtpSettings { certificate_authority_file: None, ..postfix.settings(security) };
        let outcome = postfix.send(nobody).await;
        assert!(matches!(outcome, Outcome::Misconfigured { .. }), "{security:?}: {outcome:?}");

        let anonymous = SmtpSettings { user: None, password: None, ..postfix.settings(security) };
        let outcome = postfix.send(anonymous).await;
        assert!(matches!(outcome, Outcome::Refused { .. }), "{security:?}: {outcome:?}");
    }
    let plain = SmtpSettings {
        security: Security::None,
        user: None,
        password: None,
        ..postfix.settings(Security::StartTls)
    };
    let outcome = postfix.send(plain).await;
    assert!(matches!(outcome, Outcome::Misconfigured { .. }), "{outcome:?}");
}
