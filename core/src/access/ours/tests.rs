//! Tokens of ours, and what is wrong with others.

use alloc::string::ToString;

use super::*;

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
const OLD: &[u8] = b"an old secret of 32 bytes, really";
const NEW: &[u8] = b"a new secret of 32 bytes, really!";
const EXPECTED: ExpectedToken<'static> =
    ExpectedToken { issuer: "https://pay.example.com", audience: "till", max_life: Duration::from_hours(1) };

fn secret<'a>(id: &'a str, bytes: &'a [u8]) -> Secret<'a> {
    Secret::new(id, bytes).unwrap()
}

fn claims() -> TokenClaims {
    TokenClaims {
        issuer: "https://pay.example.com".into(),
        audience: "till".into(),
        subject: "12".into(),
        merchant: MerchantId::parse("demo").unwrap(),
        issued_at: NOW,
        not_before: NOW,
        expires_at: NOW.plus(Duration::from_mins(10)),
        id: "a".into(),
    }
}

fn verified(text: &str, now: Timestamp) -> Result<TokenClaims, TokenFault> {
    verify(text, &[secret("2", NEW), secret("1", OLD)], &EXPECTED, now)
}

/// A token with this header and content, signed with the new secret.
fn signed(header: &str, body: &str) -> String {
    let input = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(body));
    let mac = secret("2", NEW).signature(&input);
    format!("{input}.{}", URL_SAFE_NO_PAD.encode(mac))
}

#[test]
fn what_is_signed_is_verified_with_either_secret_while_they_are_rotated() {
    for (id, bytes) in [("1", OLD), ("2", NEW)] {
        let text = sign(&claims(), secret(id, bytes)).unwrap();
        assert_eq!(verified(&text, NOW), Ok(claims()), "{id}");
    }
    let retired = sign(&claims(), secret("0", OLD)).unwrap();
    assert_eq!(verified(&retired, NOW), Err(TokenFault::UnknownKey));
    let under_the_name_of_another = sign(&claims(), secret("2", OLD)).unwrap();
    assert_eq!(verified(&under_the_name_of_another, NOW), Err(TokenFault::Signature));
}

/// RFC 7515, appendix A.1.
#[test]
fn the_signature_is_that_of_the_example_of_the_standard() {
    let key = URL_SAFE_NO_PAD
        .decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow")
        .unwrap();
    let input = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    let mac = secret("a", &key).signature(input);
    assert_eq!(URL_SAFE_NO_PAD.encode(mac), "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
}

#[test]
fn a_token_is_valid_from_its_beginning_to_its_end_with_a_minute_for_the_clocks() {
    let text = sign(&claims(), secret("2", NEW)).unwrap();
    for (seconds, fault) in
        [(0, None), (659, None), (660, Some(TokenFault::Expired)), (1_000_000, Some(TokenFault::Expired))]
    {
        assert_eq!(verified(&text, NOW.plus(Duration::from_secs(seconds))).err(), fault, "{seconds}");
    }
    assert_eq!(verified(&text, NOW.minus(Duration::from_mins(1))).err(), None);
    assert_eq!(verified(&text, NOW.minus(Duration::from_secs(61))).err(), Some(TokenFault::NotYet));
    let long = TokenClaims { expires_at: NOW.plus(Duration::from_secs(3_601)), ..claims() };
    assert_eq!(verified(&sign(&long, secret("2", NEW)).unwrap(), NOW), Err(TokenFault::Life));
}

#[test]
fn a_token_of_another_installation_or_for_another_audience_is_refused() {
    let other = TokenClaims { issuer: "https://other.example".into(), ..claims() };
    assert_eq!(verified(&sign(&other, secret("2", NEW)).unwrap(), NOW), Err(TokenFault::Issuer));
    let other = TokenClaims { audience: "other".into(), ..claims() };
    assert_eq!(verified(&sign(&other, secret("2", NEW)).unwrap(), NOW), Err(TokenFault::Audience));
}

#[test]
fn a_token_of_another_algorithm_type_or_content_is_refused_although_it_is_signed() {
    let body = r#"{"aud":"till","exp":1800000600,"iat":1800000000,"iss":"https://pay.example.com","jti":"a","mid":"demo","nbf":1800000000,"sub":"12"}"#;
    let header = r#"{"alg":"HS256","kid":"2","typ":"at+jwt"}"#;
    assert_eq!(verified(&signed(header, body), NOW), Ok(claims()));
    for (header, fault) in [
        (r#"{"alg":"none","kid":"2","typ":"at+jwt"}"#, TokenFault::Algorithm),
        (r#"{"alg":"HS512","kid":"2","typ":"at+jwt"}"#, TokenFault::Algorithm),
        (r#"{"alg":"RS256","kid":"2","typ":"at+jwt"}"#, TokenFault::Algorithm),
        (r#"{"alg":"HS256","kid":"2","typ":"JWT"}"#, TokenFault::Type),
        (r#"{"alg":"HS256","kid":"2"}"#, TokenFault::Type),
        (r#"{"alg":"HS256","typ":"at+jwt"}"#, TokenFault::UnknownKey),
    ] {
        assert_eq!(verified(&signed(header, body), NOW), Err(fault), "{header}");
    }
    for name in ["exp", "iat", "nbf", "jti", "mid", "sub", "iss"] {
        let without = body.replacen(&format!("\"{name}\""), "\"x\"", 1);
        assert_eq!(verified(&signed(header, &without), NOW), Err(TokenFault::Claims), "{name}");
    }
    assert_eq!(
        verified(&signed(header, &body.replacen("\"demo\"", "\"../x\"", 1)), NOW),
        Err(TokenFault::Claims)
    );
    assert_eq!(verified(&signed(header, &body.replacen("\"12\"", "\"\"", 1)), NOW), Err(TokenFault::Claims));
}

#[test]
fn a_changed_token_is_refused() {
    let text = sign(&claims(), secret("2", NEW)).unwrap();
    let (input, signature) = text.rsplit_once('.').unwrap();
    let truncated = format!("{input}.{}", signature.get(..40).unwrap());
    let another_end = input.strip_suffix(|_: char| true).unwrap();
    for changed in [truncated, format!("{input}.AAAA"), format!("{another_end}A.{signature}")] {
        assert_ne!(changed, text);
        let fault = verified(&changed, NOW).unwrap_err();
        assert!(matches!(fault, TokenFault::Signature | TokenFault::NotCompact), "{fault:?}");
    }
}

#[test]
fn a_secret_is_long_and_never_shown() {
    assert!(Secret::new("1", &[7; 31]).is_none());
    let shown = format!("{:?}", secret("1", &[7; 32]));
    assert_eq!(shown, "Secret(1, [redacted; 32 bytes])".to_string());
}
