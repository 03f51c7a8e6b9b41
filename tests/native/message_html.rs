//! Every message to payers as it reads: that mail programs can draw the e-mails, that nothing in them is a tag that a merchant
//! or payer wrote, and that an SMS has few parts. With `TILL_MESSAGES=<folder>` every message is written there, for pictures.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use checkout_core::answer::bought::{Bought, Items};
use checkout_core::message::facts::MessageFacts;
use checkout_core::message::render::{MAX_PARTS, MessageScene, letter};
use checkout_core::message::segments::size;
use checkout_core::messenger::letter::{Email, LetterContent};
use checkout_core::settings::MerchantSettings;
use checkout_core::transaction::items::Item;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;
use checkout_core::words::decline::DeclineReason;
use checkout_core::words::message::{Channel, MessageOccasion};
use checkout_tests::shop::Shop;
use serde_json::json;

const ORIGIN: &str = "https://pay.example.com";
const HOSTILE: &str = "</title><script>alert(1)</script>\" onload='x' & \u{202e}";

fn notified(occasion: MessageOccasion, language: Language) -> MessageFacts {
    let currency = Currency::parse("KWD").unwrap();
    MessageFacts {
        occasion,
        to: if language == Language::En { "sara@example.com".into() } else { "+96550000000".into() },
        language,
        amount: Money::parse("1234.500", currency).unwrap(),
        order_no: Some("A-2026/117".into()),
        reference: (occasion != MessageOccasion::Created).then(|| "TILL7Q2M4K9PX3RD".into()),
        link: format!(
            "{ORIGIN}/b/checkout/redirect/start/?session_id=0123456789012345678901234567890123456789"
        ),
        attachment: (occasion == MessageOccasion::Created)
            .then(|| format!("{ORIGIN}/media/payment_transactions/attachments/a.pdf")),
        reason: (occasion == MessageOccasion::Failed).then_some(DeclineReason::InsufficientFunds),
        until: matches!(occasion, MessageOccasion::Created | MessageOccasion::Failed)
            .then(|| Timestamp::parse("2026-12-01T20:00:00Z").unwrap()),
        is_test: occasion == MessageOccasion::Paid,
        branding: None,
    }
}

fn shop(name: &str) -> Shop {
    let name = name.to_owned();
    Shop::open_with(1, move |settings| {
        settings["name"] =
            json!({"en": name.clone(), "ar": if name.is_ascii() { "متجر النور".to_owned() } else { name }});
        settings["brand"] =
            json!({"accent": "#0f766e", "support": {"email": "help@shop.example", "phone": "+96522220000"}});
    })
}

fn email(settings: &MerchantSettings, notified: &MessageFacts) -> Email {
    let scene = MessageScene { settings, public_url: ORIGIN, bought: None, ahead: 180, template: "" };
    match letter("evt_1", notified, Channel::Email, scene).unwrap().content {
        LetterContent::Email(email) => email,
        other @ (LetterContent::Sms(_) | LetterContent::Whatsapp(_)) => panic!("{other:?}"),
    }
}

fn other(settings: &MerchantSettings, notified: &MessageFacts, channel: Channel) -> LetterContent {
    let notified = MessageFacts { to: "+96550000000".into(), ..notified.clone() };
    letter(
        "evt_1",
        &notified,
        channel,
        MessageScene { settings, public_url: ORIGIN, bought: None, ahead: 180, template: "till_paid" },
    )
    .unwrap()
    .content
}

fn all() -> impl Iterator<Item = (MessageOccasion, Language)> {
    MessageOccasion::ALL.into_iter().flat_map(|occasion| [(occasion, Language::En), (occasion, Language::Ar)])
}

/// The tags of a document, as written between `<` and `>`.
fn tags(html: &str) -> Vec<&str> {
    let (head, body) = html.split_once("<style>").unwrap();
    let rest = body.split_once("</style>").unwrap().1;
    [head, rest]
        .into_iter()
        .flat_map(|part| part.split('<').skip(1))
        .map(|tag| tag.split('>').next().unwrap())
        .collect()
}

