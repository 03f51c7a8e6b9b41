//! In which order the members of an object leave and are stored: readers do not depend on it, but entity tags do, and
//! so does who compares bytes.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write;

use checkout_core::flow::merchant::create::{CreateAnswer, CreateInput, create};
use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::record::attachment::FilePart;
use checkout_core::value::id::SessionId;
use checkout_core::wire::members::Members;
use checkout_tests::shop::{Shop, session_of};
use pollster::block_on;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A request with every field that is stored.
const FULL: &str = include_str!("../bench/request.json");
const FILE: FilePart<'_> = FilePart { file_name: "bill.pdf", bytes: b"%PDF-1.7" };

/// The names in an object in the order of the text, with those in its members; of a list, those of the first item.
fn names(object: &RawValue) -> String {
    let mut found = String::new();
    for (name, raw) in Members::of(object).unwrap().all() {
        let separator = if found.is_empty() { "" } else { " " };
        write!(found, "{separator}{name}").unwrap();
        let first = match raw.get().as_bytes() {
            [b'{', ..] => Some(raw),
            [b'[', ..] => serde_json::from_str::<Vec<&RawValue>>(raw.get()).unwrap().first().copied(),
            _ => None,
        };
        if let Some(inner) = first.filter(|inner| inner.get().starts_with('{')) {
            write!(found, "{{{}}}", names(inner)).unwrap();
        }
    }
    found
}

fn names_in(text: &str) -> String {
    names(serde_json::from_str(text).unwrap())
}

/// One line each for what is written in several.
fn lines(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("{ ", "{").replace(" }", "}")
}

/// A shop with a transaction that says everything.
fn created() -> (Shop, CreateAnswer) {
    let shop = Shop::open(1);
    let mut body: Value = serde_json::from_str(FULL).unwrap();
    for flag in
        ["generate_qr_code", "include_sdk_setup_preload", "shortify_attachment_url", "shortify_checkout_url"]
    {
        body.as_object_mut().unwrap().insert(flag.into(), json!(true));
    }
    let body = body.to_string();
    let input = CreateInput {
        caller: shop.private(),
        idempotency_key: None,
        body: body.as_bytes(),
        file: Some(FILE),
        wrong: &[],
    };
    let answer = block_on(create(&shop.world, input)).unwrap();
    (shop, answer)
}

fn refund(shop: &Shop, session_id: &SessionId) {
    let body =
        json!({"session_id": session_id.as_str(), "operation": "refund", "amount": "1.000"}).to_string();
    let caller = shop.private();
    let input = OperationInput { caller, tracking_key: None, idempotency_key: None, body: body.as_bytes() };
    block_on(operate(&shop.world, input)).unwrap();
}

const AGREEMENT: &str = "agreement{id type amount_variability cycle_interval_days expiry_date start_date frequency
    max_amount_per_cycle total_cycles seller{name short_name category_code} extra_params{payment_processing_day}}";
const SUMS: &str = "{amount{currency_code display label value} fee{currency_code display label value}
    sub_total{currency_code display label value}}";

#[test]
fn the_answer_to_create() {
    let (_, answer) = created();
    let expected = [
        AGREEMENT,
        "amount billing",
        SUMS,
        "attachment attachment_short_url billing_address{city country line1 line2 postal_code state}
        capture_delivery_address capture_delivery_location card_acceptance_criteria{min_expiry_time}
        checkout_page_url checkout_short_url checkout_url created_at currency_code
        customer_birthdate customer_email customer_first_name customer_id customer_last_name customer_phone
        customer_phone_2 due_datetime email_recipients expiration_time extra{campaign cart{lines{count sku}}}
        language notifications{email sms whatsapp} operation order_no
        payment_methods{amount code currency_code fee fee_description flow icon icons{svg webp} is_sandbox name operation
        pg redirect_url type}
        payment_type pg_codes product_type qr_code_url redirect_url
        sdk_setup_preload_payload{amount billing",
        SUMS,
        "cancel_url cards checkout_url currency_code customer_id customer_phone expiration_time flex_methods is_amount_editable is_sandbox
        language operation payment_methods{amount billing",
        SUMS,
        "can_save_card code currency_code fee fee_description flow icon icons{svg webp} is_sandbox mark name operation pg
        pg_code submit_url type}
        payment_services{amount billing",
        SUMS,
        "code country_code currency_code domain fee fee_description flow merchant_id operation payment_url pg_code
        session_id shop_name validation_url}
        payment_type response{} sdk_studio{} session_id state type}
        session_id shipping_address{city country email first_name last_name line1 line2 phone postal_code state}
        state transaction_log_id type vendor_name webhook_url",
    ];
    let expected = lines(&expected.join(" ")).replace("billing {", "billing{");
    assert_eq!(names_in(&answer.body), expected);
}

