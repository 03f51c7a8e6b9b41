//! Amounts, fees and exchanges.

use super::*;

/// 100.00 USD, charged as 30.750 KWD and this fee.
fn exchanged(fee: &str) -> (Money, Quote) {
    let dollars = Money::parse("100.00", Currency::parse("USD").unwrap()).unwrap();
    (dollars, Quote { rate: ExchangeRate::parse("0.3075"), ..quote("30.750", fee) })
}

#[test]
fn an_exchange_stands_on_its_method_and_in_the_summary() {
    let mut page = page(PageStatus::Payable, Language::En);
    (page.amount, page.methods[0].quote) = exchanged("0.615");
    let body = draw(page);
    for part in [
        "<small><bdi class=\"sum\" dir=\"ltr\">1 USD = 0.3075 KWD</bdi></small>",
        "<dt>Amount</dt><dd><bdi class=\"sum\" dir=\"ltr\">USD 100.00</bdi></dd>",
        "data-part=\"rate\">1 USD = 0.3075 KWD</bdi>",
        "data-part=\"converted\">KWD 30.750</bdi>",
        "data-part=\"fee\">KWD 0.615</bdi>",
        "data-part=\"total\">KWD 31.365</bdi>",
    ] {
        assert!(body.contains(part), "{part}");
    }
}

#[test]
fn without_an_exchange_there_are_no_lines_of_one() {
    let body = draw(page(PageStatus::Payable, Language::En));
    assert!(!body.contains("data-part=\"rate\"") && !body.contains("data-part=\"converted\""));
}

#[test]
fn a_fee_on_an_amount_that_may_be_chosen_is_said_as_its_rule() {
    let mut page = page(PageStatus::Payable, Language::En);
    page.amount_field = AmountChoice::up_to(page.amount).map(|choice| PageAmountField {
        typed: "1".into(),
        choice,
        fault: None,
    });
    page.methods[1].terms = Terms::parse("KWD KWD 0.100 2.50").unwrap();
    let body = draw(page);
    assert!(body.contains("data-editable"));
    for rule in ["+0.250", "+2.5% + KWD 0.100"] {
        let shown =
            format!("<small class=\"steady\"><bdi class=\"sum\" dir=\"ltr\">{rule}</bdi> fee</small>");
        assert!(body.contains(&shown), "{body}");
    }
}

#[test]
fn a_receipt_names_the_amount_the_rate_and_what_was_charged() {
    for (fee, expected) in [
        (
            "0.615",
            [
                "Amount|USD 100.00",
                "Exchange rate|1 USD = 0.3075 KWD",
                "Converted amount|KWD 30.750",
                "Fee|KWD 0.615",
                "Total|KWD 31.365",
            ]
            .as_slice(),
        ),
        ("0", &["Amount|USD 100.00", "Exchange rate|1 USD = 0.3075 KWD", "Total|KWD 30.750"]),
    ] {
        let mut page = page(PageStatus::Paid, Language::En);
        let last = page.last.as_mut().unwrap();
        (last.principal, last.quote) = exchanged(fee);
        page.amount = exchanged(fee).0;
        let body = draw(page);
        let (_, lines) = body.split_once("REFERENCE1").unwrap();
        let shown: Vec<String> = lines
            .split("<dt>")
            .skip(1)
            .map(|line| {
                let (label, value) = line.split_once("</dt>").unwrap();
                let value = value.split("</bdi>").next().unwrap().rsplit('>').next().unwrap();
                format!("{label}|{value}")
            })
            .collect();
        assert_eq!(shown, expected);
    }
    assert!(!draw(page(PageStatus::Paid, Language::En)).contains("Exchange rate"));
}

