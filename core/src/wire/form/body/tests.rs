//! Forms as clients of each kind write them, byte by byte, and forms that are none.

use alloc::format;

use super::*;
use crate::draft::request::DraftRequest;
use crate::wire::form::NameKind;

const UPLOAD: FormShape = FormShape { names: &["session_id"], kinds: &[], file: Some("file") };
const WALLET: FormShape =
    FormShape { names: &["session_id", "payload"], kinds: &[("payload", NameKind::Verbatim)], file: None };
const URLENCODED: &str = "application/x-www-form-urlencoded";

/// Knows one charset.
fn latin(name: &str, bytes: &[u8]) -> Option<String> {
    name.eq_ignore_ascii_case("iso-8859-1").then(|| bytes.iter().map(|byte| char::from(*byte)).collect())
}

fn form_of(content_type: &str, body: &[u8], shape: &FormShape) -> Result<RequestBody, Rejection> {
    read_body(content_type, body, shape, &latin)
}

/// A multipart body of these parts, each its headers, a blank line and what it holds.
fn multipart(parts: &[&[u8]]) -> Vec<u8> {
    let mut body = Vec::new();
    for part in parts {
        body.extend_from_slice(b"--b\r\n");
        body.extend_from_slice(part);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--b--\r\n");
    body
}

fn parts(parts: &[&[u8]], shape: &FormShape) -> RequestBody {
    form_of("multipart/form-data; boundary=b", &multipart(parts), shape).unwrap()
}

fn json(body: &RequestBody) -> &str {
    core::str::from_utf8(&body.bytes).unwrap()
}

fn wrong(body: &RequestBody) -> Vec<(&str, &Rule)> {
    body.wrong.iter().map(|violation| (&*violation.path, &violation.rule)).collect()
}

fn file_name(header: &str) -> Option<String> {
    let part = [header.as_bytes(), b"\r\n\r\nx"].concat();
    let body = parts(&[&part], &UPLOAD);
    body.file().map(|file| file.file_name.to_string())
}

#[test]
fn part_names_may_be_tokens_and_headers_in_any_case() {
    let body = parts(
        &[
            b"Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=type\r\n\r\ne_commerce",
            b"content-disposition:form-data;NAME=\"amount\"\r\n\r\n10.250",
            b"Content-Disposition: Form-Data; name=\"pg_codes[0]\"\r\nContent-Length: 4\r\n\r\nknet",
        ],
        &DraftRequest::FORM,
    );
    assert_eq!(json(&body), r#"{"amount":"10.250","pg_codes":["knet"],"type":"e_commerce"}"#);
    assert_eq!((wrong(&body), body.file()), (Vec::new(), None));
}

#[test]
fn a_file_has_the_best_name_that_its_part_gives() {
    let named = |rest: &str| file_name(&format!("Content-Disposition: form-data; name=file; {rest}"));
    for (rest, name) in [
        ("filename=a.pdf; filename*=utf-8''%D9%81.pdf", "ف.pdf"),
        ("filename*=utf-8''%D9%81.pdf", "ف.pdf"),
        ("filename=\"=?utf-8?B?2YEucGRm?=\"", "ف.pdf"),
        ("filename=\"C:\\docs\\new\\a.pdf\"", "C:\\docs\\new\\a.pdf"),
        ("filename=\"ف.pdf\"", "ف.pdf"),
        ("filename=\"\"", ""),
    ] {
        assert_eq!(named(rest).as_deref(), Some(name), "{rest}");
    }
    assert_eq!(file_name("Content-Disposition: form-data; name=other; filename=a.pdf"), None);
    assert_eq!(file_name("Content-Disposition: form-data; name=file"), None, "a text");
}

#[test]
fn the_bytes_of_a_file_stay_and_the_last_file_counts() {
    let body = parts(
        &[
            b"Content-Disposition: form-data; name=file; filename=a.pdf\r\n\r\nfirst",
            b"Content-Disposition: form-data; name=file; filename=b.pdf\r\n\r\n\r\n--b0\x00\xff\r\n",
        ],
        &UPLOAD,
    );
    let file = body.file().unwrap();
    assert_eq!((file.file_name, file.bytes), ("b.pdf", &b"\r\n--b0\x00\xff\r\n"[..]));
    let mail = b"Content-Disposition: form-data; name=file; filename=a.txt\r\nContent-Transfer-Encoding: BASE64\r\n\r\nYWJj\r\nZA==";
    assert_eq!(parts(&[mail], &UPLOAD).file().unwrap().bytes, b"abcd");
    let text = b"Content-Disposition: form-data; name=session_id\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\na=3Db";
    assert_eq!(json(&parts(&[text], &UPLOAD)), r#"{"session_id":"a=b"}"#);
}

#[test]
fn a_declared_charset_is_decoded_wherever_it_is_declared() {
    let part = b"Content-Disposition: form-data; name=session_id\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n\r\n\xe9";
    assert_eq!(json(&parts(&[part], &UPLOAD)), "{\"session_id\":\"é\"}");
    let declared = b"Content-Disposition: form-data; name=\"_charset_\"\r\n\r\niso-8859-1";
    let plain = b"Content-Disposition: form-data; name=\"session_id\"\r\n\r\n\xe9";
    assert_eq!(json(&parts(&[plain, declared], &UPLOAD)), "{\"session_id\":\"é\"}");
    let typed = "multipart/form-data; charset=iso-8859-1; boundary=\"b\"";
    assert_eq!(json(&form_of(typed, &multipart(&[plain]), &UPLOAD).unwrap()), "{\"session_id\":\"é\"}");
    let latin_name = b"Content-Disposition: form-data; name=file; filename=\"\xe9.pdf\"\r\n\r\nx";
    let named = form_of(typed, &multipart(&[latin_name]), &UPLOAD).unwrap();
    assert_eq!(named.file().unwrap().file_name, "é.pdf");
    for (content_type, body) in [
        ("application/x-www-form-urlencoded; charset=ISO-8859-1", "session_id=%E9+a"),
        (URLENCODED, "session_id=%E9+a&_charset_=iso-8859-1"),
    ] {
        assert_eq!(
            json(&form_of(content_type, body.as_bytes(), &UPLOAD).unwrap()),
            "{\"session_id\":\"é a\"}"
        );
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_by_the_name_of_their_field() {
    let rule = &Rule::NotDeclaredText;
    let plain = b"Content-Disposition: form-data; name=\"session_id\"\r\n\r\n\xe9";
    let unreadable = b"Content-Disposition: form-data; name=file; filename=\"\xe9.pdf\"\r\n\r\nx";
    let body = parts(&[plain, unreadable], &UPLOAD);
    assert_eq!(wrong(&body), [("session_id", rule), ("file", rule)]);
    assert_eq!((json(&body), body.file()), ("{}", None));
    let body = form_of(
        URLENCODED,
        b"order_no=%FF&billing_address%5Bcity%5D=%FF&extra[%FF]=1&unknown=%FF&%FF=1&customer_id=a&order_no=%FE",
        &DraftRequest::FORM,
    );
    let body = body.unwrap();
    assert_eq!(wrong(&body), [("order_no", rule), ("billing_address.city", rule), ("extra", rule)]);
    assert_eq!(json(&body), r#"{"customer_id":"a"}"#);
    let unknown = b"Content-Disposition: form-data; name=session_id\r\nContent-Type: text/plain; charset=klingon\r\n\r\na";
    assert_eq!(wrong(&parts(&[unknown], &UPLOAD)), [("session_id", rule)]);
}

#[test]
fn a_part_that_is_a_json_string_means_its_text() {
    let head = "Content-Disposition: form-data; name=\"session_id\"\r\nContent-Type: application/json; charset=UTF-8";
    for (given, expected) in [("\"a\\u0062\"", "ab"), ("10.250", "10.250"), ("\"", "\\\""), ("a", "a")] {
        let body = parts(&[format!("{head}\r\n\r\n{given}").as_bytes()], &UPLOAD);
        assert_eq!(json(&body), format!(r#"{{"session_id":"{expected}"}}"#));
    }
}

#[test]
fn the_token_of_a_wallet_stays_as_it_is_written() {
    let token = r#"{"apiVersion": 2, "paymentMethodData":{"b":1.0,"a":"\u0061","b":2}}"#;
    let encoded: String = form_urlencoded::byte_serialize(token.as_bytes()).collect();
    let body = form_of(URLENCODED, format!("session_id=x&payload={encoded}").as_bytes(), &WALLET).unwrap();
    assert_eq!(json(&body), format!(r#"{{"payload":{token},"session_id":"x"}}"#));
    let brackets = b"payload[paymentData][version]=EC_v1&payload[paymentData][header][publicKeyHash]=a%2B%3D&payload[paymentData][data]={\"a\":1}";
    let body = form_of(URLENCODED, brackets, &WALLET).unwrap();
    assert_eq!(
        json(&body),
        r#"{"payload":{"paymentData":{"data":"{\"a\":1}","header":{"publicKeyHash":"a+="},"version":"EC_v1"}}}"#
    );
    for doubtful in ["[apiVersion]=2", "[a][b]=true", "[a]=null", "[a]=", "[a][]=x", "[]=x", "[a]=%201e5"] {
        let body = form_of(URLENCODED, format!("payload{doubtful}").as_bytes(), &WALLET).unwrap();
        assert_eq!(wrong(&body), [("payload", &Rule::NotVerbatim)], "{doubtful}");
    }
    for payload in [r#"payload]={"token":"9012"}"#, "payload][token]=9012"] {
        let body = format!("payment_instrument[instrument_type]=token&payment_instrument[{payload}");
        assert_eq!(
            json(&form_of(URLENCODED, body.as_bytes(), &DraftRequest::FORM).unwrap()),
            r#"{"payment_instrument":{"instrument_type":"token","payload":{"token":"9012"}}}"#
        );
    }
}

#[test]
fn json_that_is_sent_as_a_form_is_recognised() {
    for body in
        [r#"{"type":"e_commerce"}"#, "{}", " {\n \"a\": 1}\n", "\u{feff}{\"a\":\"b=c&d\"}", r#"{"cut":"#]
    {
        assert_eq!(form_of(URLENCODED, body.as_bytes(), &UPLOAD), Err(Rejection::JsonAsForm), "{body}");
    }
    for body in ["", "session_id={}", "{=1", "&&", "a"] {
        assert!(form_of(URLENCODED, body.as_bytes(), &UPLOAD).is_ok(), "{body}");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_json() {
    let body = |bytes: &[u8]| RequestBody::of_json(bytes.to_vec()).unwrap().bytes;
    assert_eq!(body(b"\xef\xbb\xbf{}"), b"{}");
    assert_eq!(body(b"\xef\xbb\xbf\xef\xbb\xbf{}"), b"\xef\xbb\xbf{}");
    assert_eq!(body(b"{\"a\":\"\xef\xbb\xbf\"}"), b"{\"a\":\"\xef\xbb\xbf\"}");
}

#[test]
fn pairs_are_read_as_the_web_writes_them() {
    let body =
        form_of(URLENCODED, b"&order_no=a+b%2b%zz%2&customer_id&=x&language=&", &DraftRequest::FORM).unwrap();
    assert_eq!(json(&body), r#"{"customer_id":"","language":"","order_no":"a b+%zz%2"}"#);
}

#[test]
fn what_cannot_be_read_is_malformed() {
    let named: &[u8] = b"Content-Disposition: form-data; name=a\r\n\r\n";
    let encoding: &[u8] =
        b"Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: uuencode\r\n\r\n";
    let many: Vec<&[u8]> = (0..=MAX_FIELDS).map(|_| named).collect();
    for (content_type, body) in [
        ("multipart/form-data", multipart(&[named])),
        ("multipart/form-data; boundary=", multipart(&[named])),
        ("multipart/form-data; boundary=other", multipart(&[named])),
        ("multipart/form-data; boundary=b", multipart(&[b"A: b\r\n\r\n"])),
        ("multipart/form-data; boundary=b", multipart(&[b"Content-Disposition: form-data\r\n\r\n"])),
        ("multipart/form-data; boundary=b", multipart(&[b"Content-Disposition: attachment; name=a\r\n\r\n"])),
        ("multipart/form-data; boundary=b", multipart(&[encoding])),
        ("multipart/form-data; boundary=b", multipart(&many)),
        ("multipart/form-data; boundary=b", Vec::new()),
    ] {
        assert_eq!(form_of(content_type, &body, &UPLOAD), Err(Rejection::MalformedForm), "{content_type}");
    }
}