#[test]
fn what_is_retrieved_and_what_is_notified_of_a_payment() {
    let (shop, answer) = created();
    let session_id = session_of(&answer);
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    let mut webhooks = shop.world.store.deliveries(&session_id);
    webhooks.retain(|row| row.message.kind.channel().is_none());
    let notified = webhooks.pop().unwrap().message.body;
    refund(&shop, &session_id);
    let retrieved = block_on(retrieve(&shop.world, &shop.private(), &session_id)).unwrap().body;
    let retrieved: Vec<String> =
        Members::read(retrieved.as_bytes()).unwrap().all().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(
        retrieved.join(" "),
        lines(
            "agreement amount billing attachment billing_address capture_delivery_address capture_delivery_location
            card_acceptance_criteria checkout_page_url checkout_url created_at currency_code customer_birthdate
            customer_email customer_first_name customer_id customer_last_name customer_phone customer_phone_2
            due_datetime email_recipients expiration_time extra language notifications operation order_no paid_amount
            paid_at payment_methods payment_type pg_codes product_type receipt redirect_url reference_number
            refunded_amount session_id settled_pg_code shipping_address state transaction transaction_log_id
            transactions type vendor_name webhook_url"
        )
    );
    let expected = [
        AGREEMENT,
        "amount amount_details{amount currency_code fee total} capture_delivery_address capture_delivery_location
        card_acceptance_criteria{min_expiry_time} currency_code customer_address_city customer_address_country
        customer_address_line1 customer_address_line2 customer_address_postal_code customer_address_state
        customer_birthdate customer_email customer_first_name customer_id customer_last_name customer_phone
        extra{campaign cart{lines{count sku}}} fee gateway_account gateway_name is_sandbox operation order_no
        paid_amount payment_type PARAMS reference_number result sequence session_id settled_amount signature state
        timestamp_utc transaction_log_id",
    ];
    let params = [
        "auth_code",
        "card_expiry_month",
        "card_expiry_year",
        "card_holder",
        "card_number",
        "card_type",
        "full_card_expiry",
        "payment_id",
        "pg_message",
        "post_date",
        "ref",
        "result",
        "rrn",
        "track_id",
        "transaction_id",
    ];
    let params = params.map(|name| format!("{name}{{value verbose_name_ar verbose_name_en}}")).join(" ");
    let expected = lines(&expected.join(" ")).replace("PARAMS", &format!("pg_params{{{params}}}"));
    assert_eq!(names_in(&notified), expected);
}

#[test]
fn what_is_stored() {
    let (shop, answer) = created();
    let transaction = shop.transaction(&session_of(&answer));
    let stored = serde_json::to_string(&transaction.details).unwrap();
    let expected = [
        "order_no customer_id customer_first_name customer_last_name customer_email customer_phone customer_phone_2
        customer_birthdate product_type vendor_name language redirect_url webhook_url due_datetime",
        AGREEMENT,
        "billing_address{city country line1 line2 postal_code state}
        shipping_address{city country email first_name last_name line1 line2 phone postal_code state}
        capture_delivery_address capture_delivery_location card_acceptance_criteria{min_expiry_time}
        email_recipients notifications{email sms whatsapp} transaction_log_id attachment{name original_name size}
        unit_code extra{campaign cart{lines{count sku}}}",
    ];
    assert_eq!(names_in(&stored), lines(&expected.join(" ")));
}

#[test]
fn the_entity_tag_of_one_transaction_stays_the_same() {
    let (_, answer) = created();
    assert_eq!(answer.tag.as_deref(), Some("\"844c2bfdce9db7c0e06327749da38ae7-8239dc9f31a2d9aa\""));
}
