//! The webhooks of Adyen.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use checkout_core::words::ChildOperation;
use hmac::{Hmac, Mac};
use sandbox_bank::charge::ChargeStatus;
use sandbox_bank::operation;
use serde_json::{Value, json};
use sha2::Sha256;

use super::super::Notice;
use super::super::ledger::{Charge, Move};
use super::{ACCOUNT, HMAC_KEY, card_id, link_id, psp_reference};

/// The webhook about a charge as it is now.
pub(super) fn of_charge(charge: &Charge) -> Option<Notice> {
    let is_good = charge.status == ChargeStatus::Approved;
    if charge.is_page && !is_good && (charge.status != ChargeStatus::Open || charge.tries == 0) {
        return None;
    }
    let success = if is_good { "true" } else { "false" };
    let minor = if is_good { charge.taken } else { charge.asked.minor() };
    let (id, value, code) = (psp_reference(charge.number), minor.to_string(), charge.asked.currency().code());
    let mut details = json!({"metadata.tillFlow": charge.memo("flow"), "authCode": "033899", "cardSummary": "1111",
            "expiryDate": "3/2035", "cardHolderName": "A PAYER"});
    let members = details.as_object_mut().unwrap();
    if charge.is_page {
        members.insert("paymentLinkId".into(), json!(link_id(charge)));
    }
    if is_good && charge.saves_card {
        members.insert("tokenization.storedPaymentMethodId".into(), json!(card_id(charge)));
        members.insert("tokenization.shopperReference".into(), json!(charge.memo("shopper")));
    }
    let item = json!({
        "pspReference": id, "merchantAccountCode": ACCOUNT, "merchantReference": charge.reference,
        "amount": {"currency": code, "value": minor}, "eventDate": "2026-01-01T10:11:12+01:00",
        "eventCode": "AUTHORISATION", "success": success, "paymentMethod": "visa",
        "reason": if is_good { "033899:1111:03/2035" } else { "Not enough balance" }, "additionalData": details,
    });
    let signed = [&*id, "", ACCOUNT, &charge.reference, &value, code, "AUTHORISATION", success];
    Some(webhook(item, signed, is_good || !charge.is_page))
}

/// The webhook about an operation as it is now.
pub(super) fn of_operation(charge: &Charge, operation: &Move) -> Option<Notice> {
    let success = match operation.status {
        operation::OperationStatus::Done => "true",
        operation::OperationStatus::Refused => "false",
        operation::OperationStatus::Queued => return None,
    };
    let event = match operation.kind {
        ChildOperation::Capture => "CAPTURE",
        ChildOperation::Refund => "REFUND",
        ChildOperation::Void => "CANCELLATION",
    };
    let (id, original) = (psp_reference(operation.number), psp_reference(charge.number));
    let (value, code) = (operation.amount.to_string(), charge.asked.currency().code());
    let item = json!({
        "pspReference": id, "originalReference": original, "merchantAccountCode": ACCOUNT,
        "merchantReference": operation.reference, "amount": {"currency": code, "value": operation.amount},
        "eventDate": "2026-01-01T10:11:12+01:00", "eventCode": event, "success": success,
        "paymentMethod": "visa", "reason": "", "additionalData": {},
    });
    let signed = [&*id, &*original, ACCOUNT, &operation.reference, &value, code, event, success];
    Some(webhook(item, signed, true))
}

/// A webhook with one item, signed over eight of its fields.
fn webhook(mut item: Value, signed: [&str; 8], is_outcome: bool) -> Notice {
    let mut mac = Hmac::<Sha256>::new_from_slice(&hex::decode(HMAC_KEY).unwrap()).unwrap();
    mac.update(signed.join(":").as_bytes());
    let signature = STANDARD.encode(mac.finalize().into_bytes());
    let details = item.pointer_mut("/additionalData").and_then(Value::as_object_mut).unwrap();
    details.insert("hmacSignature".into(), json!(signature));
    let body = json!({"live": "false", "notificationItems": [{"NotificationRequestItem": item}]});
    Notice { body: body.to_string().into_bytes(), is_outcome }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sample in Adyen's documents.
    #[test]
    fn an_item_is_signed_as_the_documented_one() {
        let reference = "TestPayment-1407325143704";
        let signed =
            ["7914073381342284", "", "TestMerchant", reference, "1130", "EUR", "AUTHORISATION", "true"];
        let sent = webhook(json!({ "additionalData": {} }), signed, true);
        let body = String::from_utf8(sent.body).unwrap();
        assert!(body.contains("coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0="), "{body}");
    }
}
