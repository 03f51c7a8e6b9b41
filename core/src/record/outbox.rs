//! What waits to be sent, and to whom. A message is stored with the event that caused it, and sent until it
//! arrives or is given up.
//!
//! To send another kind of message, add it to [`MessageKind`], and its codec to [`crate::flow::deliver`]: the compiler
//! names every place that has to know of it. The outbox itself stays as it is.

use alloc::string::String;
use core::fmt;

use crate::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;
use crate::value::web_address::WebAddress;
use crate::words::message::Channel;
use crate::words::word_list;

word_list! {
    /// What a message is. This decides what its body says, to whom it goes, and how it is sent.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum MessageKind {
        /// The webhook about a payment: the outcome of an attempt, or the end of a transaction without one.
        PaymentWebhook = "payment_webhook",
        /// The webhook about a payment that also shows a saved card: the one that it saved or charged.
        CardWebhook = "card_webhook",
        /// The webhook about a capture, refund or void.
        OperationWebhook = "operation_webhook",
        /// The webhook about a payment that the merchant asked for with an inquiry.
        RequestedWebhook = "requested_webhook",
        /// An e-mail to the payer, or a copy of it.
        Email = "email",
        /// A text message to the payer's telephone.
        Sms = "sms",
        /// A message of `WhatsApp` to the payer.
        Whatsapp = "whatsapp",
        /// The webhook that says what a person should look at.
        AlertWebhook = "alert_webhook",
        /// The e-mail that says what a person should look at.
        AlertEmail = "alert_email",
        /// No message to anyone: a request for approval is to be carried out, or is over.
        Approval = "approval",
    }
}

impl MessageKind {
    /// The words of what goes to the merchant.
    pub const WEBHOOKS: &'static [&'static str] = &[
        Self::PaymentWebhook.as_str(),
        Self::CardWebhook.as_str(),
        Self::OperationWebhook.as_str(),
        Self::RequestedWebhook.as_str(),
        Self::AlertWebhook.as_str(),
    ];

    /// Reads one of [`WEBHOOKS`](Self::WEBHOOKS).
    #[must_use]
    pub(crate) fn parse_webhook(text: &str) -> Option<Self> {
        Self::parse(text).filter(|kind| kind.is_webhook())
    }

    /// Whether it is an alert: about no transaction, and never a reason for another alert.
    #[must_use]
    pub(crate) const fn is_alert(self) -> bool {
        matches!(self, Self::AlertWebhook | Self::AlertEmail)
    }

    /// Whether it goes to a receiver.
    #[must_use]
    pub(crate) const fn is_webhook(self) -> bool {
        self.channel().is_none() && !matches!(self, Self::Approval)
    }

    /// How it is carried by a provider of messages; `None` for what goes to a receiver, or to nobody.
    #[must_use]
    pub const fn channel(self) -> Option<Channel> {
        match self {
            Self::PaymentWebhook
            | Self::CardWebhook
            | Self::OperationWebhook
            | Self::RequestedWebhook
            | Self::AlertWebhook
            | Self::Approval => None,
            Self::Email | Self::AlertEmail => Some(Channel::Email),
            Self::Sms => Some(Channel::Sms),
            Self::Whatsapp => Some(Channel::Whatsapp),
        }
    }

    /// The kind of a message to a payer.
    #[must_use]
    pub const fn of_channel(channel: Channel) -> Self {
        match channel {
            Channel::Email => Self::Email,
            Channel::Sms => Self::Sms,
            Channel::Whatsapp => Self::Whatsapp,
        }
    }
}

word_list! {
    /// The state of the delivery of a message.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DeliveryState {
        /// It is to be sent.
        Due = "due",
        /// It waits until its receiver is enabled again.
        Held = "held",
        /// The recipient accepted it.
        Delivered = "delivered",
        /// It is not tried again.
        GivenUp = "given_up",
    }
}

