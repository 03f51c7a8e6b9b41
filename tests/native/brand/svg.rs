//! Hostile SVGs: each is refused, or what is stored of it only draws.

use checkout_core::settings::brand::image::{Image, MAX_SIDE};
use checkout_core::value::id::MerchantId;
use proptest::prelude::*;

/// Files inside of a root of SVG. Whatever becomes of them, nothing of it may run or refer to anything.
const INSIDE: &[&str] = &[
    "<script>alert(1)</script>",
    "<script xlink:href='https://evil.example/x.js' xmlns:xlink='http://www.w3.org/1999/xlink'/>",
    "<SCRIPT>alert(1)</SCRIPT>",
    "<g><g><script type='text/ecmascript'><![CDATA[alert(1)]]></script></g></g>",
    "<x:script xmlns:x='http://www.w3.org/2000/svg'>alert(1)</x:script>",
    "<h:script xmlns:h='http://www.w3.org/1999/xhtml'>alert(1)</h:script>",
    "<path onload='alert(1)' d='M0 0h1'/>",
    "<path ONCLICK='alert(1)' d='M0 0h1'/>",
    "<path oNmouseover='alert(1)' d='M0 0h1'/>",
    "<g onfocusin='alert(1)' tabindex='0'/>",
    "<a href='javascript:alert(1)'><path d='M0 0h9v9z'/></a>",
    "<a xlink:href='javascript:alert(1)' xmlns:xlink='http://www.w3.org/1999/xlink'><path d='M0 0h9'/></a>",
    "<a href=' &#106;avascript:alert(1)'><path d='M0 0h9'/></a>",
    "<use href='https://evil.example/x.svg#a'/>",
    "<use xlink:href='data:image/svg+xml;base64,PHN2Zy8+#a' xmlns:xlink='http://www.w3.org/1999/xlink'/>",
    "<use href='#a'/>",
    "<image href='https://evil.example/pixel.png' width='1' height='1'/>",
    "<image href='data:image/svg+xml,%3Csvg onload=alert(1)%3E' width='9' height='9'/>",
    "<feImage href='https://evil.example/x.png'/>",
    "<filter id='f'><feImage href='https://evil.example/x'/></filter>",
    "<foreignObject><div xmlns='http://www.w3.org/1999/xhtml'><script>alert(1)</script></div></foreignObject>",
    "<foreignObject width='9' height='9'><iframe xmlns='http://www.w3.org/1999/xhtml' src='https://evil.example'/></foreignObject>",
    "<iframe xmlns='http://www.w3.org/1999/xhtml' srcdoc='&lt;script&gt;alert(1)&lt;/script&gt;'/>",
    "<style>@import url(https://evil.example/x.css);</style>",
    "<style>*{background:url('https://evil.example/x')}</style>",
    "<style>@font-face{font-family:a;src:url(https://evil.example/f.woff)}</style>",
    "<path style='fill:url(https://evil.example/x#a)' d='M0 0h9'/>",
    "<path style='background-image:url(javascript:alert(1))' d='M0 0h9'/>",
    "<path style='behavior:url(#default#x)' d='M0 0h9'/>",
    "<path style='fill:\\75rl(https://evil.example)' d='M0 0h9'/>",
    "<path fill='url(https://evil.example/x.svg#a)' d='M0 0h9'/>",
    "<path fill='url(  \"//evil.example/x#a\" )' d='M0 0h9'/>",
    "<path fill='URL(https://evil.example/x)' d='M0 0h9'/>",
    "<path fill='image-set(\"https://evil.example/x\" 1x)' d='M0 0h9'/>",
    "<path fill='src(\"https://evil.example/x\")' d='M0 0h9'/>",
    "<path mask='url(https://evil.example/m#a)' d='M0 0h9'/>",
    "<path clip-path='path(\"M0 0\")' d='M0 0h9'/>",
    "<path filter='url(#f)' d='M0 0h9'/>",
    "<path cursor='url(https://evil.example/c.cur),auto' d='M0 0h9'/>",
    "<path marker-start='url(https://evil.example/m#a)' d='M0 0h9'/>",
    "<animate attributeName='href' values='javascript:alert(1)'/>",
    "<set attributeName='onclick' to='alert(1)'/>",
    "<path d='M0 0h9'><animate attributeName='d' from='M0 0' to='M9 9' dur='1s' onbegin='alert(1)'/></path>",
    "<handler type='application/ecmascript'>alert(1)</handler>",
    "<listener event='load' handler='#h'/>",
    "<text>Your account is blocked, call +1 555</text>",
    "<switch><foreignObject/></switch>",
    "<linearGradient id='a' href='https://evil.example/g.svg#a'/>",
    "<linearGradient id='a' href='#a\"/><script>alert(1)</script>'/>",
    "<g id='a\"><script>alert(1)</script>'/>",
    "<path d='M0 0\"/><script>alert(1)</script>'/>",
    "<path fill='red&quot; onload=&quot;alert(1)' d='M0 0h9'/>",
    "<path fill='&lt;script&gt;' d='M0 0h9'/>",
    "<g xml:base='https://evil.example/'><path d='M0 0h9' fill='url(#a)'/></g>",
    "<svg onload='alert(1)'><path d='M0 0h9'/></svg>",
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml-stylesheet href='https://evil.example/x.xsl' type='text/xsl'?><path d='M0 0h9'/>",
    "<mask id='a'><rect mask='url(#b)'/></mask><mask id='b'><rect mask='url(#a)'/></mask>",
    "<clipPath id='a'><rect clip-path='url(#a)'/></clipPath>",
    "<pattern id='a'><rect fill='url(#a)'/></pattern>",
    "<metadata><script>alert(1)</script></metadata><title><script>alert(1)</script></title>",
    "<x:path xmlns:x='https://evil.example/svg' onload='alert(1)'/>",
    "<svg:path xmlns:svg='http://www.w3.org/2000/svg' d='M0 0h9' svg:onload='alert(1)'/>",
    "<path d='M0 0h9' data-x='javascript:alert(1)' class='evil' role='button' tabindex='0'/>",
];

