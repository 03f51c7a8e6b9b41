//! The values for those who call us: every recorded answer is read into its type, and written again as the same bytes.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use checkout_core::sdk::billing::Billing;
use checkout_core::sdk::callback::SdkCallback;
use checkout_core::sdk::card::CardShown;
use checkout_core::sdk::method::MethodMembers;
use checkout_core::sdk::payment::{MethodsSeen, StatusAnswer, Submitted, WalletAnswer};
use checkout_core::sdk::session::CheckoutSdk;
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
