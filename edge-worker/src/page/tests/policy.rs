use super::*;

#[test]
fn a_page_has_a_rule_for_each_of_its_faces() {
    let mut page = page(PageStatus::Payable, Language::En);
    let methods = (0..30).map(|place| method(&format!("m-{place}"), &format!("0.{place:03}"))).collect();
    page.methods = methods;
    let body = draw(page);
    for place in 0..24 {
        let rule = format!(".pay:has([data-face=\"{place}\"]:checked) .face[data-face~=\"{place}\"]");
        assert!(body.contains(&rule), "{rule}");
    }
    assert!(!body.contains("data-face=\"24\""), "the others have none, and show what depends on no method");
}

#[test]
fn the_style_of_the_page_is_the_one_that_its_policy_allows() {
    use base64::Engine as _;
    use sha2::Digest as _;

    let reply = render(&PageView::Transaction(Box::new(page(PageStatus::Payable, Language::En))), ORIGIN);
    let (_, rest) = reply.body.split_once("<style>").unwrap();
    let (style, _) = rest.split_once("</style>").unwrap();
    let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(style));
    let (_, policy) = reply.headers.iter().find(|(name, _)| *name == "content-security-policy").unwrap();
    assert!(policy.contains(&format!("style-src 'sha256-{hash}'")));
    assert!(policy.contains("form-action 'self' https://shop.example;"));
    assert!(!reply.body.contains(" style="));
}

#[test]
fn only_the_page_with_the_form_of_a_bank_lets_its_form_lead_to_any_encrypted_page() {
    let form = PageForm { url: "https://bank.example:8443/acs".into(), fields: BTreeMap::default() };
    let of = |reply: PageReply| {
        let policy = reply.headers.into_iter().find(|(name, _)| *name == "content-security-policy");
        policy.map(|(_, policy)| policy).unwrap_or_default()
    };
    let policy = of(render_forward(&form, Language::En, true));
    assert!(policy.contains("; form-action 'self' https://bank.example:8443 https:; "), "{policy}");
    let policy =
        of(render(&PageView::Transaction(Box::new(page(PageStatus::Payable, Language::En))), ORIGIN));
    assert!(policy.contains("form-action ") && !policy.contains("https:;"), "{policy}");
}
