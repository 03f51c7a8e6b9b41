//! The page of a problem code: what it means and what to do. It is for developers, and in English.

use checkout_core::rejection::{CAUSES, PROBLEMS, Problem, REMEDIES};
use checkout_core::value::json;
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
                    @if let Some((_, causes)) = CAUSES.iter().find(|(code, _)| *code == problem.code) {
                        div .lines {
                            h2 { "Likely causes" }
                            @for cause in *causes { p { (words(cause)) } }
                        }
                    }
                    @if let Some((_, remedy)) = REMEDIES.iter().find(|(code, _)| *code == problem.code) {
                        div .lines {
                            h2 { "What to do" }
                            p { (words(remedy)) }
                        }
                    }
                    dl .lines {
                        div .line { dt { "Code" } dd { code { (problem.code) } } }
                        div .line { dt { "HTTP status" } dd { (problem.status) } }
                        div .line {
                            dt { "Reference" }
                            dd { a .file href={ "/docs/#problem-" (problem.code) } { "Operations that answer it" } }
                        }
                    }
                    div .lines {
                        h2 { "Example" }
                        (example(problem))
                    }
                    p { a .language href="/b/problems/" { "All codes" } }
                } @else {
                    h1 { "Unknown problem code" }
                    p .lead { "No answer of this service carries this code." }
                    p { a .language href="/b/problems/" { "All codes" } }
                }
            }
        }
    }
}

/// A body with this problem: the members that every one of them has.
fn example(problem: &Problem) -> Markup {
    let text = |text: &str| json::write_texts(text);
    let members = [
        ("type", text(&format!("https://pay.example.com/b/problems/{}/", problem.code))),
        ("title", text(problem.title)),
        ("status", problem.status.to_string()),
        ("detail", text(&problem.meaning.replace('`', ""))),
        ("code", text(problem.code)),
        ("request_id", text("4bf92f3577b34da6")),
    ];
    let lines: Vec<String> =
        members.iter().map(|(name, value)| format!("  {}: {value}", text(name))).collect();
    html! { pre .example dir="ltr" { "{\n" (lines.join(",\n")) "\n}" } }
}

/// Every code with what it is called, by its status.
pub(super) fn index() -> Markup {
    let mut problems: Vec<&Problem> = PROBLEMS.iter().collect();
    problems.sort_by_key(|problem| (problem.status, problem.code));
    html! {
        main .outcome {
            section .card {
                div .mark.calm { (symbol::NOTICE) }
                h1 { "Problem codes" }
                p .lead { "Every code that an answer of this service can carry." }
                dl .lines {
                    @for problem in problems {
                        div .line.place {
                            dt { a .file href={ "/b/problems/" (problem.code) "/" } { code { (problem.code) } } }
                            dd { (problem.status) " · " (problem.title) }
                        }
                    }
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
