//! Every form in which a field can be written, and every form that is wrong.

use super::*;
use crate::draft::request::DraftRequest;

fn form(fields: &[(&str, &str)]) -> Form {
    let fields: Vec<FormField> = fields
        .iter()
        .map(|(name, text)| FormField { name: (*name).into(), text: Some((*text).into()) })
        .collect();
    read(&fields, &DraftRequest::FORM).unwrap()
}

fn json(fields: &[(&str, &str)]) -> String {
    let read = form(fields);
    assert_eq!(read.wrong, [], "{fields:?}");
    read.json
}

fn wrong(fields: &[(&str, &str)]) -> Vec<(String, Rule)> {
    let found = form(fields).wrong;
    found.into_iter().map(|violation| (violation.path.into_owned(), violation.rule)).collect()
}

fn at(path: &str, rule: Rule) -> Vec<(String, Rule)> {
    Vec::from([(path.into(), rule)])
}

#[test]
fn plain_fields_are_texts_and_the_last_of_a_repeated_one_counts() {
    assert_eq!(
        json(&[("amount", "1.000"), ("amount", "2.000"), ("order_no", "c\"d")]),
        r#"{"amount":"2.000","order_no":"c\"d"}"#
    );
}

#[test]
fn a_channel_in_capitals_is_a_list_like_one_in_small_letters() {
    for name in ["notifications[SMS][]", "notifications[SMS][0]", "notifications.SMS", "notifications[Sms]"] {
        let said = json(&[(name, "paid")]);
        assert_eq!(said.to_lowercase(), r#"{"notifications":{"sms":["paid"]}}"#, "{name}");
    }
}

#[test]
fn lists_are_repeated_fields_or_json() {
    assert_eq!(json(&[("pg_codes", "knet"), ("pg_codes", "cash")]), r#"{"pg_codes":["knet","cash"]}"#);
    assert_eq!(json(&[("pg_codes", r#"["knet", "cash"]"#)]), r#"{"pg_codes":["knet", "cash"]}"#);
    assert_eq!(
        json(&[("email_recipients", "a@b.example, c@d.example"), ("email_recipients", "e@f.example")]),
        r#"{"email_recipients":["a@b.example","c@d.example","e@f.example"]}"#
    );
}

#[test]
fn lists_are_fields_with_brackets_in_the_order_of_their_places() {
    let list = r#"{"pg_codes":["knet","cash"]}"#;
    assert_eq!(json(&[("pg_codes[]", "knet"), ("pg_codes[]", " cash ")]), list);
    assert_eq!(json(&[("pg_codes[1]", "cash"), ("pg_codes[0]", "knet")]), list);
    assert_eq!(json(&[("pg_codes[255]", "cash"), ("pg_codes[7]", "knet"), ("pg_codes[3]", "")]), list);
    assert_eq!(json(&[("pg_codes", "knet"), ("pg_codes[]", "cash")]), list);
    assert_eq!(
        json(&[("notifications[sms][]", "paid"), ("notifications[email][0]", "failed")]),
        r#"{"notifications":{"email":["failed"],"sms":["paid"]}}"#
    );
    assert_eq!(json(&[("extra[tags][]", "a"), ("extra[tags][]", "b")]), r#"{"extra":{"tags":["a","b"]}}"#);
}

#[test]
fn objects_are_json_or_fields_with_brackets_or_dots() {
    assert_eq!(json(&[("extra", r#"{"a": 1.10}"#)]), r#"{"extra":{"a": 1.10}}"#);
    assert_eq!(json(&[("extra", "none")]), r#"{"extra":"none"}"#);
    let agreement = r#"{"agreement":{"id":"A1","seller":{"name":"Till"}}}"#;
    assert_eq!(json(&[("agreement.id", "A1"), ("agreement.seller.name", "Till")]), agreement);
    assert_eq!(json(&[("agreement[id]", "A1"), ("agreement[seller][name]", "Till")]), agreement);
    assert_eq!(json(&[("agreement[id]", "A1"), ("agreement.seller[name]", "Till")]), agreement);
    assert_eq!(json(&[("agreement[id]", "A1"), ("agreement[seller]", r#"{"name":"Till"}"#)]), agreement);
    assert_eq!(json(&[("extra[a.b]", "1"), ("extra[0]", "2")]), r#"{"extra":{"0":"2","a.b":"1"}}"#);
    assert_eq!(
        json(&[("billing_address[city]", "A"), ("billing_address.city", "B")]),
        r#"{"billing_address":{"city":"B"}}"#
    );
}

#[test]
fn an_object_or_a_list_that_is_given_whole_and_in_parts_is_named() {
    let whole = [("billing_address", r#"{"city":"A"}"#), ("billing_address[city]", "B"), ("amount", "1")];
    assert_eq!(wrong(&whole), at("billing_address", Rule::Repeated));
    let parts = [("billing_address.city", "A"), ("billing_address", "x"), ("billing_address", "y")];
    assert_eq!(wrong(&parts), at("billing_address", Rule::Repeated));
    let inner = [("agreement[seller]", "{}"), ("agreement[seller][name]", "B")];
    assert_eq!(wrong(&inner), at("agreement.seller", Rule::Repeated));
    for pair in [
        [("pg_codes", r#"["knet"]"#), ("pg_codes[]", "cash")],
        [("pg_codes[]", "cash"), ("pg_codes", r#"["knet"]"#)],
        [("pg_codes[0]", "cash"), ("pg_codes[]", "knet")],
        [("pg_codes[]", "cash"), ("pg_codes[0]", "knet")],
        [("pg_codes[0]", "cash"), ("pg_codes", r#"["knet"]"#)],
    ] {
        assert_eq!(wrong(&pair), at("pg_codes", Rule::Repeated), "{pair:?}");
    }
    assert_eq!(wrong(&[("pg_codes[0]", "a"), ("pg_codes[00]", "b")]), at("pg_codes.0", Rule::Repeated));
}

#[test]
fn what_is_no_place_in_a_list_is_named() {
    for name in ["pg_codes[a]", "pg_codes[-1]", "pg_codes[0][1]", "pg_codes[0][]", "pg_codes.a"] {
        assert_eq!(wrong(&[(name, "knet")]), at("pg_codes", Rule::NotList), "{name}");
    }
    for name in ["pg_codes[256]", "pg_codes[65536]", "pg_codes[99999999999999999999999]"] {
        let most = Rule::TooManyItems { max: MAX_FIELDS };
        assert_eq!(wrong(&[(name, "knet")]), at("pg_codes", most), "{name}");
    }
}

#[test]
fn a_name_whose_brackets_do_not_match_is_named() {
    for name in ["extra[", "extra[a", "extra[a]b", "extra[a]]", "extra[[a]]", "extra[][a]", "extra[a].b"] {
        assert_eq!(wrong(&[(name, "x")]), at("extra", Rule::NotFormName), "{name}");
    }
}

#[test]
fn a_name_that_nests_without_end_is_named() {
    let deep = at("extra", Rule::TooDeep { max: MAX_LEVELS });
    assert_eq!(json(&[("extra[a][b][c]", "x")]), r#"{"extra":{"a":{"b":{"c":"x"}}}}"#);
    for name in ["extra[a][b][c][d]", "extra.a.b.c.d", &alloc::format!("extra{}", "[a]".repeat(80_000))] {
        assert_eq!(wrong(&[(name, "x")]), deep);
    }
}

#[test]
fn files_and_lists_where_the_field_takes_none_are_left_to_its_reader() {
    let files = ["order_no", "pg_codes", "pg_codes[0]", "extra[a]", "picture"];
    let fields: Vec<FormField> =
        files.iter().map(|name| FormField { name: (*name).into(), text: None }).collect();
    let read = read(&fields[..2], &DraftRequest::FORM).unwrap();
    assert_eq!((read.json.as_str(), read.wrong.len()), (r#"{"order_no":[[]],"pg_codes":[null]}"#, 0));
    let read = super::read(&fields[2..], &DraftRequest::FORM).unwrap();
    assert_eq!((read.json.as_str(), read.wrong.len()), (r#"{"pg_codes":[null]}"#, 0));
    assert_eq!(json(&[("order_no[]", "x")]), r#"{"order_no":[[]]}"#);
    assert_eq!(json(&[("order_no[a]", "x")]), r#"{"order_no":{"a":"x"}}"#);
}

#[test]
fn unknown_fields_are_ignored_however_they_are_written() {
    let long = "a.".repeat(100_000);
    for name in ["unknown", "unknown[a]", "unknown[", "[pg_codes]", "", "[]", "__proto__", &long] {
        assert_eq!(json(&[(name, "x")]), "{}");
    }
}

#[test]
fn endless_forms_are_refused() {
    let many: Vec<FormField> =
        (0..257).map(|n| FormField { name: format!("f{n}"), text: Some(String::new()) }).collect();
    assert_eq!(read(&many, &DraftRequest::FORM), Err(Rejection::MalformedForm));
}

#[test]
fn flags_have_the_spellings_of_forms_and_languages() {
    for text in ["True", "on", "YES", "1", "y", "T", "true"] {
        assert_eq!(json(&[("generate_qr_code", text)]), r#"{"generate_qr_code":true}"#, "{text}");
    }
    for text in ["False", "off", "no", "0", "N", "f", "false"] {
        let expected = r#"{"capture_delivery_address":false}"#;
        assert_eq!(json(&[("capture_delivery_address", text)]), expected, "{text}");
    }
    // The reader of the field refuses a text.
    for text in ["2", "ja", " true", ""] {
        let expected = alloc::format!(r#"{{"generate_qr_code":"{text}"}}"#);
        assert_eq!(json(&[("generate_qr_code", text)]), expected, "{text}");
    }
}

#[test]
fn an_empty_object_of_php_is_an_object() {
    assert_eq!(json(&[("extra", "[]"), ("billing_address", "[ ]")]), r#"{"billing_address":[ ],"extra":[]}"#);
}
