//! Every connector is what its declaration says, and its page names what it needs.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod declared;
mod pages;

use checkout_core::card::BankToken;
use checkout_core::card::usage::ChargeInitiator;
use checkout_core::gateway::ConnectorKind;
use checkout_core::gateway::charge::{CardCharge, ChargeOperation, ChargeRef, Opened, Order, Outcome};
use checkout_core::gateway::connector::{Connector, Declaration};
use checkout_core::gateway::credentials::{CredentialField, Credentials};
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::gateway::flexible::{Offer, OfferOrder};
use checkout_core::gateway::listing::Period;
use checkout_core::gateway::operation::OperationOrder;
use checkout_core::gateway::step::Step;
use checkout_core::gateway::wallet::{SessionAnswer, SessionOrder};
use checkout_core::settings::{WebhookSecrets, parse};
use checkout_core::testing::gateway::{
    OPENED_AT, OPERATION_REFERENCE, REFERENCE, answer, charge, converse, operation, operation_order, order,
    reference, wallet,
};
use checkout_core::transaction::agreement::Agreement;
use checkout_core::value::id::{MerchantId, ReferenceNumber};
use checkout_core::value::sealed::Sealed;
use checkout_core::value::shape::TextShape;
use checkout_core::value::slot::Slot;
use checkout_core::value::time::Timestamp;
use checkout_core::words::agreement::AgreementType;
use checkout_core::words::{ChildOperation, Wallet};
use checkout_tests::shop::DEMO_SETTINGS;
use serde_json::{Value, json};

/// The payload of a wallet that has what each gateway wants of it.
const PAYLOAD: &str = r#"{"paymentData":{"version":"EC_v1","data":"AA==","signature":"AA==","header":{"ephemeralPublicKey":"AA==","publicKeyHash":"AA==","transactionId":"00"}},"paymentMethod":{"displayName":"Visa 1111","network":"Visa","type":"debit"},"transactionIdentifier":"00","paymentMethodData":{"type":"CARD","tokenizationData":{"type":"PAYMENT_GATEWAY","token":"{\"id\":\"tok_1Made\",\"object\":\"token\",\"signature\":\"s\",\"protocolVersion\":\"ECv2\"}"}}}"#;
/// The token of a saved card in the form of each gateway; most take any.
fn token_of(word: &str) -> BankToken {
    let token = match word {
        "checkout_com" => "src_1|pay_1",
        "tap" => "cus_1|card_1|payment_agreement_1",
        _ => "cus_1|pm_1",
    };
    BankToken(token.into())
}
const WALLETS: [Wallet; 2] = [Wallet::ApplePay, Wallet::GooglePay];
/// Ids of payments, in the form of each gateway that can be asked about disputes.
const DISPUTED: [&str; 2] = ["pay_1made", "pi_1Made"];
const OPERATIONS: [ChildOperation; 3] =
    [ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void];

fn all() -> impl Iterator<Item = (&'static str, &'static Declaration)> {
    ConnectorKind::WORDS.iter().map(|word| (*word, ConnectorKind::parse(word).unwrap().declaration()))
}

/// The connectors that have a gateway to call, with made-up credentials.
fn online() -> impl Iterator<Item = (&'static str, &'static Declaration, Box<dyn Connector>)> {
    all().filter_map(|(word, declaration)| {
        let connect = declaration.connect?;
        Some((word, declaration, connect(made_up(declaration, |_| true))))
    })
}

/// Valid credentials, all different.
fn made_up(declaration: &Declaration, is_given: impl Fn(&CredentialField) -> bool) -> Credentials {
    let fields = declaration.credentials.iter().enumerate().filter(|(_, field)| is_given(field));
    let values = fields.map(|(place, field)| (field.name, value_of(place, field))).collect();
    let endpoint = declaration.needs_endpoint.then(|| "https://bank.example.com".to_string());
    Credentials { endpoint, is_test: true, values }
}

