//! SMS and `WhatsApp` by the API of Twilio, 2010-04-01: a form to `Messages.json`, and callbacks that are signed with the token
//! of the account. It knows no repeated id.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use sha1::Sha1;
use subtle::ConstantTimeEq;

use super::letter::{Letter, LetterContent};
use super::{
    MessageReport, Messenger, MessengerAccount, ProviderAnswer, ProviderDeclaration, ReportRequest,
    form_request, read_answer,
};
use crate::gateway::credentials::CredentialField;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::value::id::DeliveryId;
use crate::value::shape::TextShape;
use crate::value::time::Timestamp;
use crate::wire::tree::Tree;
use crate::words::message::{Channel, Fate};

const ENDPOINT: &str = "https://api.twilio.com";
const ACCOUNT: &str = "account_sid";
const TOKEN: &str = "auth_token";
/// The parameter of our address that has our id.
const ID: &str = "message";
/// The most fields of a callback.
const MAX_FIELDS: usize = 64;

pub(super) const DECLARATION: ProviderDeclaration = ProviderDeclaration {
    channels: &[Channel::Sms, Channel::Whatsapp],
    credentials: &[
        CredentialField::public(
            ACCOUNT,
            "the SID of the account, `AC…`",
            TextShape::Alphanumeric { min: 34, max: 34 },
        ),
        CredentialField::secret(TOKEN, "the auth token of the account", TextShape::Line { max: 200 }),
    ],
    repeats_safely: false,
    connect: |account| Box::new(Twilio(account)),
};

struct Twilio(MessengerAccount);

impl Messenger for Twilio {
    fn request(&self, letter: &Letter) -> Outgoing {
        let credentials = &self.0.credentials;
        let endpoint = credentials.endpoint.as_deref().unwrap_or(ENDPOINT);
        let account = credentials.get(ACCOUNT);
        let url = [endpoint, "/2010-04-01/Accounts/", account, "/Messages.json"].concat();
        let basic = STANDARD.encode([account, ":", credentials.get(TOKEN)].concat());
        let from = self.0.from.as_str();
        let sender = |prefix: &str| {
            if is_service(from) {
                ("MessagingServiceSid", from.into())
            } else {
                ("From", [prefix, from].concat())
            }
        };
        let id: String = form_urlencoded::byte_serialize(letter.id.as_bytes()).collect();
        let callback = [self.0.callback.as_str(), "?", ID, "=", &id].concat();
        let mut fields = Vec::from([("StatusCallback", callback)]);
        match &letter.content {
            LetterContent::Whatsapp(template) => {
                let variables = template.parameters.iter().enumerate();
                let variables = variables.map(|(place, value)| {
                    (place.saturating_add(1).to_string().into(), Tree::Text(value.as_str().into()))
                });
                fields.push(("To", ["whatsapp:", &letter.to].concat()));
                fields.push(sender("whatsapp:"));
                fields.push(("ContentSid", template.name.clone()));
                fields.push(("ContentVariables", Tree::Object(variables.collect()).to_json()));
            }
            LetterContent::Sms(text) => {
                fields.push(("To", letter.to.clone()));
                fields.push(sender(""));
                fields.push(("Body", text.clone()));
            }
            LetterContent::Email(_) => {}
        }
        form_request(url, Vec::from([("authorization", ["Basic ", &basic].concat())]), &fields)
    }

    fn read(&self, answer: &Incoming, now: Timestamp) -> ProviderAnswer {
        match answer.status {
            401 | 403 => ProviderAnswer::Again(None),
            _ => read_answer(answer, now, |body| body.get("sid").and_then(Tree::text).map(String::from)),
        }
    }

    fn read_reports(&self, reported: &ReportRequest<'_>) -> Option<Vec<MessageReport>> {
        let mut fields: Vec<(String, String)> =
            form_urlencoded::parse(&reported.request.body).into_owned().take(MAX_FIELDS).collect();
        fields.sort();
        // An HMAC takes a key of any length.
        let mut mac = Hmac::<Sha1>::new_from_slice(self.0.credentials.get(TOKEN).as_bytes()).ok()?;
        mac.update(reported.url.as_bytes());
        let query = reported.request.query.as_str();
        if !query.is_empty() {
            mac.update(b"?");
            mac.update(query.as_bytes());
        }
        for (name, value) in &fields {
            mac.update(name.as_bytes());
            mac.update(value.as_bytes());
        }
        let expected = STANDARD.encode(mac.finalize().into_bytes());
        let given = reported.request.header("x-twilio-signature")?;
        let is_theirs = bool::from(given.as_bytes().ct_eq(expected.as_bytes()));
        is_theirs.then(|| event(&fields, query).into_iter().collect())
    }
}

/// Whether a sender is the id of a messaging service, which has numbers of its own.
fn is_service(from: &str) -> bool {
    from.strip_prefix("MG")
        .is_some_and(|rest| rest.len() == 32 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn event(fields: &[(String, String)], query: &str) -> Option<MessageReport> {
    let field = |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let fate = match field("MessageStatus")? {
        "delivered" => Fate::Delivered,
        "read" => Fate::Read,
        "canceled" | "failed" | "undelivered" => Fate::Failed,
        _ => return None,
    };
    let detail = field("ErrorCode").map(|code| super::bounded(&["error ", code].concat(), super::MAX_DETAIL));
    let own = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == ID);
    let id = own.and_then(|(_, id)| DeliveryId::parse(&id));
    Some(MessageReport { id, provider_id: field("MessageSid")?.into(), fate, detail })
}