/// Whole files, which are all refused.
fn whole() -> Vec<(&'static str, Vec<u8>)> {
    let root = "xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"";
    let bytes = |text: String| text.into_bytes();
    let deep = format!("<svg {root}>{}{}</svg>", "<g>".repeat(5_000), "</g>".repeat(5_000));
    let deeper = format!("<svg {root}>{}", "<g>".repeat(16_000));
    let entities = format!(
        "<!DOCTYPE svg [<!ENTITY a \"{}\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;\">]>\
         <svg {root}><title>&c;</title></svg>",
        "x".repeat(1_000)
    );
    let attributes: String =
        (0..5_000).flat_map(|place| [" a".to_owned(), place.to_string(), "=''".to_owned()]).collect();
    let utf16: Vec<u8> = format!("\u{feff}<svg {root}/>").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut wrong = bytes(format!("<svg {root}><title>x</title></svg>"));
    if let Some(byte) = wrong.iter_mut().rev().nth(14) {
        *byte = 0xff;
    }
    vec![
        ("deep", bytes(deep)),
        ("deep and open", bytes(deeper)),
        ("many elements", bytes(format!("<svg {root}>{}</svg>", "<g/>".repeat(5_000)))),
        ("many attributes", bytes(format!("<svg {root}><g{attributes}/></svg>"))),
        ("entities", bytes(entities)),
        (
            "an entity of a file",
            bytes(format!(
                "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><svg {root}><title>&x;</title></svg>"
            )),
        ),
        (
            "a document type",
            bytes(format!(
                "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'https://evil.example/x.dtd'><svg {root}/>"
            )),
        ),
        ("UTF-16", utf16),
        ("no UTF-8", wrong),
        ("a zero byte", bytes(format!("<svg {root}><g id='\0'/></svg>"))),
        ("no namespace", bytes("<svg viewBox='0 0 9 9'/>".into())),
        ("another namespace", bytes("<svg xmlns='http://www.w3.org/1999/xhtml' viewBox='0 0 9 9'/>".into())),
        ("another root", bytes("<g xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'/>".into())),
        ("two roots", bytes(format!("<svg {root}/><svg {root}/>"))),
        ("text after it", bytes(format!("<svg {root}/>alert(1)"))),
        ("not closed", bytes(format!("<svg {root}><g>"))),
        ("an attribute twice", bytes(format!("<svg {root}><g id='a' id='b'/></svg>"))),
        (
            "too wide",
            bytes(format!("<svg xmlns='http://www.w3.org/2000/svg' width='{}' height='1'/>", MAX_SIDE + 1)),
        ),
        ("huge", bytes("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 999999999999 1'/>".into())),
        ("no size", bytes("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 0 9'/>".into())),
        ("HTML", b"<html><svg viewBox='0 0 9 9'/></html>".to_vec()),
        ("too many bytes", bytes(format!("<svg {root}><!--{}--></svg>", "x".repeat(65_536)))),
    ]
}

