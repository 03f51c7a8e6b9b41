//! Samples of webhooks, which a merchant has sent to a receiver to try it. Each has the members that a webhook of its kind
//! always has, says `"is_test": true`, and names a transaction that does not exist.

use alloc::format;
use alloc::string::String;

use crate::record::outbox::MessageKind;
use crate::value::time::Timestamp;
use crate::webhook::signature::{SignatureError, sign_json};

/// The id of the transaction that samples name. No transaction has it.
pub(crate) const SESSION_ID: &str = "0000000000000000000000000000000000000000";

const PAYMENT: &str = r#""amount":"1.000","amount_details":{"amount":"1.000","currency_code":"KWD","fee":"0.000","total":"1.000"},"currency_code":"KWD","gateway_account":"test","gateway_name":"test","is_sandbox":true,"is_test":true,"operation":"payment","order_no":"TEST","payment_type":"one_off","pg_params":{},"reference_number":"TEST","result":"success","sequence":1,"#;
const SETTLED: &str = r#","settled_amount":"1.000","#;
const TOKEN: &str = r#","token":{"agreements":[],"auto_debit_enabled":"true","brand":"VISA","customer_id":"TEST","cvv_required":false,"expiry_month":"01","expiry_year":"39","is_expired":false,"is_preferred":true,"name_on_card":"TEST CARD","number":"**** 1111","pg_code":"test","pg_name":"test","token":"card_test","will_expire_soon":false}"#;
const REFUND: &str = r#""amount":"1.000","is_sandbox":true,"is_test":true,"operation":"refund","order_no":"TEST","pg_code":"test","pg_params":{},"pg_response":{},"reference_number":"TEST","result":"success","sequence":1,"#;

/// The body of a sample, signed with the merchant's HMAC key.
///
/// # Errors
/// If it cannot be signed: there are samples of webhooks only.
pub fn of(kind: MessageKind, at: Timestamp, hmac_key: &str) -> Result<String, SignatureError> {
    let session = format!(r#""session_id":"{SESSION_ID}""#);
    let time = format!(r#""timestamp_utc":"{at}""#);
    let unsigned = match kind {
        MessageKind::PaymentWebhook | MessageKind::RequestedWebhook => {
            format!(r#"{{{PAYMENT}{session}{SETTLED}"state":"paid",{time}}}"#)
        }
        MessageKind::CardWebhook => format!(r#"{{{PAYMENT}{session}{SETTLED}"state":"paid",{time}{TOKEN}}}"#),
        MessageKind::OperationWebhook => format!(
            r#"{{{REFUND}{session},"source":"input","success":true,{time},"txn":{{"amount":"1.000","currency_code":"KWD","order_no":"TEST",{session},"state":"refunded"}}}}"#
        ),
        MessageKind::AlertWebhook => return Ok(alert(at)),
        MessageKind::Email
        | MessageKind::Sms
        | MessageKind::Whatsapp
        | MessageKind::AlertEmail
        | MessageKind::Approval => {
            return Err(SignatureError::NotAnObject);
        }
    };
    let signature = sign_json(&unsigned, hmac_key)?;
    let open = unsigned.strip_suffix('}').unwrap_or(&unsigned);
    Ok(format!(r#"{open},"signature":"{signature}"}}"#))
}

/// An alert, which only its headers sign.
fn alert(at: Timestamp) -> String {
    format!(
        r#"{{"data":{{"count":1,"entries":[{{"detail":null,"reason":"outcome_unknown","reference_number":"TEST","session_id":"{SESSION_ID}","since":"{at}"}}],"is_test":true,"merchant_id":"test","topic":"payment"}},"timestamp":"{at}","type":"alert.raised"}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhook::signature::verify;

    #[test]
    fn a_sample_of_each_kind_is_signed_and_says_that_it_is_a_test() {
        for kind in MessageKind::ALL.into_iter().filter(|kind| kind.is_webhook() && !kind.is_alert()) {
            let body = of(kind, Timestamp::from_millis(0), "key").unwrap();
            assert!(verify(&body, "key"), "{kind}: {body}");
            assert!(!verify(&body, "other"), "{kind}");
            let read: serde_json::Value = serde_json::from_str(&body).unwrap();
            assert_eq!(read["is_test"], true, "{kind}");
            assert_eq!(read["session_id"], SESSION_ID, "{kind}");
        }
    }

    #[test]
    fn a_sample_of_an_alert_is_an_alert_that_says_that_it_is_a_test() {
        let body = of(MessageKind::AlertWebhook, Timestamp::from_millis(0), "key").unwrap();
        let read: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(read["type"], crate::answer::alert::RAISED);
        assert_eq!(read["data"]["is_test"], true);
        assert_eq!(read["data"]["entries"][0]["session_id"], SESSION_ID);
    }
}
