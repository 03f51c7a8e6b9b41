//! The create request: every field and every rule against `vectors/create.json`, and amounts of every
//! currency.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};

use checkout_core::draft::Draft;
use checkout_core::draft::flags::Flags;
use checkout_core::draft::request::DraftRequest;
use checkout_core::draft::writable::writable;
use checkout_core::flow::merchant::create::{CreateInput, create};
use checkout_core::rejection::Rejection;
use checkout_core::settings::MerchantSettings;
use checkout_core::testing::world::World;
use checkout_core::transaction::{Details, Transaction};
use checkout_core::value::id::PgCode;
use checkout_core::value::money::{Currency, MAX_MINOR, Money};
use checkout_core::violation::{Rule, Violation};
use checkout_core::wire::json::NamedBody;
use checkout_core::words::Language;
use checkout_tests::shop::{Shop, session_of};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

/// The fields that are objects of known members.
const MEMBERED: [&str; 5] =
    ["agreement", "billing_address", "card_acceptance_criteria", "notifications", "shipping_address"];

#[derive(Deserialize)]
struct Vectors {
    /// Raw JSON by field.
    base: BTreeMap<String, String>,
    cases: Vec<Case>,
    /// The codes, separated by spaces.
    countries: String,
    malformed: Vec<String>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    /// Raw JSON by field, in place of that of the base; `null` removes the field.
    fields: BTreeMap<String, Option<String>>,
    /// Paths and texts, in order; none if the request is accepted.
    #[serde(default)]
    violations: Vec<(String, String)>,
    /// How the amount is printed, if the request is accepted.
    amount: Option<String>,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../vectors/create.json")).unwrap()
}

fn body(base: &BTreeMap<String, String>, case: &Case) -> String {
    let mut fields = base.clone();
    for (name, raw) in &case.fields {
        match raw {
            Some(raw) => fields.insert(name.clone(), raw.clone()),
            None => fields.remove(name),
        };
    }
    let members: Vec<String> = fields.iter().map(|(name, raw)| format!("\"{name}\": {raw}")).collect();
    format!("{{{}}}", members.join(", "))
}

fn parse(body: &str, settings: &MerchantSettings) -> Result<Draft, Vec<Violation>> {
    Draft::parse(&DraftRequest::from_json(body.as_bytes()).unwrap(), &World::new(1).installation, settings)
}

fn texts(violations: &[Violation]) -> Vec<(String, String)> {
    violations.iter().map(|violation| (violation.path.to_string(), violation.rule.to_string())).collect()
}

#[test]
fn every_request_gets_its_verdict() {
    let Vectors { base, cases, .. } = vectors();
    let settings = Shop::open(1).settings();
    let mut wrong = Vec::new();
    for case in cases {
        let result = parse(&body(&base, &case), &settings);
        let found = result.as_ref().err().map(|found| texts(found)).unwrap_or_default();
        let is_right = result.is_ok() == case.violations.is_empty() && found == case.violations;
        if !is_right {
            wrong.push((case.name, found, case.violations));
        } else if let (Ok(draft), Some(amount)) = (result, case.amount) {
            assert_eq!(draft.amount.to_string(), amount, "{}", case.name);
        }
    }
    assert!(wrong.is_empty(), "name, found, expected: {wrong:#?}");
}

#[test]
fn the_vectors_name_every_field() {
    let Vectors { cases, .. } = vectors();
    let rows = include_str!("../vectors/coverage.json");
    for field in DraftRequest::NAMES.iter().copied() {
        let is_row_of =
            |row: &str| row.split("\": \"").next().is_some_and(|names| names.contains(&format!("`{field}`")));
        assert!(rows.lines().any(is_row_of), "tests/vectors/coverage.json has no row for {field}");
        let is_refused = |case: &Case| {
            let fields = case.violations.iter().map(|(path, _)| path.split('.').next().unwrap());
            case.violations.len() == 1 && fields.into_iter().any(|name| name == field)
        };
        assert!(cases.iter().any(is_refused), "{field}");
    }
}

