//! From the lines of the table of endpoints to the operations of the description.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::context::Context;
use crate::examples::Examples;
use crate::headers::HEADERS;
use crate::line::{Answer, Line, Request};
use crate::nulls;
use crate::placeholder::Parameter;
use crate::prose::Prose;
use crate::requests;
use crate::responses;
use crate::schema::{component, matching, text, words};
use crate::table::lines;
use crate::words_of::{all_prose, prose_of};
use checkout_core::rejection::PROBLEMS;
use checkout_core::route::{Action, EndpointAudience, EndpointBody, EndpointFacts};
use checkout_core::words::media_type::BodyType;

/// The paths of the description, and what is missing.
pub(crate) struct Operations {
    pub(crate) paths: Map<String, Value>,
    /// The bodies of requests, by name.
    pub(crate) bodies: Map<String, Value>,
    /// The endpoints, as the table has them.
    pub(crate) endpoints: Vec<Value>,
    pub(crate) gaps: Vec<String>,
}

/// Every operation.
pub(crate) fn all(context: &Context<'_>, examples: &Examples) -> Operations {
    let mut found =
        Operations { paths: Map::new(), bodies: Map::new(), endpoints: Vec::new(), gaps: Vec::new() };
    let mut ids = BTreeSet::new();
    for (order, line) in lines().into_iter().enumerate() {
        let mut named = Vec::new();
        for (place, pattern) in line.paths.iter().enumerate() {
            let path = path_of(pattern, &line.parameters);
            for method in line.methods {
                let id = id_of(&mut ids, &line, method, place);
                let mut operation = operation(&line, context, examples, &mut found);
                let Value::Object(members) = &mut operation else { continue };
                named.push(json!({ "id": id, "method": method, "path": path }));
                members.insert("operationId".into(), id.into());
                members.insert("x-order".into(), order.into());
                if place > 0 {
                    members.insert("deprecated".into(), true.into());
                }
                let item = found.paths.entry(path.clone()).or_insert_with(|| json!({}));
                let Value::Object(item) = item else { continue };
                item.insert(method.to_lowercase(), operation);
            }
        }
        found.endpoints.push(endpoint(&line, &named));
    }
    let known: BTreeSet<&str> = lines().iter().map(|line| line.facts.name).collect();
    let unknown = all_prose().filter(|prose| !known.contains(prose.name));
    found.gaps.extend(unknown.map(|prose| format!("there is no endpoint {}", prose.name)));
    found
}

/// A line of the table, for tests that visit every endpoint. `operations` are its operations in the description.
fn endpoint(line: &Line, operations: &[Value]) -> Value {
    let facts = &line.facts;
    let (body, cap) = match facts.body {
        EndpointBody::Nothing => ("nothing".into(), None),
        EndpointBody::Bytes(max) => ("bytes".into(), Some(max)),
        EndpointBody::Typed(kind, max) => (format!("{kind:?}").to_lowercase(), Some(max)),
    };
    let types = |written: &[Answer]| written.iter().map(|one| own_name(one.name)).collect::<Vec<_>>();
    let answers = facts.answers.iter().zip(&line.answers).map(|(answered, written)| {
        json!({ "status": answered.status, "media": format!("{:?}", answered.media), "types": types(written) })
    });
    let routes =
        line.methods.iter().flat_map(|method| line.paths.iter().map(move |path| format!("{method} {path}")));
    json!({
        "name": facts.name,
        "audience": format!("{:?}", facts.audience),
        "action": format!("{:?}", facts.action),
        "needs": format!("{:?}", facts.action.needs()),
        "body": body,
        "cap": cap,
        "request": line.request.map(|request| own_name(request.name)),
        "origins": format!("{:?}", facts.origins),
        "waits": format!("{:?}", facts.waits),
        "refusals": format!("{:?}", facts.refusals),
        "query": facts.query.names(),
        "answers": answers.collect::<Vec<_>>(),
        "routes": routes.collect::<Vec<_>>(),
        "operations": operations,
    })
}