fn value_of(place: usize, field: &CredentialField) -> String {
    let value: String = match field.shape {
        TextShape::Line { max } => format!("made-up-{place}-{}", field.name).chars().take(max).collect(),
        TextShape::Alphanumeric { max, .. } => {
            format!("{place}Q7w2Er9TyU4iOp1Zs3Df5Gh8Jk6Lx0CvB").chars().take(max.min(32)).collect()
        }
        TextShape::Hex { max } => {
            format!("0{place}782DEF547AAA06C910C43932B1EB0C").chars().take(max).collect()
        }
        TextShape::Word(words) => words.last().unwrap().to_string(),
        TextShape::Words(words) => words.join(","),
    };
    assert!(field.shape.fits(&value), "{} {value}", field.name);
    value
}

fn secrets(declaration: &Declaration) -> Vec<String> {
    let credentials = made_up(declaration, |_| true);
    let fields = declaration.credentials.iter().filter(|field| field.is_secret);
    fields.map(|field| credentials.get(field.name).to_string()).collect()
}

fn saved_card(word: &str, initiator: ChargeInitiator) -> Order {
    let agreement = Box::new(Agreement {
        id: Some("AGR-1".into()),
        kind: AgreementType::Unscheduled,
        amount_variability: None,
        cycle_interval_days: None,
        expiry_date: None,
        start_date: None,
        frequency: None,
        max_amount_per_cycle: None,
        total_cycles: None,
        seller: None,
        extra_params: None,
    });
    let card = CardCharge { token: token_of(word), initiator, agreement: Some(agreement) };
    Order { card: Some(card), ..order("10.250", "KWD") }
}

fn with_wallet(kind: Wallet) -> Order {
    Order { instrument: wallet(kind, PAYLOAD), ..order("10.250", "KWD") }
}

fn verification() -> Order {
    Order { operation: ChargeOperation::Verify, saves_card: true, ..order("0", "KWD") }
}

fn session_order() -> SessionOrder {
    SessionOrder {
        merchant_id: "merchant.example".into(),
        shop_name: "Shop".into(),
        domain: "shop.example.com".into(),
        validation_url: Some("https://apple-pay-gateway.apple.com/paymentservices/startSession".into()),
    }
}

/// An order whose payer is known, of one item.
fn offer_order() -> OfferOrder {
    let Order { total, payer, items, language, country, order_no, .. } = order("10.250", "KWD");
    OfferOrder { total, payer, items, language, country, order_no }
}

fn period() -> Period {
    let from = Timestamp::from_millis(OPENED_AT);
    Period { from, to: from.plus(core::time::Duration::from_hours(1)) }
}

/// Whether a charge is refused without a request.
fn is_refused(step: Step<'_, Opened>) -> bool {
    matches!(step.done(), Some(Opened::Refused { .. }))
}

fn request_of<T>(step: Step<'_, T>) -> Option<Outgoing> {
    step.call().map(|call| call.request)
}

/// The first request of everything that can be asked.
fn requests(word: &str, connector: &dyn Connector) -> Vec<Outgoing> {
    requests_under(word, connector, [REFERENCE, OPERATION_REFERENCE].map(reference))
}

/// The same of a charge and an operation with these references.
fn requests_under(
    word: &str,
    connector: &dyn Connector,
    [reference, of_operation]: [ReferenceNumber; 2],
) -> Vec<Outgoing> {
    let charge = ChargeRef { reference: reference.clone(), ..charge("10.250", "KWD") };
    let ordered = |charge: &ChargeRef| {
        OPERATIONS.map(|kind| OperationOrder {
            reference: of_operation.clone(),
            ..operation_order(charge.clone(), kind, "10.250")
        })
    };
    let orders = ordered(&charge);
    // Some gateways take an operation only by their own id of the charge.
    let known = ordered(&ChargeRef { gateway_id: Some("id-1".into()), ..charge.clone() });
    let offer = offer_order();
    let open = |order: Order| request_of(connector.open(&Order { reference: reference.clone(), ..order }));
    let mut found = vec![
        open(order("10.250", "KWD")),
        open(verification()),
        open(saved_card(word, ChargeInitiator::Payer)),
        open(saved_card(word, ChargeInitiator::Merchant)),
        request_of(connector.inquire(&charge, None)),
        request_of(connector.withdraw(&charge)),
        request_of(connector.start_session(&session_order())),
        request_of(connector.check()),
        request_of(connector.offers(&offer)),
        connector.list_charges(period(), None).and_then(request_of),
    ];
    found.extend(DISPUTED.map(|id| request_of(connector.disputes(id))));
    found.extend(WALLETS.map(|kind| open(with_wallet(kind))));
    found.extend(orders.iter().chain(&known).map(|order| request_of(connector.operate(order))));
    found.extend(
        orders.iter().map(|order| request_of(connector.inquire_operation(&operation(order, Some("id-1"))))),
    );
    found.into_iter().flatten().collect()
}

