//! Who was notified what of the attention list.

use alloc::string::String;
use alloc::vec::Vec;

use super::PortError;
use crate::installation::Installation;
use crate::record::attention::{Attention, Topic};
use crate::record::outbox::Message;
use crate::settings::alerts::{AlertSettings, MAX_EMAILS};
use crate::value::email::is_email;
use crate::value::id::MerchantId;
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;
use crate::value::web_address::WebAddress;
use crate::words::word_list;

word_list! {
    /// Who is notified about the entries of merchants.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum AlertAudience {
        /// The merchant whose entries they are, where its settings say so.
        Merchant = "merchant",
        /// Those who operate the installation.
        Operators = "operators",
    }
}

/// To whom the installation's own alerts go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorAlerts {
    /// The merchant whose provider sends the e-mails, whose secrets sign the webhooks, and whose log has both.
    pub carrier: MerchantId,
    /// The addresses.
    pub to: AlertSettings,
}

impl OperatorAlerts {
    /// Reads the variables `ALERT_EMAILS`, `ALERT_WEBHOOK_URL` and `ALERT_MERCHANT`; `None` without an address.
    ///
    /// # Errors
    /// What is wrong, for the operator's log.
    pub fn read(read: &dyn Fn(&str) -> String, installation: &Installation) -> Result<Option<Self>, String> {
        let (emails, webhook_url) = (emails(&read("ALERT_EMAILS"))?, read("ALERT_WEBHOOK_URL"));
        let webhook_url = match webhook_url.trim() {
            "" => None,
            url => Some(
                WebAddress::parse(url, installation.reach)
                    .ok()
                    .filter(|address| installation.may_notify(address))
                    .ok_or("ALERT_WEBHOOK_URL must be an address such as https://ops.example.com/alerts, not of the installation itself")?,
            ),
        };
        if emails.is_empty() && webhook_url.is_none() {
            return Ok(None);
        }
        let carrier = MerchantId::parse(read("ALERT_MERCHANT").trim())
            .ok_or("ALERT_MERCHANT must name the merchant whose provider and secrets carry the alerts")?;
        Ok(Some(Self { carrier, to: AlertSettings { emails, webhook_url, ..AlertSettings::default() } }))
    }
}

/// Addresses with commas between them.
fn emails(text: &str) -> Result<Vec<String>, String> {
    let given = text.split(',').map(str::trim).filter(|email| !email.is_empty());
    let mut found: Vec<String> = Vec::new();
    for email in given {
        let is_repeated = found.iter().any(|known| known.eq_ignore_ascii_case(email));
        if !is_email(email) || is_repeated || found.len() >= MAX_EMAILS {
            return Err(alloc::format!(
                "ALERT_EMAILS must be at most {MAX_EMAILS} e-mail addresses with commas between them, each once"
            ));
        }
        found.push(email.into());
    }
    Ok(found)
}

/// The open entries of one merchant about one topic that an audience was not notified of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertGroup {
    /// The merchant.
    pub merchant: MerchantId,
    /// What they concern.
    pub topic: Topic,
    /// How many alerts there were before, which an alert is stored after.
    pub alerts_before: i64,
}

/// An alert.
#[derive(Debug, Clone, Copy)]
pub struct Alert<'a> {
    /// Who is notified.
    pub audience: AlertAudience,
    /// About what.
    pub group: &'a AlertGroup,
    /// The entries.
    pub entries: &'a [Attention],
    /// The messages to those who are notified.
    pub messages: &'a [Message],
    /// When, in real time.
    pub at: Timestamp,
}

impl Slotted for Alert<'_> {
    fn slot(&self) -> Slot {
        self.group.merchant.slot()
    }
}

/// What was notified of the attention list.
pub trait Alerts {
    /// Puts gateways that are skipped at `now` because they fail on the attention list, once until they answer again, and closes
    /// the entries of those that answered. The entry names the attempt that failed last.
    ///
    /// # Errors
    /// If the store fails.
    async fn flag_gateways(&self, now: Timestamp) -> Result<(), PortError>;

    /// What an audience is to be notified, the longest waiting first: open entries that it was not notified of, of merchants and topics
    /// about which there was no alert after `alerted_until`. Merchants are notified only if their settings name an address, and of the
    /// topics that they choose.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn unreported_groups(
        &self,
        audience: AlertAudience,
        alerted_until: Timestamp,
        limit: u32,
    ) -> Result<Vec<AlertGroup>, PortError>;

    /// The entries, oldest first.
    ///
    /// # Errors
    /// As [`unreported_groups`](Self::unreported_groups).
    async fn unreported_entries(
        &self,
        audience: AlertAudience,
        group: &AlertGroup,
        limit: u32,
    ) -> Result<Vec<Attention>, PortError>;

    /// Stores an alert with its messages, and that its entries were reported, all or nothing; whether there was none in the
    /// meantime.
    ///
    /// # Errors
    /// As [`unreported_groups`](Self::unreported_groups).
    async fn store_alert(&self, alert: &Alert<'_>) -> Result<bool, PortError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::web_address::Reach;

    fn read(given: [&'static str; 3]) -> Result<Option<OperatorAlerts>, String> {
        let installation = Installation::at("https://pay.example.com", Reach::Public, true).unwrap();
        let [emails, webhook_url, merchant] = given;
        let value = move |name: &str| match name {
            "ALERT_EMAILS" => emails.into(),
            "ALERT_WEBHOOK_URL" => webhook_url.into(),
            "ALERT_MERCHANT" => merchant.into(),
            other => panic!("{other} is asked for"),
        };
        OperatorAlerts::read(&value, &installation)
    }

    #[test]
    fn operators_are_reported_where_the_variables_say() {
        assert_eq!(read(["", " ", "ops"]), Ok(None));
        let both = read(["a@example.com, b@example.com,", "https://ops.example.com/alerts", "ops"]);
        let found = both.unwrap().unwrap();
        assert_eq!(found.carrier.as_str(), "ops");
        assert_eq!(found.to.emails, ["a@example.com", "b@example.com"]);
        assert_eq!(found.to.webhook_url.unwrap().as_str(), "https://ops.example.com/alerts");
        assert!(found.to.topics.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let many = "a1@example.com,a2@example.com,a3@example.com,a4@example.com,a5@example.com,a6@example.com,\
             a7@example.com,a8@example.com,a9@example.com,a10@example.com,a11@example.com";
        for wrong in ["a", "a@example.com,A@example.com", "a@example.com;b@example.com", many] {
            assert!(read([wrong, "", "ops"]).unwrap_err().contains("ALERT_EMAILS"), "{wrong}");
        }
        for wrong in
            ["ops.example.com", "http://ops.example.com", "https://127.0.0.1/", "https://pay.example.com/b/"]
        {
            assert!(read(["", wrong, "ops"]).unwrap_err().contains("ALERT_WEBHOOK_URL"), "{wrong}");
        }
        for wrong in ["", "Not A Merchant"] {
            assert!(read(["a@example.com", "", wrong]).unwrap_err().contains("ALERT_MERCHANT"), "{wrong}");
        }
    }
}
