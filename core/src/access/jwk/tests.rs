//! Keys as providers publish them, with numbers of the right length and no meaning; real ones are in the native tests.

use alloc::format;
use alloc::string::String;

use super::*;

fn encoded(bytes: usize, first: u8, last: u8) -> String {
    use base64::Engine;
    let mut number = alloc::vec![0xff; bytes];
    number[0] = first;
    *number.last_mut().unwrap() = last;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(number)
}

fn rsa(more: &str) -> String {
    format!(r#"{{"kty":"RSA","n":"{}","e":"AQAB"{more}}}"#, encoded(256, 0x80, 1))
}

fn ec(curve: &str, x: usize, y: usize) -> String {
    format!(r#"{{"kty":"EC","crv":"{curve}","x":"{}","y":"{}"}}"#, encoded(x, 1, 1), encoded(y, 1, 1))
}

fn okp(curve: &str, x: usize) -> String {
    format!(r#"{{"kty":"OKP","crv":"{curve}","x":"{}"}}"#, encoded(x, 1, 1))
}

fn set(keys: &[String]) -> Option<KeySet> {
    KeySet::read(format!(r#"{{"keys":[{}]}}"#, keys.join(",")).as_bytes())
}

fn is_usable(key: &str) -> bool {
    set(&[key.into()]).unwrap().len() == 1
}

fn algorithms(key: &str) -> Vec<SigningAlgorithm> {
    set(&[key.into()]).unwrap().0.into_iter().flat_map(|key| key.algorithms).collect()
}

fn token(algorithm: &str, key_id: Option<&str>) -> Token<'static> {
    Token {
        algorithm: algorithm.into(),
        key_id: key_id.map(String::from),
        kind: None,
        input: "",
        payload: Vec::new(),
        signature: Vec::new(),
    }
}

#[test]
fn a_key_is_for_the_algorithms_of_its_type_and_for_one_alone_if_it_names_it() {
    use SigningAlgorithm::{EdDsa, Es256, Es384, Ps256, Rs256};
    assert_eq!(algorithms(&rsa("")), [Rs256, Ps256]);
    assert_eq!(algorithms(&rsa(r#","alg":"PS256""#)), [Ps256]);
    assert_eq!(algorithms(&ec("P-256", 32, 32)), [Es256]);
    assert_eq!(algorithms(&ec("P-384", 48, 48)), [Es384]);
    assert_eq!(algorithms(&okp("Ed25519", 32)), [EdDsa]);
    for alg in ["HS256", "none", "ES256", "RS512", "RSA-OAEP", ""] {
        assert!(!is_usable(&rsa(&format!(r#","alg":"{alg}""#))), "{alg}");
    }
}

#[test]
fn a_key_that_cannot_be_used_is_left_out() {
    for key in [
        "{}",
        "7",
        "null",
        r#"{"kty":"oct","k":"AAAA"}"#,
        r#"{"kty":"EC2"}"#,
        &ec("P-256", 31, 32),
        &ec("P-256", 32, 33),
        &ec("P-384", 32, 32),
        &ec("P-521", 66, 66),
        &ec("secp256k1", 32, 32),
        &okp("Ed448", 57),
        &okp("X25519", 32),
        &okp("Ed25519", 31),
        &rsa(r#","use":"enc""#),
        &rsa(r#","use":7"#),
        &rsa(r#","key_ops":["sign"]"#),
        &rsa(r#","key_ops":"verify""#),
        &rsa(r#","kid":7"#),
        &rsa(r#","kty":"RSA""#),
    ] {
        assert!(!is_usable(key), "{key}");
    }
    for key in [rsa(r#","use":"sig""#), rsa(r#","key_ops":["verify"]"#), rsa(r#","x5c":["a"],"x5u":"b""#)] {
        assert!(is_usable(&key), "{key}");
    }
}

#[test]
fn a_key_with_a_private_member_is_left_out() {
    for name in PRIVATE {
        assert!(!is_usable(&rsa(&format!(r#","{name}":"AQAB""#))), "{name}");
        assert!(!is_usable(&rsa(&format!(r#","{name}":null"#))), "{name}");
    }
}

#[test]
fn rsa_keys_have_an_odd_modulus_of_2048_to_8192_bits_and_an_odd_exponent_from_three() {
    let with = |n: &str, e: &str| is_usable(&format!(r#"{{"kty":"RSA","n":"{n}","e":"{e}"}}"#));
    for (bytes, first, last, is_right) in [
        (256, 0x80, 1, true),
        (256, 0x7f, 1, false),
        (257, 0, 1, false),
        (257, 1, 1, true),
        (256, 0x80, 2, false),
        (128, 0x80, 1, false),
        (1_024, 0xff, 1, true),
        (1_025, 1, 1, false),
    ] {
        assert_eq!(with(&encoded(bytes, first, last), "AQAB"), is_right, "{bytes} bytes, {first} to {last}");
    }
    let n = encoded(256, 0x80, 1);
    for (e, is_right) in [
        ("Aw", true),
        ("AQ", false),
        ("AA", false),
        ("", false),
        ("Ag", false),
        ("AAEAAQ", false),
        ("_____w", true),
        ("AQAAAAE", false),
    ] {
        assert_eq!(with(&n, e), is_right, "{e}");
    }
    assert!(!with(&format!("{n}="), "AQAB"));
    assert!(!with(&format!("A{n}"), "AQAB"));
}

#[test]
fn a_set_is_one_object_with_a_list_of_at_most_32_keys_in_64_kib() {
    for body in ["", "[]", "{}", r#"{"keys":{}}"#, r#"{"keys":[],"keys":[]}"#, r#"{"keys":[]"#] {
        assert_eq!(KeySet::read(body.as_bytes()), None, "{body}");
    }
    assert!(KeySet::read(br#"{"keys":[],"more":1}"#).unwrap().is_empty());
    let small = okp("Ed25519", 32);
    assert_eq!(set(&alloc::vec![small.clone(); 32]).unwrap().len(), 32);
    assert_eq!(set(&alloc::vec![small; 33]), None);
    let padded = |length: usize| format!(r#"{{"keys":[]{}}}"#, " ".repeat(length - 11));
    assert!(KeySet::read(padded(MAX_SET).as_bytes()).is_some());
    assert_eq!(KeySet::read(padded(MAX_SET + 1).as_bytes()), None);
}

#[test]
fn a_token_means_the_key_of_its_id_and_without_one_the_only_key_for_its_algorithm() {
    let with_id = |key: String, id: &str| key.replacen('{', &format!(r#"{{"kid":"{id}","#), 1);
    let keys = set(&[
        with_id(rsa(""), "r"),
        with_id(ec("P-256", 32, 32), "e"),
        with_id(okp("Ed25519", 32), "twice"),
        with_id(ec("P-384", 48, 48), "twice"),
        with_id(rsa(r#","alg":"PS256""#), "p"),
    ])
    .unwrap();
    let find = |algorithm: &str, id: Option<&str>| {
        keys.find(&token(algorithm, id), &SigningAlgorithm::ALL).map(|(key, _)| key.id.clone().unwrap())
    };
    assert_eq!(find("RS256", Some("r")), Ok("r".into()));
    assert_eq!(find("PS256", Some("r")), Ok("r".into()));
    assert_eq!(find("ES256", None), Ok("e".into()));
    assert_eq!(find("EdDSA", None), Ok("twice".into()));
    assert_eq!(find("EdDSA", Some("twice")), Err(TokenFault::AmbiguousKey));
    assert_eq!(find("PS256", None), Err(TokenFault::AmbiguousKey));
    assert_eq!(find("ES256", Some("r")), Err(TokenFault::OtherKey));
    assert_eq!(find("RS256", Some("p")), Err(TokenFault::OtherKey));
    for id in ["", "R", "r ", "' OR 1=1 --", "../../r", "https://evil.example/key"] {
        assert_eq!(find("RS256", Some(id)), Err(TokenFault::UnknownKey), "{id}");
    }
    for algorithm in ["none", "None", "HS256", "rs256", "RS512", ""] {
        assert_eq!(find(algorithm, Some("r")), Err(TokenFault::Algorithm), "{algorithm}");
    }
    let none = KeySet::default();
    assert_eq!(none.find(&token("RS256", None), &SigningAlgorithm::ALL).err(), Some(TokenFault::UnknownKey));
    let others = [SigningAlgorithm::Es256];
    assert_eq!(keys.find(&token("RS256", Some("r")), &others).err(), Some(TokenFault::Algorithm));
}

#[test]
fn a_platform_gets_the_numbers_of_a_key_and_nothing_else() {
    let keys =
        set(&[okp("Ed25519", 32).replacen('{', r#"{"kid":"a","x5u":"https://evil.example","#, 1)]).unwrap();
    let x = encoded(32, 1, 1);
    assert_eq!(keys.0[0].to_json().unwrap(), format!(r#"{{"kty":"OKP","crv":"Ed25519","x":"{x}"}}"#));
    assert!(keys.0[0].fits(&[0; 64]) && !keys.0[0].fits(&[0; 63]) && !keys.0[0].fits(&[]));
    let lengths = |key: String| set(&[key]).unwrap().0[0].signature_bytes;
    assert_eq!([lengths(rsa("")), lengths(ec("P-256", 32, 32)), lengths(ec("P-384", 48, 48))], [256, 64, 96]);
}