#[test]
fn the_vectors_name_every_member() {
    let Vectors { cases, .. } = vectors();
    let full: Value = serde_json::from_str(include_str!("../bench/request.json")).unwrap();
    let mut paths = Vec::new();
    for field in MEMBERED {
        members(field, full.get(field).unwrap(), &mut paths);
    }
    assert!(paths.len() > 30, "{paths:?}");
    for path in paths {
        let is_refused = |case: &Case| matches!(case.violations.as_slice(), [(found, _)] if *found == path);
        assert!(cases.iter().any(is_refused), "{path}");
    }
}

/// The paths of the members of an object, however deep.
fn members(path: &str, value: &Value, paths: &mut Vec<String>) {
    for (name, value) in value.as_object().unwrap() {
        let path = format!("{path}.{name}");
        if value.is_object() {
            members(&path, value, paths);
        }
        paths.push(path);
    }
}

#[test]
fn what_was_taken_can_be_sent_back_and_means_the_same() {
    let shop = Shop::open(1);
    let settings = shop.settings();
    let Vectors { base, cases, .. } = vectors();
    for case in cases.iter().filter(|case| case.violations.is_empty()) {
        let body = body(&base, case);
        let input = CreateInput {
            caller: shop.private(),
            idempotency_key: None,
            body: body.as_bytes(),
            file: None,
            wrong: &[],
        };
        let session_id = session_of(&pollster::block_on(create(&shop.world, input)).unwrap());
        let transaction = shop.transaction(&session_id);
        let again = parse(&writable(&transaction).unwrap(), &settings).map_err(|found| texts(&found));
        let expiration = transaction.expires_at.since(transaction.created_at);
        let Transaction { plugin, operation, amount, pg_codes, details, .. } = transaction;
        // Not from the merchant's request, but from the settings.
        let details = Details { is_amount_editable: false, ..details };
        assert_eq!(
            again,
            Ok(Draft { plugin, operation, amount, pg_codes, expiration, details, flags: Flags::default() }),
            "{}",
            case.name
        );
    }
}

#[test]
fn exactly_the_countries_of_the_list_are_taken_in_both_addresses() {
    let settings = Shop::open(1).settings();
    let Vectors { countries, .. } = vectors();
    let known: BTreeSet<&str> = countries.split(' ').collect();
    assert_eq!(known.len(), 249);
    let letters = || (b'A'..=b'Z').map(char::from);
    for code in letters().flat_map(|first| letters().map(move |second| format!("{first}{second}"))) {
        let address = json!({"city": "c", "line1": "l", "country": code, "email": "a@b.example",
            "first_name": "f", "last_name": "l", "phone": "1"});
        let body = json!({"type": "e_commerce", "amount": "1", "currency_code": "KWD", "pg_codes": ["knet"],
            "billing_address": address, "shipping_address": address});
        let refused: Vec<_> = match parse(&body.to_string(), &settings) {
            Ok(_) => Vec::new(),
            Err(found) => found.into_iter().map(|violation| (violation.path, violation.rule)).collect(),
        };
        let expected: &[_] = if known.contains(code.as_str()) {
            &[]
        } else {
            &[
                ("billing_address.country".into(), Rule::NotCountryCode),
                ("shipping_address.country".into(), Rule::NotCountryCode),
            ]
        };
        assert_eq!(refused, expected, "{code}");
    }
}

#[test]
fn what_is_not_one_json_object_is_malformed() {
    for body in vectors().malformed {
        assert_eq!(DraftRequest::from_json(body.as_bytes()).err(), Some(Rejection::MalformedBody), "{body}");
    }
    for bytes in [&b"{\"type\":\"\xff\"}"[..], b"\xef\xbb\xbf{}", b"\xff", b"{\"amount\":\"1\0\"}"] {
        assert_eq!(DraftRequest::from_json(bytes).err(), Some(Rejection::MalformedBody), "{bytes:?}");
    }
}

