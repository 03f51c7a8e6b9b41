//! Who is notified that a person should look at something.

use alloc::string::String;
use alloc::vec::Vec;

use crate::record::attention::Topic;
use crate::value::web_address::WebAddress;
use crate::words::word_list;

/// The most e-mail addresses.
pub(crate) const MAX_EMAILS: usize = 10;

/// To whom alerts go, and about what. Without an address nobody is alerted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlertSettings {
    /// The e-mail addresses.
    pub emails: Vec<String>,
    /// The address of the webhook.
    pub webhook_url: Option<WebAddress>,
    /// About what; empty for everything.
    pub topics: Vec<Topic>,
    /// After which failed try of a webhook.
    pub webhook_tries: Patience,
}

word_list! {
    /// After which failed try of a webhook its merchant is alerted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Patience {
        /// The first.
        First = "1",
        /// The third.
        #[default]
        Third = "3",
        /// The last, after which it is given up.
        Last = "last",
    }
}

impl Patience {
    /// Whether a webhook that is tried again after so many failed tries is a reason for an alert.
    #[must_use]
    pub(crate) const fn ends_with(self, failed_tries: u32) -> bool {
        match self {
            Self::First => failed_tries == 1,
            Self::Third => failed_tries == 3,
            Self::Last => false,
        }
    }
}

impl AlertSettings {
    /// Whether anyone is notified about a topic.
    #[must_use]
    pub fn wants(&self, topic: Topic) -> bool {
        let has_address = self.webhook_url.is_some() || !self.emails.is_empty();
        has_address && (self.topics.is_empty() || self.topics.contains(&topic))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_reported_without_an_address_and_everything_is_reported_without_a_choice() {
        let silent = AlertSettings::default();
        assert!(Topic::ALL.into_iter().all(|topic| !silent.wants(topic)));
        let everything = AlertSettings { emails: ["ops@example.com".into()].into(), ..silent };
        assert!(Topic::ALL.into_iter().all(|topic| everything.wants(topic)));
        let chosen = AlertSettings { topics: [Topic::Webhook].into(), ..everything };
        assert!(chosen.wants(Topic::Webhook) && !chosen.wants(Topic::Payment));
    }
}
