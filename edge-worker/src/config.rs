//! The installation's configuration: bindings and secrets of the Worker, checked.

use checkout_core::port::{Installation, OperatorAlerts, RunLimits};
use checkout_core::value::web_address::Reach;
use worker::Env;

use crate::logging::SuccessRate;
use crate::port::seal::SealKeys;
use crate::port::sign::ReceiptKey;

/// The shortest operator token.
const MIN_TOKEN_CHARS: usize = 32;
/// The longest address of a contact.
const MAX_CONTACT: usize = 255;

/// What the installation is configured with.
pub(crate) struct Config {
    pub(crate) installation: Installation,
    pub(crate) operator_token: String,
    pub(crate) seal_keys: SealKeys,
    pub(crate) receipt_key: ReceiptKey,
    /// Of how many successes in a hundred a line is logged.
    pub(crate) logged_successes: SuccessRate,
    /// Whether it requests its own pages once an hour, to see that they are as published.
    pub(crate) checks_page: bool,
    /// How much one run of the cron handler or of a consumer does.
    pub(crate) run_limits: RunLimits,
    /// To whom the installation's own alerts go; `None` if to nobody.
    pub(crate) alerts: Option<OperatorAlerts>,
    /// Where faults of security are reported, as an address with a scheme; `None` if nobody is named.
    pub(crate) security_contact: Option<String>,
}

/// Which addresses merchants may name: decided when the Worker is built, never by a variable.
const REACH: Reach = if cfg!(feature = "development") { Reach::Development } else { Reach::Public };

impl Config {
    /// The configuration.
    ///
    /// # Errors
    /// What is missing or wrong, for the operator's log.
    pub(crate) fn of(env: &Env) -> Result<Self, String> {
        Self::check(&|name| env.var(name).map(|value| value.to_string()).unwrap_or_default())
    }

    fn check(read: &dyn Fn(&str) -> String) -> Result<Self, String> {
        let address = read("PUBLIC_URL");
        let installation = Installation::at(&address, REACH, cfg!(feature = "sandbox")).map_err(|problem| {
            format!(
                "PUBLIC_URL must be the origin of the installation, such as https://pay.example.com: it {problem}"
            )
        })?;
        let installation = installation.with_desk(&desk_address(read)).map_err(|problem| {
            format!("DESK_URL must be an origin of its own, such as https://desk.example.com: it {problem}")
        })?;
        let operator_token = read("OPERATOR_TOKEN");
        let is_token = operator_token.len() >= MIN_TOKEN_CHARS
            && operator_token.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',');
        if !is_token {
            return Err(
                "the secret OPERATOR_TOKEN must be at least 32 visible ASCII characters without a comma"
                    .into(),
            );
        }
        let seal_keys = SealKeys::parse(&read("SEAL_KEY"), &read("SEAL_KEYS_OPENING"))?;
        let receipt_key = ReceiptKey::parse(&read("RECEIPT_KEY"), &read("RECEIPT_KEYS_BEFORE")).ok_or(
            "the secret RECEIPT_KEY must be 32 bytes in base64, \
             and RECEIPT_KEYS_BEFORE public keys in base64url with commas between them",
        )?;
        let logged_successes = SuccessRate::parse(&read("LOG_SUCCESSES"))
            .ok_or("LOG_SUCCESSES must be a whole number from 0 to 100")?;
        let checks_page = match read("PAGE_CHECK").trim() {
            "" | "on" => true,
            "off" => false,
            _ => return Err("PAGE_CHECK must be on or off".into()),
        };
        let contact = read("SECURITY_CONTACT");
        let contact = contact.trim();
        if !contact.is_empty() && !is_contact(contact) {
            return Err(
                "SECURITY_CONTACT must be an address such as mailto:security@example.com or https://…".into(),
            );
        }
        let run_limits = RunLimits::read(read)?;
        let alerts = OperatorAlerts::read(read, &installation)?;
        Ok(Self {
            run_limits,
            alerts,
            installation,
            operator_token,
            seal_keys,
            receipt_key,
            logged_successes,
            checks_page,
            security_contact: (!contact.is_empty()).then(|| contact.into()),
        })
    }
}

