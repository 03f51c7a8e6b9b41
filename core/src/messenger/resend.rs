//! E-mail by the API of Resend, version of 2025: `POST /emails`, which knows a repeated id for a day, and events signed
//! as Standard Webhooks are, under names of their own.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use subtle::ConstantTimeEq;

use super::letter::{Letter, LetterContent};
use super::{
    MessageReport, Messenger, MessengerAccount, ProviderAnswer, ProviderDeclaration, ReportRequest, bounded,
    json_request, object, read_answer, text,
};
use crate::gateway::credentials::CredentialField;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::value::id::DeliveryId;
use crate::value::shape::TextShape;
use crate::value::time::Timestamp;
use crate::webhook::signature::hmac_sha256;
use crate::wire::tree::Tree;
use crate::words::message::{Channel, Fate};

const ENDPOINT: &str = "https://api.resend.com";
const KEY: &str = "api_key";
const WEBHOOK_SECRET: &str = "webhook_secret";
/// The tag that has our id.
const TAG: &str = "till_id";
/// How many seconds the clocks may differ, in either direction.
const TOLERANCE: u64 = 300;

pub(super) const DECLARATION: ProviderDeclaration = ProviderDeclaration {
    channels: &[Channel::Email],
    credentials: &[
        CredentialField::secret(KEY, "the API key that may send, `re_…`", TextShape::Line { max: 200 }),
        CredentialField::secret(
            WEBHOOK_SECRET,
            "the signing secret of the webhook, `whsec_…`",
            TextShape::Line { max: 200 },
        )
        .optional(),
    ],
    repeats_safely: true,
    connect: |account| Box::new(ResendMessenger(account)),
};

struct ResendMessenger(MessengerAccount);

impl Messenger for ResendMessenger {
    fn request(&self, letter: &Letter) -> Outgoing {
        let endpoint = self.0.credentials.endpoint.as_deref().unwrap_or(ENDPOINT);
        let headers = Vec::from([
            ("authorization", ["Bearer ", self.0.credentials.get(KEY)].concat()),
            // The same id with another body would be refused: the body of a message is the same unless the merchant changed its face.
            ("idempotency-key", letter.id.clone()),
        ]);
        let LetterContent::Email(email) = &letter.content else {
            return json_request([endpoint, "/emails"].concat(), headers, &object([]));
        };
        let mut body = object([
            ("from", Tree::Text(mailbox(&email.from_name, &self.0.from).into())),
            ("html", text(&email.html)),
            ("subject", text(&email.subject)),
            // Events repeat it.
            ("tags", Tree::List([object([("name", text(TAG)), ("value", text(&letter.id))])].into())),
            ("text", text(&email.text)),
            ("to", Tree::List([text(&letter.to)].into())),
        ]);
        if let Some(reply_to) = &email.reply_to {
            body.set("reply_to", text(reply_to));
        }
        json_request([endpoint, "/emails"].concat(), headers, &body)
    }

    fn read(&self, answer: &Incoming, now: Timestamp) -> ProviderAnswer {
        match answer.status {
            // It took another body under the same id before: the merchant's face changed between two tries.
            409 if error_name(answer).as_deref() == Some("invalid_idempotent_request") => {
                ProviderAnswer::Accepted(None)
            }
            // 409: another try under the same id is still on its way. Otherwise the key is wrong or may not send, which the merchant can mend.
            409 | 401 | 403 => ProviderAnswer::Again(None),
            _ => read_answer(answer, now, |body| body.get("id").and_then(Tree::text).map(String::from)),
        }
    }

    fn read_reports(&self, reported: &ReportRequest<'_>) -> Option<Vec<MessageReport>> {
        let request = reported.request;
        let secret = self.0.credentials.optional(WEBHOOK_SECRET)?;
        let secret = STANDARD.decode(secret.strip_prefix("whsec_").unwrap_or(secret)).ok()?;
        let (id, at) = (request.header("svix-id")?, request.header("svix-timestamp")?);
        let sent_at: i64 = at.parse().ok()?;
        if secret.is_empty() || sent_at.abs_diff(reported.now.seconds()) > TOLERANCE {
            return None;
        }
        let parts = [id.as_bytes(), b".", at.as_bytes(), b".", request.body.as_slice()];
        let expected = STANDARD.encode(hmac_sha256(&secret, &parts));
        let signatures =
            request.header("svix-signature")?.split(' ').filter_map(|one| one.strip_prefix("v1,"));
        let mut is_signed = subtle::Choice::from(0);
        for signature in signatures.take(8) {
            is_signed |= signature.as_bytes().ct_eq(expected.as_bytes());
        }
        bool::from(is_signed).then(|| event(&request.body).into_iter().collect())
    }
}

/// The name of what was wrong.
fn error_name(answer: &Incoming) -> Option<String> {
    let body = Tree::parse(core::str::from_utf8(&answer.body).ok()?)?;
    body.get("name").and_then(Tree::text).map(String::from)
}

fn event(body: &[u8]) -> Option<MessageReport> {
    let body = Tree::parse(core::str::from_utf8(body).ok()?)?;
    let fate = match body.get("type")?.text()? {
        "email.delivered" => Fate::Delivered,
        "email.opened" => Fate::Read,
        "email.bounced" | "email.failed" | "email.suppressed" => Fate::Failed,
        "email.complained" => Fate::Complained,
        _ => return None,
    };
    let data = body.get("data")?;
    let why = |of: &str, name: &str| data.get(of)?.get(name)?.text();
    let detail =
        why("bounce", "message").or_else(|| why("suppressed", "message")).or_else(|| why("failed", "reason"));
    Some(MessageReport {
        id: why("tags", TAG).and_then(DeliveryId::parse),
        provider_id: data.get("email_id")?.text()?.into(),
        fate,
        detail: detail.map(|detail| bounded(detail, super::MAX_DETAIL)),
    })
}

/// An address with a name, as RFC 5322 quotes it.
pub(super) fn mailbox(name: &str, address: &str) -> String {
    let mut quoted = String::from("\"");
    for character in name.chars() {
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.extend(["\" <", address, ">"]);
    quoted
}
