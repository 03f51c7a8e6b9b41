//! SMS by the REST API of Unifonic: a form to `/rest/SMS/messages`. It knows no repeated id. Reports come to the address that the
//! merchant enters in its console, with a secret in it, because they are not signed. Its pages name the fields of a report and
//! not where they are, so they are read from the address and from the body, as a form and as JSON.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use subtle::ConstantTimeEq;

use super::letter::{Letter, LetterContent};
use super::{
    MAX_DETAIL, MessageReport, Messenger, MessengerAccount, ProviderAnswer, ProviderDeclaration,
    ReportRequest, bounded, form_request, read_answer,
};
use crate::gateway::credentials::CredentialField;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::value::id::DeliveryId;
use crate::value::shape::TextShape;
use crate::value::time::Timestamp;
use crate::wire::tree::Tree;
use crate::words::message::{Channel, Fate};

const ENDPOINT: &str = "https://el.cloud.unifonic.com";
const APP: &str = "app_sid";
const SECRET: &str = "report_secret";

/// The most fields of a report, in each place.
const MAX_FIELDS: usize = 32;

pub(super) const DECLARATION: ProviderDeclaration = ProviderDeclaration {
    channels: &[Channel::Sms],
    credentials: &[
        CredentialField::secret(APP, "the SID of the application", TextShape::Line { max: 200 }),
        CredentialField::secret(
            SECRET,
            "the letters and digits after `?secret=` in the address of reports",
            TextShape::Alphanumeric { min: 24, max: 64 },
        )
        .optional(),
    ],
    repeats_safely: false,
    connect: |account| Box::new(Unifonic(account)),
};

struct Unifonic(MessengerAccount);

impl Messenger for Unifonic {
    fn request(&self, letter: &Letter) -> Outgoing {
        let endpoint = self.0.credentials.endpoint.as_deref().unwrap_or(ENDPOINT);
        let text = match &letter.content {
            LetterContent::Sms(text) => text.as_str(),
            LetterContent::Email(_) | LetterContent::Whatsapp(_) => "",
        };
        let fields = [
            ("AppSid", self.0.credentials.get(APP).into()),
            ("SenderID", self.0.from.clone()),
            ("Recipient", letter.to.trim_start_matches('+').into()),
            ("Body", text.into()),
            ("responseType", "JSON".into()),
            ("CorrelationID", letter.id.clone()),
        ];
        form_request([endpoint, "/rest/SMS/messages"].concat(), Vec::new(), &fields)
    }

    /// A refusal has status 200 and `success: false`.
    fn read(&self, answer: &Incoming, now: Timestamp) -> ProviderAnswer {
        let body = core::str::from_utf8(&answer.body).unwrap_or_default();
        let tree = Tree::parse(body);
        // Its description has a text, its examples both.
        let is_refused = match tree.as_ref().and_then(|tree| tree.get("success")) {
            Some(Tree::Text(text)) => text == "false",
            Some(Tree::Other(raw)) => raw.get() == "false",
            _ => false,
        };
        match answer.status {
            200 if is_refused => ProviderAnswer::Refused(bounded(body, MAX_DETAIL)),
            401 | 403 => ProviderAnswer::Again(None),
            _ => read_answer(answer, now, |body| plain(body.get("data")?.get("MessageID")?)),
        }
    }

    fn read_reports(&self, reported: &ReportRequest<'_>) -> Option<Vec<MessageReport>> {
        let secret = self.0.credentials.optional(SECRET).filter(|secret| !secret.is_empty())?;
        let request = reported.request;
        let given = form_urlencoded::parse(request.query.as_bytes()).find(|(name, _)| name == "secret");
        let is_theirs = bool::from(given?.1.as_bytes().ct_eq(secret.as_bytes()));
        is_theirs.then(|| event(request).into_iter().collect())
    }
}

fn event(request: &Incoming) -> Option<MessageReport> {
    let body = core::str::from_utf8(&request.body).unwrap_or_default();
    let tree = Tree::parse(body);
    let forms = [request.query.as_str(), if tree.is_none() { body } else { "" }];
    let fields: Vec<(String, String)> = forms
        .into_iter()
        .flat_map(|form| form_urlencoded::parse(form.as_bytes()).into_owned().take(MAX_FIELDS))
        .collect();
    let written = |name: &str| tree.as_ref().and_then(|tree| plain(tree.get(name)?));
    let given = |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let field = |names: &[&str]| names.iter().find_map(|name| written(name).or_else(|| given(name)));
    let status = field(&["DLR", "status", "Status"])?;
    let fate = match status.as_str() {
        "Delivered" => Fate::Delivered,
        "Failed" | "Rejected" | "Undeliverable" | "Undelivered" => Fate::Failed,
        _ => return None,
    };
    let detail = (fate == Fate::Failed).then(|| bounded(&status, MAX_DETAIL));
    Some(MessageReport {
        id: field(&["CorrelationID"]).and_then(|id| DeliveryId::parse(&id)),
        provider_id: field(&["MessageID", "messageId"])?,
        fate,
        detail,
    })
}

/// A text, or a number as it is written.
fn plain(value: &Tree<'_>) -> Option<String> {
    match value {
        Tree::Text(text) => Some(text.as_ref().into()),
        Tree::Other(raw) => Some(raw.get().into()),
        Tree::Object(_) | Tree::List(_) | Tree::Hidden(..) => None,
    }
}