/// The name of a type without those of the crates.
fn own_name(name: &str) -> String {
    ["checkout_core::", "alloc::", "<'_>"]
        .iter()
        .fold(name.into(), |name: String, part| name.replace(part, ""))
}

/// The pattern with the names of its parameters.
fn path_of(pattern: &str, parameters: &[Parameter]) -> String {
    let mut path = String::new();
    let mut names = parameters.iter();
    for (place, part) in pattern.split("{}").enumerate() {
        if place > 0 {
            path.push('{');
            path.push_str(names.next().map_or("", |parameter| parameter.name));
            path.push('}');
        }
        path.push_str(part);
    }
    path
}

/// The name of the endpoint; an older path, another method and another address of the same name get another one.
fn id_of(ids: &mut BTreeSet<String>, line: &Line, method: &str, place: usize) -> String {
    let name = line.facts.name;
    let mut wanted = if place > 0 { format!("older_{name}") } else { name.to_string() };
    if line.methods.len() > 1 {
        wanted = format!("{wanted}_{}", method.to_lowercase());
    }
    if !ids.insert(wanted.clone()) {
        wanted.push_str("_bare");
        ids.insert(wanted.clone());
    }
    wanted
}

/// The tag of an audience, and what it is.
pub(crate) const AUDIENCES: &[(EndpointAudience, &str, &str)] = &[
    (EndpointAudience::Merchant, "Merchant", "Calls of a merchant's server, by its key or its users."),
    (
        EndpointAudience::Page,
        "Page",
        "Calls of a checkout SDK and of the hosted page. The session id is the only authorisation.",
    ),
    (
        EndpointAudience::Payer,
        "Payer",
        "Addresses that the payer's browser opens. What goes wrong is shown as a page.",
    ),
    (EndpointAudience::Public, "Public", "For anyone."),
    (EndpointAudience::Gateway, "Gateway", "Callbacks of gateways, in each gateway's own form."),
    (EndpointAudience::Operator, "Operator", "The operator of the installation."),
];

fn operation(line: &Line, context: &Context<'_>, examples: &Examples, all: &mut Operations) -> Value {
    let facts = &line.facts;
    let prose = prose_of(facts.name);
    if prose.is_none() {
        all.gaps.push(format!("prose.rs does not describe the endpoint {}", facts.name));
    }
    let tag =
        AUDIENCES.iter().find(|(audience, ..)| *audience == facts.audience).map_or("", |(_, tag, _)| *tag);
    let mut found = json!({
        "tags": [tag],
        "summary": line.about.trim_end_matches('.'),
        "description": prose.map_or("", |prose| prose.about),
        "security": security(facts),
        "responses": responses::all(line, prose, examples),
    });
    let names: BTreeSet<&str> = requests::query(facts.name).into_iter().map(|(name, ..)| name).collect();
    if names != facts.query.names().iter().copied().collect() {
        all.gaps
            .push(format!("the parameters that are described of {} are not those of the table", facts.name));
    }
    let parameters = parameters(line, prose);
    let Value::Object(members) = &mut found else { return found };
    if !parameters.is_empty() {
        members.insert("parameters".into(), parameters.into());
    }
    if let Some(body) = request_body(line, context, examples, all) {
        members.insert("requestBody".into(), body);
    }
    found
}

fn security(facts: &EndpointFacts) -> Value {
    match facts.audience {
        // The list of saved cards and cash are for keys only.
        EndpointAudience::Merchant if matches!(facts.action, Action::Cards | Action::PayInCash) => {
            json!([{ "ApiKey": [] }, { "AccessToken": [] }])
        }
        EndpointAudience::Merchant => json!([{ "ApiKey": [] }, { "Basic": [] }, { "AccessToken": [] }]),
        EndpointAudience::Operator => json!([{ "OperatorToken": [] }]),
        EndpointAudience::Payer
        | EndpointAudience::Page
        | EndpointAudience::Gateway
        | EndpointAudience::Public => json!([]),
    }
}

