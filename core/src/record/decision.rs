//! Why a payment went to its gateway.

use alloc::string::String;
use alloc::vec::Vec;

use crate::value::id::{PgCode, ReferenceNumber};
use crate::value::time::Timestamp;
use crate::words::word_list;

word_list! {
    /// What decided.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Basis {
        /// The payer chose the only gateway of a payment method.
        Payer = "payer",
        /// The request of the merchant named the gateway.
        Merchant = "merchant",
        /// A rule of the settings.
        Rule = "rule",
        /// No rule applied: the order of the transaction's codes.
        Order = "order",
        /// The payment certainly did not reach the gateway before.
        Fallback = "fallback",
        /// The gateway before declined softly, and the settings let the payment go on.
        AfterDecline = "after_decline",
    }
}

word_list! {
    /// What was found about a gateway of the transaction.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum GatewayFinding {
        /// The payment goes to it.
        Chosen = "chosen",
        /// It is tried next if the payment does not reach the chosen one.
        Next = "next",
        /// It comes after all others, because it failed too often lately.
        Skipped = "skipped",
        /// The payment certainly did not reach it.
        NotReached = "not_reached",
        /// It declined softly.
        Declined = "declined",
        /// It is another payment method, which the payer or the merchant did not choose.
        OtherMethod = "other_method",
        /// The payer would pay another total.
        OtherCost = "other_cost",
        /// The token of the wallet is not for it.
        OtherWalletAccount = "other_wallet_account",
        /// It does not save the card, which the payer wants.
        SavesNoCard = "saves_no_card",
        /// It must know who pays, and the payer was not asked.
        PayerNotKnown = "payer_not_known",
        /// One takes the money and the other only holds it.
        OtherOperation = "other_operation",
        /// One moves money and the other is a simulation.
        OtherEnvironment = "other_environment",
    }
}

/// A decision about one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutingDecision {
    /// The attempt.
    pub reference: ReferenceNumber,
    /// When, in the time of the merchant.
    pub at: Timestamp,
    /// What decided.
    pub basis: Basis,
    /// The name of the rule that ordered the gateways, if one applied.
    pub rule: Option<String>,
    /// The number of the transaction among a hundred, from 0, by which a rule with shares chose.
    pub draw: Option<u8>,
    /// The attempt that did not reach its gateway or was declined there, and that this one replaces.
    pub replaces: Option<ReferenceNumber>,
    /// The gateways of the transaction, in the order of the decision.
    pub gateways: Vec<(PgCode, GatewayFinding)>,
}

impl RoutingDecision {
    /// The gateways as they are stored: `mpgs:chosen adyen:next`.
    #[must_use]
    pub fn gateways_text(&self) -> String {
        let mut text = String::new();
        for (code, finding) in &self.gateways {
            let space = if text.is_empty() { "" } else { " " };
            for part in [space, code.as_str(), ":", finding.as_str()] {
                text.push_str(part);
            }
        }
        text
    }

    /// Reads what [`gateways_text`](Self::gateways_text) writes.
    #[must_use]
    pub fn read_gateways(text: &str) -> Option<Vec<(PgCode, GatewayFinding)>> {
        let pair = |word: &str| {
            let (code, finding) = word.split_once(':')?;
            Some((PgCode::parse(code)?, GatewayFinding::parse(finding)?))
        };
        text.split_ascii_whitespace().map(pair).collect()
    }

    /// Whether another gateway is tried if the payment does not reach this one.
    #[must_use]
    pub(crate) fn has_next(&self) -> bool {
        self.gateways
            .iter()
            .any(|(_, finding)| matches!(finding, GatewayFinding::Next | GatewayFinding::Skipped))
    }

    /// The gateway to which the payment goes.
    #[must_use]
    pub fn chosen(&self) -> Option<&PgCode> {
        self.gateways.iter().find(|(_, finding)| *finding == GatewayFinding::Chosen).map(|(code, _)| code)
    }
}
