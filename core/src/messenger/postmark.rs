//! E-mail by the API of Postmark: `POST /email`. It knows no repeated id; webhooks come with the password that the merchant
//! set for them.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use subtle::ConstantTimeEq;

use super::letter::{Letter, LetterContent};
use super::resend::mailbox;
use super::{
    MessageReport, Messenger, MessengerAccount, ProviderAnswer, ProviderDeclaration, ReportRequest, bounded,
    json_request, object, read_answer, text,
};
use crate::gateway::credentials::CredentialField;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::value::id::DeliveryId;
use crate::value::shape::TextShape;
use crate::value::time::Timestamp;
use crate::wire::tree::Tree;
use crate::words::message::{Channel, Fate};

const ENDPOINT: &str = "https://api.postmarkapp.com";
const TOKEN: &str = "server_token";
const PASSWORD: &str = "webhook_password";
/// The name in the metadata that has our id.
const ID: &str = "till_id";
/// The user name with which webhooks come.
const USER: &str = "till";

pub(super) const DECLARATION: ProviderDeclaration = ProviderDeclaration {
    channels: &[Channel::Email],
    credentials: &[
        CredentialField::secret(TOKEN, "the API token of the server", TextShape::Line { max: 200 }),
        CredentialField::secret(
            PASSWORD,
            "the password of the webhook, whose user name is `till`",
            TextShape::Line { max: 200 },
        )
        .optional(),
    ],
    repeats_safely: false,
    connect: |account| Box::new(Postmark(account)),
};

struct Postmark(MessengerAccount);

impl Messenger for Postmark {
    fn request(&self, letter: &Letter) -> Outgoing {
        let endpoint = self.0.credentials.endpoint.as_deref().unwrap_or(ENDPOINT);
        let headers = Vec::from([
            ("accept", "application/json".into()),
            ("x-postmark-server-token", self.0.credentials.get(TOKEN).into()),
        ]);
        let LetterContent::Email(email) = &letter.content else {
            return json_request([endpoint, "/email"].concat(), headers, &object([]));
        };
        let mut body = object([
            ("From", Tree::Text(mailbox(&email.from_name, &self.0.from).into())),
            ("HtmlBody", text(&email.html)),
            ("MessageStream", text("outbound")),
            ("Metadata", object([(ID, text(&letter.id))])),
            ("Subject", text(&email.subject)),
            ("TextBody", text(&email.text)),
            ("To", text(&letter.to)),
            // A link to pay is never rewritten.
            ("TrackLinks", text("None")),
        ]);
        if let Some(reply_to) = &email.reply_to {
            body.set("ReplyTo", text(reply_to));
        }
        json_request([endpoint, "/email"].concat(), headers, &body)
    }

    fn read(&self, answer: &Incoming, now: Timestamp) -> ProviderAnswer {
        match answer.status {
            401 | 403 => ProviderAnswer::Again(None),
            _ => {
                read_answer(answer, now, |body| body.get("MessageID").and_then(Tree::text).map(String::from))
            }
        }
    }

    fn read_reports(&self, reported: &ReportRequest<'_>) -> Option<Vec<MessageReport>> {
        let password = self.0.credentials.optional(PASSWORD)?;
        let expected = ["Basic ", &STANDARD.encode([USER, ":", password].concat())].concat();
        let given = reported.request.header("authorization")?;
        let is_theirs = !password.is_empty() && bool::from(given.as_bytes().ct_eq(expected.as_bytes()));
        is_theirs.then(|| event(&reported.request.body).into_iter().collect())
    }
}

fn event(body: &[u8]) -> Option<MessageReport> {
    let body = Tree::parse(core::str::from_utf8(body).ok()?)?;
    let fate = match body.get("RecordType")?.text()? {
        "Delivery" => Fate::Delivered,
        "Open" => Fate::Read,
        "Bounce" => bounced(body.get("Type").and_then(Tree::text).unwrap_or_default())?,
        "SpamComplaint" => Fate::Complained,
        _ => return None,
    };
    let detail = body.get("Description").and_then(Tree::text);
    Some(MessageReport {
        id: body.get("Metadata").and_then(|metadata| metadata.get(ID)?.text()).and_then(DeliveryId::parse),
        provider_id: body.get("MessageID")?.text()?.into(),
        fate,
        detail: detail.map(|detail| bounded(detail, super::MAX_DETAIL)),
    })
}

/// What a bounce of a type says; `None` if nothing: an answer of the mailbox, such as one about an absence, and what is
/// tried again.
fn bounced(kind: &str) -> Option<Fate> {
    match kind {
        "AddressChange"
        | "AutoResponder"
        | "ChallengeVerification"
        | "DnsError"
        | "Subscribe"
        | "Transient"
        | "Unsubscribe" => None,
        "SpamComplaint" => Some(Fate::Complained),
        _ => Some(Fate::Failed),
    }
}
