use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::strings::Strings;
use checkout_core::value::money::Currency;
use checkout_core::value::time::Timestamp;
use sandbox_bank::card::TestCard;
use sandbox_bank::charge::ChargeTerms;

use super::*;

fn charge(status: ChargeStatus) -> Charge {
    Charge {
        id: "ch_1".into(),
        account: "account".into(),
        terms: ChargeTerms {
            reference: "7H3K9M2P4Q5R".into(),
            amount: Money::parse("10.250", Currency::parse("KWD").unwrap()).unwrap(),
            operation: ChargeOperation::Purchase,
            saves_card: false,
            language: Language::En,
            merchant: "A & B \u{202e}<script>".into(),
            return_url: "https://pay.example/return/".into(),
            callback_url: "https://pay.example/callback/".into(),
        },
        status,
        card: TestCard::find("visa-approve"),
        silent_inquiries: 0,
        failing_inquiries: 0,
        due_at: None,
        opened_at: Timestamp::from_millis(1_767_225_600_000),
        ended_at: None,
    }
}

fn text(reply: &SandboxReply) -> String {
    String::from_utf8(reply.body.clone()).unwrap()
}

#[test]
fn the_page_offers_every_listed_card_and_no_field_to_type_into() {
    for language in [Language::En, Language::Ar] {
        let page = text(&render(&charge(ChargeStatus::Open), language, None, None));
        assert_eq!(page.matches("<input").count(), CARDS.len());
        assert_eq!(page.matches(r#"<input type="radio" name="card""#).count(), CARDS.len());
        assert!(page.contains(&Strings::of(language).price(charge(ChargeStatus::Open).terms.amount)));
        assert!(page.contains(Phrases::of(language).test_mode));
    }
}

#[test]
fn the_language_sets_the_direction() {
    let page = text(&render(&charge(ChargeStatus::Open), Language::Ar, None, None));
    assert!(page.contains(r#"<html lang="ar" dir="rtl">"#));
    assert!(page.contains("/sandbox/bank/pay/ch_1/?language=en"));
}

#[test]
fn the_name_of_the_merchant_is_text_without_controls_of_direction() {
    for status in [ChargeStatus::Open, ChargeStatus::Challenged, ChargeStatus::Approved] {
        let page = text(&render(&charge(status), Language::En, None, None));
        assert!(page.contains("A &amp; B &lt;script&gt;"));
        assert!(!page.contains('\u{202e}'));
    }
}

#[test]
fn a_refused_form_is_shown_again_with_the_reason() {
    let reply =
        render(&charge(ChargeStatus::Open), Language::En, None, Some(&FormError::CardData("card_number")));
    assert_eq!(reply.status, 400);
    let page = text(&reply);
    assert!(page.contains(r#"role="alert""#));
    assert!(page.contains("card_number"));
}

#[test]
fn a_charge_that_ended_shows_how_and_the_way_back() {
    for (status, words) in [
        (ChargeStatus::Processing, "still working"),
        (ChargeStatus::Approved, "is approved"),
        (ChargeStatus::Declined, "is declined"),
        (ChargeStatus::Canceled, "is cancelled"),
    ] {
        let page = text(&render(&charge(status), Language::En, None, None));
        assert!(page.contains(words), "{words}");
        assert!(page.contains(r#"href="https://pay.example/return/""#));
        assert!(!page.contains("<form"));
    }
}

#[test]
fn no_page_has_a_script_and_the_style_is_allowed_by_its_hash() {
    let reply = render(&charge(ChargeStatus::Open), Language::En, None, None);
    assert!(!text(&reply).contains("<script"));
    let policy = reply.headers.iter().find(|(name, _)| *name == "content-security-policy").unwrap();
    assert!(policy.1.starts_with("default-src 'none'; style-src 'sha256-"));
    assert!(!policy.1.contains("unsafe"));
}

#[test]
fn where_a_card_is_only_confirmed_no_amount_and_no_word_of_paying_is_shown() {
    for status in [
        ChargeStatus::Open,
        ChargeStatus::Challenged,
        ChargeStatus::Processing,
        ChargeStatus::Approved,
        ChargeStatus::Declined,
        ChargeStatus::Canceled,
    ] {
        let mut charge = charge(status);
        charge.terms.operation = ChargeOperation::Verify;
        charge.terms.amount = Money::zero(Currency::parse("KWD").unwrap());
        let page = text(&render(&charge, Language::En, None, None)).to_lowercase();
        assert!(!page.contains("kwd") && !page.contains("payment"), "{status:?}");
        let arabic = text(&render(&charge, Language::Ar, None, None));
        assert!(!arabic.contains("KWD") && !arabic.contains("الدفع"), "{status:?}");
    }
}