#[test]
fn a_body_may_be_surrounded_by_spaces_and_nested_to_any_depth_in_what_is_ignored() {
    let settings = Shop::open(1).settings();
    let Vectors { base, .. } = vectors();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let fields = BTreeMap::from([("ignored".to_owned(), Some(deep))]);
    let case = Case { name: String::new(), fields, violations: Vec::new(), amount: None };
    let surrounded = format!(" \r\n\t{} \n", body(&base, &case));
    assert!(parse(&surrounded, &settings).is_ok());
}

#[test]
fn a_draft_holds_what_the_request_says() {
    let settings = Shop::open(1).settings();
    let draft = parse(
        r#"{"type":"payment_request","amount":10.25,"currency_code":"KWD","pg_codes":["credit-card","knet"],
            "expiration_time":"00:50:00","customer_birthdate":"29/02/2000","customer_email":"a@b.example",
            "customer_first_name":"محمد","customer_last_name":"L","customer_id":"C-1","customer_phone":"+96512345678",
            "customer_phone_2":"2","due_datetime":"31/01/2030 12:00","extra":{ "b": 1.10, "a": "x" },"language":"ar",
            "order_no":"A-1","product_type":"book","redirect_url":"https://SHOP.example.com/ä",
            "vendor_name":"V","webhook_url":"https://shop.example.com"}"#,
        &settings,
    )
    .unwrap();
    assert_eq!((draft.plugin.as_str(), draft.operation.as_str()), ("payment_request", "purchase"));
    assert_eq!((draft.amount.to_string(), draft.expiration.as_secs()), ("10.250".into(), 3_000));
    assert_eq!(draft.pg_codes.iter().map(PgCode::as_str).collect::<Vec<_>>(), ["credit-card", "knet"]);
    let details = &draft.details;
    let texts = [
        &details.customer_birthdate,
        &details.customer_email,
        &details.customer_first_name,
        &details.customer_last_name,
        &details.customer_id,
        &details.customer_phone,
        &details.customer_phone_2,
        &details.order_no,
        &details.product_type,
        &details.vendor_name,
    ]
    .map(|text| text.as_deref().unwrap());
    assert_eq!(
        texts,
        ["2000-02-29", "a@b.example", "محمد", "L", "C-1", "+96512345678", "2", "A-1", "book", "V",]
    );
    let addresses = [&details.redirect_url, &details.webhook_url].map(|url| url.as_ref().unwrap().as_str());
    assert_eq!(addresses, ["https://shop.example.com/%C3%A4", "https://shop.example.com/"]);
    assert_eq!(details.language, Some(Language::Ar));
    assert_eq!(details.due_datetime.unwrap().to_string(), "2030-01-31T12:00:00Z");
    assert_eq!(details.extra.as_ref().unwrap().get(), r#"{ "b": 1.10, "a": "x" }"#, "as it was written");
}

#[test]
fn what_the_request_leaves_out_comes_from_the_plugin() {
    let settings = Shop::open(1).settings();
    let Vectors { base, .. } = vectors();
    let members: Vec<String> = base.iter().map(|(name, raw)| format!("\"{name}\":{raw}")).collect();
    let draft = parse(&format!("{{{}}}", members.join(",")), &settings).unwrap();
    assert_eq!((draft.expiration.as_secs(), draft.details.language), (86_400, None));
    assert!(draft.details.extra.is_none() && draft.details.webhook_url.is_none());
}

#[test]
fn a_plugin_that_is_not_installed_is_refused() {
    let mut settings = MerchantSettings::clone(&Shop::open(1).settings());
    settings.plugins.retain(|plugin| plugin.plugin.as_str() == "payment_request");
    let body = r#"{"type":"e_commerce","amount":"1","currency_code":"KWD","pg_codes":["knet"]}"#;
    assert_eq!(parse(body, &settings), Err(vec![Violation::new("type", Rule::PluginNotInstalled)]));
}

