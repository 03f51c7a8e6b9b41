//! What tokens say, at the edges of what is believed.

use alloc::format;
use alloc::string::String;

use super::*;

const NOW: i64 = 1_800_000_000;

fn expected(purpose: Purpose<'_>) -> ExpectedClaims<'_> {
    ExpectedClaims {
        issuer: "https://id.example",
        purpose,
        username_claim: "preferred_username",
        max_life: Duration::from_hours(24),
    }
}

fn judged(payload: &str, purpose: Purpose<'_>) -> Result<Claims, TokenFault> {
    of_kind(None, payload, purpose)
}

fn of_kind(kind: Option<&str>, payload: &str, purpose: Purpose<'_>) -> Result<Claims, TokenFault> {
    let token = Token {
        algorithm: String::new(),
        key_id: None,
        kind: kind.map(String::from),
        input: "",
        payload: payload.into(),
        signature: alloc::vec::Vec::new(),
    };
    check(&token, &expected(purpose), moment(NOW))
}

/// A token that is right except for these members, which replace those of the same name; an empty text removes one.
fn payload(changes: &[(&str, &str)]) -> String {
    let iat = format!("{NOW}");
    let exp = format!("{}", NOW + 300);
    let usual = [
        ("iss", "\"https://id.example\""),
        ("aud", "\"till\""),
        ("sub", "\"7\""),
        ("preferred_username", "\"noura\""),
        ("iat", iat.as_str()),
        ("exp", exp.as_str()),
    ];
    let unchanged = usual.iter().filter(|(name, _)| !changes.iter().any(|(other, _)| other == name));
    let members: alloc::vec::Vec<String> = unchanged
        .chain(changes.iter().filter(|(_, value)| !value.is_empty()))
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    format!("{{{}}}", members.join(","))
}

fn access(changes: &[(&str, &str)]) -> Option<TokenFault> {
    judged(&payload(changes), Purpose::Access { audience: "till" }).err()
}

fn identity(changes: &[(&str, &str)]) -> Option<TokenFault> {
    judged(&payload(changes), Purpose::Identity { client_id: "till", nonce: None }).err()
}

#[test]
fn a_token_that_is_right_says_who_the_user_is() {
    let claims = judged(&payload(&[]), Purpose::Access { audience: "till" });
    let expected = Claims {
        subject: "7".into(),
        username: "noura".into(),
        expires_at: moment(NOW + 300),
        signed_in_at: None,
        means: None,
    };
    assert_eq!(claims, Ok(expected));
}

#[test]
fn an_id_token_answers_one_sign_in_and_says_when_and_how() {
    let judge = |changes: &[(&str, &str)]| {
        judged(&payload(changes), Purpose::Identity { client_id: "till", nonce: Some("n") })
    };
    let said = [("nonce", "\"n\""), ("auth_time", "1799999000"), ("amr", "[\"pwd\",\"otp\"]")];
    let claims = judge(&said).unwrap();
    assert_eq!(claims.signed_in_at, Some(moment(1_799_999_000)));
    assert_eq!(claims.means.unwrap(), ["pwd", "otp"]);
    for nonce in ["", "\"N\"", "\"\"", "\"nn\""] {
        assert_eq!(judge(&[("nonce", nonce)]).unwrap_err(), TokenFault::Nonce, "{nonce}");
    }
    for (name, value) in [("auth_time", "\"1\""), ("auth_time", "-1"), ("amr", "\"otp\""), ("amr", "[1]")] {
        let changes = [("nonce", "\"n\""), (name, value)];
        assert_eq!(judge(&changes).unwrap_err(), TokenFault::Claims, "{name} {value}");
    }
}

#[test]
fn content_is_one_object_whose_members_have_their_types_and_are_given_once() {
    for payload in ["", "null", "[]", "{", r#"{"iss":"a","iss":"a"}"#, r#"{"x":1,"\u0078":1}"#, "{} "] {
        let fault = judged(payload, Purpose::Access { audience: "till" }).unwrap_err();
        let wanted = if payload == "{} " { TokenFault::Issuer } else { TokenFault::Claims };
        assert_eq!(fault, wanted, "{payload}");
    }
    for (name, value) in
        [("iss", "7"), ("sub", "7"), ("preferred_username", "7"), ("typ", "7"), ("exp", "\"1\"")]
    {
        assert_eq!(access(&[(name, value)]), Some(TokenFault::Claims), "{name}");
    }
}

#[test]
fn the_issuer_is_compared_letter_by_letter() {
    for iss in [
        "",
        "\"\"",
        "\"https://id.example/\"",
        "\"https://ID.example\"",
        "\"https://id.example.evil\"",
        "\"http://id.example\"",
    ] {
        assert_eq!(access(&[("iss", iss)]), Some(TokenFault::Issuer), "{iss}");
    }
    assert_eq!(access(&[("iss", "\"https:\\/\\/id.example\"")]), None);
}

#[test]
fn one_of_the_audiences_must_be_ours() {
    for aud in ["\"till\"", "[\"till\"]", "[\"other\",\"till\"]"] {
        assert_eq!(access(&[("aud", aud)]), None, "{aud}");
    }
    for aud in [
        "",
        "null",
        "\"\"",
        "\"other\"",
        "[]",
        "[\"other\"]",
        "[\"till\",7]",
        "{\"till\":1}",
        "\"till,other\"",
        "\"Till\"",
        "[[\"till\"]]",
    ] {
        assert_eq!(access(&[("aud", aud)]), Some(TokenFault::Audience), "{aud}");
    }
}

#[test]
fn a_token_is_over_at_the_second_of_its_end_and_the_skew() {
    for (exp, fault) in [(-61, TokenFault::Expired), (-60, TokenFault::Expired)] {
        let (iat, exp) = (format!("{}", NOW - 600), format!("{}", NOW + exp));
        assert_eq!(access(&[("iat", &iat), ("exp", &exp)]), Some(fault), "{exp}");
    }
    for exp in [-59, 0, 1] {
        let (iat, exp) = (format!("{}", NOW - 600), format!("{}", NOW + exp));
        assert_eq!(access(&[("iat", &iat), ("exp", &exp)]), None, "{exp}");
    }
    assert_eq!(access(&[("exp", "")]), Some(TokenFault::Claims));
    assert_eq!(access(&[("exp", "null")]), Some(TokenFault::Claims));
}

#[test]
fn a_token_of_the_future_is_refused_from_one_second_after_the_skew() {
    for name in ["iat", "nbf"] {
        let exp = format!("{}", NOW + 600);
        for (offset, fault) in
            [(59, None), (60, None), (61, Some(TokenFault::NotYet)), (10_000, Some(TokenFault::NotYet))]
        {
            let at = format!("{}", NOW + offset);
            assert_eq!(access(&[(name, &at), ("exp", &exp)]), fault, "{name} {offset}");
        }
    }
    assert_eq!(access(&[("iat", "")]), Some(TokenFault::Claims), "the life of a token is counted from it");
}

#[test]
fn a_token_lives_no_longer_than_the_settings_permit_and_at_least_a_second() {
    let iat = format!("{}", NOW - 100);
    for (life, fault) in
        [(86_400, None), (86_401, Some(TokenFault::Life)), (250_000_000_000, Some(TokenFault::Life))]
    {
        let exp = format!("{}", NOW - 100 + life);
        assert_eq!(access(&[("iat", &iat), ("exp", &exp)]), fault, "{life}");
    }
    let at = format!("{NOW}");
    assert_eq!(access(&[("exp", &at)]), Some(TokenFault::Life));
}

#[test]
fn dates_may_have_decimals_which_are_rounded_down_and_are_never_out_of_range() {
    let with_decimals = format!("{}.999", NOW - 60);
    let iat = format!("{}", NOW - 600);
    assert_eq!(access(&[("iat", &iat), ("exp", &with_decimals)]), Some(TokenFault::Expired));
    let with_decimals = format!("{}.999", NOW + 60);
    assert_eq!(access(&[("nbf", &with_decimals)]), None);
    for exp in [
        "253402300800",
        "9223372036854775807",
        "9223372036854775808",
        "99999999999999999999999999999999999999",
        "-1",
        "-0",
        "1e12",
        "1.8e9",
        "\"1800000300\"",
        "true",
        "[1]",
    ] {
        assert_eq!(access(&[("exp", exp)]), Some(TokenFault::Claims), "{exp}");
    }
    assert_eq!(access(&[("exp", "253402300799")]), Some(TokenFault::Life));
}

#[test]
fn a_token_made_for_something_else_gives_no_access() {
    for (name, value) in [
        ("nonce", "\"n\""),
        ("at_hash", "\"h\""),
        ("c_hash", "\"h\""),
        ("s_hash", "\"h\""),
        ("events", "{}"),
        ("cnf", "{\"jkt\":\"k\"}"),
        ("nonce", "null"),
        ("typ", "\"ID\""),
        ("typ", "\"Refresh\""),
        ("typ", "\"Offline\""),
        ("typ", "\"Logout\""),
        ("typ", "\"\""),
    ] {
        assert_eq!(access(&[(name, value)]), Some(TokenFault::Purpose), "{name} {value}");
    }
    assert_eq!(access(&[("typ", "\"Bearer\""), ("azp", "\"page\"")]), None);
}

#[test]
fn a_token_that_declares_itself_as_one_of_access_may_have_claims_of_an_id_token_and_no_others() {
    let declared = |kind: &str, changes: &[(&str, &str)]| {
        of_kind(Some(kind), &payload(changes), Purpose::Access { audience: "till" }).err()
    };
    assert_eq!(declared("at+jwt", &[("nonce", "\"n\"")]), None);
    assert_eq!(access(&[("nonce", "\"n\""), ("typ", "\"Bearer\"")]), None);
    assert_eq!(declared("jwt", &[("nonce", "\"n\"")]), Some(TokenFault::Purpose));
    for (name, value) in [("cnf", "{}"), ("events", "{}"), ("typ", "\"ID\""), ("typ", "\"Refresh\"")] {
        assert_eq!(declared("at+jwt", &[(name, value)]), Some(TokenFault::Purpose), "{name} {value}");
    }
}

#[test]
fn an_id_token_must_be_for_this_client() {
    assert_eq!(identity(&[("nonce", "\"n\""), ("at_hash", "\"h\""), ("typ", "\"ID\"")]), None);
    assert_eq!(identity(&[("azp", "\"till\"")]), None);
    assert_eq!(identity(&[("aud", "[\"till\",\"b\"]"), ("azp", "\"till\"")]), None);
    for changes in [
        &[("aud", "\"other\"")][..],
        &[("azp", "\"other\"")],
        &[("aud", "[\"till\",\"b\"]")],
        &[("aud", "[\"till\",\"b\"]"), ("azp", "\"b\"")],
    ] {
        assert_eq!(identity(changes), Some(TokenFault::Audience), "{changes:?}");
    }
}

#[test]
fn a_user_has_a_subject_and_a_name() {
    let long = format!("\"{}\"", "7".repeat(256));
    for sub in ["", "\"\"", &long] {
        assert_eq!(access(&[("sub", sub)]), Some(TokenFault::Subject), "{sub}");
    }
    let (longest, too_long) = (format!("\"{}\"", "n".repeat(150)), format!("\"{}\"", "n".repeat(151)));
    for name in ["\"a\"", "\"first.last+x@shop.example\"", "\"A_b-9\"", "\"نورة\"", &longest] {
        assert_eq!(access(&[("preferred_username", name)]), None, "{name}");
    }
    for name in
        ["", "\"\"", "\"a b\"", "\"a'--\"", "\"a\\u0000\"", "\"a/b\"", "\"a\\u202eb\"", "\"a,b\"", &too_long]
    {
        assert_eq!(access(&[("preferred_username", name)]), Some(TokenFault::Username), "{name}");
    }
}

#[test]
fn an_answer_about_a_user_has_the_name_and_the_subject_of_the_token() {
    let name = |answer: &str| username_of(answer.as_bytes(), "7", "preferred_username");
    assert_eq!(name(r#"{"sub":"7","preferred_username":"noura","email":5}"#), Ok("noura".into()));
    for (answer, fault) in [
        (r#"{"sub":"8","preferred_username":"noura"}"#, TokenFault::Subject),
        (r#"{"preferred_username":"noura"}"#, TokenFault::Subject),
        (r#"{"sub":7,"preferred_username":"noura"}"#, TokenFault::Claims),
        (r#"{"sub":"8","sub":"7","preferred_username":"noura"}"#, TokenFault::Claims),
        (r#"{"sub":"7"}"#, TokenFault::Username),
        (r#"{"sub":"7","preferred_username":""}"#, TokenFault::Username),
        (r#"{"sub":"7","preferred_username":null}"#, TokenFault::Claims),
        (r#"["7"]"#, TokenFault::Claims),
        ("eyJhbGciOiJFUzI1NiJ9.e30.c2ln", TokenFault::Claims),
        (r#"{"sub":"7","preferred_username":"nou"#, TokenFault::Claims),
    ] {
        assert_eq!(name(answer), Err(fault), "{answer}");
    }
}
