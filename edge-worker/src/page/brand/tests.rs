use checkout_core::checkout::sample::{Sample, Screen, screens};
use checkout_core::record::image::ImageName;
use checkout_core::settings::brand::{Links, Support};
use checkout_core::strings::screen::PageStatus;
use checkout_core::value::web_address::{Reach, WebAddress};

use super::*;
use crate::page::{PageReply, assets, render, render_sample};
use checkout_core::checkout::page::PageView;

const LOGO: &str = "0123456789abcdef0123456789abcdef.png";

fn whole() -> Brand {
    let address = |text: &str| WebAddress::parse(text, Reach::Public).ok();
    Brand {
        logo: ImageName::parse(LOGO),
        favicon: ImageName::parse("ffffffffffffffffffffffffffffffff.svg"),
        accent: Colour::parse("#7a1fa2"),
        corners: Corners::Round,
        font: Font::Serif,
        support: Support {
            email: Some("help@shop.example.com".into()),
            phone: Some("+96522223333".into()),
            whatsapp: Some("+96550001122".into()),
        },
        links: Links {
            terms: address("https://shop.example.com/terms?a=1&b=2"),
            refunds: address("https://shop.example.com/refunds"),
        },
    }
}

fn page(brand: Brand) -> TransactionPage {
    let mut page = screens().first().unwrap().page(&Sample::demo(Language::En));
    page.brand = brand;
    page.public_url = "https://pay.example.com".into();
    page
}

fn reply(brand: Brand) -> PageReply {
    render(&PageView::Transaction(Box::new(page(brand))), "https://pay.example.com")
}

fn policy(reply: &PageReply) -> &str {
    let found = reply.headers.iter().find(|(name, _)| *name == "content-security-policy");
    found.map_or("", |(_, policy)| policy.as_str())
}

#[test]
fn the_backgrounds_of_the_palette_are_those_of_the_style_sheet() {
    let (light, dark) = assets::STYLE.split_once("prefers-color-scheme:dark").unwrap();
    for (style, backgrounds) in [(light, LIGHT), (dark, DARK)] {
        let behind = format!("--ground:{};", backgrounds.page);
        assert!(style.contains(&behind), "{behind}");
        let panel = backgrounds.panel.to_string();
        let short = format!("--panel:{};", if panel == "#ffffff" { "#fff" } else { &panel });
        assert!(style.contains(&short), "{short}");
    }
}

#[test]
fn every_part_of_a_brand_is_on_the_page() {
    let reply = reply(whole());
    for text in [
        r#"<img class="logo" src="/b/checkout/images/0123456789abcdef0123456789abcdef.png" alt="Demo Store">"#,
        r#"<link rel="icon" type="image/svg+xml" href="/b/checkout/images/ffffffffffffffffffffffffffffffff.svg">"#,
        r#"<meta property="og:title" content="Demo Store">"#,
        r#"<meta property="og:image" content="https://pay.example.com/b/checkout/images/0123456789abcdef0123456789abcdef.png">"#,
        r#"<meta name="robots" content="noindex, nofollow">"#,
        r##"<meta name="theme-color" media="(prefers-color-scheme:light)" content="#7a1fa2">"##,
        r#"href="mailto:help@shop.example.com""#,
        r#"href="tel:+96522223333""#,
        r#"href="https://wa.me/96550001122" target="_blank" rel="noopener noreferrer""#,
        r#"href="https://shop.example.com/terms?a=1&amp;b=2""#,
        r#"href="https://shop.example.com/refunds""#,
        "--fill:#7a1fa2;--on-accent:#ffffff;",
    ] {
        assert!(reply.body.contains(text), "{text}");
    }
}

#[test]
fn a_page_without_a_brand_has_the_name_and_no_style_of_its_own() {
    let reply = reply(Brand::default());
    assert!(reply.body.contains(r#"<p class="brand"><bdi>Demo Store</bdi></p>"#));
    assert_eq!(reply.body.matches("<style>").count(), 2, "the sheet, and the rules of the faces");
    assert!(!reply.body.contains("--fill:"));
    assert!(!reply.body.contains("class=\"contact\"") && !reply.body.contains("og:image"));
    assert_eq!(
        policy(&reply).matches("sha256-").count(),
        2 + 2 * usize::from(policy(&reply).contains("wasm"))
    );
}

#[test]
fn every_style_of_the_page_is_allowed_by_its_hash_alone() {
    let reply = reply(whole());
    let styles: Vec<_> =
        reply.body.split("<style>").skip(1).filter_map(|rest| rest.split("</style>").next()).collect();
    assert_eq!(styles.len(), 2);
    let hashes: Vec<_> = styles
        .iter()
        .map(|style| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(style.as_bytes()))))
        .collect();
    assert!(policy(&reply).contains(&format!("; style-src {}; ", hashes.join(" "))), "{}", policy(&reply));
}

#[test]
fn an_svg_is_no_image_of_a_link_preview() {
    let logo = ImageName::parse("0123456789abcdef0123456789abcdef.svg");
    assert!(!reply(Brand { logo, ..Brand::default() }).body.contains("og:image"));
}

#[test]
fn no_preview_of_a_link_says_how_much_is_paid() {
    let body = reply(whole()).body;
    let metas = body.split("<meta ").skip(1).filter_map(|rest| rest.split('>').next());
    for meta in metas.filter(|meta| meta.starts_with("property")) {
        assert!(!meta.contains("10.") && !meta.contains("KWD"), "{meta}");
    }
}

#[test]
fn after_a_decline_the_merchant_can_be_reached_as_before() {
    let page = Screen::named("failed_with_contacts").unwrap().page(&Sample::demo(Language::En));
    assert!(!page.guidance.contacts.is_empty());
    let declined = TransactionPage { status: PageStatus::Declined, ..page };
    let body = render_sample(&declined, None).body;
    assert!(body.contains("mailto:help@shop.example.com"));
}

#[test]
fn a_sample_of_every_screen_has_neither_script_nor_refresh() {
    for language in Language::ALL {
        for screen in screens() {
            let mut page = screen.page(&Sample::demo(language));
            page.brand = whole();
            let body = render_sample(&page, None).body;
            assert!(!body.contains("<script") && !body.contains("http-equiv"), "{}", screen.name);
            assert!(
                body.contains("class=\"logo\"") && body.contains("help@shop.example.com"),
                "{}",
                screen.name
            );
        }
    }
}