#[test]
fn an_amount_that_no_gateway_can_charge_with_its_fee_is_too_large() {
    let settings = Shop::open(1).settings();
    let largest = Money::new(MAX_MINOR, Currency::parse("KWD").unwrap()).unwrap();
    let body = |code| {
        format!(r#"{{"type":"e_commerce","amount":"{largest}","currency_code":"KWD","pg_codes":["{code}"]}}"#)
    };
    assert!(parse(&body("single"), &settings).is_ok(), "without a fee");
    let found = parse(&body("knet"), &settings).unwrap_err();
    assert_eq!(texts(&found).iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["amount"]);
}

/// The settings of a merchant that accepts every currency.
fn worldwide() -> MerchantSettings {
    let mut settings = MerchantSettings::clone(&Shop::open(1).settings());
    settings.currencies = Currency::all().collect();
    settings.gateways.iter_mut().for_each(|profile| profile.currencies = Currency::all().collect());
    settings
}

fn request(amount: &str, currency: &str) -> String {
    format!(r#"{{"type":"e_commerce","amount":{amount},"currency_code":"{currency}","pg_codes":["single"]}}"#)
}

#[test]
fn every_currency_of_iso_4217_with_a_minor_unit_is_taken_with_its_decimals_and_no_more() {
    let settings = worldwide();
    for currency in Currency::all() {
        let code = currency.code();
        let minor_units = usize::from(currency.minor_units());
        let fraction = "5".repeat(minor_units);
        let good = if minor_units == 0 { "7".to_owned() } else { format!("7.{fraction}") };
        for amount in [format!("\"{good}\""), good.clone()] {
            assert_eq!(parse(&request(&amount, code), &settings).unwrap().amount.to_string(), good, "{code}");
        }
        let zeros = parse(&request(&format!("\"7.{fraction}000\""), code), &settings).unwrap();
        assert_eq!(zeros.amount.to_string(), good, "zeros past the decimals say nothing: {code}");
        let found = parse(&request(&format!("\"7.{fraction}01\""), code), &settings).unwrap_err();
        assert!(texts(&found)[0].1.contains("decimal place"), "{code}");
    }
    for code in ["XAU", "XAG", "XDR", "XXX", "XTS", "ZWL", "DEM", "BTC", "USDT", ""] {
        assert_eq!(parse(&request("1", code), &settings).unwrap_err()[0].path, "currency_code", "{code}");
    }
}

proptest! {
    #[test]
    fn what_is_accepted_prints_back_the_same_amount(
        minor in 1..=MAX_MINOR,
        currency in prop::sample::select(Currency::all().collect::<Vec<_>>()),
        is_number: bool,
    ) {
        let amount = Money::new(minor, currency).unwrap();
        let text = if is_number { amount.to_string() } else { format!("\"{amount}\"") };
        match parse(&request(&text, currency.code()), &worldwide()) {
            Ok(draft) => prop_assert_eq!(draft.amount, amount),
            // Currencies with three or four decimals have amounts below a hundredth.
            Err(found) => {
                prop_assert_eq!(found, vec![Violation::new("amount", Rule::AmountTooSmall)]);
                prop_assert!(minor < 100);
            }
        }
    }

    #[test]
    fn no_text_at_all_is_taken_for_another_amount(text in "[-+0-9.eE_ ]{0,26}") {
        let settings = worldwide();
        if let Ok(draft) = parse(&request(&format!("\"{text}\""), "KWD"), &settings) {
            let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
            let whole = whole.trim_start_matches('0');
            let whole = if whole.is_empty() { "0" } else { whole };
            prop_assert_eq!(draft.amount.to_string(), format!("{whole}.{fraction:0<3}"));
        }
    }

    #[test]
    fn no_value_of_any_field_makes_the_reader_panic(
        field in prop::sample::select(vectors().cases.into_iter().flat_map(|case| case.fields.into_keys()).collect::<Vec<_>>()),
        value in prop_oneof![
            any::<String>().prop_map(|text| serde_json::Value::from(text).to_string()),
            any::<i64>().prop_map(|number| number.to_string()),
            "[-+0-9.eE]{1,9}",
            "\\[\\{\"[a-z\\\\u0-9]{0,9}\":[0-9]\\}\\]",
        ],
    ) {
        let body = format!(r#"{{"{field}":{value}}}"#);
        if let Ok(request) = DraftRequest::from_json(body.as_bytes()) {
            let settings = worldwide();
            let _ = Draft::parse(&request, &World::new(1).installation, &settings).unwrap_err();
        }
    }
}