fn read(file: &[u8]) -> Result<String, String> {
    let merchant = MerchantId::parse("demo").unwrap();
    let image = Image::read(&merchant, file).map_err(|rule| rule.to_string())?;
    Ok(String::from_utf8(image.bytes).unwrap())
}

/// Whether a text has nothing that could run or refer to something else.
fn assert_harmless(text: &str, what: &str) {
    let small = text.to_ascii_lowercase();
    let rest = small.replacen("xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
    for word in [
        "script",
        "alert",
        " on",
        "javascript",
        "data:",
        "http",
        "//",
        "foreign",
        "iframe",
        "style",
        "@import",
        "<!",
        "<?",
        "&",
        "xlink",
        "<use",
        "<image",
        "<a ",
        "animate",
        "<set",
        "entity",
        "evil",
        "<text",
        "\\",
    ] {
        assert!(!rest.contains(word), "{what}: {word} is in {text}");
    }
    for reference in rest.split("url(").skip(1) {
        assert!(reference.starts_with('#'), "{what}: {text}");
    }
    for reference in rest.split("href=\"").skip(1) {
        assert!(reference.starts_with('#'), "{what}: {text}");
    }
}

#[test]
fn nothing_that_runs_or_refers_to_something_else_is_stored() {
    let mut refused = 0;
    for inside in INSIDE {
        let file = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">{inside}<path d=\"M0 0h1\"/></svg>"
        );
        match read(file.as_bytes()) {
            Ok(stored) => {
                assert_harmless(&stored, inside);
                assert!(stored.contains("d=\"M0 0h1\""), "{inside}: {stored}");
                assert_eq!(read(stored.as_bytes()), Ok(stored.clone()), "{inside}");
            }
            Err(text) => {
                assert!(text.starts_with("must"), "{text}");
                refused += 1;
            }
        }
    }
    assert!(INSIDE.len() >= 60 && refused >= 45, "{refused} of {}", INSIDE.len());
}

#[test]
fn a_file_that_is_not_a_plain_svg_is_refused() {
    for (what, file) in whole() {
        assert!(read(&file).is_err(), "{what}");
    }
}

#[test]
fn a_refusal_names_what_must_go() {
    let text = |inside: &str| {
        read(format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>{inside}</svg>").as_bytes())
            .unwrap_err()
    };
    assert!(text("<script/>").starts_with("must not have the element script:"));
    assert!(text("<g onload='x'/>").starts_with("must not have this value of the attribute onload:"));
    assert!(text(&format!("<{}/>", "x".repeat(99))).contains(&format!("element {}:", "x".repeat(40))));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parts_in_any_order_are_refused_or_harmless(parts in prop::collection::vec(prop::sample::select(INSIDE), 1..5), cut in 0_usize..400) {
        let file = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><g>{}</g></svg>", parts.concat()
        );
        let cut: String = file.chars().take(file.chars().count().saturating_sub(cut)).collect();
        for text in [file.as_str(), &cut] {
            if let Ok(stored) = read(text.as_bytes()) {
                assert_harmless(&stored, text);
            }
        }
    }

    #[test]
    fn no_bytes_stop_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200), start in 0_usize..4) {
        let starts: [&[u8]; 4] = [b"", b"\x89PNG\r\n\x1a\n", b"RIFF\x20\x00\x00\x00WEBPVP8X", b"<svg xmlns=\"http://www.w3.org/2000/svg\" "];
        let file = [starts.get(start).copied().unwrap_or_default(), &bytes].concat();
        drop(read(&file));
    }
}
