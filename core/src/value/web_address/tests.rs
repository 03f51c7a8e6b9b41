use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::*;

fn public(text: &str) -> Result<WebAddress, AddressError> {
    WebAddress::parse(text, Reach::Public)
}

#[test]
fn public_names_over_https_are_allowed_and_re_serialised() {
    for (given, text) in [
        ("https://shop.example.com", "https://shop.example.com/"),
        ("HTTPS://Shop.Example.COM:443/Thanks?a=1#top", "https://shop.example.com/Thanks?a=1#top"),
        ("https://shop.example/a/../b", "https://shop.example/b"),
        ("https://shop.example/محمد", "https://shop.example/%D9%85%D8%AD%D9%85%D8%AF"),
        ("https://xn--pgbep1f.com/", "https://xn--pgbep1f.com/"),
        (
            "https://shop.example?next=https://other.example/",
            "https://shop.example/?next=https://other.example/",
        ),
        ("https://shop.example/@user:1", "https://shop.example/@user:1"),
        ("https://invalid.example.com/", "https://invalid.example.com/"),
        ("https://notlocalhost.com/", "https://notlocalhost.com/"),
        ("https://mylocal.com/", "https://mylocal.com/"),
    ] {
        assert_eq!(public(given).map(|address| address.to_string()), Ok(text.into()), "{given}");
    }
}

#[test]
fn other_schemes_are_refused() {
    for text in [
        "http://shop.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://shop.example/",
        "file:///etc/passwd",
        "wss://shop.example/",
        "blob:https://shop.example/1",
        "mailto:a@b.co",
    ] {
        assert_eq!(public(text), Err(AddressError::NotHttps), "{text}");
    }
}

#[test]
fn spellings_that_two_readers_may_read_differently_are_refused() {
    for text in [
        "",
        "/thanks",
        "//shop.example/",
        "shop.example",
        "https:",
        "https://",
        "https:shop.example",
        "https:/shop.example",
        "https:///shop.example",
        "https:\\\\shop.example",
        "https://shop.example\\@evil.example",
        "https://shop.example/a b",
        " https://shop.example/",
        "https://shop.example/\n",
        "https://shop.\r\nexample/",
        "ht\ttps://shop.example/",
        "https://shop.example/\0",
        "https://shop.example/\u{a0}",
        "https://?",
        "https://#",
        "https://a b.example/",
        "https://shop.example:port/",
        "https://shop.example:65536/",
        "https://[::1/",
        "https://xn--a.example/\u{2028}",
    ] {
        assert_eq!(public(text), Err(AddressError::Malformed), "{text:?}");
    }
}

#[test]
fn user_names_and_passwords_are_refused() {
    for text in [
        "https://user@shop.example/",
        "https://user:secret@shop.example/",
        "https://:secret@shop.example/",
        "https://@shop.example/",
        "https://shop.example@evil.example/",
        "https://shop.example%40@evil.example/",
    ] {
        assert_eq!(public(text), Err(AddressError::UserInfo), "{text}");
    }
}

#[test]
fn other_ports_are_refused() {
    for text in ["https://shop.example:80/", "https://shop.example:8443/", "https://shop.example:0/"] {
        assert_eq!(public(text), Err(AddressError::Port), "{text}");
    }
    assert!(public("https://shop.example:443/").is_ok());
    assert!(public("https://shop.example:/").is_ok());
}

#[test]
fn numeric_hosts_are_refused_in_every_spelling() {
    for host in [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "017700000001",
        "127.0.0.1.",
        "0",
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "192.168.0.1",
        "8.8.8.8",
        "%31%32%37.0.0.1",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[2001::1]",
        "[fe80::1]",
        "[fd00::1]",
        "[2606:4700::1111]",
    ] {
        assert_eq!(public(&format!("https://{host}/")), Err(AddressError::IpAddress), "{host}");
    }
}

#[test]
fn hosts_without_a_public_name_are_refused() {
    for host in [
        "localhost",
        "LOCALHOST",
        "shop.localhost",
        "localhost.localdomain",
        "intranet",
        "shop.example.",
        "localhost.",
        "shop..example",
        ".shop.example",
        "printer.local",
        "metadata.google.internal",
        "router.home.arpa",
        "abc.onion",
        "bank.sandbox.invalid",
        "workers.dev",
        "till.merchant.workers.dev",
        "TILL.Workers.Dev",
        "-shop.example",
        "shop-.example",
        "shop_1.example",
        "shop;x.example",
        "shop'x.example",
        "shop,x.example",
        "shop*.example",
        "*.example.com",
    ] {
        assert_eq!(public(&format!("https://{host}/")), Err(AddressError::NotPublic), "{host}");
    }
    let long_label = "a".repeat(64);
    let long_name = "a.".repeat(127) + "com";
    for host in [long_label + ".example", long_name] {
        assert!(public(&format!("https://{host}/")).is_err(), "{host}");
    }
}

#[test]
fn an_encoded_dot_is_judged_as_the_parser_reads_it() {
    let address = public("https://shop.example%2eevil.example/").unwrap();
    assert_eq!(address.host(), "shop.example.evil.example");
    assert_eq!(public("https://local%68ost/"), Err(AddressError::NotPublic));
}

