//! The API as one OpenAPI 3.1 document, printed from what the Worker runs by.
//!
//! | part | from |
//! |---|---|
//! | paths, methods, limits, media types, statuses | the table of endpoints (`route::table`) |
//! | bodies of requests | the readers themselves: each reads a body that has every member, and what it asks of them is noted (`wire::noted`) |
//! | fields of the transaction | the table `transaction::fields` |
//! | bodies of answers | the types that are written; what is written member by member is listed, and held by recorded answers |
//! | codes of problems | the table `rejection::problems` |
//! | examples | calls that were recorded from a running Worker, webhooks that were recorded from whole payments |
//!
//! Tests write and hold `www/openapi.json` by it; no Worker contains it.
//!
//! # Floors
//!
//! From the top down, as in the core.
//!
//! | module | what it is |
//! |---|---|
//! | `operations` | the operations of each line of the table |
//! | `responses` | the answers of an operation, and its refusals |
//! | `table` | the lines, with the types that they name |
//! | `requests` | the bodies of requests |
//! | `forms` | those that are forms |
//! | `words_of` | what is said of an endpoint |
//! | `administration` | the bodies and the prose of administration |
//! | `queries` | the queries of administration |
//! | `filters` | those of payment transactions |
//! | `agreements` | what is said of agreements |
//! | `approvals` | what is said of requests for approval |
//! | `answers` | the bodies of answers |
//! | `reports` | those about a payment or an operation |
//! | `webhooks` | what receivers are sent |
//! | `fields` | the fields of a transaction in answers |
//! | `links` | which operation can follow which |
//! | `nulls` | which members may be `null` |
//! | `examples` | recorded calls |
//! | `prose` | a sentence or two about each endpoint |
//! | `codes` | refusals that several endpoints have |
//! | `headers` | the headers that requests may have |
//! | `brand` | the face of a merchant |
//! | `line` | a line of the table |
//! | `context` | what readers are given |
//! | `placeholder` | the parts of addresses that are not fixed |
//! | `schema` | JSON Schemas |

mod administration;
mod agreements;
mod answers;
mod approvals;
mod brand;
mod codes;
mod context;
mod examples;
mod fields;
mod filters;
mod forms;
mod headers;
mod line;
mod links;
mod nulls;
mod operations;
mod placeholder;
mod prose;
mod queries;
mod reports;
mod requests;
mod responses;
mod schema;
mod table;
mod webhooks;
mod words_of;

use serde_json::{Map, Value, json};

use crate::context::Context;
use crate::examples::Examples;
pub use crate::nulls::Reader;
use checkout_core::installation::Installation;
use checkout_core::settings::{MerchantSettings, WebhookSecrets, parse};
use checkout_core::value::id::MerchantId;
use checkout_core::value::sealed::Sealed;
use checkout_core::value::web_address::Reach;

/// What the description is printed from, in addition to the code.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// A settings document in which every setting that readers ask for is present.
    pub settings: &'a str,
    /// The recorded calls.
    pub calls: &'a str,
    /// The recorded webhooks: the name and the text of each file.
    pub webhooks: &'a [(String, String)],
}

/// The description.
#[derive(Debug, Clone)]
pub struct Printed {
    /// The document.
    pub text: String,
    /// The table of endpoints as a JSON list, a line each, for tests that visit them.
    pub endpoints: String,
    /// Everything that has no description.
    pub gaps: Vec<String>,
}

/// Prints the description; `None` if a source cannot be read.
#[must_use]
pub fn print(sources: Sources<'_>) -> Option<Printed> {
    let installation = Installation::at("https://pay.example.com", Reach::Public, true).ok()?;
    let settings = settings(sources.settings, &installation)?;
    let context = Context { installation: &installation, settings: &settings };
    let examples = Examples::read(sources.calls)?;
    let fields = requests::transaction_fields(&context);
    let answers = answers::all(&fields);
    let operations = operations::all(&context, &examples);
    let mut gaps = requests::gaps(&fields);
    gaps.extend(answers.gaps);
    gaps.extend(operations.gaps);
    let schemas = answers.components.into_iter().chain(operations.bodies).collect();
    let problems = responses::problems(&mut gaps);
    let webhooks = webhooks::all(sources.webhooks);
    let document = document(&schemas, &operations.paths, (&webhooks, &problems));
    let mut text = serde_json::to_string_pretty(&document).ok()?;
    text.push('\n');
    let endpoints: Vec<String> = operations.endpoints.iter().map(ToString::to_string).collect();
    let endpoints = format!("[\n{}\n]\n", endpoints.join(",\n"));
    Some(Printed { text, endpoints, gaps })
}