fn parameters(line: &Line, prose: Option<&Prose>) -> Vec<Value> {
    let problems: Vec<&str> = PROBLEMS.iter().map(|problem| problem.code).collect();
    let in_path = line.parameters.iter().map(|parameter| {
        let schema = match parameter.pattern {
            _ if line.facts.name == "problem" => words(&problems),
            Some(pattern) => matching(pattern),
            None => json!({ "type": "string", "minLength": 1, "pattern": "^[^/]+$" }),
        };
        json!({ "name": parameter.name, "in": "path", "required": true, "description": parameter.about, "schema": schema })
    });
    let query = requests::query(line.facts.name).into_iter().map(|(name, required, schema)| {
        let mut schema = schema;
        let description = schema.as_object_mut().and_then(|members| members.remove("description"));
        let mut found = json!({ "name": name, "in": "query", "required": required, "description": description, "schema": schema });
        if name == "state" {
            crate::schema::put(&mut found, "explode", Some(false.into()));
        }
        found
    });
    let headers = prose
        .map_or(&[][..], |prose| prose.headers)
        .iter()
        .map(|name| json!({ "$ref": format!("#/components/parameters/{name}") }));
    in_path.chain(query).chain(headers).collect()
}

/// The parameters that several operations share.
pub(crate) fn shared_parameters() -> Value {
    let key = json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" });
    HEADERS
        .iter()
        .map(|(name, text)| {
            let schema = if name.ends_with("-Key") { key.clone() } else { crate::schema::text() };
            let parameter = json!({ "name": name, "in": "header", "description": text, "schema": schema });
            ((*name).into(), parameter)
        })
        .collect::<Map<_, _>>()
        .into()
}

fn request_body(
    line: &Line,
    context: &Context<'_>,
    examples: &Examples,
    all: &mut Operations,
) -> Option<Value> {
    let facts = &line.facts;
    let (kind, max) = match facts.body {
        EndpointBody::Nothing => return None,
        EndpointBody::Bytes(max) => {
            let bytes = json!({ "*/*": { "schema": text() } });
            return Some(json!({ "description": format!("At most {max} bytes."), "content": bytes }));
        }
        EndpointBody::Typed(kind, max) => (kind, max),
    };
    let Some(request) = line.request else {
        all.gaps.push(format!("the table names no type that reads the body of {}", facts.name));
        return None;
    };
    let mut schema = (request.schema)(line, context);
    let bodies = bodies(line, &request, examples);
    nulls::add(&mut schema, &bodies, &|body| (request.read)(line, context, body));
    find_gaps(&schema, facts.name, &mut all.gaps);
    let name = component_of(facts.name);
    all.bodies.insert(name.clone(), schema);
    let media = kind.media_types().iter().map(|one| {
        let mut found = json!({ "schema": component(&name) });
        let example = examples.request(facts.name).filter(|_| BodyType::Json.media_types().contains(one));
        crate::schema::put(&mut found, "example", example);
        ((*one).into(), found)
    });
    let media: Map<String, Value> = media.collect();
    Some(json!({ "description": format!("At most {max} bytes."), "required": true, "content": media }))
}

/// Bodies with the members that a request may have: those that have every one, and one that was sent.
pub(crate) fn bodies(line: &Line, request: &Request, examples: &Examples) -> Vec<Value> {
    let every = request.every.iter().filter_map(|text| serde_json::from_str(text).ok());
    every.chain(examples.request(line.facts.name)).collect()
}

/// Finds members that have no description, and members of which no reader said what they are: the body that it reads
/// has no value for them.
fn find_gaps(schema: &Value, path: &str, gaps: &mut Vec<String>) {
    for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let path = format!("{path}.{name}");
        if member.get("type").is_none() {
            gaps.push(format!("the body that is read in requests.rs has no value for {path}"));
        }
        if member.get("description").is_none() {
            gaps.push(format!("{path} has no description"));
        }
        find_gaps(member, &path, gaps);
    }
}

/// The name of the component that is the body of an endpoint.
fn component_of(endpoint: &str) -> String {
    let words = endpoint.split('_').filter_map(|word| {
        let first = word.chars().next()?.to_ascii_uppercase();
        Some(format!("{first}{}", word.get(1..).unwrap_or_default()))
    });
    format!("{}Body", words.collect::<String>())
}
