//! The texts of a language.

use super::brand::BrandWords;
use super::card::CardWords;
use super::headed::HeadedText;
use super::pause::PauseWords;
use super::ways::WayWords;
use crate::words::Language;

/// The texts of one language.
#[derive(Debug)]
pub struct Strings {
    /// The language.
    pub language: Language,
    /// Labels of values.
    pub label: Labels,
    /// Words on controls.
    pub action: Actions,
    /// What went wrong just now.
    pub notice: Notices,
    /// What is wrong with an amount that was typed.
    pub amount_fault: AmountFaults,
    /// How long to wait after too many declines.
    pub too_many_declines: PauseWords,
    /// Saved cards and device wallets.
    pub ways: WayWords,
    /// Next to the face of the merchant.
    pub brand: BrandWords,
    /// What is said instead if a card is only saved.
    pub card: CardWords,
    /// The label of a simulation, and what it means.
    pub test_mode: HeadedText,
    /// At the end of the page: where a card's number is entered.
    pub no_card_here: &'static str,
}

/// Labels of values; the value follows them.
#[derive(Debug)]
pub struct Labels {
    /// The merchant that is to be paid, in the heading.
    pub pay_to: &'static str,
    /// The merchant, in a receipt.
    pub merchant: &'static str,
    /// The amount without fees.
    pub amount: &'static str,
    /// What one unit of the amount's currency is worth in the one that is charged.
    pub exchange_rate: &'static str,
    /// The amount without fees in the currency that is charged.
    pub converted: &'static str,
    /// A fee for which the merchant set no label.
    pub fee: &'static str,
    /// Amount and fee together.
    pub total: &'static str,
    /// The fee that a total contains.
    pub including: &'static str,
    /// The fee that a method adds, under its name: `{fee}` is its digits, or its rule.
    pub fee_added: &'static str,
    /// The merchant's order number.
    pub order_number: &'static str,
    /// The file that goes with it.
    pub attachment: &'static str,
    /// The number of the attempt.
    pub reference_number: &'static str,
    /// How it is or was paid.
    pub method: &'static str,
    /// When it was paid.
    pub date: &'static str,
    /// When payment is due.
    pub due_at: &'static str,
    /// From when the page can no longer be paid.
    pub open_until: &'static str,
    /// The list of amounts.
    pub summary: &'static str,
    /// The field in which the payer types how much to pay.
    pub amount_to_pay: &'static str,
    /// Before the smallest amount that may be typed.
    pub amount_from: &'static str,
    /// Between the smallest and the largest amount that may be typed.
    pub amount_to: &'static str,
    /// What the payer chose to pay of it.
    pub chosen_amount: &'static str,
    /// The amount of the order, of which a part was paid.
    pub order_amount: &'static str,
    /// Further details of the order.
    pub details: &'static str,
    /// The payer's name.
    pub payer: &'static str,
    /// The billing address.
    pub billing_address: &'static str,
    /// The shipping address.
    pub shipping_address: &'static str,
    /// A flag that is set.
    pub yes: &'static str,
    /// A flag that is not.
    pub no: &'static str,
    /// A method whose payment page still waits for the payer.
    pub started: &'static str,
}

/// Words on controls.
#[derive(Debug)]
pub struct Actions {
    /// Pay, while no method is chosen.
    pub pay: &'static str,
    /// Pay `{amount}`, with a method that is not named.
    pub pay_amount: &'static str,
    /// Go on to the page of `{method}`, where `{amount}` is paid.
    pub continue_to: &'static str,
    /// Pay `{amount}` with the saved `{card}`.
    pub pay_with_card: &'static str,
    /// Place the order and pay `{amount}` in cash later.
    pub pay_on_delivery: &'static str,
    /// While the payment is being opened.
    pub connecting: &'static str,
    /// Go back to the merchant; the merchant's host follows.
    pub return_to: &'static str,
    /// Ask again about the state of a payment.
    pub check_again: &'static str,
    /// The other language, in that language.
    pub other_language: &'static str,
}

/// What went wrong just now.
#[derive(Debug)]
pub struct Notices {
    /// The bank declined.
    pub declined: HeadedText,
    /// The payer canceled at the bank.
    pub withdrawn: HeadedText,
    /// The gateway could not be reached.
    pub gateway_trouble: HeadedText,
    /// The gateway's page could not be opened.
    pub page_not_opened: HeadedText,
    /// A person decides whether the payment was charged.
    pub checked: HeadedText,
    /// The payer came back from a gateway's page that another window had replaced.
    pub replaced: HeadedText,
    /// The merchant changed what the payer agrees to.
    pub other_terms: HeadedText,
    /// The price is another one than the page showed.
    pub price_changed: HeadedText,
    /// A payment is in progress.
    pub in_progress: HeadedText,
    /// The payment was tried too often recently.
    pub too_many_attempts: HeadedText,
    /// The method is not offered.
    pub method_unknown: HeadedText,
    /// The browser does not have the wallet.
    pub no_wallet: HeadedText,
    /// No method was chosen.
    pub not_chosen: HeadedText,
    /// The saved card cannot be removed.
    pub card_locked: HeadedText,
    /// The service could not be reached from the browser.
    pub offline: HeadedText,
    /// The service gave no certain answer.
    pub no_answer: HeadedText,
}

/// What is wrong with an amount that was typed.
#[derive(Debug)]
pub struct AmountFaults {
    /// It is no number; `{example}` is one.
    pub malformed: &'static str,
    /// Its comma has two readings.
    pub ambiguous: &'static str,
    /// It has more decimals than its currency.
    pub decimals: &'static str,
    /// The chosen method cannot charge it.
    pub not_charged: &'static str,
    /// It is less than `{least}` or more than `{most}`.
    pub out_of_range: &'static str,
}
