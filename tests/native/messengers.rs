//! The providers of messages: the exact bytes that each is sent (`tests/vectors/messages/`), what its answers mean, and that only its
//! own reports are taken. `TILL_RECORD=1` writes the vectors.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_core::gateway::credentials::Credentials;
use checkout_core::gateway::exchange::{Incoming, Outgoing};
use checkout_core::messenger::letter::{Email, Letter, LetterContent, Template};
use checkout_core::messenger::provider::Provider;
use checkout_core::messenger::{MessageReport, Messenger, MessengerAccount, ProviderAnswer, ReportRequest};
use checkout_core::testing::http::json;
use checkout_core::value::id::DeliveryId;
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;
use checkout_core::words::message::{Channel, Fate};
use serde_json::{Value, json as value};

const URL: &str = "https://pay.example.com/b/gw/v1/messages/demo/sms/";

fn account(provider: Provider, from: &str) -> MessengerAccount {
    let fields = provider.declaration().credentials;
    let values = fields.iter().map(|field| {
        let text = match field.name {
            "account_sid" => "AC00000000000000000000000000000000".into(),
            "webhook_secret" => format!("whsec_{}", STANDARD.encode([7; 24])),
            name => format!("the-{name}"),
        };
        (field.name, text)
    });
    MessengerAccount {
        from: from.into(),
        callback: URL.into(),
        credentials: Credentials { endpoint: None, is_test: false, values: values.collect() },
    }
}

fn messenger(provider: Provider) -> Box<dyn Messenger> {
    let from = match provider {
        Provider::Resend | Provider::Postmark => "pay@shop.example",
        Provider::Meta => "106540352242922",
        Provider::Sandbox => "demo",
        Provider::Twilio | Provider::Unifonic => "+15005550006",
    };
    (provider.declaration().connect)(account(provider, from))
}

fn letter(channel: Channel) -> Letter {
    let content = match channel {
        Channel::Email => {
            let mut email = Email::new(
                "Nour \"Best\" Store",
                "Payment received · متجر",
                "<p>Hello</p>".into(),
                "Hello".into(),
            );
            email.reply_to = Some("help@shop.example".into());
            LetterContent::Email(email)
        }
        Channel::Sms => LetterContent::Sms(
            "Nour & Sons asks you to pay KWD 1.000. https://pay.example.com/b/x?a=1".into(),
        ),
        Channel::Whatsapp => LetterContent::Whatsapp(Template {
            name: "till_paid".into(),
            language: Language::Ar,
            parameters: ["Nour", "KWD 1.000", "A-1", "https://pay.example.com/b/x"].map(String::from).into(),
            text: "Nour has received KWD 1.000.".into(),
        }),
    };
    let to = if channel == Channel::Email { "sara@example.com" } else { "+96550000000" };
    Letter { id: "evt_0123456789012345678901234567890123456789_7".into(), to: to.into(), content }
}

fn shown(request: &Outgoing) -> Value {
    let body = String::from_utf8(request.body.clone()).unwrap();
    let is_json =
        request.headers.iter().any(|(name, text)| *name == "content-type" && text == "application/json");
    let headers: serde_json::Map<String, Value> =
        request.headers.iter().map(|(name, text)| ((*name).to_owned(), text.clone().into())).collect();
    let body = if is_json {
        serde_json::from_str(&body).unwrap()
    } else {
        let fields: Vec<(String, String)> = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
        value!(fields)
    };
    value!({"method": request.method.as_str(), "url": request.url, "headers": headers, "body": body})
}

#[test]
fn each_provider_is_sent_the_recorded_bytes() {
    for provider in Provider::ALL {
        for channel in provider.declaration().channels {
            let found = shown(&messenger(provider).request(&letter(*channel)));
            let name = format!("{}-{}.json", provider.as_str(), channel.as_str());
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/messages").join(&name);
            if std::env::var_os("TILL_RECORD").is_some() {
                fs::write(&path, format!("{}\n", serde_json::to_string_pretty(&found).unwrap())).unwrap();
            }
            let wanted: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            assert_eq!(found, wanted, "{name}");
        }
    }
}

