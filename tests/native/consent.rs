//! What a payer agrees to before a card is charged again or saved, and the evidence of it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::api::pay::PayForm;
use checkout_core::checkout::page::{ConsentText, PageView};
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::flow::merchant::update::{Extent, UpdateInput, update};
use checkout_core::flow::payer::open_page::{Visit, open_page};
use checkout_core::flow::payer::pay::pay;
use checkout_core::gateway::profile::Exchange;
use checkout_core::rejection::Rejection;
use checkout_core::settings::MerchantSettings;
use checkout_core::settings::brand::Support;
use checkout_core::strings::consent::VERSION;
use checkout_core::value::id::SessionId;
use checkout_core::value::money::{Currency, ExchangeRate};
use checkout_core::words::Language;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, form, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

fn body(payment_type: &str, more: &Value) -> Value {
    let mut body = order(&["credit-card"]);
    let fields = json!({"payment_type": payment_type, "customer_id": "c-1"});
    for part in [&fields, more] {
        body.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
    }
    body
}

fn terms(more: &Value) -> Value {
    let mut terms = json!({"id": "a-1", "amount_variability": "fixed", "cycle_interval_days": 30,
        "expiry_date": "2030-01-31", "frequency": "monthly", "total_cycles": 12});
    terms.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    terms
}

fn text(shop: &Shop, session_id: &SessionId, language: Language) -> Option<ConsentText> {
    ConsentText::of(&shop.transaction(session_id), &shop.settings(), language)
}

fn shown(shop: &Shop, session_id: &SessionId) -> Option<ConsentText> {
    match block_on(open_page(&shop.world, Some(session_id), Visit::PERSON)).unwrap() {
        PageView::Transaction(page) => page.consent,
        PageView::NotFound { .. } => None,
    }
}

fn retrieved(shop: &Shop, session_id: &SessionId) -> Value {
    let answer = block_on(retrieve(&shop.world, &shop.private(), session_id)).unwrap();
    serde_json::from_str(&answer.body).unwrap()
}

fn agreeing(session_id: &SessionId, consent: Option<String>, language: Option<Language>) -> PayForm {
    PayForm { consent, language, ..form(session_id, "credit-card") }
}

