//! `WhatsApp` by the Cloud API of Meta, v23.0: `POST /{phone number id}/messages` with an approved template, and webhooks signed
//! with the secret of the app. It knows no repeated id.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use subtle::ConstantTimeEq;

use super::letter::{Letter, LetterContent};
use super::{
    MAX_DETAIL, MessageReport, Messenger, MessengerAccount, ProviderAnswer, ProviderDeclaration,
    ReportRequest, bounded, json_request, object, read_answer, text,
};
use crate::gateway::credentials::CredentialField;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::value::id::DeliveryId;
use crate::value::shape::TextShape;
use crate::value::time::Timestamp;
use crate::webhook::signature::hmac_sha256;
use crate::wire::tree::Tree;
use crate::words::message::{Channel, Fate};

const ENDPOINT: &str = "https://graph.facebook.com/v23.0";
const TOKEN: &str = "access_token";
const APP_SECRET: &str = "app_secret";
const VERIFY_TOKEN: &str = "verify_token";
/// The member that webhooks repeat, which has our id.
const ID: &str = "biz_opaque_callback_data";
/// The codes of limits that pass, whatever the status: of the app, of the account, and of one number.
const LIMITS: &[&str] = &["4", "80007", "130429", "131056"];
/// The most statuses of a webhook that are read.
const MAX_STATUSES: usize = 100;

pub(super) const DECLARATION: ProviderDeclaration = ProviderDeclaration {
    channels: &[Channel::Whatsapp],
    credentials: &[
        CredentialField::secret(
            TOKEN,
            "the access token of a system user with `whatsapp_business_messaging`",
            TextShape::Line { max: 600 },
        ),
        CredentialField::secret(
            APP_SECRET,
            "the secret of the app, which signs webhooks",
            TextShape::Hex { max: 64 },
        )
        .optional(),
        CredentialField::secret(
            VERIFY_TOKEN,
            "the text with which Meta asks whether the address of webhooks is ours",
            TextShape::Line { max: 200 },
        )
        .optional(),
    ],
    repeats_safely: false,
    connect: |account| Box::new(Meta(account)),
};

struct Meta(MessengerAccount);

impl Messenger for Meta {
    fn request(&self, letter: &Letter) -> Outgoing {
        let endpoint = self.0.credentials.endpoint.as_deref().unwrap_or(ENDPOINT);
        let url = [endpoint, "/", &self.0.from, "/messages"].concat();
        let headers = Vec::from([("authorization", ["Bearer ", self.0.credentials.get(TOKEN)].concat())]);
        let LetterContent::Whatsapp(template) = &letter.content else {
            return json_request(url, headers, &object([]));
        };
        let place = |value: &'_ str| {
            object([("text", Tree::Text(String::from(value).into())), ("type", text("text"))])
        };
        let places = template.parameters.iter().map(|value| place(value)).collect();
        let components = object([("parameters", Tree::List(places)), ("type", text("body"))]);
        // The policy is required by the published description, though its examples do without.
        let language =
            object([("code", text(template.language.as_str())), ("policy", text("deterministic"))]);
        let body = object([
            (ID, text(&letter.id)),
            ("messaging_product", text("whatsapp")),
            ("recipient_type", text("individual")),
            (
                "template",
                object([
                    ("components", Tree::List([components].into())),
                    ("language", language),
                    ("name", text(&template.name)),
                ]),
            ),
            ("to", text(letter.to.trim_start_matches('+'))),
            ("type", text("template")),
        ]);
        json_request(url, headers, &body)
    }

    fn read(&self, answer: &Incoming, now: Timestamp) -> ProviderAnswer {
        match answer.status {
            401 | 403 => ProviderAnswer::Again(None),
            400..=499 if is_passing(answer) => ProviderAnswer::Again(None),
            _ => read_answer(answer, now, |body| {
                body.get("messages")?.items().first()?.get("id")?.text().map(String::from)
            }),
        }
    }

    fn challenge(&self, request: &Incoming) -> Option<String> {
        let token = self.0.credentials.optional(VERIFY_TOKEN).filter(|token| !token.is_empty())?;
        let fields: Vec<_> = form_urlencoded::parse(request.query.as_bytes()).collect();
        let field = |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        let is_theirs = bool::from(field("hub.verify_token")?.as_bytes().ct_eq(token.as_bytes()));
        let challenge = field("hub.challenge").filter(|_| is_theirs)?;
        let is_plain = challenge.len() <= 128 && challenge.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_plain.then(|| String::from(challenge.as_ref()))
    }

    fn read_reports(&self, reported: &ReportRequest<'_>) -> Option<Vec<MessageReport>> {
        let secret = self.0.credentials.optional(APP_SECRET).filter(|secret| !secret.is_empty())?;
        let given = reported.request.header("x-hub-signature-256")?.strip_prefix("sha256=")?;
        let expected = hex::encode(hmac_sha256(secret.as_bytes(), &[&reported.request.body]));
        bool::from(given.as_bytes().ct_eq(expected.as_bytes())).then(|| events(&reported.request.body))
    }
}

/// Whether a refusal says that the same request can succeed later.
fn is_passing(answer: &Incoming) -> bool {
    let Some(body) = core::str::from_utf8(&answer.body).ok().and_then(Tree::parse) else { return false };
    let raw = |name: &str| match body.get("error").and_then(|error| error.get(name)) {
        Some(Tree::Other(raw)) => raw.get(),
        _ => "",
    };
    raw("is_transient") == "true" || LIMITS.contains(&raw("code"))
}

fn events(body: &[u8]) -> Vec<MessageReport> {
    let Some(body) = core::str::from_utf8(body).ok().and_then(Tree::parse) else { return Vec::new() };
    let entries = body.get("entry").map(Tree::items).unwrap_or_default();
    let changes = entries.iter().filter_map(|entry| entry.get("changes")).flat_map(Tree::items);
    let statuses = changes.filter_map(|change| change.get("value")?.get("statuses")).flat_map(Tree::items);
    statuses.take(MAX_STATUSES).filter_map(event).collect()
}

fn event(status: &Tree<'_>) -> Option<MessageReport> {
    let fate = match status.get("status")?.text()? {
        "delivered" => Fate::Delivered,
        "read" => Fate::Read,
        "failed" => Fate::Failed,
        _ => return None,
    };
    let error = status.get("errors").and_then(|errors| errors.items().first());
    let why = error.and_then(|error| error.get("error_data")?.get("details")?.text());
    let error = why.or_else(|| error?.get("title")?.text());
    Some(MessageReport {
        id: status.get(ID).and_then(Tree::text).and_then(DeliveryId::parse),
        provider_id: status.get("id")?.text()?.into(),
        fate,
        detail: error.map(|error| bounded(error, MAX_DETAIL)),
    })
}
