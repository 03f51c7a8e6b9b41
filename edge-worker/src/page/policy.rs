//! The headers of every page. One policy: styles by their hash, scripts only from the folder of the built module and one in
//! the page by its hash, none
//! on a page that has none, no frame around the page, forms only to this installation, the offered gateways and the merchant, or to any encrypted page from the page that
//! sends the form of a bank. Wallets need no script either: both are
//! used through the browser's own objects, and only Google Pay needs addresses of other hosts, from which the
//! browser fetches the payment method's manifests.

use checkout_core::checkout::page::TransactionPage;
use checkout_core::route::Route;
use checkout_core::words::{Language, Wallet};

use super::assets;
use super::brand::Style;

/// What the browser may use on the page; every other feature is switched off.
const PERMISSIONS: &str = "payment=(self \"https://pay.google.com\"), accelerometer=(), autoplay=(), camera=(), \
     display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), hid=(), \
     idle-detection=(), magnetometer=(), microphone=(), midi=(), picture-in-picture=(), screen-wake-lock=(), \
     serial=(), usb=(), xr-spatial-tracking=()";

/// The origins from which the browser fetches the manifests of Google Pay, when a page offers it.
const GOOGLE_PAY: &str = " https://google.com https://www.google.com https://pay.google.com";

/// The folder of the built module, and of nothing else.
const SCRIPTS: &str = "/pkg/";

/// The other hosts that a page needs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Needs<'a> {
    /// The origins to which answering the pay form may lead.
    pub(super) form_targets: &'a [String],
    /// Where the pages of its gateways are, in addition.
    pub(super) page_hosts: &'a [&'static str],
    /// Whether it offers Google Pay.
    pub(super) google_pay: bool,
    /// Whether it has the pay form, which needs no sheet of outcomes.
    pub(super) can_pay: bool,
    /// Whether it has an amount to type, which needs a sheet.
    pub(super) has_amount: bool,
    /// The style that the brand of its merchant adds.
    pub(super) style: Option<&'a Style>,
    /// The origin of the installation, of a page that has a script.
    pub(super) script_from: Option<&'a str>,
}

impl<'a> Needs<'a> {
    /// The other hosts that the page of a transaction needs.
    pub(super) fn of(page: &'a TransactionPage, style: Option<&'a Style>) -> Self {
        let google_pay = page.wallets.iter().any(|button| button.wallet == Wallet::GooglePay);
        Self {
            form_targets: &page.form_targets,
            page_hosts: &page.page_hosts,
            google_pay,
            can_pay: page.status.can_pay(),
            has_amount: page.has_fields(),
            style,
            script_from: None,
        }
    }
}

/// The headers.
pub(super) fn headers(language: Language, needs: Needs<'_>) -> Vec<(&'static str, String)> {
    let fixed = [
        ("content-type", "text/html; charset=utf-8"),
        ("content-language", language.as_str()),
        // An address that names no language has a page in each.
        ("vary", "accept-language"),
        ("cache-control", "no-store"),
        ("strict-transport-security", "max-age=63072000; includeSubDomains"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin-allow-popups"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", PERMISSIONS),
        ("x-robots-tag", "noindex, nofollow"),
    ];
    let mut headers: Vec<_> = fixed.into_iter().map(|(name, value)| (name, value.to_owned())).collect();
    headers.push(("content-security-policy", content_security_policy(needs)));
    headers.push(("reporting-endpoints", format!("page=\"{}\"", Route::PolicyReport.path())));
    headers
}

