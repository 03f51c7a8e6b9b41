mod amounts;
mod choices;
mod policy;
mod saved_cards;
mod states;

use std::collections::BTreeMap;

use checkout_core::answer::merchant_link::MerchantLink;
use checkout_core::checkout::page::{
    FieldValue, Guidance, Items, LastAttempt, LocalClock, OrderDetails, PageAddress, PageAmountField,
    PageDownload, PageField, PageMethod, SavedCardFault, SavedCardMethod, TransactionPage, WalletButton,
};
use checkout_core::gateway::icon::Icon;
use checkout_core::gateway::mark::Mark;
use checkout_core::gateway::terms::{Quote, Terms};
use checkout_core::rejection::PROBLEMS;
use checkout_core::settings::brand::Brand;
use checkout_core::strings::screen::{PageStatus, ScreenNotice};
use checkout_core::transaction::items::Item;
use checkout_core::value::choice::{AmountChoice, ChoiceError};
use checkout_core::value::id::SessionId;
use checkout_core::value::money::totals::Totals;
use checkout_core::value::money::{Currency, ExchangeRate, Money};
use checkout_core::value::time::Timestamp;
use checkout_core::words::Wallet;
use checkout_core::words::decline::DeclineReason;
use checkout_core::words::payment_type::PaymentType;

use super::*;

const ORIGIN: &str = "https://pay.example.com";
const LANGUAGES: [Language; 2] = [Language::En, Language::Ar];
const STATUSES: [PageStatus; 13] = PageStatus::ALL;

fn money(text: &str) -> Money {
    Money::parse(text, Currency::parse("KWD").unwrap()).unwrap()
}

fn quote(amount: &str, fee: &str) -> Quote {
    let (amount, fee) = (money(amount), money(fee));
    Quote { amount, fee, total: amount.checked_add(fee).unwrap(), rate: None }
}

fn method(code: &str, fee: &str) -> PageMethod {
    PageMethod {
        code: code.into(),
        name: format!("Method {code}"),
        quote: quote("10.250", fee),
        terms: Terms {
            source: money("0").currency(),
            rate: None,
            fixed: money(fee),
            percent: 0.into(),
            totals: Totals::ALL,
        },
        fee_label: (fee != "0").then(|| "Card fee".into()),
        mark: Mark::Neutral(Icon::Card),
        card_brands: Vec::new(),
        is_cash: false,
        is_chosen: code == "knet",
        is_waiting: false,
        can_save_card: false,
        asks_first: false,
        lacks: Vec::new(),
    }
}

fn page(status: PageStatus, language: Language) -> TransactionPage {
    let at = Timestamp::parse("2026-11-21T01:02:03Z").unwrap();
    let reference = "REFERENCE1".into();
    TransactionPage {
        language,
        session_id: SessionId::generate(0, [7; 19]),
        merchant: "Demo Store".into(),
        brand: Brand::default(),
        public_url: "https://pay.example.com".into(),
        order_no: Some("ORDER-1".into()),
        amount: money("10.250"),
        amount_field: None,
        payment_type: PaymentType::OneOff,
        status,
        next: None,
        notice: (status == PageStatus::Declined).then_some(ScreenNotice::Declined),
        is_test: true,
        wallets: Vec::new(),
        asked: Vec::new(),
        saved: Vec::new(),
        can_remove_cards: true,
        consent: None,
        saves_card: false,
        methods: if status.can_pay() {
            vec![method("knet", "0.250"), method("mpgs", "0")]
        } else {
            Vec::new()
        },
        last: (status != PageStatus::Payable).then(|| LastAttempt {
            reference,
            method: "KNET".into(),
            principal: money("10.250"),
            mark: None,
            fee_label: None,
            paid_with: None,
            quote: quote("10.250", "0.250"),
            at,
            decline: None,
            data: Vec::new(),
        }),
        expires_at: at,
        is_last_day: true,
        details: OrderDetails::default(),
        attachment: None,
        due_at: None,
        clock: LocalClock::default(),
        merchant_link: has_link(status).then(|| MerchantLink {
            url: "https://shop.example/?order_no=ORDER-1".into(),
            host: "shop.example".into(),
        }),
        onward: None,
        refreshes: 0,
        guidance: Guidance::default(),
        has_signed_receipt: status.is_success(),
        aftermath: None,
        movements: Vec::new(),
        is_unseen: false,
        form_targets: vec!["https://shop.example".into()],
        page_hosts: Vec::new(),
    }
}

/// Whether the page of a status leads back to the merchant.
const fn has_link(status: PageStatus) -> bool {
    status.is_final() || matches!(status, PageStatus::Late | PageStatus::Held | PageStatus::Paused)
}

fn draw(page: TransactionPage) -> String {
    render(&PageView::Transaction(Box::new(page)), ORIGIN).body
}

