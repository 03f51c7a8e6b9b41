//! The values for those who call us: every recorded answer is read into its type, and written again as the same bytes.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use checkout_core::flow::sdk::outcome::{AnswerForm, answer_about};
use checkout_core::flow::sdk::wallet::pay;
use checkout_core::sdk::billing::Billing;
use checkout_core::sdk::callback::SdkCallback;
use checkout_core::sdk::card::CardShown;
use checkout_core::sdk::flexible::OptionAnswer;
use checkout_core::sdk::method::MethodMembers;
use checkout_core::sdk::payment::{
    Challenge, MethodsSeen, Redirection, StatusAnswer, Submitted, WalletAnswer,
};
use checkout_core::sdk::session::CheckoutSdk;
use checkout_core::words::Wallet;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Recorded {
    values: BTreeMap<String, String>,
    calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Call {
    operation: String,
    answer: Answer,
}

#[derive(Deserialize)]
struct Answer {
    status: u16,
    json: Option<Box<RawValue>>,
}

/// A JSON text without the white space between its parts.
fn compact(text: &str) -> String {
    let (mut is_text, mut is_escaped) = (false, false);
    let is_written = |letter: &char| {
        let is_written = is_text || !letter.is_ascii_whitespace();
        is_text ^= *letter == '"' && !is_escaped;
        is_escaped = *letter == '\\' && !is_escaped;
        is_written
    };
    text.chars().filter(is_written).collect()
}

fn again<T: DeserializeOwned + Serialize>(text: &str) -> Result<String, String> {
    let value: T = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Ok(serde_json::to_string(&value).unwrap())
}

type Again = fn(&str) -> Result<String, String>;

/// The type of the answers of an operation, or of the members of them that are such a type.
fn types_of(operation: &str) -> &'static [(&'static str, Again)] {
    match operation {
        "create_transaction" | "retrieve_transaction" | "update_transaction" => &[
            ("/billing", again::<Billing>),
            ("/payment_methods", again::<Vec<MethodMembers>>),
            ("/sdk_setup_preload_payload", again::<CheckoutSdk>),
        ],
        "list_cards" => &[("", again::<Vec<CardShown>>)],
        "pay_status" => &[("", again::<StatusAnswer>)],
        "sdk_cancel" | "sdk_submit_token" => &[("", again::<SdkCallback>)],
        "sdk_check_option" => &[("", again::<OptionAnswer>)],
        "sdk_concur" => &[("", again::<MethodsSeen>)],
        "sdk_init" => &[("", again::<CheckoutSdk>)],
        "sdk_pay_by_apple_pay" | "sdk_pay_by_google_pay" => &[("", again::<WalletAnswer>)],
        "sdk_submit" => &[("", again::<Submitted>)],
        _ => &[],
    }
}

/// The text of a member, which a pointer names.
fn member(text: &str, pointer: &str) -> Option<String> {
    let Some(name) = pointer.strip_prefix('/') else { return Some(text.into()) };
    let members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text).unwrap();
    members.get(name).map(|member| member.get().to_owned())
}

#[test]
fn every_recorded_answer_is_read_and_written_again_as_the_same_bytes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/calls.json");
    let recorded: Recorded = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut found = BTreeSet::new();
    let succeeded = recorded.calls.iter().filter(|call| call.answer.status < 300);
    for Call { operation, answer } in succeeded {
        let Some(json) = &answer.json else { continue };
        let filled = recorded
            .values
            .iter()
            .fold(compact(json.get()), |text, (name, value)| text.replace(&format!("{{{{{name}}}}}"), value));
        for (pointer, again) in types_of(operation) {
            let Some(text) = member(&filled, pointer) else { continue };
            assert_eq!(again(&text).as_ref(), Ok(&text), "{operation}{pointer}");
            found.insert(format!("{operation}{pointer}"));
        }
    }
    for wanted in [
        "create_transaction/billing",
        "create_transaction/payment_methods",
        "create_transaction/sdk_setup_preload_payload",
        "list_cards",
        "pay_status",
        "sdk_cancel",
        "sdk_check_option",
        "sdk_concur",
        "sdk_init",
        "sdk_pay_by_apple_pay",
        "sdk_pay_by_google_pay",
        "sdk_submit",
        "sdk_submit_token",
    ] {
        assert!(found.contains(wanted), "no recorded answer of {wanted}");
    }
}

