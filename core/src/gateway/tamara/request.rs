//! The requests that more than one part of the connector sends: for an order, and for a capture.

use alloc::format;
use alloc::string::String;

use serde::Serialize;

use super::account::{Tamara, TamaraAmount};
use crate::gateway::charge::ChargeRef;
use crate::gateway::exchange::Outgoing;
use crate::value::money::Money;

/// Who carries the goods is not known here.
const CARRIER: &str = "-";

/// A capture in the wire format.
#[derive(Serialize)]
struct TamaraCapture<'a> {
    order_id: &'a str,
    total_amount: TamaraAmount,
    shipping_info: TamaraShipping<'a>,
}

#[derive(Serialize)]
struct TamaraShipping<'a> {
    shipped_at: String,
    shipping_company: &'static str,
    tracking_number: &'a str,
}

/// The request that captures an amount under a reference.
pub(super) fn capture_request(
    tamara: &Tamara,
    order: &str,
    charge: &ChargeRef,
    (reference, amount): (&str, Money),
) -> Outgoing {
    let shipping_info = TamaraShipping {
        shipped_at: charge.opened_at.text(),
        shipping_company: CARRIER,
        tracking_number: reference,
    };
    tamara.api().post(
        "/payments/capture",
        &TamaraCapture { order_id: order, total_amount: TamaraAmount::of(amount), shipping_info },
    )
}

/// The request for the order of a charge, by our reference.
pub(super) fn order_request(tamara: &Tamara, charge: &ChargeRef) -> Outgoing {
    tamara.api().get(&format!("/merchants/orders/reference-id/{}", charge.reference))
}