#[test]
fn an_editable_amount_has_a_field_with_its_limits_and_every_method_its_terms() {
    for language in LANGUAGES {
        let mut page = page(PageStatus::Payable, language);
        let choice = AmountChoice::up_to(page.amount).unwrap();
        page.amount_field =
            Some(PageAmountField { typed: "11".into(), choice, fault: Some(ChoiceError::OutOfRange) });
        let body = draw(page);
        let (_, field) = body.split_once("<input id=\"amount\"").unwrap();
        let (field, rest) = field.split_once('>').unwrap();
        for part in
            ["name=\"amount\"", "inputmode=\"decimal\"", "value=\"11\"", "aria-invalid=\"true\"", "autofocus"]
        {
            assert!(field.contains(part), "{part}: {field}");
        }
        assert!(rest.contains(&Strings::of(language).amount_fault(ChoiceError::OutOfRange, &choice)));
        assert!(
            rest.contains(&Strings::of(language).price(money("0.010")))
                && rest.contains("data-terms=\"KWD KWD 0.250 0\"")
        );
    }
    assert!(!draw(page(PageStatus::Payable, Language::En)).contains("data-terms"));
}

#[test]
fn a_part_that_was_paid_is_next_to_the_amount_of_the_order() {
    let mut part = page(PageStatus::Paid, Language::En);
    part.amount = money("20.000");
    let body = draw(part);
    assert!(body.contains("Order amount") && body.contains("KWD 20.000") && body.contains("KWD 10.500"));
    assert!(!draw(page(PageStatus::Paid, Language::En)).contains("Order amount"));
}

#[test]
fn a_page_whose_methods_cost_the_same_has_one_face() {
    let mut page = page(PageStatus::Payable, Language::En);
    assert!(draw(page.clone()).contains("face\" "));
    page.methods = vec![method("knet", "0"), method("mpgs", "0")];
    let body = draw(page);
    assert!(!body.contains("class=\"sum face") && !body.contains("sum steady"));
    assert_eq!(parts(&body, "button-total"), [("0", "KWD 10.250"), ("1", "KWD 10.250")]);
    assert!(body.contains("data-face=\"0 1\" data-part=\"total\""), "{body}");
}

#[test]
fn a_fee_is_under_the_name_of_its_method_in_digits() {
    for (language, word) in [(Language::En, "fee"), (Language::Ar, "رسوم")] {
        let body = draw(page(PageStatus::Payable, language));
        let (_, row) = body.split_once("value=\"knet\"").unwrap();
        let (row, _) = row.split_once("</label>").unwrap();
        let fee = format!("data-part=\"added\">+0.250</bdi> {word}</small>");
        let name = row.find("Method knet").unwrap();
        assert!(row.find(&fee).is_some_and(|place| place > name), "{row}");
    }
}

#[test]
fn amounts_are_written_in_the_order_and_direction_of_the_language() {
    let english = draw(page(PageStatus::Payable, Language::En));
    assert!(english.contains("dir=\"ltr\" data-part=\"button-total\">KWD 10.500<"));
    assert!(english.contains("<small>KWD </small><span>10</span><small>.500</small>"));
    let arabic = draw(page(PageStatus::Payable, Language::Ar));
    assert!(arabic.contains("dir=\"rtl\" data-part=\"button-total\">10.500 د.ك<"));
    assert!(arabic.contains("<span>10</span><small>.500</small><small> د.ك</small>"));
    assert!(!arabic.contains(">KWD"));
}

#[test]
fn a_receipt_names_the_code_of_the_currency_at_its_total() {
    let body = draw(page(PageStatus::Paid, Language::Ar));
    assert!(body.contains("10.500 د.ك</bdi> <small class=\"quiet\">KWD</small>"));
    assert!(!draw(page(PageStatus::Paid, Language::En)).contains("<small class=\"quiet\">KWD"));
}

#[test]
fn the_field_for_the_amount_has_the_sign_of_its_currency_as_the_language_writes_it() {
    for (language, sign) in [(Language::En, "KWD"), (Language::Ar, "د.ك")] {
        let mut page = page(PageStatus::Payable, language);
        let choice = AmountChoice::up_to(page.amount).unwrap();
        page.amount_field = Some(PageAmountField { typed: "x".into(), choice, fault: None });
        assert!(
            draw(page).contains(&format!("<span aria-hidden=\"true\">{sign}</span><input id=\"amount\""))
        );
    }
}
