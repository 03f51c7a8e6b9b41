//! What a message says, in the language of the transaction: its sentences, its lines, and the texts that are not HTML.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::facts::MessageFacts;
use super::segments;
use crate::answer::bought::{Bought, Items};
use crate::messenger::letter::Template;
use crate::settings::MerchantSettings;
use crate::settings::brand::Brand;
use crate::strings::sentence::{Piece, pieces};
use crate::strings::{HeadedText, Strings};
use crate::value::text::without_bidi_controls;
use crate::value::time::Local;
use crate::words::message::MessageOccasion;
use crate::words::payment_type::PaymentType;

/// The most characters of the merchant's name in an SMS, in which every part costs, and the fewest by which it is still
/// recognised.
const SMS_NAME: [usize; 2] = [30, 10];
/// The most items that an e-mail lists.
const MOST_ITEMS: usize = 12;
/// The most parts of an SMS. The name is shortened until it fits; a longer address or amount may take more.
pub const MAX_PARTS: usize = 2;

/// What a message is rendered with.
#[derive(Clone, Copy)]
pub struct MessageScene<'a> {
    /// The merchant, as it is when the message is sent.
    pub settings: &'a MerchantSettings,
    /// The origin of the installation.
    pub public_url: &'a str,
    /// By how many minutes clocks at the merchant are ahead of UTC when the time to pay ends.
    pub ahead: i16,
    /// What was bought and who pays, as far as the transaction still says it.
    pub bought: Option<&'a Bought>,
    /// The name of the template by which `WhatsApp` knows the occasion in this language; empty if it needs none.
    pub template: &'a str,
}

/// What is said, in the language of the transaction.
pub(super) struct Wording<'a> {
    pub(super) facts: &'a MessageFacts,
    pub(super) scene: MessageScene<'a>,
    pub(super) strings: &'static Strings,
    pub(super) brand: Brand,
    /// The merchant, without controls of writing direction.
    pub(super) merchant: Cow<'a, str>,
    pub(super) amount: String,
    pub(super) words: HeadedText,
    /// Whether only a card is saved.
    is_free: bool,
}

impl<'a> Wording<'a> {
    pub(super) fn of(facts: &'a MessageFacts, scene: MessageScene<'a>) -> Self {
        let strings = Strings::of(facts.language);
        let own = facts.branding.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let brand = own.map_or_else(|| scene.settings.brand.clone(), |own| scene.settings.brand.with(own));
        let is_free = facts.amount.is_zero();
        Self {
            facts,
            scene,
            strings,
            brand,
            merchant: without_bidi_controls(scene.settings.name.text(facts.language)),
            amount: strings.price(facts.amount),
            words: strings.message().about(facts.occasion, is_free),
            is_free,
        }
    }

    /// A sentence with its values, and the merchant under this name.
    fn sentence(&self, sentence: &'static str, merchant: &str) -> String {
        let mut text = String::new();
        for piece in pieces(sentence) {
            text.push_str(match piece {
                Piece::Words(words) => words,
                Piece::Place("merchant") => merchant,
                Piece::Place("amount") => &self.amount,
                Piece::Place(_) => "",
            });
        }
        text
    }

    /// A sentence with its values.
    pub(super) fn filled(&self, sentence: &'static str) -> String {
        self.sentence(sentence, &self.merchant)
    }

    /// The amount as it stays on one line.
    pub(super) fn whole_amount(&self) -> String {
        self.amount.replace(' ', "\u{a0}")
    }

    /// A text in which the amount stays on one line.
    pub(super) fn whole(&self, text: &str) -> String {
        text.replace(&self.amount, &self.whole_amount())
    }