#[test]
fn a_recurring_payment_says_who_how_much_how_often_until_when_and_how_to_stop() {
    let shop = Shop::open(1);
    let session_id = shop.create(&body("auto_debit", &json!({"agreement": terms(&json!({}))})));
    let text = text(&shop, &session_id, Language::En).unwrap().text();
    assert_eq!(
        text,
        "You agree to later payments\n\
         By paying you allow Demo Store to charge this card again without asking you each time.\n\
         Each later payment: KWD 10.200, which includes Card fee KWD 0.200.\n\
         How often: every month.\n\
         Days between two payments: at least 30.\n\
         Last day: 31 January 2030.\n\
         Number of later payments: at most 12.\n\
         To stop it at any time, contact Demo Store. What was paid before stays paid."
    );
    assert_eq!(shown(&shop, &session_id).unwrap().text(), text);
    for (more, line) in [
        (
            json!({"amount_variability": "variable", "max_amount_per_cycle": "20"}),
            "is at most KWD 20.400, which includes Card fee KWD 0.400.",
        ),
        (
            json!({"amount_variability": "variable"}),
            "Each later payment: the amount may differ, plus Card fee 2%.",
        ),
        (json!({"frequency": "semi_monthly"}), "How often: twice a month."),
        (json!({"frequency": "other"}), "How often: as you agreed with Demo Store."),
        (json!({"type": "other", "expiry_date": null, "total_cycles": null}), "No fixed end date."),
    ] {
        let session_id = shop.create(&body("auto_debit", &json!({"agreement": terms(&more)})));
        let text = self::text(&shop, &session_id, Language::En).unwrap().text();
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn the_price_of_later_payments_is_whole_for_each_method_that_charges_another_one() {
    let shop = Shop::open(1);
    let said = |fields: &Value, more: &Value, language| {
        let mut body = body("auto_debit", &json!({"agreement": terms(more)}));
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let text = text(&shop, &shop.create(&body), language).unwrap().text().replace('\u{a0}', " ");
        text.lines().nth(2).unwrap().to_string()
    };
    let both = json!({"pg_codes": ["mpgs", "credit-card"]});
    let dollars = json!({"currency_code": "USD", "amount": "100.00", "pg_codes": ["mpgs", "credit-card"]});
    let most = json!({"amount_variability": "variable", "max_amount_per_cycle": "20"});
    let open = json!({"amount_variability": "variable"});
    for (fields, more, line) in [
        (
            &both,
            json!({}),
            "Each later payment: KWD 10.000 with Card, charged later; KWD 10.200 with Credit card, which includes Card fee KWD 0.200.",
        ),
        (
            &both,
            most,
            "Each later payment: the amount may differ, and is at most KWD 20.000 with Card, charged later; KWD 20.400 with Credit card, which includes Card fee KWD 0.400.",
        ),
        (&both, open, "Each later payment: the amount may differ, plus Card fee 2% with Credit card."),
        (
            &dollars,
            json!({}),
            "Each later payment: USD 100.00 with Card, charged later; USD 102.00 with Credit card, which includes Card fee USD 2.00.",
        ),
        (&json!({"pg_codes": ["mpgs"]}), json!({}), "Each later payment: KWD 10.000."),
    ] {
        assert_eq!(said(fields, &more, Language::En), line);
    }
    let arabic = said(&json!({}), &json!({}), Language::Ar);
    assert_eq!(arabic, "كل دفعة لاحقة: 10.200 د.ك، ويشمل رسوم البطاقة 0.200 د.ك.");
    let body = body(
        "auto_debit",
        &json!({"agreement": terms(&json!({"type": "other", "expiry_date": null, "total_cycles": null}))}),
    );
    let text = text(&shop, &shop.create(&body), Language::Ar).unwrap().text();
    for line in ["يتكرر الخصم: كل شهر.", "دون تاريخ انتهاء محدد."] {
        assert!(text.lines().any(|found| found == line), "{text}");
    }
}

/// What is exchanged costs another amount on another day.
#[test]
fn the_price_of_later_payments_that_are_exchanged_names_the_rate() {
    let shop = Shop::open(1);
    let mut settings = MerchantSettings::clone(&shop.settings());
    let body = body("auto_debit", &json!({"agreement": terms(&json!({})), "pg_codes": ["credit-card"]}));
    let session_id = shop.create(&body);
    let dinar = shop.transaction(&session_id).amount.currency();
    let riyal = Currency::parse("SAR").unwrap();
    for profile in &mut settings.gateways {
        profile.currencies = vec![riyal];
        profile.default_currency = riyal;
        profile.exchanges = vec![Exchange { source: dinar, rate: ExchangeRate::parse("12.25").unwrap() }];
    }
    let said = ConsentText::of(&shop.transaction(&session_id), &settings, Language::En).unwrap().text();
    let line = "Each later payment: SAR 124.95, which includes Card fee SAR 2.45, at the exchange rate of that day (today 1 KWD = 12.25 SAR).";
    assert!(said.lines().any(|found| found == line), "{said}");
}

#[test]
fn a_saved_card_says_who_may_charge_it_and_a_single_payment_of_nobody_nothing() {
    let shop = Shop::open(1);
    let session_id = shop.create(&body("save_card", &json!({"amount": "0"})));
    let consent = text(&shop, &session_id, Language::En).unwrap();
    assert_eq!(consent.title, Some("You agree that your card is saved"));
    assert_eq!(consent.lines.len(), 2);
    let session_id = shop.create(&order(&["credit-card"]));
    assert_eq!(text(&shop, &session_id, Language::En), None);
    assert_eq!(shown(&shop, &session_id), None);
}

/// A payment of a known customer, who may tick that the card is saved.
fn ticking(shop: &Shop, saves_card: bool) -> (SessionId, PayForm) {
    let session_id = shop.create(&body("one_off", &json!({})));
    let mark = text(shop, &session_id, Language::En).unwrap().mark();
    let form = PayForm { saves_card, ..agreeing(&session_id, Some(mark), None) };
    (session_id, form)
}

#[test]
fn a_tick_that_saves_the_card_says_who_saves_it_and_how_to_remove_it_and_that_is_stored() {
    let shop = Shop::open(1);
    let (session_id, form) = ticking(&shop, true);
    let consent = shown(&shop, &session_id).unwrap();
    assert_eq!((consent.title, consent.lines.len()), (None, 1));
    block_on(pay(&shop.world, &form)).unwrap();
    let evidence = retrieved(&shop, &session_id)["consent"].clone();
    assert_eq!(
        evidence["text"],
        "Demo Store saves your card for payments that you start yourself. You can remove it on this page the next time you pay."
    );
}

#[test]
fn without_the_tick_nothing_is_agreed_to_whatever_the_form_carries() {
    let shop = Shop::open(1);
    for (saves_card, changed) in [(false, None), (false, Some("1.00"))] {
        let (session_id, form) = ticking(&shop, saves_card);
        let consent = changed.map_or(form.consent.clone(), |mark| Some(mark.to_string()));
        block_on(pay(&shop.world, &PayForm { consent, ..form })).unwrap();
        assert_eq!(retrieved(&shop, &session_id).get("consent"), None);
    }
    let (_, form) = ticking(&shop, true);
    let other = PayForm { consent: Some("1.00".into()), ..form };
    assert!(block_on(pay(&shop.world, &other)).is_err(), "another text was shown");
}

#[test]
fn the_contacts_of_the_merchant_and_a_fee_are_named() {
    let shop = Shop::open(1);
    let session_id = shop.create(&body("auto_debit", &json!({"agreement": terms(&json!({}))})));
    let mut settings = MerchantSettings::clone(&shop.settings());
    settings.brand.support = Support {
        email: Some("help@shop.example".into()),
        phone: Some("+96522212345".into()),
        whatsapp: Some("+96522212345".into()),
    };
    for language in Language::ALL {
        let consent = ConsentText::of(&shop.transaction(&session_id), &settings, language).unwrap();
        assert!(consent.text().contains(": help@shop.example, +96522212345."), "{}", consent.text());
        assert!(!consent.text().contains(['{', '}']));
    }
}

#[test]
fn what_was_shown_is_stored_with_the_attempt_and_can_be_retrieved() {
    for language in Language::ALL {
        for payment_type in ["auto_debit", "save_card"] {
            let shop = Shop::open(1);
            let more = match payment_type {
                "save_card" => json!({"amount": "0"}),
                _ => json!({"agreement": terms(&json!({}))}),
            };
            let session_id = shop.create(&body(payment_type, &more));
            assert_eq!(retrieved(&shop, &session_id).get("consent"), None, "nothing is agreed to yet");
            let text = text(&shop, &session_id, language).unwrap();
            block_on(pay(&shop.world, &agreeing(&session_id, Some(text.mark()), Some(language)))).unwrap();
            let evidence = retrieved(&shop, &session_id)["consent"].clone();
            assert_eq!(
                evidence,
                json!({
                    "agreed_at": evidence["agreed_at"],
                    "language": language.as_str(),
                    "reference_number": shop.latest(&session_id).reference.as_str(),
                    "text": text.text(),
                    "text_version": VERSION,
                })
            );
            assert!(evidence["agreed_at"].as_str().unwrap().starts_with("20"));
        }
    }
}

#[test]
fn the_contacts_are_those_of_the_transaction_and_the_amount_is_the_merchants() {
    let shop = Shop::open(1);
    let mut body = body("auto_debit", &json!({"agreement": terms(&json!({}))}));
    body["branding_options"] = json!({"support": {"email": "other@shop.example"}});
    let session_id = shop.create(&body);
    let said = text(&shop, &session_id, Language::En).unwrap().text();
    assert!(said.contains(": other@shop.example."), "{said}");
    assert!(said.contains("Each later payment: KWD "), "{said}");
    body["type"] = json!("payment_request");
    // Payers of this plugin choose how much they pay, but an agreement is charged whole.
    let whole = text(&shop, &shop.create(&body), Language::En).unwrap().text();
    assert!(whole.contains("Each later payment: KWD 10.200,"), "{whole}");
}

#[test]
fn a_payer_who_read_other_terms_reads_the_new_ones_before_anything_is_charged() {
    let shop = Shop::open(1);
    let session_id = shop.create(&body("auto_debit", &json!({"agreement": terms(&json!({}))})));
    let english = text(&shop, &session_id, Language::En).unwrap().mark();
    for (consent, language) in [
        (Some(english.clone()), Some(Language::Ar)),
        (Some(english.replace('.', ".0")), Some(Language::En)),
        (Some(String::new()), None),
    ] {
        let answer = block_on(pay(&shop.world, &agreeing(&session_id, consent, language)));
        let Rejection::Invalid(found) = refused(answer) else { panic!("the terms differ") };
        let paths: Vec<_> = found.iter().map(|violation| violation.path.as_ref()).collect();
        assert_eq!(paths, ["consent"]);
    }
    assert!(shop.bank.openings().is_empty(), "no gateway was asked");
    // A client that is not the page has no evidence.
    block_on(pay(&shop.world, &agreeing(&session_id, None, None))).unwrap();
    assert_eq!(retrieved(&shop, &session_id).get("consent"), None);
}

#[test]
fn a_single_payment_takes_no_consent() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["credit-card"]));
    let answer = block_on(pay(&shop.world, &agreeing(&session_id, Some("1.00".into()), None)));
    assert!(matches!(refused(answer), Rejection::Invalid(_)));
}

