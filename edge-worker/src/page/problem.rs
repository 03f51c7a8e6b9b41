//! The page of a problem code: what it means and what to do. It is for developers, and in English.

use checkout_core::rejection::Problem;
use maud::{Markup, html};

use super::symbol;

/// The screen of a code, or of an unknown code.
pub(super) fn draw(problem: Option<&Problem>) -> Markup {
    html! {
        main .outcome {
            section .card {
                div .mark.calm { @if problem.is_some() { (symbol::NOTICE) } @else { (symbol::QUESTION) } }
                @if let Some(problem) = problem {
                    h1 { (problem.title) }
                    p .lead { (words(problem.meaning)) }
                    dl .lines {
                        div .line { dt { "Code" } dd { code { (problem.code) } } }
                        div .line { dt { "HTTP status" } dd { (problem.status) } }
                        div .line {
                            dt { "What to do" }
                            dd { a href={ "/docs/#problem-" (problem.code) } { "Remedy and operations" } }
                        }
                    }
                } @else {
                    h1 { "Unknown problem code" }
                    p .lead { "No answer of this service carries this code." }
                }
            }
        }
    }
}

/// A sentence in which the text between backticks is code.
fn words(sentence: &str) -> Markup {
    html! {
        @for (index, part) in sentence.split('`').enumerate() {
            @if index.is_multiple_of(2) { (part) } @else { code { (part) } }
        }
    }
}
