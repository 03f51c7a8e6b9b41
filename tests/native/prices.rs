//! A page charges what it shows: whatever the merchant changes after the payer was shown a price, by every way to pay.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod state;

use checkout_core::access::operator::ROOT;
use checkout_core::api::pay::PayForm;
use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::checkout::page::{PageMethod, PageView, SentForm, TransactionPage};
use checkout_core::flow::Failure;
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::flow::payer::open_page::{Viewer, Visit, open_page};
use checkout_core::flow::payer::pay::pay;
use checkout_core::flow::sdk::token::submit_token;
use checkout_core::flow::sdk::{self, wallet};
use checkout_core::port;
use checkout_core::rejection::Rejection;
use checkout_core::strings::Strings;
use checkout_core::strings::screen::ScreenNotice;
use checkout_core::value::id::SessionId;
use checkout_core::words::{Language, Wallet};
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{DEMO_SETTINGS, Shop, order, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

const CUSTOMER: &str = "C-1";

/// A way to pay, by what the payer was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The page's form, through a gateway's page.
    Redirect,
    /// The page's form, in cash.
    Cash,
    /// The page's form, with a saved card.
    Card,
    /// The page's form, with an amount that the payer typed.
    Typed,
    /// A call of an SDK that says what it showed.
    Submit,
    /// A call of an SDK that says nothing.
    OldSubmit,
    /// The same with a saved card.
    Token,
    OldToken,
    /// Wallets of the page.
    Apple,
    Google,
    /// Wallets of an SDK that says nothing.
    OldApple,
    OldGoogle,
}

impl Way {
    const ALL: [Self; 12] = [
        Self::Redirect,
        Self::Cash,
        Self::Card,
        Self::Typed,
        Self::Submit,
        Self::OldSubmit,
        Self::Token,
        Self::OldToken,
        Self::Apple,
        Self::Google,
        Self::OldApple,
        Self::OldGoogle,
    ];

    fn code(self) -> &'static str {
        if self == Self::Cash { "cash" } else { "credit-card" }
    }
}

/// What the merchant changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Amount,
    Currency,
    Fee,
}

/// A payer who was shown a price.
struct Case {
    shop: Shop,
    session_id: SessionId,
    way: Way,
    token: String,
    /// Total and currency.
    shown: (String, String),
    form: PayForm,
}

/// A shop with a saved card of the customer.
fn shop() -> (Shop, String) {
    let shop = Shop::open(1);
    let mut first = order(&["credit-card"]);
    first["customer_id"] = json!(CUSTOMER);
    let session_id = shop.create(&first);
    let body = json!({"pg_code": "credit-card", "save_card": true}).to_string();
    block_on(sdk::submit(&shop.world, &session_id, body.as_bytes())).unwrap();
    let reference = shop.latest(&session_id).reference;
    shop.bank.approve(reference.as_str());
    let delivery = shop.come_back(&reference).unwrap().unwrap();
    let _ = shop.deliver(&delivery);
    let notified = shop.receiver.take_bodies().pop().unwrap();
    let token = notified.pointer("/token/token").and_then(Value::as_str).unwrap().to_owned();
    (shop, token)
}

fn page(shop: &Shop, session_id: &SessionId, sent: Option<SentForm<'_>>) -> TransactionPage {
    let visit = Visit { sent, language: sent.and_then(|sent| sent.form.language), ..Visit::PERSON };
    match block_on(open_page(&shop.world, Some(session_id), visit)).unwrap() {
        PageView::Transaction(page) => *page,
        PageView::NotFound { .. } => panic!("{session_id} is not found"),
    }
}

fn method<'p>(page: &'p TransactionPage, code: &str) -> &'p PageMethod {
    let mut all = page.saved.iter().map(|card| &card.method).chain(&page.methods);
    all.find(|method| method.code == code).unwrap()
}