fn content_security_policy(needs: Needs<'_>) -> String {
    // A path cannot be a part of 'self'. The first hash is for browsers that compare it with the attribute of the script, the
    // second permits the script in the head of pages with wallets.
    let script = match (assets::SCRIPT, needs.script_from) {
        (Some(script), Some(origin)) => {
            format!(
                "{origin}{SCRIPTS} 'wasm-unsafe-eval' '{}' '{}'",
                script.integrity, script.first_integrity
            )
        }
        (None, _) | (_, None) => "'none'".to_owned(),
    };
    let outcome = if needs.can_pay { String::new() } else { format!(" '{}'", assets::OUTCOME_HASH) };
    let amount = if needs.has_amount { format!(" '{}'", assets::AMOUNT_HASH) } else { String::new() };
    let own = needs.style.map(|style| format!(" '{}'", style.hash));
    let mut form = String::from("'self'");
    let targets = needs.form_targets.iter().map(String::as_str).filter(|origin| is_source(origin));
    for source in targets.chain(needs.page_hosts.iter().copied()) {
        form.push(' ');
        form.push_str(source);
    }
    [
        "default-src 'none'".to_owned(),
        format!("script-src {script}"),
        format!("style-src '{}'{outcome}{amount}{}", assets::STYLE_HASH, own.unwrap_or_default()),
        "img-src 'self'".to_owned(),
        format!("connect-src 'self'{}", if needs.google_pay { GOOGLE_PAY } else { "" }),
        format!("form-action {form}"),
        "base-uri 'none'".to_owned(),
        "object-src 'none'".to_owned(),
        "frame-ancestors 'none'".to_owned(),
        "require-trusted-types-for 'script'".to_owned(),
        "trusted-types 'none'".to_owned(),
        "report-to page".to_owned(),
    ]
    .join("; ")
}

/// Whether an origin can be in the policy without ending or extending a directive.
fn is_source(origin: &str) -> bool {
    let allowed =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':' | b'/' | b'[' | b']');
    (origin.starts_with("https://") || origin.starts_with("http://")) && origin.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_lists_the_targets_of_the_form_and_nothing_that_could_widen_it() {
        let targets = ["https://shop.example", "https://bank.example:8443", "https://x; script-src *", "*"];
        let targets = targets.map(String::from);
        let page_hosts = &["https://*.bank.example"];
        let policy =
            content_security_policy(Needs { form_targets: &targets, page_hosts, ..Needs::default() });
        assert!(
            policy.contains(
                "; form-action 'self' https://shop.example https://bank.example:8443 https://*.bank.example; "
            ),
            "{policy}"
        );
    }

    #[test]
    fn the_policy_never_allows_inline_code_or_eval() {
        let policy = content_security_policy(Needs { google_pay: true, ..Needs::default() });
        assert!(policy.starts_with("default-src 'none'; "));
        for word in ["unsafe-inline", "'unsafe-eval'", "unsafe-hashes", "*"] {
            assert!(!policy.contains(word), "{policy}");
        }
    }

    #[test]
    fn scripts_come_from_one_folder_and_a_page_without_one_permits_none() {
        let directive = |needs| {
            let policy = content_security_policy(needs);
            policy.split("; ").find(|line| line.starts_with("script-src")).map(str::to_owned).unwrap()
        };
        assert_eq!(directive(Needs::default()), "script-src 'none'");
        let with = Needs { script_from: Some("https://pay.example.com"), ..Needs::default() };
        if let Some(script) = assets::SCRIPT {
            let folder = "https://pay.example.com/pkg/";
            assert_eq!(
                directive(with),
                format!(
                    "script-src {folder} 'wasm-unsafe-eval' '{}' '{}'",
                    script.integrity, script.first_integrity
                )
            );
        }
        let policy = content_security_policy(with);
        assert!(policy.contains("; require-trusted-types-for 'script'; trusted-types 'none'; "), "{policy}");
        assert!(!policy.contains("data:") && policy.contains("; img-src 'self'; "), "{policy}");
    }

    #[test]
    fn only_a_page_with_google_pay_reaches_beyond_itself_and_never_for_a_script() {
        let plain = content_security_policy(Needs::default());
        assert!(plain.contains("; connect-src 'self'; ") && !plain.contains("google"), "{plain}");
        let policy = content_security_policy(Needs { google_pay: true, ..Needs::default() });
        assert!(policy.contains(
            "; connect-src 'self' https://google.com https://www.google.com https://pay.google.com; "
        ));
        let script = policy.split("; ").find(|line| line.starts_with("script-src")).unwrap();
        assert!(!script.contains("https:"), "{script}");
    }

    #[test]
    fn every_page_carries_the_whole_set_of_headers() {
        let names: Vec<_> =
            headers(Language::Ar, Needs::default()).into_iter().map(|(name, _)| name).collect();
        for name in [
            "content-security-policy",
            "vary",
            "strict-transport-security",
            "referrer-policy",
            "permissions-policy",
            "cache-control",
            "cross-origin-opener-policy",
            "cross-origin-resource-policy",
            "reporting-endpoints",
        ] {
            assert!(names.contains(&name), "{name}");
        }
    }
}
