//! A charge as the bank of a run knows it, and as it reports it.

use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::sandbox::{SIGNATURE_HEADER, callback_key, callback_signature};
use checkout_core::value::time::Timestamp;
use checkout_tests::desk::Taken;
use serde_json::{Value, json};

use crate::debit::saved_by_bank;

/// Where the payment pages are.
pub(crate) const PAGES: &str = "https://bank.example.com/pay/";

/// The true state of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// Its page waits for the payer.
    Open,
    /// The payer is done, and the bank has not decided yet.
    Processing,
    Approved,
    Declined,
    Canceled,
}

impl Status {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Processing => "processing",
            Self::Approved => "approved",
            Self::Declined => "declined",
            Self::Canceled => "canceled",
        }
    }

    /// Whether money was taken, or may still be.
    pub(crate) const fn is_live(self) -> bool {
        matches!(self, Self::Open | Self::Processing | Self::Approved)
    }
}

/// The true data of a charge.
#[derive(Debug, Clone)]
pub(crate) struct Charge {
    pub(crate) status: Status,
    /// Whether the bank took another amount than requested.
    pub(crate) is_wrong: bool,
    /// Whether the bank took the money after all.
    pub(crate) is_reversed: bool,
    /// What the bank was asked for.
    pub(crate) order: Value,
    /// Whose charge it is.
    pub(crate) api_key: String,
    pub(crate) opened_at: Timestamp,
    /// When the bank decides, and how.
    pub(crate) decides: Option<(Timestamp, Status)>,
}

/// A callback of the bank, with the charge as it was at that moment.
#[derive(Debug, Clone)]
pub(crate) struct Callback {
    pub(crate) reference: String,
    pub(crate) request: Incoming,
    pub(crate) status: Status,
    pub(crate) is_wrong: bool,
    /// The bank repeats it until it is acknowledged.
    pub(crate) is_insistent: bool,
}

/// One minor unit.
fn smallest(currency: &Value) -> &'static str {
    if currency == "KWD" { "0.001" } else { "0.01" }
}

impl Charge {
    /// What was taken or is held.
    pub(crate) fn taken(&self) -> Taken {
        let text = |name: &str| self.order.get(name).and_then(Value::as_str).unwrap();
        Taken { is_held: text("operation") == "authorize", total: text("amount").parse().unwrap() }
    }

    /// The charge as the protocol writes it.
    pub(crate) fn document(&self, reference: &str) -> Value {
        let order = |name: &str| self.order.get(name).cloned().unwrap();
        let mut document = json!({
            "id": format!("ch-{reference}"),
            "reference": reference,
            "status": self.status.as_str(),
            "amount": if self.is_wrong { json!(smallest(&order("currency"))) } else { order("amount") },
            "currency": order("currency"),
            "operation": order("operation"),
            "message": format!("the charge is {}", self.status.as_str()),
        });
        let is_saved = self.order.get("keep_card") == Some(&json!(true));
        if let Some(document) = document.as_object_mut() {
            match self.status {
                Status::Open => {
                    document.insert("page_url".into(), json!(format!("{PAGES}{reference}")));
                }
                Status::Approved if is_saved => {
                    document.insert("card".into(), saved_by_bank(reference, &self.api_key));
                }
                Status::Approved | Status::Processing | Status::Declined | Status::Canceled => {}
            }
        }
        document
    }

    /// A report about the charge as it is now, signed.
    pub(crate) fn callback(&self, reference: &str, is_insistent: bool) -> Callback {
        let body = self.document(reference).to_string();
        let signature = callback_signature(&callback_key(&self.api_key), body.as_bytes());
        let headers = vec![(SIGNATURE_HEADER.to_owned(), signature)];
        Callback {
            reference: reference.to_owned(),
            request: Incoming { status: 0, headers, body: body.into_bytes() },
            status: self.status,
            is_wrong: self.is_wrong,
            is_insistent,
        }
    }
}
