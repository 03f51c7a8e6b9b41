//! The inbox of the sandbox as a provider: it takes everything, once under each id.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::letter::{Letter, LetterContent};
use super::{
    MessageReport, Messenger, MessengerAccount, ProviderAnswer, ProviderDeclaration, ReportRequest,
    json_request, object, read_answer, text,
};
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::value::time::Timestamp;
use crate::wire::tree::Tree;
use crate::words::message::Channel;

/// Its address, which is inside the Worker: no name ends in `.invalid`.
pub const ENDPOINT: &str = "https://messages.sandbox.invalid/v1/";

pub(super) const DECLARATION: ProviderDeclaration = ProviderDeclaration {
    channels: &Channel::ALL,
    credentials: &[],
    repeats_safely: true,
    connect: |account| Box::new(Inbox(account)),
};

struct Inbox(MessengerAccount);

impl Messenger for Inbox {
    fn request(&self, letter: &Letter) -> Outgoing {
        let (channel, subject, html, words) = match &letter.content {
            LetterContent::Email(email) => {
                (Channel::Email, email.subject.as_str(), email.html.as_str(), email.text.as_str())
            }
            LetterContent::Sms(words) => (Channel::Sms, "", "", words.as_str()),
            LetterContent::Whatsapp(template) => {
                (Channel::Whatsapp, template.name.as_str(), "", template.text.as_str())
            }
        };
        let from = match &letter.content {
            LetterContent::Email(email) => email.from_name.as_str(),
            LetterContent::Sms(_) | LetterContent::Whatsapp(_) => "",
        };
        let body = object([
            ("channel", text(channel.as_str())),
            ("from", text(from)),
            ("html", text(html)),
            ("id", text(&letter.id)),
            ("subject", text(subject)),
            ("text", text(words)),
            ("to", text(&letter.to)),
        ]);
        let inbox = self.0.from.as_str();
        json_request([ENDPOINT, inbox].concat(), Vec::new(), &body)
    }

    fn read(&self, answer: &Incoming, now: Timestamp) -> ProviderAnswer {
        read_answer(answer, now, |body| Some(String::from(body.get("id").and_then(Tree::text)?)))
    }

    fn read_reports(&self, _: &ReportRequest<'_>) -> Option<Vec<MessageReport>> {
        None
    }
}
