//! What is sent: JSON with the key, and our reference as the key of idempotency where money may move.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;

use super::{API_KEY, Acme, ENDPOINT, TEST_ENDPOINT};
use crate::gateway::charge::{ChargeRef, Order};
use crate::gateway::exchange::{HttpMethod, Outgoing};
use crate::gateway::operation::{OperationOrder, OperationRef};

/// The request for a payment, in the wire format.
#[derive(Serialize)]
struct Payment<'a> {
    reference: &'a str,
    amount: String,
    currency: &'static str,
    language: &'static str,
    return_url: &'a str,
    callback_url: &'a str,
}

/// The request for a refund, in the wire format.
#[derive(Serialize)]
struct Refund<'a> {
    reference: &'a str,
    amount: String,
    currency: &'static str,
    callback_url: &'a str,
}

impl Acme {
    /// Opens a page.
    pub(super) fn payment(&self, order: &Order) -> Outgoing {
        let body = Payment {
            reference: order.reference.as_str(),
            amount: order.total.to_string(),
            currency: order.total.currency().code(),
            language: order.language.as_str(),
            return_url: &order.return_url,
            callback_url: &order.callback_url,
        };
        self.post("/payments", order.reference.as_str(), &body)
    }

    /// Asks for a payment.
    pub(super) fn inquiry(&self, charge: &ChargeRef) -> Outgoing {
        self.get(&format!("/payments/{}", charge.reference))
    }

    /// Gives money back.
    pub(super) fn refund(&self, order: &OperationOrder) -> Outgoing {
        let body = Refund {
            reference: order.reference.as_str(),
            amount: order.amount.to_string(),
            currency: order.amount.currency().code(),
            callback_url: &order.callback_url,
        };
        self.post(&format!("/payments/{}/refunds", order.charge.reference), order.reference.as_str(), &body)
    }

    /// Asks for a refund.
    pub(super) fn refund_inquiry(&self, operation: &OperationRef) -> Outgoing {
        self.get(&format!("/payments/{}/refunds/{}", operation.charge.reference, operation.reference))
    }

    /// Asks for the account of the key.
    pub(super) fn account(&self) -> Outgoing {
        self.get("/account")
    }

    fn get(&self, path: &str) -> Outgoing {
        self.request(HttpMethod::Get, path, Vec::new())
    }

    fn post(&self, path: &str, key: &str, body: &impl Serialize) -> Outgoing {
        // Texts always serialise; the gateway refuses an empty body and does nothing.
        let body = serde_json::to_string(body).unwrap_or_default().into_bytes();
        let mut request = self.request(HttpMethod::Post, path, body);
        request.headers.push(("content-type", "application/json".to_string()));
        request.headers.push(("idempotency-key", key.to_string()));
        request
    }

    fn request(&self, method: HttpMethod, path: &str, body: Vec<u8>) -> Outgoing {
        let usual = if self.credentials.is_test { TEST_ENDPOINT } else { ENDPOINT };
        let endpoint = self.credentials.endpoint.as_deref().unwrap_or(usual);
        let headers = vec![
            ("accept", "application/json".to_string()),
            ("authorization", format!("Bearer {}", self.credentials.get(API_KEY))),
        ];
        Outgoing { method, url: format!("{endpoint}{path}"), headers, body, max_answer: Outgoing::MAX_ANSWER }
    }
}