/// What a page and an SDK are answered about a payment by wallet that the bank answers in this way.
fn answers(wallet_card: Option<&'static str>, mood: Mood) -> [String; 2] {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["credit-card"]));
    shop.bank.on_opening(mood);
    if let Some(card) = wallet_card {
        shop.bank.on_wallet(card);
    }
    let body = format!(
        r#"{{"session_id":"{session_id}","code":"credit-card","apple_pay_payload":{{"paymentData":{{}}}}}}"#
    );
    let paid = block_on(pay(&shop.world, Wallet::ApplePay, body.as_bytes())).unwrap();
    [AnswerForm::Approval, AnswerForm::Callback]
        .map(|form| block_on(answer_about(&shop.world, &paid.reference, form)).unwrap().body)
}

#[test]
fn a_payment_that_is_not_approved_is_read_and_written_again_as_the_same_bytes() {
    for (card, mood, status, word) in [
        (Some("mastercard-decline"), Mood::Fine, r#""approved":false"#, r#""status":"canceled""#),
        (None, Mood::Down, r#""approved":false"#, r#""status":"error""#),
        (None, Mood::Mute, r#""status":"pending""#, r#""result":"pending""#),
    ] {
        let [approval, callback] = answers(card, mood);
        assert!(approval.contains(status) && callback.contains(word), "{approval} {callback}");
        assert_eq!(again::<WalletAnswer>(&approval), Ok(approval));
        assert_eq!(again::<SdkCallback>(&callback), Ok(callback));
    }
}

#[test]
fn where_the_payer_confirms_or_goes_is_read_and_written_again_as_the_same_bytes() {
    for text in answers(Some("visa-3ds"), Mood::Fine) {
        assert!(text.contains(r#""challenge_occurred":true"#), "{text}");
        assert_eq!(again::<Challenge>(&text), Ok(text));
    }
    let text = r#"{"redirect_url":"https://shop.example.com/?q=\"\\é"}"#;
    assert_eq!(again::<Redirection>(text).as_deref(), Ok(text));
    assert!(again::<Redirection>("{}").is_err());
}

#[test]
fn an_outcome_without_members_is_none_in_every_format_and_any_other_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/calls.json");
    let recorded: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let calls = recorded["calls"].as_array().unwrap();
    let call = calls.iter().find(|call| call["operation"] == "sdk_init").unwrap();
    let mut session = call["answer"]["json"].clone();
    session["session_id"] = "0".repeat(40).into();
    session["expiration_time"] = "2026-01-02T03:04:05.000Z".into();
    let read = |session: &serde_json::Value| {
        let text: Result<CheckoutSdk, _> = serde_json::from_str(&session.to_string());
        let value = serde_json::from_value::<CheckoutSdk>(session.clone());
        assert_eq!(text.is_ok(), value.is_ok());
        text.map(|session| session.response)
    };
    session["response"] = serde_json::json!({});
    assert!(read(&session).unwrap().is_none());
    let outcome = serde_json::json!({
        "form_of_payment": "redirect", "message": "", "session_id": "0".repeat(40), "status": "success", "new": [1],
    });
    session["response"] = outcome.clone();
    assert!(read(&session).unwrap().is_some());
    for wrong in [
        serde_json::json!({ "status": "success" }),
        serde_json::json!({ "a": 1 }),
        serde_json::json!([]),
        serde_json::json!(""),
    ] {
        session["response"] = wrong;
        assert!(read(&session).is_err());
    }
}