/// Where the desk is; empty if this Worker has none.
fn desk_address(read: &dyn Fn(&str) -> String) -> String {
    if cfg!(feature = "desk") { read("DESK_URL") } else { String::new() }
}

/// Whether a text can be a contact of `security.txt` (RFC 9116, section 2.5.3): an address of mail, phone or the web.
fn is_contact(text: &str) -> bool {
    ["mailto:", "https://", "tel:"].iter().any(|scheme| text.starts_with(scheme))
        && text.len() <= MAX_CONTACT
        && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, value: &str) -> Result<Config, String> {
        let (name, value) = (name.to_string(), value.to_string());
        Config::check(&move |asked: &str| match asked {
            asked if asked == name => value.clone(),
            "PUBLIC_URL" => " HTTPS://Pay.example.com:443/".into(),
            "OPERATOR_TOKEN" => "t".repeat(32),
            "SEAL_KEY" | "RECEIPT_KEY" => "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=".into(),
            _ => String::new(),
        })
    }

    #[test]
    fn a_complete_configuration_is_taken_and_its_address_written_in_one_way() {
        assert_eq!(with("", "").unwrap().installation.public_url, "https://pay.example.com");
    }

    #[test]
    fn each_missing_part_is_named() {
        assert!(with("PUBLIC_URL", "").err().unwrap().contains("PUBLIC_URL"));
        assert!(with("PUBLIC_URL", "https://pay.example.com/path").err().unwrap().contains("PUBLIC_URL"));
        assert_eq!(with("", "").unwrap().installation.desk_url, None);
        let desk = with("DESK_URL", "https://desk.example.com").unwrap().installation.desk_url;
        assert_eq!(desk.as_deref(), Some("https://desk.example.com"));
        assert!(with("DESK_URL", "https://pay.example.com").err().unwrap().contains("DESK_URL"));
        assert!(with("OPERATOR_TOKEN", "short").err().unwrap().contains("OPERATOR_TOKEN"));
        assert!(with("RECEIPT_KEY", "").err().unwrap().contains("RECEIPT_KEY"));
        assert!(with("RECEIPT_KEYS_BEFORE", "AAAA").err().unwrap().contains("RECEIPT_KEYS_BEFORE"));
        assert!(with("SEAL_KEY", "AAAA").err().unwrap().contains("SEAL_KEY must"));
        let same = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        for opening in ["AAAA", same] {
            assert!(with("SEAL_KEYS_OPENING", opening).err().unwrap().contains("SEAL_KEYS_OPENING"));
        }
        assert!(
            with("PAGE_CHECK", "").unwrap().checks_page && !with("PAGE_CHECK", "off").unwrap().checks_page
        );
        assert!(with("PAGE_CHECK", "no").err().unwrap().contains("PAGE_CHECK"));
        let contact = with("SECURITY_CONTACT", " mailto:security@example.com ").unwrap().security_contact;
        assert_eq!(contact.as_deref(), Some("mailto:security@example.com"));
        for wrong in
            ["security@example.com", "http://example.com", "mailto:a\nExpires: 1", "https://é.example"]
        {
            assert!(with("SECURITY_CONTACT", wrong).err().unwrap().contains("SECURITY_CONTACT"), "{wrong}");
        }
        assert_eq!(with("", "").unwrap().alerts, None);
        assert!(with("ALERT_EMAILS", "ops@example.com").err().unwrap().contains("ALERT_MERCHANT"));
        assert!(with("RUN_STATEMENTS", "1001").err().unwrap().contains("RUN_STATEMENTS must"));
        assert_eq!(with("RUN_STATEMENTS", "30").unwrap().run_limits.statements, 30);
        for wrong in ["101", "-1", "1.5", "all"] {
            assert!(with("LOG_SUCCESSES", wrong).err().unwrap().contains("from 0 to 100"), "{wrong}");
        }
    }
}