#[test]
fn the_credentials_of_a_connector_have_different_names_and_bounded_values() {
    for (word, declaration) in all() {
        let names: Vec<_> = declaration.credentials.iter().map(|field| field.name).collect();
        for (place, field) in declaration.credentials.iter().enumerate() {
            let name = field.name;
            assert!(!names.iter().take(place).any(|known| *known == name), "{word}: {name} twice");
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{word}: {name}");
            assert!(!field.about.is_empty() && !field.about.contains('\n'), "{word}: {name}");
            assert!(
                !field.shape.fits("") && !field.shape.fits(&"a".repeat(1_025)),
                "{word}: {name} has no bounds"
            );
            assert!(!field.shape.fits("a\nb") && !field.shape.fits(" ab"), "{word}: {name} takes spaces");
            if field.is_secret {
                assert!(
                    !matches!(field.shape, TextShape::Word(_)),
                    "{word}: {name} is one of few words and no secret"
                );
            }
        }
    }
}

#[test]
fn a_connector_exists_exactly_if_there_is_a_gateway_to_call() {
    for (word, declaration) in all() {
        let able = &declaration.capabilities;
        assert_eq!(declaration.connect.is_some(), able.is_online, "{word}");
        assert!(!able.payments.is_empty(), "{word}");
        let is_silent =
            able.wallets.is_empty() && able.operations.is_empty() && declaration.credentials.is_empty();
        assert!(able.is_online || is_silent, "{word} does nothing by itself");
    }
}

#[test]
fn abilities_that_follow_from_others_are_declared_together() {
    for (word, declaration) in all() {
        let able = &declaration.capabilities;
        let can = |kind| able.operations.contains(&kind);
        assert!(able.usual_operations.iter().all(|kind| can(*kind)), "{word}: usual operations");
        assert!(!able.captures_parts || can(ChildOperation::Capture), "{word}: parts of no capture");
        assert!(!able.captures_once || can(ChildOperation::Capture), "{word}: one of no captures");
        assert!(!able.refunds_parts || can(ChildOperation::Refund), "{word}: parts of no refund");
        assert!(!able.verifies_cards || able.saves_cards, "{word}: confirms what it does not save");
        assert!(!able.starts_apple_sessions || able.wallets.contains(&Wallet::ApplePay), "{word}: sessions");
        let charges = able.charges_saved_cards || able.debits_saved_cards;
        assert!(!charges || able.saves_cards, "{word}: charges what it does not save");
        assert!(able.page_hosts.iter().all(|host| host.starts_with("https://")), "{word}: pages");
    }
}

#[test]
fn charges_are_listed_exactly_where_that_is_declared() {
    for (word, declaration, connector) in online() {
        let is_listed = connector.list_charges(period(), None).is_some();
        assert_eq!(is_listed, declaration.capabilities.lists_charges, "{word} with every credential");
        let bare = declaration.connect.unwrap()(made_up(declaration, |field| field.is_required));
        // Mastercard's list needs a password of its own.
        let needs_more = word == "mpgs";
        assert_eq!(
            bare.list_charges(period(), None).is_some(),
            is_listed && !needs_more,
            "{word} with the least"
        );
    }
}

