//! The answers of an operation: those of its line of the table, and its refusals.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::examples::Examples;
use crate::line::{Answer, Line};
use crate::prose::Prose;
use crate::schema::{component, put};
use crate::words_of::prose_of;
use crate::{answers, links};
use checkout_core::access::flood::is_counted;
use checkout_core::rejection::{PROBLEMS, REMEDIES};
use checkout_core::route::{
    Action, Answered, EndpointAudience, EndpointBody, EndpointFacts, Media, Refusals,
};

/// The answers of a line, those that refuse with their codes.
pub(crate) fn all(line: &Line, prose: Option<&Prose>, examples: &Examples) -> Value {
    let facts = &line.facts;
    let mut found = Map::new();
    for (answered, written) in facts.answers.iter().zip(&line.answers) {
        let response = found.entry(answered.status.to_string()).or_insert_with(
            || json!({ "description": says(*answered), "headers": headers(facts, answered.status) }),
        );
        let content = content(facts, *answered, written, examples);
        if let (Some(content), Value::Object(response)) = (content, response) {
            response.insert("content".into(), content);
        }
    }
    add_problems(&mut found, facts, &codes(line, prose));
    if let Some(links) = links::of(facts.name)
        && let Some(Value::Object(response)) =
            found.iter_mut().find(|(status, _)| status.starts_with('2')).map(|(_, r)| r)
    {
        response.insert("links".into(), links);
    }
    found.into()
}

fn says(answered: Answered) -> &'static str {
    match (answered.status, answered.media) {
        (304, _) => "Nothing changed.",
        (_, Media::Json) => "Done.",
        (_, Media::Html) => "A page.",
        (_, Media::Redirect) => "The browser continues at `Location`.",
        (_, Media::Empty) => "Done; there is nothing to show.",
        (_, Media::Image) => "The picture.",
        (_, Media::File | Media::Text) => "The file.",
        (_, Media::Jose) => "The receipt.",
        (_, Media::KeySet) => "The keys.",
        (_, Media::Csv) => "The table.",
        (_, Media::Metrics) => "The metrics, in the text format of Prometheus.",
        (_, Media::OfGateway) => "As the gateway wants it.",
    }
}

fn headers(facts: &EndpointFacts, status: u16) -> Value {
    let header = |name: &str| json!({ "$ref": format!("#/components/headers/{name}") });
    let mut found = Map::from_iter([("X-Request-Id".into(), header("X-Request-Id"))]);
    let has_tag = matches!(
        facts.name,
        "create_transaction" | "retrieve_transaction" | "replace_transaction" | "patch_transaction"
    );
    if has_tag {
        found.insert("ETag".into(), header("ETag"));
    }
    if facts.name == "create_transaction" || matches!(status, 300..=303 | 305..=399) {
        found.insert("Location".into(), header("Location"));
    }
    let prose = prose_of(facts.name);
    if prose.is_some_and(|prose| prose.headers.contains(&"Idempotency-Key")) {
        found.insert("Idempotent-Replayed".into(), header("Idempotent-Replayed"));
    }
    found.into()
}

/// The headers of answers.
pub(crate) fn shared_headers() -> Value {
    let header = |text: &str| json!({ "description": text, "schema": { "type": "string" } });
    json!({
        "X-Request-Id": header("The id of the request: the one that was sent, or a new one."),
        "ETag": header("The version of the transaction, for `If-Match` and `If-None-Match`."),
        "Location": header("The address of what was created, or where the browser continues."),
        "Idempotent-Replayed": header("`true` if the same request was answered before."),
        "Retry-After": header("After how many seconds the request may succeed."),
        "Accept": header("The media types that the address accepts."),
        "WWW-Authenticate": header("The scheme by which a caller is known."),
    })
}

fn content(
    facts: &EndpointFacts,
    answered: Answered,
    written: &[Answer],
    examples: &Examples,
) -> Option<Value> {
    let plain = || json!({ "schema": { "type": "string" } });
    Some(match answered.media {
        Media::Redirect | Media::Empty => return None,
        Media::Json => {
            let schema = match written {
                [one] => one.schema.clone(),
                several => json!({ "anyOf": several.iter().map(|one| &one.schema).collect::<Vec<_>>() }),
            };
            let mut found = json!({ "schema": schema });
            put(&mut found, "example", examples.answer(facts.name, answered.status));
            json!({ "application/json": found })
        }
        Media::Html => json!({ "text/html": plain() }),
        Media::Image => json!({ "image/svg+xml": plain(), "image/png": plain(), "image/webp": plain() }),
        Media::File => json!({ "*/*": plain() }),
        Media::Jose => json!({ "application/jose": plain() }),
        Media::KeySet => json!({ "application/jwk-set+json": { "schema": answers::key_set() } }),
        Media::Csv => json!({ "text/csv": plain() }),
        Media::Text | Media::Metrics => json!({ "text/plain": plain() }),
        Media::OfGateway => json!({ "application/json": { "schema": {} }, "text/plain": plain() }),
    })
}