#[test]
fn an_answer_says_whether_the_message_was_taken() {
    let accepted = |id: &str| ProviderAnswer::Accepted(Some(id.into()));
    for (provider, status, body, said) in [
        (Provider::Resend, 200, r#"{"id":"49a3999c"}"#, accepted("49a3999c")),
        (Provider::Resend, 409, r#"{"name":"concurrent_idempotent_requests"}"#, ProviderAnswer::Again(None)),
        (Provider::Resend, 409, r#"{"name":"invalid_idempotent_request"}"#, ProviderAnswer::Accepted(None)),
        (Provider::Postmark, 200, r#"{"MessageID":"b7bc2f4a","ErrorCode":0}"#, accepted("b7bc2f4a")),
        (Provider::Twilio, 201, r#"{"sid":"SM1","status":"queued"}"#, accepted("SM1")),
        (
            Provider::Unifonic,
            200,
            r#"{"success":true,"data":{"MessageID":3200017889310,"Status":"Queued"}}"#,
            accepted("3200017889310"),
        ),
        (
            Provider::Unifonic,
            200,
            r#"{"success":"true","errorCode":"ER-00","data":{"MessageID":3200017889310}}"#,
            accepted("3200017889310"),
        ),
        (
            Provider::Meta,
            400,
            r#"{"error":{"code":131056,"message":"pair rate limit"}}"#,
            ProviderAnswer::Again(None),
        ),
        (Provider::Meta, 400, r#"{"error":{"code":2,"is_transient":true}}"#, ProviderAnswer::Again(None)),
        (Provider::Meta, 200, r#"{"messages":[{"id":"wamid.HBg"}]}"#, accepted("wamid.HBg")),
        (Provider::Sandbox, 202, r#"{"id":"evt_1"}"#, accepted("evt_1")),
    ] {
        let read = messenger(provider).read(&json(status, body), Timestamp::from_millis(0));
        assert_eq!(read, said, "{} {status}", provider.as_str());
    }
    for (provider, status, body) in [
        (Provider::Unifonic, 200, r#"{"success":false,"errorCode":"ER-07"}"#),
        (Provider::Unifonic, 200, r#"{"success":"false","errorCode":"ER-07"}"#),
        (Provider::Meta, 400, r#"{"error":{"code":100,"is_transient":false}}"#),
    ] {
        let refused = messenger(provider).read(&json(status, body), Timestamp::from_millis(0));
        assert!(matches!(refused, ProviderAnswer::Refused(_)), "{refused:?}");
    }
    for provider in Provider::ALL {
        let read = |status| messenger(provider).read(&json(status, "{}"), Timestamp::from_millis(0));
        assert!(matches!(read(422), ProviderAnswer::Refused(_)), "{}", provider.as_str());
        assert_eq!((read(429), read(503)), (ProviderAnswer::Again(None), ProviderAnswer::Again(None)));
        assert_eq!(
            (read(500), read(302)),
            (ProviderAnswer::Unknown, ProviderAnswer::Unknown),
            "it may have been taken"
        );
    }
}

fn incoming(query: &str, headers: &[(&str, String)], body: &str) -> Incoming {
    let headers = headers.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect();
    Incoming { status: 0, query: query.into(), headers, body: body.into() }
}

fn reports(provider: Provider, request: &Incoming) -> Option<Vec<MessageReport>> {
    let now = Timestamp::from_millis(1_700_000_000_000);
    messenger(provider).read_reports(&ReportRequest { request, url: URL, now })
}

/// A report that a provider made, and what it says.
struct Made {
    provider: Provider,
    request: Incoming,
    says: Option<MessageReport>,
}

/// Reports of each provider in the form that it publishes; those of Resend and Twilio were signed by libraries of theirs, which
/// `tests/gateways/messages.test.mjs` asks once more.
fn made() -> Vec<Made> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/messages/reports.json");
    let all: Vec<Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let read = |one: &Value| {
        let text = |name: &str| one[name].as_str().map(str::to_owned);
        let headers: Vec<(String, String)> = one["headers"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()))
            .collect();
        let headers: Vec<(&str, String)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let says = text("fate").map(|fate| MessageReport {
            id: text("id").map(|id| DeliveryId::parse(&id).unwrap()),
            provider_id: text("provider_id").unwrap(),
            fate: Fate::parse(&fate).unwrap(),
            detail: text("detail"),
        });
        Made {
            provider: Provider::parse(&text("provider").unwrap()).unwrap(),
            request: incoming(&text("query").unwrap(), &headers, &text("body").unwrap()),
            says,
        }
    };
    all.iter().map(read).collect()
}

#[test]
fn a_genuine_report_is_taken_and_one_that_differs_by_a_byte_is_not() {
    for Made { provider, request, says } in made() {
        let found = reports(provider, &request).unwrap();
        assert_eq!(found, Vec::from_iter(says), "{} {:?}", provider.as_str(), request.body.escape_ascii());
        let mut forged = request.clone();
        match forged.headers.last_mut() {
            Some((_, text)) => text.replace_range(text.len() - 6..text.len() - 5, "~"),
            None => forged.query = forged.query.replace("the-report_secret", "the-report_secreT"),
        }
        assert_eq!(reports(provider, &forged), None, "{}", provider.as_str());
        let mut other = request.clone();
        other.body.push(b' ');
        let is_signed = !matches!(provider, Provider::Postmark | Provider::Unifonic);
        assert_eq!(reports(provider, &other).is_none(), is_signed, "{}", provider.as_str());
        let bare = Incoming { headers: Vec::new(), query: String::new(), ..request };
        assert_eq!(reports(provider, &bare), None, "{}", provider.as_str());
    }
}

#[test]
fn an_old_report_is_refused() {
    let Made { provider, request, .. } =
        made().into_iter().find(|made| made.provider == Provider::Resend).unwrap();
    let now = Timestamp::from_millis(1_700_000_301_000);
    assert_eq!(messenger(provider).read_reports(&ReportRequest { request: &request, url: URL, now }), None);
}

#[test]
fn meta_reads_its_challenge_only_with_the_right_token() {
    let meta = messenger(Provider::Meta);
    let asked = |token: &str| {
        incoming(&format!("hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token={token}"), &[], "")
    };
    assert_eq!(meta.challenge(&asked("the-verify_token")).as_deref(), Some("1158201444"));
    assert_eq!(meta.challenge(&asked("another")), None);
    let script = incoming("hub.challenge=%3Cb%3E&hub.verify_token=the-verify_token", &[], "");
    assert_eq!(meta.challenge(&script), None);
}

#[test]
fn a_sender_that_begins_like_a_messaging_service_of_twilio_is_a_sender() {
    let service = ["MG", &"a1".repeat(16)].concat();
    for (from, channel, field) in [
        (service.as_str(), Channel::Sms, ["MessagingServiceSid", &service]),
        (&service, Channel::Whatsapp, ["MessagingServiceSid", &service]),
        ("MGStore", Channel::Sms, ["From", "MGStore"]),
        ("+15005550006", Channel::Whatsapp, ["From", "whatsapp:+15005550006"]),
    ] {
        let twilio = (Provider::Twilio.declaration().connect)(account(Provider::Twilio, from));
        let sent = shown(&twilio.request(&letter(channel)));
        assert!(sent["body"].as_array().unwrap().contains(&value!(field)), "{sent}");
    }
}