impl fmt::Display for MessageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PaymentWebhook => "payment webhook",
            Self::CardWebhook => "card webhook",
            Self::OperationWebhook => "operation webhook",
            Self::RequestedWebhook => "requested webhook",
            Self::Email => "email",
            Self::Sms => "sms",
            Self::Whatsapp => "whatsapp",
            Self::AlertWebhook => "alert webhook",
            Self::AlertEmail => "alert email",
            Self::Approval => "approval",
        })
    }
}

/// What a message is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The payment transaction; `None` for an alert, which is about none.
    pub session_id: Option<SessionId>,
    /// The reference number that the message names: that of the attempt, or of the child transaction if it is
    /// about an operation. A message about the end of a transaction, and an alert, has a reference of its own.
    pub reference: ReferenceNumber,
}

/// To whom a message goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    /// A merchant's receiver of webhooks, at this address; of what goes to nobody, the gateway that is asked.
    Receiver(String),
    /// A payer, or who is alerted, through the merchant's provider of this channel. The body says who, so that one erasure
    /// erases both.
    Provider(Channel),
}

impl Recipient {
    /// A receiver at an address that was checked.
    #[must_use]
    pub fn to(address: &WebAddress) -> Self {
        Self::Receiver(address.as_str().into())
    }

    /// The recipient of a stored message.
    #[must_use]
    pub fn stored(kind: MessageKind, address: String) -> Self {
        kind.channel().map_or(Self::Receiver(address), Self::Provider)
    }

    /// The address, as it is stored.
    #[must_use]
    pub fn address(&self) -> &str {
        match self {
            Self::Receiver(url) => url,
            Self::Provider(channel) => channel.as_str(),
        }
    }
}

/// What the messages to all recipients have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MessageContent {
    /// What it is.
    pub kind: MessageKind,
    /// The attempt or the child transaction; see [`Subject::reference`].
    pub reference: ReferenceNumber,
    /// The body.
    pub body: String,
}

/// One message to one recipient, its bytes fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The id that is sent with every try.
    pub id: DeliveryId,
    /// The merchant for which it is sent.
    pub merchant: MerchantId,
    /// What it is.
    pub kind: MessageKind,
    /// What it is about.
    pub subject: Subject,
    /// To whom it goes.
    pub recipient: Recipient,
    /// The body, sent unchanged with every try.
    pub body: String,
    /// When it is due.
    pub due_at: Timestamp,
}

impl Message {
    /// Who answers for it: the scheme and the host of an address. Alerts have a lane of their own, so that a receiver of
    /// alerts that does not answer holds up no webhook about a payment.
    #[must_use]
    pub fn lane(&self) -> String {
        let mut parts = self.recipient.address().splitn(4, '/');
        let [scheme, empty, host] = [(); 3].map(|()| parts.next().unwrap_or_default());
        let lane = if self.kind.is_alert() { ALERT_LANE } else { "" };
        alloc::format!("{lane}{scheme}/{empty}/{host}")
    }
}

/// How the names of lanes of alerts begin.
pub(crate) const ALERT_LANE: &str = "alerts ";

/// What is sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// One delivery.
    One(DeliveryId),
    /// Those in a state that were caused in a period, the oldest first, that were not sent again since its end.
    Of {
        /// The state.
        state: DeliveryState,
        /// Only to this receiver, by its scheme and host.
        receiver: Option<String>,
        /// The beginning of the period.
        since: Timestamp,
        /// Its end.
        until: Timestamp,
    },
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn a_kind_is_shown_as_it_is_stored_but_in_words() {
        for kind in MessageKind::ALL {
            assert_eq!(kind.to_string(), kind.as_str().replace('_', " "));
            assert_eq!(MessageKind::parse(kind.as_str()), Some(kind));
        }
    }

    #[test]
    fn a_recipient_is_read_back_from_its_address() {
        for kind in MessageKind::ALL {
            let to_merchant = || Recipient::Receiver("https://shop.example.com/hook".into());
            let recipient = kind.channel().map_or_else(to_merchant, Recipient::Provider);
            assert_eq!(Recipient::stored(kind, recipient.address().into()), recipient, "{kind}");
        }
    }
}