/// The form as a browser without a script sends it.
fn filled(page: &TransactionPage, session_id: &SessionId, code: &str, typed: Option<&str>) -> PayForm {
    let all = page.saved.iter().map(|card| &card.method).chain(&page.methods);
    let shown = all.map(|method| ("shown".to_owned(), method.shown(page.amount_field.is_some())));
    let mut fields: Vec<(String, String)> = shown.collect();
    fields.push(("session_id".into(), session_id.to_string()));
    fields.push(("pg_code".into(), code.into()));
    fields.push(("language".into(), "ar".into()));
    fields.extend(typed.map(|typed| ("amount".into(), typed.into())));
    PayForm::parse(form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish().as_bytes())
}

impl Case {
    fn show(way: Way) -> Self {
        let (shop, token) = shop();
        let mut body = order(&["credit-card", "cash"]);
        body["customer_id"] = json!(CUSTOMER);
        body["amount"] = json!("4.000");
        if way == Way::Typed {
            body["type"] = json!("payment_request");
        }
        let session_id = shop.create(&body);
        let code = if way == Way::Card { token.as_str() } else { way.code() };
        let page = page(&shop, &session_id, None);
        let form = filled(&page, &session_id, code, (way == Way::Typed).then_some("2.000"));
        let _: Value =
            serde_json::from_str(&block_on(sdk::init(&shop.world, &session_id, Viewer::Person)).unwrap())
                .unwrap();
        let total = if way == Way::Typed {
            let two = checkout_core::value::money::Money::parse("2.000", page.amount.currency()).unwrap();
            method(&page, code).terms.quote(two).unwrap().total
        } else {
            method(&page, code).quote.total
        };
        let shown = (total.to_string(), total.currency().code().to_owned());
        Self { shop, session_id, way, token, shown, form }
    }

    fn change(&self, change: Change) -> Result<(), Failure> {
        let Self { shop, session_id, .. } = self;
        let body = match change {
            Change::Amount => json!({"amount": "400.000"}),
            Change::Currency => json!({"currency_code": "USD", "amount": "4.00"}),
            Change::Fee => {
                let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
                let codes = ["credit-card", "cash"];
                let gateways = settings.get_mut("gateways").and_then(Value::as_array_mut).unwrap();
                for gateway in gateways.iter_mut().filter(|one| codes.contains(&text(one, "code").unwrap())) {
                    gateway["fees"] = json!([{"currency": "KWD", "fixed": "1.000", "percent": "5",
                        "description": {"en": "Fee", "ar": "رسوم"}}]);
                }
                let document = settings.to_string();
                let replaced = replace_settings(&shop.world, &ROOT, &shop.merchant, "", document.as_bytes());
                return block_on(replaced).map(drop);
            }
        };
        shop.patch(session_id, &body).map(drop)
    }

    fn pay(&self, world: &impl port::World) -> Result<(), Failure> {
        let Self { session_id, way, token, shown, form, .. } = self;
        let said = |mut body: Value, is_old: bool| {
            if !is_old {
                body["shown_total"] = json!(shown.0);
                body["shown_currency"] = json!(shown.1);
            }
            body.to_string()
        };
        let submit = |is_old| {
            let body = said(json!({"pg_code": "credit-card"}), is_old);
            block_on(sdk::submit(world, session_id, body.as_bytes())).map(drop)
        };
        let by_token = |is_old| {
            let body = said(json!({"session_id": session_id.as_str(), "token": token}), is_old);
            block_on(submit_token(world, body.as_bytes())).map(drop)
        };
        let by_wallet = |wallet: Wallet, is_old: bool| {
            let mut body = json!({"session_id": session_id.as_str(), "code": "credit-card"});
            match wallet {
                Wallet::ApplePay => body["apple_pay_payload"] = json!({"paymentData": {}}),
                Wallet::GooglePay => {
                    body["google_pay_payload"] =
                        json!({"paymentMethodData": {"tokenizationData": {"token": "{}"}}});
                }
            }
            let body = said(body, is_old);
            block_on(wallet::pay(world, wallet, body.as_bytes())).map(drop)
        };
        match way {
            Way::Redirect | Way::Cash | Way::Card | Way::Typed => block_on(pay(world, form)).map(drop),
            Way::Submit => submit(false),
            Way::OldSubmit => submit(true),
            Way::Token => by_token(false),
            Way::OldToken => by_token(true),
            Way::Apple => by_wallet(Wallet::ApplePay, false),
            Way::Google => by_wallet(Wallet::GooglePay, false),
            Way::OldApple => by_wallet(Wallet::ApplePay, true),
            Way::OldGoogle => by_wallet(Wallet::GooglePay, true),
        }
    }