/// The codes with which an endpoint refuses: those that follow from its line, and its own.
fn codes(line: &Line, prose: Option<&Prose>) -> BTreeSet<&'static str> {
    let facts = &line.facts;
    let mut codes = BTreeSet::from(["unavailable"]);
    match facts.audience {
        EndpointAudience::Merchant => {
            codes.extend([
                "credentials_missing",
                "credentials_invalid",
                "permission_missing",
                "too_many_sign_ins",
                "too_many_requests",
            ]);
            if matches!(facts.action, Action::Cards | Action::PayInCash) {
                codes.insert("key_required");
            }
            if facts.action != Action::PayByWallet {
                codes.insert("private_key_required");
            }
        }
        EndpointAudience::Operator => {
            // A password is looked at before the audience of the credential is.
            codes.extend([
                "credentials_missing",
                "credentials_invalid",
                "too_many_sign_ins",
                "too_many_requests",
            ]);
            // What every role may do.
            if facts.action != Action::ReadInstallation {
                codes.insert("permission_missing");
            }
        }
        EndpointAudience::Payer | EndpointAudience::Page | EndpointAudience::Public if is_counted(facts) => {
            codes.insert("too_many_requests");
        }
        EndpointAudience::Payer
        | EndpointAudience::Page
        | EndpointAudience::Gateway
        | EndpointAudience::Public => {}
    }
    match facts.body {
        EndpointBody::Nothing => {}
        EndpointBody::Bytes(_) => {
            codes.insert("body_too_large");
        }
        EndpointBody::Typed(..) => {
            codes.extend(["body_too_large", "unsupported_media_type", "malformed_body", "invalid_fields"]);
        }
    }
    if line.methods.iter().any(|method| facts.refuses_unknown_parameters(method)) {
        codes.insert("invalid_fields");
    }
    if !line.parameters.is_empty() || facts.action == Action::UseSession {
        codes.insert("not_found");
    }
    codes.extend(prose.map_or(&[][..], |prose| prose.codes));
    if codes.contains("too_many_attempts") {
        codes.insert("too_many_declines");
    }
    codes
}

/// Every code with its status, what it means, and what to do.
pub(crate) fn problems(gaps: &mut Vec<String>) -> Value {
    let entries = PROBLEMS.iter().map(|one| {
        let remedy = REMEDIES.iter().find(|(code, _)| *code == one.code).map(|(_, remedy)| *remedy);
        if remedy.is_none() {
            gaps.push(format!("remedies.rs does not say what to do about {}", one.code));
        }
        let entry =
            json!({ "status": one.status, "title": one.title, "meaning": one.meaning, "remedy": remedy });
        (one.code.into(), entry)
    });
    entries.collect::<Map<_, _>>().into()
}

/// A problem answer for each status, with its codes.
fn add_problems(responses: &mut Map<String, Value>, facts: &EndpointFacts, codes: &BTreeSet<&'static str>) {
    let statuses: BTreeSet<u16> =
        PROBLEMS.iter().filter(|one| codes.contains(one.code)).map(|one| one.status).collect();
    for status in statuses {
        let mut own = PROBLEMS
            .iter()
            .filter(|one| one.status == status && codes.contains(one.code))
            .collect::<Vec<_>>();
        own.sort_by_key(|problem| problem.code);
        let texts = own.iter().map(|one| format!("[`{0}`](/b/problems/{0}/)", one.code));
        let named: Vec<&str> = own.iter().map(|one| one.code).collect();
        let schema = json!({
            "allOf": [component("Problem"), { "properties": { "code": { "enum": named } } }],
        });
        // The refusals of RFC 6749 are no problem bodies.
        let is_plain = facts.refusals == Refusals::OfTokens && matches!(status, 400 | 401 | 429);
        let mut content =
            if is_plain { json!({}) } else { json!({ "application/problem+json": { "schema": schema } }) };
        // Browsers open these.
        if facts.audience == EndpointAudience::Payer || facts.name == "problem" {
            put(&mut content, "text/html", Some(json!({ "schema": { "type": "string" } })));
        }
        if let Some(schema) = answers::refused(facts.name, status) {
            put(&mut content, "application/json", Some(json!({ "schema": schema })));
        }
        let mut headers = vec!["X-Request-Id"];
        match status {
            401 => headers.push("WWW-Authenticate"),
            415 => headers.push("Accept"),
            409 if named.iter().any(|code| code.ends_with("_in_progress")) => headers.push("Retry-After"),
            429 | 503 => headers.push("Retry-After"),
            _ => {}
        }
        let headers: Map<String, Value> = headers
            .into_iter()
            .map(|name| (name.to_string(), json!({ "$ref": format!("#/components/headers/{name}") })))
            .collect();
        let description = if is_plain {
            String::from("Refused, as RFC 6749 says.")
        } else {
            format!("Refused: {}.", texts.collect::<Vec<_>>().join(", "))
        };
        let response = json!({ "description": description, "headers": headers, "content": content });
        responses.insert(status.to_string(), response);
    }
}
