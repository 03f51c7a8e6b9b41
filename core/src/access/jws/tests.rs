//! The form of tokens, made by hand.

use alloc::format;
use alloc::string::{String, ToString};

use super::*;

fn part(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

fn token(header: &str, payload: &str) -> String {
    format!("{}.{}.{}", part(header), part(payload), part("signature"))
}

fn fault(text: &str) -> Option<TokenFault> {
    Token::read(text).err()
}

#[test]
fn a_token_is_read_into_its_parts() {
    let text = token(r#"{"alg":"ES256","kid":"a","typ":"JWT","x5t":"b"}"#, "{}");
    let token = Token::read(&text).unwrap();
    assert_eq!((token.algorithm.as_str(), token.key_id.as_deref()), ("ES256", Some("a")));
    assert_eq!((token.payload.as_slice(), token.signature.as_slice()), (&b"{}"[..], &b"signature"[..]));
    assert_eq!(token.input, text.rsplit_once('.').unwrap().0);
    assert_eq!(format!("{token:?}"), format!("Token([redacted; {} bytes])", token.input.len()));
}

#[test]
fn a_token_has_three_parts_of_base64url_that_could_be_written_in_no_other_way() {
    let good = token(r#"{"alg":"RS256"}"#, "{}");
    assert_eq!(fault(&good), None);
    let [header, payload, signature] = good.split('.').collect::<Vec<_>>().try_into().unwrap();
    for bad in [
        String::new(),
        ".".into(),
        "..".into(),
        "...".into(),
        header.to_string(),
        format!("{header}.{payload}"),
        format!("{header}.{payload}."),
        format!("{good}."),
        format!("{good}.{payload}"),
        format!("{good}.{payload}.{payload}"),
        format!(" {good}"),
        format!("{good} "),
        format!("{good}\n"),
        format!("{header}.{payload}=.{signature}"),
        format!("{header}.{payload}.{signature}="),
        format!("{header}.{payload} .{signature}"),
        format!("{header}.e3/+.{signature}"),
        // `e30` is `{}`; in `e31` a bit that belongs to no byte is set.
        format!("{header}.e31.{signature}"),
        format!("{header}.e.{signature}"),
        format!("{header}.é.{signature}"),
    ] {
        assert_eq!(fault(&bad), Some(TokenFault::NotCompact), "{bad}");
    }
}

#[test]
fn a_token_of_the_longest_permitted_length_is_read_and_a_longer_one_is_not() {
    let base = token(r#"{"alg":"RS256"}"#, "{}");
    // Each letter more in the last part keeps it base64url, except that one letter alone is none.
    let padded = |length: usize| format!("{base}{}", "A".repeat(length - base.len()));
    assert_eq!(fault(&padded(MAX_TOKEN)), None);
    assert_eq!(fault(&padded(MAX_TOKEN + 1)), Some(TokenFault::TooLong));
    assert_eq!(fault(&"a".repeat(1_000_000)), Some(TokenFault::TooLong));
}

#[test]
fn a_header_is_one_object_whose_members_are_texts_and_given_once() {
    for header in [
        "",
        "null",
        "[]",
        "\"alg\"",
        "{}",
        "{\"alg\":\"RS256\"} {}",
        "{\"alg\":\"RS256\"",
        "\u{feff}{\"alg\":\"RS256\"}",
        r#"{"alg":null}"#,
        r#"{"alg":["RS256"]}"#,
        r#"{"alg":"RS256","alg":"RS256"}"#,
        r#"{"alg":"RS256","\u0061lg":"none"}"#,
        r#"{"alg":"RS256","x":1,"x":1}"#,
        r#"{"alg":"RS256","kid":1}"#,
        r#"{"alg":"RS256","kid":null}"#,
        r#"{"alg":"RS256","typ":null}"#,
        r#"{"alg":"RS256","typ":7}"#,
    ] {
        assert_eq!(fault(&token(header, "{}")), Some(TokenFault::Header), "{header}");
    }
    let invalid = format!("{}.e30.AA", URL_SAFE_NO_PAD.encode(b"{\"alg\":\"\xff\"}"));
    assert_eq!(fault(&invalid), Some(TokenFault::Header));
}

#[test]
fn what_a_header_demands_in_addition_is_never_understood() {
    for demand in [r#""crit":["exp"]"#, r#""crit":[]"#, r#""crit":null"#, r#""b64":false"#, r#""b64":true"#] {
        assert_eq!(
            fault(&token(&format!(r#"{{"alg":"RS256",{demand}}}"#), "{}")),
            Some(TokenFault::Critical),
            "{demand}"
        );
    }
}

#[test]
fn only_types_of_tokens_of_access_are_read_and_none_with_a_token_in_it() {
    for (member, is_known) in [
        (r#""typ":"JWT""#, true),
        (r#""typ":"jwt""#, true),
        (r#""typ":"at+jwt""#, true),
        (r#""typ":"application/at+jwt""#, true),
        (r#""typ":"AT+JWT""#, true),
        (r#""x":1"#, true),
        (r#""typ":"""#, false),
        (r#""typ":"JOSE""#, false),
        (r#""typ":"JWE""#, false),
        (r#""typ":"logout+jwt""#, false),
        (r#""typ":"dpop+jwt""#, false),
        (r#""typ":"application/application/jwt""#, false),
        (r#""typ":"JWT ""#, false),
        (r#""cty":"JWT""#, false),
        (r#""typ":"JWT","cty":"text/plain""#, false),
    ] {
        let read = fault(&token(&format!(r#"{{"alg":"RS256",{member}}}"#), "{}"));
        assert_eq!(read, (!is_known).then_some(TokenFault::Type), "{member}");
    }
}

#[test]
fn issuer_and_audiences_are_named_before_anything_is_verified() {
    let named = |payload: &str| named(&token(r#"{"alg":"none"}"#, payload));
    let both = |audiences: &[&str]| {
        let audiences = audiences.iter().map(|text| String::from(*text)).collect();
        Ok(NamedParties { issuer: "https://id.example".into(), audiences })
    };
    assert_eq!(named(r#"{"iss":"https://id.example","aud":"till"}"#), both(&["till"]));
    assert_eq!(named(r#"{"iss":"https://id.example","aud":["a","till"]}"#), both(&["a", "till"]));
    assert_eq!(named(r#"{"aud":"till"}"#), Err(TokenFault::Issuer));
    for aud in ["1", "[]", "[1]", "{}", r#"["a",null]"#, "null"] {
        let payload = format!(r#"{{"iss":"https://id.example","aud":{aud}}}"#);
        assert_eq!(named(&payload), Err(TokenFault::Audience), "{aud}");
    }
    for payload in ["", "[]", r#"{"iss":1,"aud":"a"}"#, r#"{"iss":"a","iss":"b","aud":"a"}"#] {
        assert_eq!(named(payload), Err(TokenFault::Claims), "{payload}");
    }
}