#[test]
fn terms_that_change_while_the_attempt_before_is_withdrawn_are_read_first() {
    let shop = Shop::open(1);
    let mut body = body("auto_debit", &json!({"agreement": terms(&json!({}))}));
    body["pg_codes"] = json!(["mpgs", "credit-card"]);
    let session_id = shop.create(&body);
    let _ = shop.pay_to_page(&session_id, "mpgs");
    let mark = text(&shop, &session_id, Language::En).unwrap().mark();
    let form = agreeing(&session_id, Some(mark), Some(Language::En));
    let world = Interrupted::after_send(&shop.world, || {
        let changed = json!({"agreement": terms(&json!({"frequency": "weekly"}))}).to_string();
        let input = UpdateInput {
            caller: shop.private(),
            session_id: session_id.clone(),
            extent: Extent::Partial,
            if_match: None,
            body: changed.as_bytes(),
            file: None,
            wrong: &[],
        };
        block_on(update(&shop.world, input)).unwrap();
    });
    let Rejection::Invalid(found) = refused(block_on(pay(&world, &form))) else { panic!("the terms differ") };
    assert_eq!(found.iter().map(|violation| violation.path.as_ref()).collect::<Vec<_>>(), ["consent"]);
    assert_eq!(shop.latest(&session_id).pg_code.as_str(), "mpgs", "nothing began");
    let mark = text(&shop, &session_id, Language::En).unwrap().mark();
    block_on(pay(&shop.world, &agreeing(&session_id, Some(mark), Some(Language::En)))).unwrap();
    assert!(
        retrieved(&shop, &session_id)["consent"]["text"].as_str().unwrap().contains("How often: every week.")
    );
}

#[test]
fn the_consent_that_is_shown_is_that_of_the_attempt_that_was_paid() {
    for (first_ticks, second_ticks) in [(true, false), (false, true), (true, true)] {
        let shop = Shop::open(3);
        let (session_id, form) = ticking(&shop, first_ticks);
        block_on(pay(&shop.world, &form)).unwrap();
        let first = shop.latest(&session_id).reference;
        shop.bank.give_up(first.as_str());
        shop.come_back(&first).unwrap();
        shop.wait(1);
        block_on(pay(&shop.world, &PayForm { saves_card: second_ticks, ..form })).unwrap();
        let second = shop.latest(&session_id).reference;
        shop.bank.decline(second.as_str());
        shop.come_back(&second).unwrap();
        shop.bank.approve_after_all(first.as_str());
        shop.call_back(&first).unwrap();
        assert_eq!(shop.results(&session_id), ["success", "failed"]);
        let evidence = retrieved(&shop, &session_id);
        let named = evidence.get("consent").map(|consent| consent["reference_number"].clone());
        assert_eq!(named, first_ticks.then(|| first.as_str().into()));
    }
}
