//! Whether a person's browser goes to an address, and shows what it gets, or a program asks.
//!
//! Browsers since 2019 say so (`Sec-Fetch-Mode`). Older ones and those inside of apps do not: they are known by what they
//! accept, together with the name that all browsers have, or with the languages of a person. One of these alone is not enough:
//! the usual client of Java accepts pages too, and a server that names a browser does not ask for them.

/// Whether the headers of a request, by names in lower case, are those of a browser that goes to the address.
#[must_use]
pub fn navigates<'h>(header: impl Fn(&str) -> Option<&'h str>) -> bool {
    if let Some(mode) = header("sec-fetch-mode") {
        return mode == "navigate";
    }
    // Apps name themselves in this header; scripts of pages write this word.
    if header("x-requested-with") == Some("XMLHttpRequest") {
        return false;
    }
    let accept = header("accept").unwrap_or_default();
    let takes_pages = accept.contains("text/html") || accept.contains("application/xhtml+xml");
    let has_name = header("user-agent").is_some_and(is_name_of_browser);
    let has_person = header("accept-language").is_some() || header("upgrade-insecure-requests").is_some();
    match (takes_pages, has_name, has_person) {
        (true, true, _) | (true, _, true) => true,
        // Browsers of long ago accept everything.
        (false, true, true) => !accept.contains("json"),
        _ => false,
    }
}

/// Browsers name themselves `Mozilla/5.0 (system) …`, the older ones of Opera `Opera/9.80 (system) …`.
fn is_name_of_browser(agent: &str) -> bool {
    let is_known = agent.starts_with("Mozilla/") || agent.starts_with("Opera/");
    is_known && agent.contains('(')
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHROME: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3770.142 Safari/537.36";
    const WEBVIEW: &str = "Mozilla/5.0 (Linux; Android 8.1.0; SM-J710F Build/M1AJQ; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/68.0.3440.91 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/400.0;]";
    const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";
    const EXPLORER: &str = "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)";
    const OPERA: &str =
        "Opera/9.80 (J2ME/MIDP; Opera Mini/7.1.32052/29.3709; U; en) Presto/2.8.119 Version/11.10";
    const PAGES: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const JAVA: &str = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2";

    fn is_browser(headers: &[(&str, &str)]) -> bool {
        navigates(|name| headers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value))
    }

    #[test]
    fn browsers_are_known_with_and_without_their_own_header() {
        for headers in [
            &[("sec-fetch-mode", "navigate")][..],
            &[("user-agent", CHROME), ("accept", PAGES), ("accept-language", "ar-KW")],
            &[("user-agent", CHROME), ("accept", PAGES)],
            &[("user-agent", WEBVIEW), ("accept", PAGES), ("x-requested-with", "com.facebook.katana")],
            &[("user-agent", IPHONE), ("accept", PAGES), ("accept-language", "ar")],
            &[
                ("user-agent", EXPLORER),
                ("accept", "image/gif, image/jpeg, */*"),
                ("accept-language", "en-us"),
            ],
            &[("user-agent", OPERA), ("accept", PAGES)],
            &[("user-agent", "SomeApp/1.0 CFNetwork"), ("accept", PAGES), ("accept-language", "en")],
        ] {
            assert!(is_browser(headers), "{headers:?}");
        }
    }

    #[test]
    fn programs_are_not_browsers() {
        for headers in [
            &[][..],
            &[("accept", "*/*")],
            &[("user-agent", "Java/1.8.0_292"), ("accept", JAVA)],
            &[("user-agent", "Mozilla/5.0"), ("accept", JAVA)],
            &[("user-agent", "Apache-HttpClient/4.5.13 (Java/1.8.0_292)")],
            &[("user-agent", "curl/8.5.0"), ("accept", "text/html")],
            &[("user-agent", CHROME), ("accept", "*/*")],
            &[("user-agent", CHROME)],
            &[("user-agent", CHROME), ("accept", PAGES), ("x-requested-with", "XMLHttpRequest")],
            &[("user-agent", CHROME), ("accept", "application/json"), ("accept-language", "en")],
            &[("user-agent", CHROME), ("accept", PAGES), ("sec-fetch-mode", "cors")],
            &[("user-agent", "node"), ("accept", "*/*"), ("accept-language", "*")],
        ] {
            assert!(!is_browser(headers), "{headers:?}");
        }
    }
}
