//! The face of the merchant on the page: a style of its own next to that of every page, the top of the page with the
//! logo, and at its end how the merchant is reached.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_core::checkout::page::TransactionPage;
use checkout_core::settings::brand::palette::{DARK, LIGHT, Palette};
use checkout_core::settings::brand::{Brand, Corners, Font};
use checkout_core::strings::Strings;
use checkout_core::value::colour::Colour;
use checkout_core::words::Language;
use maud::{Markup, html};
use sha2::{Digest as _, Sha256};

/// The rules that a brand adds to the style sheet, with their hash as a source of the policy.
#[derive(Debug)]
pub(super) struct Style {
    /// The rules.
    pub(super) text: String,
    /// The source.
    pub(super) hash: String,
}

impl Style {
    /// The rules of a brand after those of the page, `text`; `None` if it looks as every page does. They have no text of a
    /// merchant: colours are written from their numbers, everything else is a word of a list.
    pub(super) fn of(brand: &Brand, mut text: String) -> Option<Self> {
        if let Some(accent) = brand.accent {
            text.push_str(&colours(Palette::of(accent, LIGHT)));
            text.push_str("@media (prefers-color-scheme:dark){");
            text.push_str(&colours(Palette::of(accent, DARK)));
            text.push('}');
        }
        text.push_str(match brand.corners {
            Corners::Square => ".summary,.choose,.card,.method,.entry,.notice,.wallet,.button,.button:focus-visible,.logo{border-radius:0}",
            Corners::Soft => "",
            Corners::Round => ".summary,.choose,.card{border-radius:24px}.method,.entry,.notice{border-radius:20px}.wallet,.button,.button:focus-visible{border-radius:99px}.logo{border-radius:16px}",
        });
        text.push_str(match brand.font {
            Font::System => "",
            Font::Humanist => {
                "body{font-family:Seravek,\"Gill Sans Nova\",Ubuntu,Calibri,\"DejaVu Sans\",\"Noto Sans Arabic\",\"Geeza Pro\",sans-serif}"
            }
            Font::Serif => {
                "body{font-family:\"Iowan Old Style\",\"Palatino Linotype\",Georgia,\"Noto Serif\",\"Noto Naskh Arabic\",\"Times New Roman\",serif}"
            }
            Font::Rounded => {
                "body{font-family:ui-rounded,\"SF Pro Rounded\",\"Arial Rounded MT Bold\",Nunito,Quicksand,\"Noto Sans Arabic\",\"Geeza Pro\",sans-serif}"
            }
        });
        if text.is_empty() {
            return None;
        }
        let hash = format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())));
        Some(Self { text, hash })
    }
}

fn colours(palette: Palette) -> String {
    let Palette { fill, on_fill, strong, accent, tint } = palette;
    format!(
        ":root{{--fill:{fill};--on-accent:{on_fill};--accent-strong:{strong};--accent:{accent};--tint:{tint}}}"
    )
}

/// What the head of the document says of the merchant: for the browser's window, and for previews of links to it.
pub(super) fn head(page: &TransactionPage) -> Markup {
    let brand = &page.brand;
    let theme = |backgrounds| {
        brand.accent.map_or(behind(backgrounds), |accent| Palette::of(accent, backgrounds).fill)
    };
    let locale = match page.language {
        Language::En => "en_US",
        Language::Ar => "ar_AR",
    };
    html! {
        meta name="theme-color" media="(prefers-color-scheme:light)" content=(theme(LIGHT));
        meta name="theme-color" media="(prefers-color-scheme:dark)" content=(theme(DARK));
        meta property="og:type" content="website";
        meta property="og:title" content=(page.merchant);
        meta property="og:description" content=(Strings::of(page.language).brand.preview);
        meta property="og:locale" content=(locale);
        @if let Some(logo) = brand.logo.as_ref().filter(|logo| logo.kind().is_shown_elsewhere()) {
            meta property="og:image" content={ (page.public_url) (logo.path()) };
        }
    }
}

const fn behind(backgrounds: checkout_core::settings::brand::palette::Backgrounds) -> Colour {
    backgrounds.page
}

/// The symbol of the browser's tab.
pub(super) fn favicon(brand: Option<&Brand>) -> Markup {
    html! {
        @if let Some(favicon) = brand.and_then(|brand| brand.favicon.as_ref()) {
            link rel="icon" type=(favicon.kind().media_type()) href=(favicon.path());
        } @else {
            link rel="icon" type="image/svg+xml" href="/icons/till.svg";
        }
    }
}

/// The top of the page: whose it is.
pub(super) fn header(page: &TransactionPage) -> Markup {
    html! {
        p .brand {
            @if let Some(logo) = &page.brand.logo {
                img .logo src=(logo.path()) alt=(page.merchant);
            } @else {
                bdi { (page.merchant) }
            }
        }
    }
}

/// The end of the page: how the merchant is reached, unless the screen says it already, and its rules.
pub(super) fn footer(page: &TransactionPage) -> Markup {
    let words = &Strings::of(page.language).brand;
    let (support, links) = (&page.brand.support, &page.brand.links);
    let ways = [&support.email, &support.phone, &support.whatsapp];
    let elsewhere = |address: &str, text: &str| {
        html! { a href=(address) target="_blank" rel="noopener noreferrer" { (text) } }
    };
    // A page that can be paid has them nowhere else.
    let is_said = !page.status.can_pay() && !page.guidance.contacts.is_empty();
    html! {
        @if !is_said && ways.iter().any(|way| way.is_some()) {
            p .contact {
                span { (words.help) }
                @if let Some(email) = &support.email { a href={ "mailto:" (email) } { bdi dir="ltr" { (email) } } }
                @if let Some(phone) = &support.phone { a href={ "tel:" (phone) } { bdi dir="ltr" { (phone) } } }
                @if let Some(number) = &support.whatsapp {
                    (elsewhere(&format!("https://wa.me/{}", number.trim_start_matches('+')), words.whatsapp))
                }
            }
        }
        @if links.terms.is_some() || links.refunds.is_some() {
            p .contact {
                @if let Some(terms) = &links.terms { (elsewhere(terms.as_str(), words.terms)) }
                @if let Some(refunds) = &links.refunds { (elsewhere(refunds.as_str(), words.refunds)) }
            }
        }
    }
}

#[cfg(test)]
mod tests;