/// Reads the bodies of every endpoint that takes JSON: `visit` gets its name, bodies that together have every member, and
/// what reads one. `None` if a source cannot be read.
pub fn visit_readers(sources: Sources<'_>, visit: &mut Visit<'_>) -> Option<()> {
    let installation = Installation::at("https://pay.example.com", Reach::Public, true).ok()?;
    let settings = settings(sources.settings, &installation)?;
    let context = Context { installation: &installation, settings: &settings };
    let examples = Examples::read(sources.calls)?;
    for line in table::lines() {
        if let Some(request) = line.request.filter(|request| !request.every.is_empty()) {
            let bodies = operations::bodies(&line, &request, &examples);
            visit(line.facts.name, &bodies, &|body| (request.read)(&line, &context, body));
        }
    }
    Some(())
}

/// What [`visit_readers`] calls for each endpoint.
pub type Visit<'a> = dyn FnMut(&str, &[Value], &Reader<'_>) + 'a;

fn settings(document: &str, installation: &Installation) -> Option<MerchantSettings> {
    let secrets = WebhookSecrets {
        hmac_key: Sealed(String::new()),
        signing: Vec::new(),
        previous_until: None,
        next_hmac: None,
    };
    parse::parse(&MerchantId::parse("demo")?, 1, document, secrets, Some(installation)).ok()
}

const ABOUT: &str = "A payment checkout. Amounts are decimal text in major units. Every address answers with and without its \
    trailing slash.\n\nIn the body of a request `null` means that a member is left out, and so does an empty text in a member \
    that may be left out; a number and a flag may also be written as text, an amount as a number, a date as `DD/MM/YYYY`, and an object without members as an empty list. Members that are not \
    known are ignored, unless the schema has no others; a parameter of a query that merchants and operators read with is refused if it is unknown, without a \
    value, or given twice. Every refusal is a problem body (RFC 9457) with a stable `code`, whose page `type` names. Answers may \
    get further members: ignore those that you do not know.";

fn document(
    schemas: &Map<String, Value>,
    paths: &Map<String, Value>,
    (sent, problems): (&Value, &Value),
) -> Value {
    let tags =
        operations::AUDIENCES.iter().map(|(_, name, about)| json!({ "name": name, "description": about }));
    let webhooks = json!({ "name": "Webhooks", "description": "What Till sends to merchants." });
    json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
        "info": {
            "title": "Till",
            "summary": "A payment checkout at the edge",
            "description": ABOUT,
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/", "description": "The installation that serves this description." }],
        "tags": tags.chain([webhooks]).collect::<Vec<_>>(),
        "paths": paths,
        "webhooks": sent,
        "x-problems": problems,
        "components": {
            "schemas": schemas,
            "parameters": operations::shared_parameters(),
            "headers": responses::shared_headers(),
            "securitySchemes": {
                "ApiKey": {
                    "type": "apiKey", "in": "header", "name": "Authorization",
                    "description": "`Api-Key <key>`: a key of the merchant. The private key may do everything that is done for the merchant, and stays on its server.",
                },
                "Basic": { "type": "http", "scheme": "basic", "description": "A user of the merchant, who may do what they were permitted." },
                "AccessToken": {
                    "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                    "description": "A token of `POST /b/auth/v1/token/`, valid for an hour, or one of the merchant's OpenID Connect provider.",
                },
                "OperatorToken": { "type": "http", "scheme": "bearer", "description": "The token of the operator." },
            },
        },
    })
}
