//! The headers of every screen: nothing but the style sheet and the script of the desk is loaded, only that script runs, nothing is
//! stored on the way, and forms go to the desk only.

use checkout_core::words::Language;
use maud::Markup;

use super::assets;
use crate::http::Reply;

const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// The policy, which allows the script by its hash.
fn policy() -> String {
    match assets::SCRIPT {
        Some((_, hash)) => format!("{POLICY}; script-src '{hash}'"),
        None => POLICY.into(),
    }
}

const PERMISSIONS: &str = "accelerometer=(), autoplay=(), camera=(), display-capture=(), fullscreen=(), geolocation=(), \
     gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()";

/// Sends a document.
pub(super) fn document(status: u16, language: Language, document: Markup) -> Reply {
    let fixed = [
        ("content-type", "text/html; charset=utf-8"),
        ("content-language", language.as_str()),
        ("cache-control", "no-store"),
        ("strict-transport-security", "max-age=63072000; includeSubDomains"),
        ("x-content-type-options", "nosniff"),
        // With none at all, browsers would not say from which origin a form comes.
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", PERMISSIONS),
        ("x-robots-tag", "noindex, nofollow"),
    ];
    let mut headers: Vec<_> = fixed.into_iter().map(|(name, value)| (name, value.to_owned())).collect();
    headers.push(("content-security-policy", policy()));
    Reply { status, headers, body: document.into_string().into_bytes(), rest: None }
}

/// The style sheet. Another text has another name, so that a browser may keep it.
pub(super) fn style_sheet() -> Reply {
    let headers = vec![
        ("content-type", "text/css; charset=utf-8".into()),
        ("cache-control", "public, max-age=31536000, immutable".into()),
        ("x-content-type-options", "nosniff".into()),
        ("cross-origin-resource-policy", "same-origin".into()),
    ];
    Reply { status: 200, headers, body: assets::STYLE.as_bytes().to_vec(), rest: None }
}