    fn attempts(&self) -> Vec<Attempt> {
        self.shop.world.store.attempts(&self.session_id)
    }

    /// Every attempt that was opened for this payer asks for what they were shown.
    fn check(&self, what: &str) {
        for attempt in self.attempts().iter().filter(|attempt| attempt.stage != Stage::Canceled) {
            let total = attempt.quote.total;
            let asked = (total.to_string(), total.currency().code().to_owned());
            assert_eq!(asked, self.shown, "{what}");
        }
    }
}

#[test]
fn what_was_shown_is_paid() {
    for way in Way::ALL {
        let case = Case::show(way);
        case.pay(&case.shop.world).unwrap();
        assert_eq!(case.attempts().len(), 1, "{way:?}");
        case.check(&format!("{way:?}"));
    }
}

#[test]
fn another_amount_currency_or_fee_than_was_shown_is_refused_by_name() {
    for way in Way::ALL {
        for change in [Change::Amount, Change::Currency, Change::Fee] {
            let what = format!("{change:?} before {way:?}");
            // A typed amount is what the payer wants to pay, whatever may be paid at most; cash has no other fee.
            let case = Case::show(way);
            case.change(change).unwrap();
            let is_same = way == Way::Typed && change == Change::Amount;
            let paid = case.pay(&case.shop.world);
            if is_same {
                paid.unwrap();
                case.check(&what);
                continue;
            }
            let rejection = refused(paid);
            assert_eq!(rejection.code(), "price_changed", "{what}: {rejection:?}");
            assert!(
                rejection.body("https://pay.example.com", "r").unwrap().contains("Nothing was charged"),
                "{what}"
            );
            assert_eq!(case.attempts(), [], "{what}");
        }
    }
}

#[test]
fn the_page_draws_itself_again_with_the_new_price_and_says_so() {
    for language in Language::ALL {
        let case = Case::show(Way::Redirect);
        case.change(Change::Amount).unwrap();
        let rejection = refused(case.pay(&case.shop.world));
        let form = PayForm { language: Some(language), ..case.form.clone() };
        let sent = SentForm { form: &form, refusal: Some(&rejection) };
        let rendered = page(&case.shop, &case.session_id, Some(sent));
        assert_eq!((rendered.notice, rendered.language), (Some(ScreenNotice::PriceChanged), language));
        assert!(
            !Strings::of(language).notice(ScreenNotice::PriceChanged, rendered.payment_type).title.is_empty()
        );
        assert_eq!(method(&rendered, "credit-card").quote.total.to_string(), "408.000");
        let again = filled(&rendered, &case.session_id, "credit-card", None);
        block_on(pay(&case.shop.world, &again)).unwrap();
        assert_eq!(case.shop.latest(&case.session_id).quote.total.to_string(), "408.000");
    }
}

#[test]
fn an_sdk_that_opens_again_pays_the_new_price() {
    for way in [Way::OldSubmit, Way::OldToken, Way::OldApple, Way::OldGoogle] {
        let case = Case::show(way);
        case.change(Change::Amount).unwrap();
        assert_eq!(refused(case.pay(&case.shop.world)).code(), "price_changed");
        block_on(sdk::init(&case.shop.world, &case.session_id, Viewer::Person)).unwrap();
        case.pay(&case.shop.world).unwrap();
        assert_eq!(case.shop.latest(&case.session_id).quote.total.to_string(), "408.000", "{way:?}");
    }
}

