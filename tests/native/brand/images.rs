//! Files that merchants upload as images.

use checkout_core::settings::brand::image::Image;
use checkout_core::value::id::MerchantId;
use proptest::prelude::*;

fn read(file: &[u8]) -> Result<Image, String> {
    Image::read(&MerchantId::parse("demo").unwrap(), file).map_err(|rule| rule.to_string())
}

#[test]
fn an_svg_is_refused_and_the_refusal_says_what_is_taken() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><path d=\"M0 0h1\"/></svg>";
    let utf16: Vec<u8> = format!("\u{feff}{svg}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let gzip = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03";
    let marked = format!("\u{feff}{svg}");
    let declared = format!("<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n{svg}");
    let after_spaces = format!(" \n{svg}");
    let texts = [svg, &marked, &declared, &after_spaces, ""];
    for file in texts.iter().map(|text| text.as_bytes()).chain([utf16.as_slice(), gzip]) {
        let wrong = read(file).unwrap_err();
        assert!(wrong.starts_with("must be a PNG or a WebP"), "{wrong}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_stop_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200), start in 0_usize..3) {
        let starts: [&[u8]; 3] = [b"", b"\x89PNG\r\n\x1a\n", b"RIFF\x20\x00\x00\x00WEBPVP8X"];
        let file = [starts.get(start).copied().unwrap_or_default(), &bytes].concat();
        drop(read(&file));
    }
}
