//! A page of a merchant's payment transactions.

use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::Serialize;

use super::view::View;

/// Some of the transactions, the newest first.
#[derive(Serialize, JsonSchema)]
pub struct ListingPage<'a> {
    /// The newest first.
    pub results: Vec<View<'a>>,
    /// The `cursor` of the page that follows.
    pub next: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_results_before_its_cursor() {
        let print = |next: Option<&str>| {
            let page = ListingPage { results: Vec::new(), next: next.map(String::from) };
            serde_json::to_string(&page).unwrap()
        };
        assert_eq!(print(None), r#"{"results":[],"next":null}"#);
        assert_eq!(print(Some("a-_")), r#"{"results":[],"next":"a-_"}"#);
    }
}