#[test]
fn only_a_gateway_that_reports_disputes_is_asked_about_them_and_the_suite_tries_exactly_those() {
    let suite = include_str!("../worker/conformance/README.md");
    let row = |name: &str| {
        let line = suite.lines().find(|line| line.starts_with(&format!("| {name} |")));
        line.unwrap_or_else(|| panic!("no row {name}")).split('|').map(str::trim).skip(2).collect::<Vec<_>>()
    };
    let tried = row("dispute");
    let names = suite.lines().find(|line| line.contains("| `sandbox` |")).unwrap();
    let names: Vec<_> = names.split('|').map(str::trim).skip(2).collect();
    for (word, declaration, connector) in online() {
        let declared = declaration.capabilities.reports_disputes;
        let calls = DISPUTED.iter().filter_map(|id| request_of(connector.disputes(id)));
        assert!(declared || calls.count() == 0, "{word}");
        let of_word = names.iter().zip(&tried).find(|(name, _)| **name == format!("`{word}`"));
        let (_, tried) = of_word.unwrap_or_else(|| panic!("{word} is not in the suite"));
        assert_eq!(tried.starts_with("proven"), declared, "{word}: {tried}");
    }
}

#[test]
fn a_payment_on_the_page_begins_at_an_https_address_without_a_secret() {
    for (word, declaration, connector) in online() {
        let order = order("10.250", "KWD");
        let address = match connector.open(&order) {
            Step::Ask(call) => call.request.url,
            Step::Done(Opened::Reported(report)) => {
                let Outcome::Open { page_url, .. } = report.outcome else { panic!("{word}: {report:?}") };
                page_url
            }
            Step::Done(refused) => panic!("{word}: {refused:?}"),
        };
        assert!(address.starts_with("https://"), "{word}: {address}");
        for secret in secrets(declaration) {
            assert!(!address.contains(&secret), "{word}: {address}");
        }
    }
}

#[test]
fn no_request_has_a_secret_in_its_address_or_in_what_is_printed_of_it() {
    for (word, declaration, connector) in online() {
        let (requests, secrets) = (requests(word, connector.as_ref()), secrets(declaration));
        assert!(requests.len() > 2 && !secrets.is_empty(), "{word}: {}", requests.len());
        for request in requests {
            assert!(request.url.starts_with("https://"), "{word}: {}", request.url);
            let printed = format!("{request:?} {request:#?}");
            for secret in &secrets {
                assert!(!request.url.contains(secret), "{word}: {}", request.url);
                assert!(!printed.contains(secret), "{word}: {printed}");
            }
        }
        let printed = format!("{:?}", made_up(declaration, |_| true));
        assert!(secrets.iter().all(|secret| !printed.contains(secret)), "{word}: {printed}");
    }
}

#[test]
fn the_longest_reference_with_its_slot_fits_every_gateway() {
    let references = [7, 9].map(|byte| ReferenceNumber::generate("ABCDEFGH", Slot::from(0xff), [byte; 8]));
    for (word, declaration, connector) in online() {
        let limit = declaration.longest_reference;
        let is_part = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
        let mut found = 0;
        for request in requests_under(word, connector.as_ref(), references.clone()) {
            let headers = request.headers.iter().map(|(_, value)| value.as_str());
            let body = String::from_utf8_lossy(&request.body);
            for text in headers.chain([request.url.as_str(), &*body]) {
                for value in text.split(|character| !is_part(character)) {
                    let is_ours = references.iter().any(|reference| value.contains(reference.as_str()));
                    found += usize::from(is_ours);
                    assert!(!is_ours || value.len() <= limit, "{word}: {value}");
                }
            }
        }
        assert!(found > 1, "{word}: no reference in a request");
    }
}

#[test]
fn a_flexible_method_is_asked_exactly_where_that_is_declared_and_nothing_is_charged() {
    for (word, declaration, connector) in online() {
        let asks_first = declaration.capabilities.flexible.is_some_and(|flexible| flexible.asks_first);
        let order = offer_order();
        let call = connector.offers(&order).call();
        assert_eq!(call.is_some(), asks_first, "{word}");
        let Some(call) = call else { continue };
        assert!(!call.moves_money, "{word}");
        for broken in [answer(500, ""), answer(200, ""), answer(200, "{}")] {
            let said = converse(connector.offers(&order), &[broken]).1;
            assert!(matches!(said, Offer::Hidden(_)), "{word}: {said:?}");
        }
    }
}

#[test]
fn asking_whether_the_credentials_are_accepted_moves_no_money() {
    for (word, _, connector) in online() {
        if let Some(call) = connector.check().call() {
            assert!(!call.moves_money, "{word}");
        }
    }
}
