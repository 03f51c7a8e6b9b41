//! Parameters as clients of each kind write them.

use super::*;

fn nothing(_: &str, _: &[u8]) -> Option<String> {
    None
}

fn latin(name: &str, bytes: &[u8]) -> Option<String> {
    (name == "iso-8859-1").then(|| bytes.iter().map(|byte| char::from(*byte)).collect())
}

fn name(header: &str) -> Option<Result<String, NotText>> {
    HeaderParameters::of(header.as_bytes()).text("filename", None, &nothing)
}

fn is(header: &str, expected: &str) {
    assert_eq!(name(header), Some(Ok(expected.into())), "{header}");
}

#[test]
fn parameters_are_tokens_or_in_quotes_in_any_case_and_order() {
    for header in [
        "form-data; name=file; filename=a.pdf",
        "form-data; FileName=\"a.pdf\"; name=\"file\"",
        "FORM-DATA;filename = \"a.pdf\"",
        "form-data; ; filename=a.pdf ;",
        "form-data; x; filename=a.pdf",
    ] {
        is(header, "a.pdf");
        assert_eq!(HeaderParameters::of(header.as_bytes()).essence, "form-data");
    }
    assert_eq!(
        HeaderParameters::of(b"multipart/form-data; boundary=\"a b\"").bytes("boundary"),
        Some(&b"a b"[..])
    );
    assert_eq!(name("form-data; name=filename"), None);
    assert_eq!(name(""), None);
}

#[test]
fn a_quote_is_escaped_by_a_backslash_or_as_browsers_do_and_paths_keep_theirs() {
    is(r#"form-data; filename="a\"b;c.pdf"; name=x"#, "a\"b;c.pdf");
    is(r#"form-data; filename="a%22b.pdf""#, "a\"b.pdf");
    is(r#"form-data; filename="a%0D%0ab 100%.pdf""#, "a\r\nb 100%.pdf");
    is("form-data; filename=\"%D9%81%201.pdf\"", "ف 1.pdf");
    is("form-data; filename=\"pg_codes%5B0%5D\"", "pg_codes[0]");
    is("form-data; filename=\"100%.pdf\"", "100%.pdf");
    is("form-data; filename=\"%FF.pdf\"", "%FF.pdf");
    is("form-data; filename=\"a b%20.pdf\"", "a b%20.pdf");
    is(r#"form-data; filename="C:\new\table.pdf""#, r"C:\new\table.pdf");
    is(r#"form-data; filename="C:\\new\\table.pdf""#, r"C:\\new\\table.pdf");
    is(r#"form-data; filename="C:\new\""#, "C:\\new");
    is(r"form-data; filename=C:\new\table.pdf", r"C:\new\table.pdf");
    is(r#"form-data; filename="never closed.pdf"#, "never closed.pdf");
    is("form-data; filename=\"\"", "");
}

#[test]
fn a_name_that_says_its_charset_counts_before_one_that_does_not() {
    is("form-data; filename=\"_.pdf\"; filename*=utf-8''%D9%81.pdf", "ف.pdf");
    is("form-data; filename*=\"UTF-8'ar'%D9%81.pdf\"; filename=x.pdf", "ف.pdf");
    is("form-data; filename*=klingon''a.pdf; filename=x.pdf", "x.pdf");
    is("form-data; filename*=utf-8''%FF.pdf; filename=x.pdf", "x.pdf");
    is("form-data; filename*=no charset; filename=x.pdf", "x.pdf");
    is("form-data; filename*0*=utf-8''%D9; filename*1*=%81; filename*2=\".pdf\"", "ف.pdf");
    is("form-data; filename*0=a; filename*1=.pdf", "a.pdf");
    let read =
        HeaderParameters::of(b"form-data; filename*=iso-8859-1''%E9.pdf").text("filename", None, &latin);
    assert_eq!(read, Some(Ok("é.pdf".into())));
}

#[test]
fn encoded_words_are_read() {
    is("form-data; filename=\"=?utf-8?B?2YE=?=.pdf\"", "ف.pdf");
    is("form-data; filename==?utf-8?Q?=D9=81?=.pdf", "ف.pdf");
    is("form-data; filename=\"=?utf-8?B?not base64?=.pdf\"", "=?utf-8?B?not base64?=.pdf");
}

#[test]
fn bytes_that_are_no_text_are_refused_and_a_declared_charset_is_read() {
    let raw = HeaderParameters::of(b"form-data; filename=\"\xe9.pdf\"");
    assert_eq!(raw.text("filename", None, &latin), Some(Err(NotText)));
    assert_eq!(raw.text("filename", Some("iso-8859-1"), &latin), Some(Ok("é.pdf".into())));
    assert_eq!(raw.ascii("filename"), None);
    assert_eq!(
        HeaderParameters::of("form-data; filename=ف.pdf".as_bytes()).text("filename", None, &nothing),
        Some(Ok("ف.pdf".into()))
    );
}
