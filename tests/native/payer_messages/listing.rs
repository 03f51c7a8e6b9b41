//! The list of a merchant's messages, and what a refused request for one repeats.

use checkout_core::flow::account::message::read_messages;
use checkout_core::flow::merchant::remind::remind;
use checkout_core::testing::http::json;
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_tests::delivery::deliver;
use checkout_tests::shop::{Shop, json_of, refusal_of, refused};
use pollster::block_on;
use serde_json::{Value, json as value};

use super::sending::connected;
use super::{body, sent};

fn listed(shop: &Shop, merchant: &MerchantId, query: &str) -> Value {
    json_of(&block_on(read_messages(&shop.world, merchant, query)).unwrap())
}

#[test]
fn a_list_shows_each_message_with_its_recipient_masked_and_why_it_failed() {
    let shop = connected(40);
    let mut request = body(&["knet"], "payment_request", &value!({"email": ["created"], "sms": ["created"]}));
    request["order_no"] = "A-40".into();
    let session_id = shop.create(&request);
    let [email, sms] = sent(&shop, &session_id).try_into().unwrap();
    let refusal = r#"{"message":"no mailbox sara@example.com"}"#;
    shop.world.http.answer_next(Ok(json(422, refusal)));
    block_on(deliver(&shop.world, &email.id)).unwrap();
    let page = listed(&shop, &shop.merchant, "");
    assert_eq!(page["next"], Value::Null);
    assert_eq!(page["results"].as_array().unwrap().len(), 2);
    let failed =
        listed(&shop, &shop.merchant, "state=failed&channel=email&order_no=A-40")["results"][0].clone();
    let created_at = failed["created_at"].clone();
    assert_eq!(
        failed,
        value!({
            "changed_at": created_at, "channel": "email", "created_at": created_at,
            "detail": r#"status 422: {"message":"no mailbox s***@example.com"}"#, "event": "created", "id": email.id.as_str(),
            "order_no": "A-40", "provider": "resend", "recipient": "s***@example.com",
            "reference_number": session_id.as_str().to_uppercase(), "session_id": session_id.as_str(), "state": "failed",
        })
    );
    let queued = listed(&shop, &shop.merchant, "state=queued")["results"][0].clone();
    assert_eq!(queued["id"], sms.id.as_str());
    assert_eq!((&queued["recipient"], &queued["provider"]), (&value!("***00"), &Value::Null));
    let page = listed(&shop, &shop.merchant, "limit=1");
    let next = page["next"].as_str().unwrap();
    let second = listed(&shop, &shop.merchant, &format!("limit=1&cursor={next}"));
    assert_eq!(second["next"], Value::Null);
    assert_ne!(second["results"][0]["id"], page["results"][0]["id"]);
    let another = MerchantId::parse("another").unwrap();
    for query in ["", "order_no=A-40", &format!("session_id={session_id}")] {
        assert_eq!(listed(&shop, &another, query), value!({"next": null, "results": []}), "{query}");
    }
}

#[test]
fn every_wrong_parameter_is_named() {
    let shop = connected(41);
    let query = "cursor=x&limit=0&channel=fax&state=gone&session_id=1&since=now&until=then";
    let refused = refused(block_on(read_messages(&shop.world, &shop.merchant, query)));
    let body: Value = serde_json::from_str(&refused.body("https://pay.example.com", "r-1").unwrap()).unwrap();
    let named: Vec<&String> = body["errors"].as_object().unwrap().keys().collect();
    assert_eq!(named, ["channel", "cursor", "limit", "session_id", "since", "state", "until"]);
}

#[test]
fn a_refused_notification_repeats_what_was_asked() {
    let shop = connected(42);
    let mut request = body(&["knet"], "payment_request", &value!({"email": ["created"]}));
    request["order_no"] = "A-42".into();
    let session_id = shop.create(&request);
    for (asked, channels) in [
        (value!({"order_no": "A-42", "channels": ["sms", "email", "sms"]}), value!(["sms", "email"])),
        (value!({"session_id": session_id.as_str(), "channels": ["whatsapp"]}), value!(["whatsapp"])),
        (value!({"order_no": "unknown", "channels": ["email"]}), value!(["email"])),
    ] {
        let refused =
            refusal_of(block_on(remind(&shop.world, &shop.private(), asked.to_string().as_bytes())));
        assert_eq!(refused.rejection.status(), 400);
        let answer: Value =
            serde_json::from_str(&refused.body("https://pay.example.com", "r-1").unwrap()).unwrap();
        assert_eq!(answer["result"], "failed");
        assert_eq!(answer["operation"], "message_notification");
        assert_eq!(answer["channels"], channels);
        assert_eq!(answer.get("order_no"), asked.get("order_no"));
        assert_eq!(answer.get("session_id"), asked.get("session_id"));
        assert!(answer["errors"].is_object());
    }
}

#[test]
fn reminders_are_limited_by_payment_and_channel() {
    let shop = connected(43);
    let channels = value!({"email": ["created"], "sms": ["created"]});
    let ask = |session_id: &SessionId, channels: Value| {
        let asked = value!({"session_id": session_id.as_str(), "channels": channels}).to_string();
        block_on(remind(&shop.world, &shop.private(), asked.as_bytes()))
    };
    let [first, second] = [(); 2].map(|()| shop.create(&body(&["knet"], "payment_request", &channels)));
    for _ in 0..3 {
        assert!(ask(&first, value!(["email"])).is_ok());
        shop.wait(60);
    }
    for asked in [value!(["email"]), value!(["sms", "email"])] {
        let limited = refused(ask(&first, asked));
        assert_eq!((limited.status(), limited.retry_after()), (429, Some(3_420)));
    }
    assert!(ask(&first, value!(["sms"])).is_ok(), "another channel");
    assert!(ask(&second, value!(["email"])).is_ok(), "another payment");
    shop.wait(3_420);
    assert!(ask(&first, value!(["email"])).is_ok(), "an hour after the first");
}