#[test]
fn every_status_has_its_own_screen_in_both_languages() {
    for language in LANGUAGES {
        let strings = Strings::of(language);
        for status in STATUSES {
            let body = draw(page(status, language));
            assert!(body.contains(strings.screen(status, PaymentType::OneOff).title), "{status:?}");
            let start = format!("<html lang=\"{}\" dir=\"{}\">", language.as_str(), language.direction());
            assert!(body.contains(&start), "{status:?}");
            assert_eq!(body.contains("id=\"pay-form\""), status.can_pay(), "{status:?}");
            assert_eq!(body.contains("href=\"https://shop.example/?order_no=ORDER-1\""), has_link(status));
            let refreshes = [
                "<noscript><meta http-equiv=\"refresh\" content=\"5;",
                "<meta http-equiv=\"refresh\" content=\"30;",
            ];
            let waits = status.is_awaited() || status == PageStatus::Paused;
            assert_eq!(refreshes.map(|text| body.contains(text)), [waits; 2], "{status:?}");
            assert_eq!(body.contains("REFERENCE1"), status != PageStatus::Payable, "{status:?}");
        }
    }
}

#[test]
fn text_of_a_merchant_is_escaped_wherever_it_stands() {
    let evil = "</title><script>alert(1)</script>\"'&";
    for status in STATUSES {
        let mut page = page(status, Language::En);
        page.merchant = evil.into();
        page.order_no = Some(evil.into());
        if let Some(last) = &mut page.last {
            last.method = evil.into();
            last.data = vec![("Payment ID", evil.into())];
        }
        let place = PageAddress { lines: vec![evil.into()], country: evil.into() };
        page.details = OrderDetails {
            payer: Some(evil.into()),
            billing: Some(place.clone()),
            shipping: Some(place),
            description: Some(evil.into()),
            items: Some(Items {
                label: evil.into(),
                list: vec![Item { name: evil.into(), quantity: Some(2), amount: None }],
            }),
            fields: [FieldValue::Words(evil.into()), FieldValue::Digits(evil.into())]
                .map(|value| PageField { label: evil.into(), value })
                .into(),
        };
        page.amount_field = AmountChoice::up_to(page.amount).map(|choice| PageAmountField {
            typed: evil.into(),
            choice,
            fault: None,
        });
        for method in &mut page.methods {
            method.name = evil.into();
            method.fee_label = Some(evil.into());
            method.code = evil.into();
        }
        let body = draw(page);
        assert!(!body.contains("<script>"), "{status:?}");
        assert!(!body.contains("\"'&"), "{status:?}");
    }
}

#[test]
fn a_decline_says_why_and_what_to_do_where_the_bank_said_it() {
    for language in LANGUAGES {
        let strings = Strings::of(language);
        for reason in DeclineReason::ALL {
            let mut page = page(PageStatus::Declined, language);
            page.last.as_mut().unwrap().decline = Some(reason);
            let usual = strings.notice(ScreenNotice::Declined, PaymentType::OneOff).text;
            let body = draw(page.clone());
            let text = strings.decline(reason, PaymentType::OneOff).unwrap_or(usual);
            assert!(body.contains(&format!("<p id=\"notice-text\">{text}</p>")), "{reason:?}");
            page.payment_type = PaymentType::SaveCard;
            let usual = strings.notice(ScreenNotice::Declined, PaymentType::SaveCard).text;
            let text = strings.decline(reason, PaymentType::SaveCard).unwrap_or(usual);
            assert!(draw(page.clone()).contains(&format!("<p id=\"notice-text\">{text}</p>")), "{reason:?}");
            page.status = PageStatus::Failed;
            let cause = strings.decline_cause(reason, PaymentType::SaveCard);
            let body = draw(page);
            assert!(cause.is_none_or(|cause| body.contains(cause)), "{reason:?}");
            assert!(!body.contains(text), "nothing can be done about it: {reason:?}");
        }
    }
}

#[test]
fn what_the_gateway_wants_seen_is_shown_with_the_result() {
    for status in [PageStatus::Declined, PageStatus::Paid, PageStatus::Failed, PageStatus::Authorized] {
        let mut page = page(status, Language::En);
        page.last.as_mut().unwrap().data = vec![("Payment ID", "100202632500099".into())];
        let body = draw(page);
        assert!(body.contains("Payment ID") && body.contains("100202632500099"), "{status:?}");
    }
}

#[test]
fn the_page_has_no_field_for_a_card() {
    let body = draw(page(PageStatus::Payable, Language::En));
    let inputs: Vec<_> = body.split("<input ").skip(1).map(|rest| rest.split('>').next().unwrap()).collect();
    assert_eq!(inputs.len(), 6);
    for input in inputs {
        assert!(input.starts_with("type=\"hidden\"") || input.starts_with("type=\"radio\""), "{input}");
    }
}

/// The text of every element with this part of a face, with the number of the face.
fn parts<'b>(body: &'b str, part: &str) -> Vec<(&'b str, &'b str)> {
    let mark = format!("data-part=\"{part}\">");
    let face_in =
        |text: &'b str| text.rsplit_once("data-face=\"").and_then(|(_, rest)| rest.split('"').next());
    let mut pieces = body.split(mark.as_str());
    let mut face = pieces.next().and_then(face_in).unwrap_or_default();
    let mut found = Vec::new();
    for piece in pieces {
        found.push((face, piece.split('<').next().unwrap_or_default()));
        face = face_in(piece).unwrap_or(face);
    }
    found
}