fn assert_drawable(html: &str, language: Language) {
    const KNOWN: &[&str] = &[
        "!doctype", "html", "head", "meta", "title", "body", "div", "table", "tr", "td", "h1", "span", "a",
        "img", "br", "strong", "style",
    ];
    const WITHOUT_END: &[&str] = &["!doctype", "meta", "img", "br"];
    let direction = language.direction();
    assert!(
        html.starts_with(&format!(
            "<!doctype html><html lang=\"{}\" dir=\"{direction}\">",
            language.as_str()
        ))
    );
    // Gmail cuts off what is longer than 102 KB.
    assert!(html.len() < 20_000, "{} bytes", html.len());
    for refused in [
        "<script",
        "<link",
        "<form",
        "position:",
        "float:",
        "flex",
        "grid",
        "url(",
        "var(",
        "@import",
        "javascript:",
        "<svg",
    ] {
        assert!(!html.contains(refused), "{refused}");
    }
    assert!(html.contains("content=\"light dark\"") && html.contains("prefers-color-scheme:dark"));
    let mut open: Vec<&str> = Vec::new();
    for tag in tags(html) {
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        assert!(KNOWN.contains(&name), "{tag}");
        if tag.starts_with('/') {
            if name != "style" {
                assert_eq!(open.pop(), Some(name), "{tag}");
            }
        } else if !WITHOUT_END.contains(&name) && name != "style" {
            open.push(name);
        }
        match name {
            "table" if !tag.starts_with('/') => assert!(tag.contains("role=\"presentation\""), "{tag}"),
            "img" => assert!(tag.contains(" alt=\"") && tag.contains(" height=\""), "{tag}"),
            "a" if !tag.starts_with('/') => {
                let to = tag.split("href=\"").nth(1).unwrap();
                assert!(["https://", "mailto:", "tel:"].iter().any(|scheme| to.starts_with(scheme)), "{tag}");
                assert!(tag.contains("color:"), "{tag}");
            }
            _ => {}
        }
        for width in tag.split("width:").skip(1).chain(tag.split("width=\"").skip(1)) {
            let digits: String = width.chars().take_while(char::is_ascii_digit).collect();
            let is_share = width.get(digits.len()..).is_some_and(|unit| unit.starts_with('%'));
            assert!(digits.is_empty() || is_share || digits.parse::<u32>().unwrap() <= 600, "{tag}");
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn mail_programs_can_draw_every_e_mail() {
    let settings = shop("Nour Store").settings();
    for (occasion, language) in all() {
        let email = email(&settings, &notified(occasion, language));
        assert_drawable(&email.html, language);
        assert!(email.text.contains(ORIGIN) && !email.text.contains('<'), "{}", email.text);
        assert_eq!(email.reply_to.as_deref(), Some("help@shop.example"));
        let amount = if language == Language::En { "KWD 1,234.500" } else { "1,234.500 د.ك" };
        assert!(email.html.contains(amount) && email.text.contains(amount), "{}", email.text);
    }
}

#[test]
fn what_merchants_and_payers_write_is_text() {
    let settings = shop(&HOSTILE.chars().take(64).collect::<String>()).settings();
    for (occasion, language) in all() {
        let hostile = MessageFacts {
            order_no: Some(HOSTILE.into()),
            reference: Some(HOSTILE.into()),
            ..notified(occasion, language)
        };
        let email = email(&settings, &hostile);
        assert_drawable(&email.html, language);
        for text in [&email.html, &email.text, &email.subject, &email.from_name] {
            assert!(!text.contains('\u{202e}'), "{text}");
        }
        assert!(email.html.contains("&lt;script&gt;alert(1)"), "{}", email.html);
    }
}

#[test]
fn a_free_request_asks_for_a_card_and_names_no_amount() {
    let settings = shop("Nour Store").settings();
    let free = MessageFacts {
        amount: Money::zero(Currency::parse("KWD").unwrap()),
        ..notified(MessageOccasion::Created, Language::En)
    };
    let email = email(&settings, &free);
    assert!(email.subject.starts_with("Save your card · Nour Store"), "{}", email.subject);
    assert!(!email.html.contains("0.000"));
}

#[test]
fn an_email_about_buying_says_what_is_bought_and_by_whom_and_every_other_one_does_not() {
    let settings = shop("Nour Store").settings();
    let currency = Currency::parse("KWD").unwrap();
    let item = |number: usize| Item {
        name: format!("{HOSTILE} {number}"),
        quantity: Some(2),
        amount: Some(Money::parse("7.5", currency).unwrap()),
    };
    let bought = Bought {
        payer: Some("Noura <b>Ali".into()),
        description: Some("Gifts & more".into()),
        items: Some(Items { label: "Your <i>order".into(), list: (1..=14).map(item).collect() }),
    };
    let scene = MessageScene {
        settings: &settings,
        public_url: ORIGIN,
        bought: Some(&bought),
        ahead: 180,
        template: "",
    };
    for (occasion, language) in all() {
        let content = letter("evt_1", &notified(occasion, language), Channel::Email, scene)
            .map(|letter| letter.content);
        let Ok(LetterContent::Email(email)) = content else { panic!() };
        assert_drawable(&email.html, language);
        let price = if language == Language::En { "KWD 7.500" } else { "7.500 د.ك" };
        let is_about = matches!(
            occasion,
            MessageOccasion::Created | MessageOccasion::Paid | MessageOccasion::Authorized
        );
        for (html, text) in [
            ("Noura &lt;b&gt;Ali", "Noura <b>Ali"),
            ("Gifts &amp; more", "Gifts & more"),
            ("Your &lt;i&gt;order", "Your <i>order"),
            (price, price),
            ("× 2", "× 2"),
            ("(14)", "(14)"),
        ] {
            assert_eq!(email.html.contains(html), is_about, "{occasion:?} {html}");
            assert_eq!(email.text.contains(text), is_about, "{occasion:?} {text}");
        }
        assert_eq!(email.html.matches(price).count(), if is_about { 12 } else { 0 }, "a long list ends");
        assert!(!email.html.contains("<script>alert"), "{}", email.html);
    }
}

#[test]
fn the_time_to_pay_is_that_of_clocks_at_the_merchant() {
    let settings = shop("Nour Store").settings();
    for (language, text) in
        [(Language::En, "1 December 2026, 23:00 UTC+3"), (Language::Ar, "1 ديسمبر 2026، 23:00 بتوقيت UTC+3")]
    {
        let email = email(&settings, &notified(MessageOccasion::Created, language));
        assert!(email.html.contains(text) && email.text.contains(text), "{}", email.text);
    }
}

/// A message to a telephone, with the short address that every one of them has.
fn on_telephone(notified: MessageFacts) -> MessageFacts {
    MessageFacts { link: format!("{ORIGIN}/b/AbCdEfGh12"), ..notified }
}

#[test]
fn every_sms_has_at_most_two_parts_and_still_names_the_merchant() {
    let currency = Currency::parse("KWD").unwrap();
    let long =
        ["متجر النور للعطور والبخور والهدايا الفاخرة", "Nour Store — Perfumes & Gifts of the Gulf Region"];
    for name in [
        "Nour Store",
        "Nour Store of Perfumes and Gifts in Salmiya, Kuwait City",
        long[0],
        long[1],
        &"ن".repeat(64),
    ] {
        let settings = shop(name).settings();
        for (occasion, language) in all() {
            for amount in ["0.000", "10.500", "1234567.500"] {
                let amount = Money::parse(amount, currency).unwrap();
                let notified = on_telephone(MessageFacts { amount, ..notified(occasion, language) });
                let LetterContent::Sms(text) = other(&settings, &notified, Channel::Sms) else { panic!() };
                let size = size(&text);
                assert!(size.parts <= 2 && size.parts <= MAX_PARTS, "{size:?}: {text}");
                assert!(text.ends_with("/b/AbCdEfGh12"), "{text}");
                let first: String = settings.name.text(language).chars().take(10).collect();
                assert!(text.contains(first.trim_end()), "{text}");
                assert!(size.is_gsm || language == Language::Ar || !name.is_ascii(), "{text}");
            }
        }
    }
}

#[test]
fn an_amount_is_not_broken_unless_that_would_cost_another_alphabet() {
    let settings = shop("Nour Store").settings();
    for (occasion, language) in all() {
        let notified = notified(occasion, language);
        let whole = match language {
            Language::En => "KWD\u{a0}1,234.500",
            Language::Ar => "1,234.500\u{a0}د.ك",
        };
        let LetterContent::Whatsapp(template) = other(&settings, &notified, Channel::Whatsapp) else {
            panic!()
        };
        assert!(template.text.contains(whole), "{}", template.text);
        assert_eq!(template.parameters.get(1).map(String::as_str), Some(whole));
        let LetterContent::Sms(text) = other(&settings, &notified, Channel::Sms) else { panic!() };
        assert_eq!(text.contains(whole), language == Language::Ar, "{text}");
        assert_eq!(size(&text).is_gsm, language == Language::En, "{text}");
    }
}

#[test]
fn a_template_has_four_places_without_line_breaks() {
    let settings = shop("Nour Store").settings();
    for (occasion, language) in all() {
        let LetterContent::Whatsapp(template) =
            other(&settings, &notified(occasion, language), Channel::Whatsapp)
        else {
            panic!()
        };
        assert_eq!((template.parameters.len(), template.name.as_str()), (4, "till_paid"));
        assert!(template.parameters.iter().all(|text| !text.is_empty() && !text.contains(char::is_control)));
    }
}

#[test]
fn every_message_is_written_for_pictures_if_that_is_asked_for() {
    let Some(folder) = std::env::var_os("TILL_MESSAGES") else { return };
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).unwrap();
    let settings = shop("Nour Store").settings();
    for (occasion, language) in all() {
        let notified = notified(occasion, language);
        let name = format!("{}-{}", occasion.as_str(), language.as_str());
        let email = email(&settings, &notified);
        fs::write(folder.join(format!("{name}.html")), &email.html).unwrap();
        fs::write(folder.join(format!("{name}.txt")), format!("{}\n\n{}", email.subject, email.text))
            .unwrap();
        let LetterContent::Sms(sms) = other(&settings, &notified, Channel::Sms) else { panic!() };
        fs::write(folder.join(format!("{name}.sms")), sms).unwrap();
        let LetterContent::Whatsapp(template) = other(&settings, &notified, Channel::Whatsapp) else {
            panic!()
        };
        fs::write(folder.join(format!("{name}.whatsapp")), template.text).unwrap();
    }
}