    /// What the bank said, if it declined, and what to do if the payer can try again.
    pub(super) fn advice(&self) -> Option<&'static str> {
        let payment_type = if self.is_free { PaymentType::SaveCard } else { PaymentType::OneOff };
        self.facts.reason.filter(|_| self.facts.occasion == MessageOccasion::Failed).and_then(|reason| {
            match self.facts.until {
                Some(_) => self.strings.decline(reason, payment_type),
                None => self.strings.decline_cause(reason, payment_type),
            }
        })
    }

    /// What the button says.
    pub(super) fn action(&self) -> &'static str {
        let words = self.strings.message();
        match self.facts.occasion {
            MessageOccasion::Created if self.is_free => words.save,
            MessageOccasion::Created => words.pay,
            MessageOccasion::Failed if self.facts.until.is_some() => words.try_again,
            MessageOccasion::Paid
            | MessageOccasion::Authorized
            | MessageOccasion::Captured
            | MessageOccasion::Refunded
            | MessageOccasion::Voided => words.receipt,
            MessageOccasion::Failed | MessageOccasion::Canceled | MessageOccasion::Expired => words.open,
        }
    }

    /// Labels and values, in order.
    pub(super) fn lines(&self) -> Vec<(&'static str, Cow<'a, str>)> {
        let label = &self.strings.label;
        let mut lines = Vec::new();
        if let Some(payer) = self.bought().and_then(|bought| bought.payer.as_deref()) {
            let to = if self.facts.occasion == MessageOccasion::Created {
                label.merchant
            } else {
                self.strings.receipt().paid_to
            };
            lines.push((to, self.merchant.clone()));
            lines.push((label.payer, Cow::Borrowed(payer)));
        }
        if let Some(order_no) = &self.facts.order_no {
            lines.push((label.order_number, without_bidi_controls(order_no)));
        }
        if let Some(reference) = &self.facts.reference {
            lines.push((label.reference_number, without_bidi_controls(reference)));
        }
        if let Some(until) = self.facts.until {
            lines.push((
                self.strings.message().until,
                Cow::Owned(self.strings.moment(Local { at: until, ahead: self.scene.ahead })),
            ));
        }
        lines
    }

    /// What was bought, where the message is about buying it.
    pub(super) fn bought(&self) -> Option<&'a Bought> {
        let is_about = matches!(
            self.facts.occasion,
            MessageOccasion::Created | MessageOccasion::Paid | MessageOccasion::Authorized
        );
        self.scene.bought.filter(|_| is_about)
    }

    /// The items of an e-mail: what each is and costs. Of a long list the first, and the number of all.
    pub(super) fn items(&self, items: &Items) -> Vec<[String; 2]> {
        let mut rows: Vec<[String; 2]> = Vec::new();
        for item in items.list.iter().take(MOST_ITEMS) {
            let quantity = item.quantity.map(|quantity| alloc::format!(" × {quantity}")).unwrap_or_default();
            let price = item.amount.map(|amount| self.strings.price(amount)).unwrap_or_default();
            rows.push([[item.name.as_str(), &quantity].concat(), price]);
        }
        if items.list.len() > MOST_ITEMS {
            let all = alloc::format!("{} ({})", self.strings.receipt().all_items, items.list.len());
            rows.push([all, String::new()]);
        }
        rows
    }

    /// What was bought, as plain text.
    fn list_bought(&self, lines: &mut String) {
        let Some(bought) = self.bought() else { return };
        if let Some(description) = &bought.description {
            lines.extend([description, "\n"]);
        }
        let Some(items) = &bought.items else { return };
        lines.extend([items.label.as_str(), ":\n"]);
        for [name, price] in self.items(items) {
            let colon = if price.is_empty() { "" } else { ": " };
            lines.extend(["- ", &name, colon, &price, "\n"]);
        }
    }

    /// How the payer reaches the merchant.
    pub(super) fn contacts(&self) -> impl Iterator<Item = &str> {
        let support = &self.brand.support;
        [&support.email, &support.phone].into_iter().flatten().map(String::as_str)
    }

    /// The e-mail as plain text.
    pub(super) fn plain(&self) -> String {
        let words = self.strings.message();
        let mut text = String::new();
        let mut paragraph = |part: &str| {
            text.push_str(part);
            text.push_str("\n\n");
        };
        paragraph(self.words.title);
        paragraph(&self.filled(self.words.text));
        if let Some(advice) = self.advice() {
            paragraph(advice);
        }
        paragraph(&[self.action(), ":\n", &self.facts.link].concat());
        let mut lines = String::new();
        self.list_bought(&mut lines);
        for (label, value) in self.lines() {
            lines.extend([label, ": ", &value, "\n"]);
        }
        if let Some(attachment) = &self.facts.attachment {
            lines.extend([self.strings.label.attachment, ": ", attachment, "\n"]);
        }
        paragraph(lines.trim_end());
        let contacts: Vec<&str> = self.contacts().collect();
        if !contacts.is_empty() {
            paragraph(&[self.filled(words.questions).as_str(), " ", &contacts.join(" · ")].concat());
        }
        if self.facts.is_test {
            paragraph(words.test_mode);
        }
        paragraph(&self.filled(words.reason));
        String::from(text.trim_end())
    }

    /// One text, of at most [`MAX_PARTS`] parts if its address is short.
    pub(super) fn sms(&self) -> String {
        let [mut room, fewest] = SMS_NAME;
        loop {
            let text = self.short(room);
            if room <= fewest || segments::size(&text).parts <= MAX_PARTS {
                return text;
            }
            room = room.saturating_sub(1);
        }
    }

    fn short(&self, room: usize) -> String {
        let name: String = self.merchant.chars().take(room).collect();
        let mut text = self.sentence(self.words.text, name.trim_end());
        text.push(' ');
        text.push_str(&self.facts.link);
        // In the default alphabet the space that breaks no line does not exist: every character would take twice the room.
        if segments::size(&text).is_gsm { text } else { self.whole(&text) }
    }

    /// Decision: a template has four places in this order: the merchant, the amount, the order number or otherwise the
    /// reference number, and the address. `WhatsApp` refuses empty places and line breaks.
    pub(super) fn template(&self) -> Template {
        let facts = self.facts;
        let order = facts.order_no.as_deref().or(facts.reference.as_deref()).unwrap_or("-");
        let values = [&*self.merchant, &self.whole_amount(), &without_bidi_controls(order), &facts.link];
        let mut text = self.whole(&self.filled(self.words.text));
        text.push('\n');
        text.push_str(&facts.link);
        Template {
            name: self.scene.template.into(),
            language: facts.language,
            parameters: values.map(String::from).into(),
            text,
        }
    }
}