#[test]
fn every_method_has_its_own_total_fee_and_button_on_the_page() {
    let body = draw(page(PageStatus::Payable, Language::En));
    let (_, summary) = body.split_once("<dl class=\"lines\">").unwrap();
    let (summary, form) = summary.split_once("</dl>").unwrap();
    assert_eq!(parts(summary, "fee"), [("0", "KWD 0.250")]);
    assert_eq!(parts(summary, "total"), [], "the headline is the total");
    assert_eq!(parts(form, "total"), [("0", "KWD 10.500"), ("1", "KWD 10.250")]);
    assert_eq!(parts(form, "button-total"), [("0", "KWD 10.500"), ("1", "KWD 10.250")]);
}

#[test]
fn a_page_that_is_over_leads_on_by_its_script_and_by_one_refresh() {
    use checkout_core::checkout::page::Onward;

    for (onward, asks, refresh) in [(Onward::Once, "1", "1;url="), (Onward::Waits, "38", "6;url=")] {
        let body = draw(TransactionPage { onward: Some(onward), ..page(PageStatus::Paid, Language::En) });
        assert!(body.contains(&format!("data-awaits-receiver=\"{asks}\"")));
        let refresh =
            format!("<noscript><meta http-equiv=\"refresh\" content=\"{refresh}/b/checkout/redirect/start/");
        assert!(body.contains(&refresh) && body.contains("&amp;onward=1\""), "{body}");
    }
    let body = draw(page(PageStatus::Paid, Language::En));
    assert!(!body.contains("data-awaits-receiver") && !body.contains("refresh"));
}

#[test]
fn a_session_that_names_nothing_is_a_404_in_the_language_asked_for() {
    for language in LANGUAGES {
        let reply = render(&PageView::NotFound { language }, ORIGIN);
        assert_eq!(reply.status, 404);
        assert!(reply.body.contains(Strings::of(language).guide().not_found.title));
        assert!(!reply.body.contains("<script"));
    }
}

#[test]
fn every_problem_has_a_page_and_other_codes_have_none() {
    for problem in PROBLEMS {
        let reply = render_problem(Some(problem));
        assert_eq!(reply.status, 200);
        assert!(reply.body.contains(problem.title) && reply.body.contains(problem.code));
        for part in ["Likely causes", "What to do", "Example", "All codes"] {
            assert!(reply.body.contains(part), "{} {part}", problem.code);
        }
    }
    assert_eq!(render_problem(None).status, 404);
}

#[test]
fn where_a_card_is_only_saved_no_amount_stands_on_any_screen() {
    for language in LANGUAGES {
        let strings = Strings::of(language);
        for status in STATUSES {
            let mut page = page(status, language);
            page.payment_type = PaymentType::SaveCard;
            page.amount = money("0");
            page.methods = if status.can_pay() { vec![method("credit-card", "0")] } else { Vec::new() };
            page.methods.iter_mut().for_each(|method| method.quote = quote("0", "0"));
            if let Some(last) = &mut page.last {
                last.quote = quote("0", "0");
            }
            let body = draw(page);
            assert!(body.contains(strings.screen(status, PaymentType::SaveCard).title), "{status:?}");
            assert!(!body.contains(">KWD") && !body.contains("data-part=\""), "{status:?}");
            if status.can_pay() {
                assert!(body.contains(strings.card.save) && body.contains(strings.card.no_charge));
                assert!(body.contains(strings.card.open_until) && body.contains(strings.card.on_phone));
                let of_paying = [strings.label.open_until, strings.ways.on_phone.title];
                assert_eq!(of_paying.map(|words| body.contains(words)), [false; 2], "nothing is paid");
                let notice = strings.notice(ScreenNotice::Declined, PaymentType::SaveCard).title;
                let title = if status == PageStatus::Declined {
                    format!("<title>{notice} · Demo Store")
                } else {
                    format!("<title>{} Demo Store", strings.card.save_for)
                };
                assert!(body.contains(&title));
                assert!(body.contains(r#"data-payment-type="save_card""#));
            }
        }
    }
}

#[test]
fn an_attachment_can_be_downloaded_before_and_after_the_payment() {
    for language in LANGUAGES {
        for status in [PageStatus::Payable, PageStatus::Paid] {
            let mut page = page(status, language);
            page.attachment = Some(PageDownload {
                url: "https://pay.example.com/media/payment_transactions/attachments/a.pdf".into(),
                name: "<b>bill</b>.pdf".into(),
                size: "24 KB".into(),
            });
            let body = draw(page);
            assert!(
                body.contains(
                    "href=\"https://pay.example.com/media/payment_transactions/attachments/a.pdf\""
                )
            );
            assert!(body.contains("<bdi>&lt;b&gt;bill&lt;/b&gt;.pdf</bdi>") && body.contains("24 KB"));
        }
    }
}
