//! Whether a form comes from a page of the desk.

/// Whether a browser says that a request comes from a page of the origin `desk`, by `Sec-Fetch-Site` or, of a browser that does
/// not send it, by `Origin`. `header` reads a header by its lower-case name.
#[must_use]
pub fn is_from_desk<'a>(header: impl Fn(&str) -> Option<&'a str>, desk: &str) -> bool {
    let is_own = |origin: &str| origin == desk;
    match (header("sec-fetch-site"), header("origin")) {
        (Some(site), origin) => site == "same-origin" && origin.is_none_or(is_own),
        (None, origin) => origin.is_some_and(is_own),
    }
}

#[cfg(test)]
mod tests {
    use super::is_from_desk;

    #[test]
    fn only_a_page_of_the_desk_is_believed() {
        const DESK: &str = "https://desk.example.com";
        let says = |site: Option<&'static str>, origin: Option<&'static str>| {
            is_from_desk(|name| if name == "origin" { origin } else { site }, DESK)
        };
        assert!(
            says(Some("same-origin"), Some(DESK))
                && says(Some("same-origin"), None)
                && says(None, Some(DESK))
        );
        for (site, origin) in [
            (None, None),
            (None, Some("null")),
            (None, Some("https://desk.example.com.evil.example")),
            (Some("same-site"), Some(DESK)),
            (Some("cross-site"), Some("https://evil.example")),
            (Some("none"), None),
            (Some("same-origin"), Some("https://evil.example")),
        ] {
            assert!(!says(site, origin), "{site:?} {origin:?}");
        }
    }
}
