//! What all pages of the sandbox share: the frame, one small sheet of styles, and the headers. No page has a script, but
//! those of the demo shop: the element for pages of merchants, or its own with the module of the package.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_core::words::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::SandboxReply;

/// Where the forms of a page may lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormTarget {
    /// To this installation only.
    Own,
    /// On to the merchant. The form of the bank's page ends, over redirects, at the merchant's own address,
    /// which the bank does not know, and browsers apply the policy to redirects of a form as well.
    Anywhere,
}

impl FormTarget {
    const fn sources(self) -> &'static str {
        match self {
            Self::Own => "'self'",
            Self::Anywhere => "'self' https: http://127.0.0.1:* http://localhost:*",
        }
    }
}

/// A page to be framed.
pub(crate) struct Document<'a> {
    /// The HTTP status.
    pub(crate) status: u16,
    /// The language of its texts.
    pub(crate) language: Language,
    /// Its title.
    pub(crate) title: &'a str,
    /// Where its forms may lead.
    pub(crate) forms: FormTarget,
    /// The script of the page.
    pub(crate) script: Option<PageScript<'a>>,
    /// What is above the main part.
    pub(crate) header: Markup,
    /// The main part.
    pub(crate) main: Markup,
}

/// A script for pages of merchants.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageScript<'a> {
    /// The origin of the installation.
    pub(crate) origin: &'a str,
    /// The path of the file, in the folder of such scripts.
    pub(crate) path: &'a str,
    /// Whether it compiles the WebAssembly of the package.
    pub(crate) has_module: bool,
}

/// The folder of scripts for pages of merchants.
const SCRIPTS: &str = "/sdk/";
const STYLE: &str = include_str!("sandbox.css");

impl Document<'_> {
    /// The page with its headers.
    pub(crate) fn reply(self) -> SandboxReply {
        let page = html! {
            (DOCTYPE)
            html lang=(self.language.as_str()) dir=(self.language.direction()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="robots" content="noindex";
                    title { (self.title) }
                    link rel="icon" type="image/svg+xml" href="/icons/till.svg";
                    style { (PreEscaped(STYLE)) }
                    @if let Some(PageScript { path, .. }) = self.script { script type="module" src=(path) {} }
                }
                body {
                    header { (self.header) }
                    main { (self.main) }
                }
            }
        };
        // A path cannot be a part of 'self'.
        let script = self.script.map_or_else(String::new, |PageScript { origin, has_module, .. }| {
            let module = if has_module { " 'wasm-unsafe-eval'" } else { "" };
            format!("script-src {origin}{SCRIPTS}{module}; connect-src 'self'; ")
        });
        let policy = format!(
            "default-src 'none'; {script}style-src 'sha256-{}'; img-src 'self'; form-action {}; base-uri 'none'; \
             frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
            STANDARD.encode(Sha256::digest(STYLE)),
            self.forms.sources()
        );
        let mut headers = headers("text/html; charset=utf-8");
        headers.push(("content-security-policy", policy));
        SandboxReply {
            status: self.status,
            headers,
            body: page.into_string().into_bytes(),
            callbacks: Vec::new(),
        }
    }
}

/// A page that shows another one of this installation in a frame.
pub(crate) fn framing(mut reply: SandboxReply) -> SandboxReply {
    for (name, value) in &mut reply.headers {
        if *name == "content-security-policy" {
            value.push_str("; frame-src 'self'");
        }
    }
    reply
}

/// A document from elsewhere, to be shown in a frame: it has its own styles and pictures of this installation, and no
/// script, form or origin.
pub(crate) fn sandboxed(document: String) -> SandboxReply {
    let mut headers = headers("text/html; charset=utf-8");
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";
    headers.push(("content-security-policy", policy.into()));
    SandboxReply { status: 200, headers, body: document.into_bytes(), callbacks: Vec::new() }
}

/// Sends the browser on with a `GET`.
pub(crate) fn see_other(location: String) -> SandboxReply {
    let mut headers = headers("text/plain; charset=utf-8");
    headers.push(("location", location));
    SandboxReply { status: 303, headers, body: Vec::new(), callbacks: Vec::new() }
}

/// A line of text.
pub(crate) fn plain(status: u16, text: &str) -> SandboxReply {
    let body = format!("{text}\n").into_bytes();
    SandboxReply { status, headers: headers("text/plain; charset=utf-8"), body, callbacks: Vec::new() }
}

/// A JSON document.
pub(super) fn json(body: Vec<u8>) -> SandboxReply {
    SandboxReply { status: 200, headers: headers("application/json"), body, callbacks: Vec::new() }
}

/// Refuses a method that an address does not accept.
pub(crate) fn method_not_allowed(allowed: &str) -> SandboxReply {
    let mut reply = plain(405, &format!("the method must be one of {allowed}"));
    reply.headers.push(("allow", allowed.into()));
    reply
}

fn headers(content_type: &str) -> Vec<(&'static str, String)> {
    [
        ("content-type", content_type),
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("strict-transport-security", "max-age=63072000; includeSubDomains"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=()"),
        ("x-robots-tag", "noindex"),
    ]
    .into_iter()
    .map(|(name, value)| (name, value.into()))
    .collect()
}
