//! Flexible methods: the line under the name of one that says whether it is offered, and what the payer is asked for it.
//!
//! The line has its place from the first paint, and the script writes into it. Where no script runs nothing is written: the
//! gateway decides when the payer comes.

use checkout_core::checkout::page::{AskedField, PageMethod, TransactionPage};
use checkout_core::gateway::flexible::PayerField;
use checkout_core::strings::Strings;
use maud::{Markup, html};

/// The rules of a page with flexible methods; the element has them too.
const RULES: &str = include_str!("flexible.css");

/// The rules that a page adds to the style sheet: none without a flexible method.
pub(super) fn rules(page: &TransactionPage) -> String {
    let is_flexible = |method: &PageMethod| method.asks_first || !method.lacks.is_empty();
    if !page.methods.iter().any(is_flexible) {
        return String::new();
    }
    let mut rules = String::from(RULES);
    if !page.asked.is_empty() {
        rules.push_str("@supports selector(:has(a)){.lacks{display:none}");
        for field in PayerField::WORDS {
            rules.push_str("form:has([data-lacks~=");
            rules.push_str(field);
            rules.push_str("]:checked,[type=hidden][data-lacks~=");
            rules.push_str(field);
            rules.push_str("]) .lacks[data-asks=");
            rules.push_str(field);
            rules.push_str("]{display:block}");
        }
        rules.push('}');
    }
    rules
}

/// What a method lacks, as its radio button says it.
pub(super) fn lacks(method: &PageMethod) -> Option<String> {
    let words: Vec<&str> = method.lacks.iter().map(|field| field.as_str()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The line that says whether a method is offered.
pub(super) fn line(method: &PageMethod, strings: &Strings) -> Markup {
    let words = strings.flexible();
    html! {
        @if method.asks_first {
            small .offer aria-live="polite" data-offer=(method.code) data-checking=(words.checking) data-gone=(words.unavailable) {}
        }
    }
}

/// What the payer is asked.
pub(super) fn asked(page: &TransactionPage, strings: &Strings) -> Markup {
    html! {
        @for field in &page.asked { (entry(field, strings)) }
    }
}

fn entry(field: &AskedField, strings: &Strings) -> Markup {
    let words = strings.flexible();
    let (kind, mode, complete) = match field.name {
        "customer_phone" => ("tel", "tel", "tel"),
        "customer_email" => ("email", "email", "email"),
        "customer_first_name" => ("text", "text", "given-name"),
        _ => ("text", "text", "family-name"),
    };
    let direction = (field.field != PayerField::Name).then_some("ltr");
    let fault = field.fault.as_ref().map(|rule| words.fault(field.name, rule));
    html! {
        div .lacks data-asks=(field.field.as_str()) {
            label for=(field.name) { (words.label(field.name)) }
            span .entry dir=[direction] {
                input type=(kind) inputmode=(mode) id=(field.name) name=(field.name) value=(field.typed) maxlength="128"
                    autocomplete=(complete) dir=[direction] aria-describedby={ (field.name) "-fault" }
                    aria-invalid=[fault.map(|_| "true")] autofocus[fault.is_some()];
            }
            p .fault id={ (field.name) "-fault" } role="alert" { @if let Some(fault) = fault { (fault) } }
        }
    }
}