#[test]
fn addresses_have_at_most_2000_characters_given_and_encoded() {
    let address = |length: usize, fill: &str| format!("https://shop.example/{}", fill.repeat(length - 21));
    assert!(public(&address(2_000, "a")).is_ok());
    assert_eq!(public(&address(2_001, "a")), Err(AddressError::TooLong));
    assert!(public(&address(100, "é")).is_ok());
    assert_eq!(public(&address(1_999, "é")), Err(AddressError::TooLong));
}

#[test]
fn development_reaches_this_machine_over_any_port() {
    for text in [
        "http://127.0.0.1:8787/sandbox/inbox/demo/",
        "http://127.8.9.10/",
        "https://127.0.0.1:8443/",
        "http://localhost:3000/",
        "http://localhost/",
        "https://localhost/",
        "https://localhost//",
        "http://[::1]:3000/",
        "https://shop.example/",
    ] {
        assert!(WebAddress::parse(text, Reach::Development).is_ok(), "{text}");
    }
    for (text, error) in [
        ("http://shop.example/", AddressError::NotHttps),
        ("https://shop.example:8443/", AddressError::Port),
        ("http://10.0.0.1/", AddressError::NotHttps),
        ("https://10.0.0.1/", AddressError::IpAddress),
        ("https://[::ffff:127.0.0.1]/", AddressError::IpAddress),
        ("http://localhost.evil.example/", AddressError::NotHttps),
        ("https://shop.localhost/", AddressError::NotPublic),
        ("http://user@localhost/", AddressError::UserInfo),
        ("http:localhost", AddressError::Malformed),
        ("ftp://localhost/", AddressError::NotHttps),
    ] {
        assert_eq!(WebAddress::parse(text, Reach::Development), Err(error), "{text}");
    }
    assert_eq!(public("http://localhost:3000/"), Err(AddressError::NotHttps));
    assert_eq!(public("https://127.0.0.1/"), Err(AddressError::IpAddress));
}

#[test]
fn host_and_origin_are_those_of_the_parsed_address() {
    let address = public("https://Shop.example/thanks?a=1").unwrap();
    assert_eq!((address.host(), address.origin()), ("shop.example", "https://shop.example"));
    let local = WebAddress::parse("http://127.1:8787/x", Reach::Development).unwrap();
    assert_eq!((local.host(), local.origin()), ("127.0.0.1", "http://127.0.0.1:8787"));
    let local = WebAddress::parse("http://[0:0::1]:3000", Reach::Development).unwrap();
    assert_eq!((local.host(), local.origin()), ("[::1]", "http://[::1]:3000"));
}

#[test]
fn parameters_are_appended_after_those_of_the_address() {
    let parameters = [("order_no", "A 1&b=2"), ("session_id", "é")];
    for (text, with_query) in [
        ("https://shop.example", "https://shop.example/?order_no=A+1%26b%3D2&session_id=%C3%A9"),
        ("https://shop.example/?", "https://shop.example/?order_no=A+1%26b%3D2&session_id=%C3%A9"),
        (
            "https://shop.example/t?a=b%20c",
            "https://shop.example/t?a=b%20c&order_no=A+1%26b%3D2&session_id=%C3%A9",
        ),
        (
            "https://shop.example/t?a#top",
            "https://shop.example/t?a&order_no=A+1%26b%3D2&session_id=%C3%A9#top",
        ),
    ] {
        assert_eq!(public(text).unwrap().with_query(&parameters), with_query, "{text}");
    }
    assert_eq!(public("https://shop.example/t").unwrap().with_query(&[]), "https://shop.example/t");
}

#[test]
fn stored_as_its_text() {
    let address = public("https://shop.example").unwrap();
    assert_eq!(serde_json::to_string(&address).unwrap(), "\"https://shop.example/\"");
}

#[test]
fn hosts_that_are_not_ascii_are_refused_however_they_would_be_mapped() {
    for host in ["１２７.０.０.１", "ⓛocalhost", "127。0。0。1", "متجر.com", "bücher.example"]
    {
        assert_eq!(public(&format!("https://{host}/")), Err(AddressError::Malformed), "{host}");
    }
}

/// What decides how an address is read.
const PIECES: &str = "https:// http:// HTTPS:// shop .example .com .COM .1 .0x1 127.0.0.1 xn--pgbep1f localhost [::1] \
    :443 :8080 / /a /. /.. /%2e /%2E%2e /.well-known // ? ?a=b &c='d' % %zz # #top @ user _ - | ^ { \" /\u{e9} \
    /\u{645} ~!$&()*+,;=:@ . .. a--b [ `";

fn addresses() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES.split(' ').collect::<Vec<_>>());
    prop_oneof![
        prop::collection::vec(piece.clone(), 0..8).prop_map(|pieces| pieces.concat()),
        prop::collection::vec(piece, 0..6)
            .prop_map(|pieces| format!("https://shop.example{}", pieces.concat())),
        "https://[a-z0-9.-]{1,12}(/[ -~]{0,12})?",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_address_is_what_the_parser_makes_of_it(text in addresses()) {
        for reach in [Reach::Public, Reach::Development] {
            let Ok(address) = WebAddress::parse(&text, reach) else { continue };
            let url = Url::parse(&text).unwrap();
            prop_assert_eq!(address.as_str(), url.as_str());
            prop_assert_eq!(address.host(), url.host_str().unwrap());
            prop_assert_eq!(address.origin(), url.origin().ascii_serialization());
        }
    }
}