#[test]
fn who_never_asked_for_prices_pays_what_it_costs() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    block_on(sdk::submit(&shop.world, &session_id, br#"{"pg_code":"knet"}"#)).unwrap();
    assert_eq!(shop.results(&session_id), ["pending"]);
}

#[test]
fn whatever_the_merchant_changes_in_the_middle_what_was_shown_is_paid_or_nothing() {
    let mut refusals = 0;
    for way in Way::ALL {
        for change in [Change::Amount, Change::Currency, Change::Fee] {
            for waits in [false, true] {
                for in_send in [true, false] {
                    let what =
                        format!("{change:?} in the middle of {way:?}, a page waits: {waits}, {in_send}");
                    let case = Case::show(way);
                    if waits {
                        // Another page waits for the payer, which is withdrawn first.
                        let form = PayForm {
                            saves_card: true,
                            ..filled(
                                &page(&case.shop, &case.session_id, None),
                                &case.session_id,
                                "credit-card",
                                None,
                            )
                        };
                        block_on(pay(&case.shop.world, &form)).unwrap();
                    }
                    let happen = || drop(case.change(change));
                    let world = if in_send {
                        Interrupted::after_send(&case.shop.world, happen)
                    } else {
                        Interrupted::before_random(&case.shop.world, happen)
                    };
                    if let Err(failure) = case.pay(&world) {
                        let rejection = refused(Err::<(), _>(failure));
                        let code = rejection.code();
                        assert!(
                            ["price_changed", "attempt_in_progress", "conflict"].contains(&code),
                            "{what}: {rejection:?}"
                        );
                        refusals += 1;
                    }
                    drop(world);
                    case.check(&what);
                }
            }
        }
    }
    assert!(refusals > 20, "only {refusals} payments were refused");
}

#[test]
fn a_refusal_leaves_the_page_that_waits_as_it_is() {
    let case = Case::show(Way::Cash);
    let redirect = filled(&page(&case.shop, &case.session_id, None), &case.session_id, "credit-card", None);
    block_on(pay(&case.shop.world, &redirect)).unwrap();
    case.change(Change::Fee).unwrap();
    assert!(matches!(refused(case.pay(&case.shop.world)), Rejection::PriceChanged { .. }));
    assert_eq!(case.attempts().iter().map(|attempt| attempt.stage).collect::<Vec<_>>(), [Stage::Redirected]);
    // The page of the gateway asks for what it was opened with, which is no longer what the page shows: it is replaced.
    let rendered = page(&case.shop, &case.session_id, None);
    let again = filled(&rendered, &case.session_id, "credit-card", None);
    block_on(pay(&case.shop.world, &again)).unwrap();
    assert_eq!(case.shop.latest(&case.session_id).quote.total, method(&rendered, "credit-card").quote.total);
    assert_eq!(case.attempts().len(), 2);
}

#[test]
fn what_a_client_says_is_checked() {
    let case = Case::show(Way::Submit);
    for (field, wrong) in [("shown_total", json!("ten")), ("shown_currency", json!("dinar"))] {
        let mut body = json!({"pg_code": "credit-card"});
        body[field] = wrong;
        let rejection =
            refused(block_on(sdk::submit(&case.shop.world, &case.session_id, body.to_string().as_bytes())));
        let Rejection::Invalid(found) = &rejection else { panic!("{rejection:?}") };
        assert_eq!(found.iter().map(|violation| violation.path.as_ref()).collect::<Vec<_>>(), [field]);
    }
    let alone = json!({"pg_code": "credit-card", "shown_total": "4.08"}).to_string();
    block_on(sdk::submit(&case.shop.world, &case.session_id, alone.as_bytes())).unwrap();
    assert_eq!(text(&json!({"total": case.shown.0}), "total"), Some("4.080"));
}
