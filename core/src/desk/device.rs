//! From what device someone signs in, in words that a person recognises.

use alloc::format;
use alloc::string::String;

/// Parts of the header `User-Agent` and what they are called; a browser that contains the word of another comes first.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari/", "Safari"),
];
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "Chrome OS"),
    ("Linux", "Linux"),
];

/// The browser and the system of a header `User-Agent`: `Firefox, Windows`. Nothing of the header itself is in it, because
/// anyone can write anything there.
#[must_use]
pub fn device(user_agent: Option<&str>) -> String {
    let agent = user_agent.unwrap_or_default();
    let named = |list: &[(&str, &'static str)]| {
        list.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| *name)
    };
    match (named(&BROWSERS), named(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser}, {system}"),
        (Some(one), None) | (None, Some(one)) => one.into(),
        (None, None) => String::from("?"),
    }
}

#[cfg(test)]
mod tests {
    use super::device;

    #[test]
    fn browsers_and_systems_are_recognised_and_nothing_is_repeated() {
        for (agent, name) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
                "Chrome, Windows",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                "Edge, Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari, iPhone",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
            ("<script>alert(1)</script>", "?"),
        ] {
            assert_eq!(device(Some(agent)), name);
        }
        assert_eq!(device(None), "?");
    }
}
