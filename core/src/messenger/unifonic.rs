//! SMS by the REST API of Unifonic: a form to `/rest/SMS/messages`. It knows no repeated id. Reports come to the address that the
//! merchant enters in its console, with a secret in it, because they are not signed.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use subtle::ConstantTimeEq;

use super::letter::{Content, Letter};
use super::{
    Account, Declaration, MAX_DETAIL, Messenger, Report, Reported, Said, bounded, form_request, said,
};
use crate::gateway::credentials::Field;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::value::shape::Shape;
use crate::value::time::Timestamp;
use crate::wire::tree::Tree;
use crate::words::message::{Channel, Fate};

const ENDPOINT: &str = "https://el.cloud.unifonic.com";
const APP: &str = "app_sid";
const SECRET: &str = "report_secret";

pub(super) const DECLARATION: Declaration = Declaration {
    channels: &[Channel::Sms],
    credentials: &[
        Field::secret(APP, "the SID of the application", Shape::Line { max: 200 }),
        Field::secret(
            SECRET,
            "the letters and digits after `?secret=` in the address of reports",
            Shape::Alphanumeric { min: 24, max: 64 },
        )
        .optional(),
    ],
    repeats_safely: false,
    connect: |account| Box::new(Unifonic(account)),
};

struct Unifonic(Account);

impl Messenger for Unifonic {
    fn request(&self, letter: &Letter) -> Outgoing {
        let endpoint = self.0.credentials.endpoint.as_deref().unwrap_or(ENDPOINT);
        let text = match &letter.content {
            Content::Sms(text) => text.as_str(),
            Content::Email(_) | Content::Whatsapp(_) => "",
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
    fn read(&self, answer: &Incoming, now: Timestamp) -> Said {
        let body = core::str::from_utf8(&answer.body).unwrap_or_default();
        let tree = Tree::parse(body);
        let is_refused = matches!(tree.as_ref().and_then(|tree| tree.get("success")), Some(Tree::Other(raw)) if raw.get() == "false");
        match answer.status {
            200 if is_refused => Said::Refused(bounded(body, MAX_DETAIL)),
            401 | 403 => Said::Again(None),
            _ => said(answer, now, |body| match body.get("data")?.get("MessageID")? {
                Tree::Text(id) => Some(id.as_ref().into()),
                Tree::Other(number) => Some(number.get().into()),
                Tree::Object(_) | Tree::List(_) | Tree::Hidden(..) => None,
            }),
        }
    }

    fn read_reports(&self, reported: &Reported<'_>) -> Option<Vec<Report>> {
        let secret = self.0.credentials.optional(SECRET).filter(|secret| !secret.is_empty())?;
        let query = form_urlencoded::parse(reported.request.query.as_bytes());
        let fields: Vec<(String, String)> = query.into_owned().collect();
        let field =
            |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let is_theirs = bool::from(field("secret")?.as_bytes().ct_eq(secret.as_bytes()));
        if !is_theirs {
            return None;
        }
        let fate = match field("status").or_else(|| field("Status")).unwrap_or_default() {
            "Delivered" => Fate::Delivered,
            "Failed" | "Rejected" | "Undelivered" => Fate::Failed,
            _ => return Some(Vec::new()),
        };
        let id = field("MessageID").or_else(|| field("messageId")).map(String::from);
        Some(id.map(|provider_id| Report { provider_id, fate, detail: None }).into_iter().collect())
    }
}
