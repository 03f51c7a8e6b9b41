//! The page in English.

use super::brand::BrandWords;
use super::pause::PauseWords;
use super::ways::WayWords;
use super::{Actions, AmountFaults, HeadedText, Labels, Notices, Strings};
use crate::words::Language;

pub(super) const STRINGS: Strings = Strings {
    language: Language::En,
    label: Labels {
        pay_to: "Pay",
        merchant: "Merchant",
        amount: "Amount",
        exchange_rate: "Exchange rate",
        converted: "Converted amount",
        fee: "Fee",
        total: "Total",
        including: "includes",
        fee_added: "{fee} fee",
        order_number: "Order number",
        attachment: "Attachment",
        reference_number: "Reference number",
        method: "Payment method",
        date: "Date",
        due_at: "Due by",
        open_until: "Pay by",
        summary: "Order summary",
        amount_to_pay: "Amount to pay",
        amount_from: "From",
        amount_to: "to",
        chosen_amount: "Chosen amount",
        order_amount: "Order amount",
        details: "Order details",
        payer: "Name",
        billing_address: "Billing address",
        shipping_address: "Delivery address",
        yes: "Yes",
        no: "No",
        started: "Not finished",
    },
    action: Actions {
        pay: "Pay",
        pay_amount: "Pay {amount}",
        continue_to: "Continue to {method} · {amount}",
        pay_with_card: "Pay {amount} with {card}",
        pay_on_delivery: "Place order · pay {amount} on delivery",
        connecting: "Opening your payment…",
        return_to: "Return to",
        check_again: "Check again",
        other_language: "العربية",
    },
    notice: Notices {
        declined: HeadedText {
            title: "The payment was declined",
            text: "You haven't been charged. Try another card, or choose another way to pay.",
        },
        withdrawn: HeadedText {
            title: "The payment was not completed",
            text: "You left the payment page before paying, and haven't been charged. Try again whenever you are ready.",
        },
        gateway_trouble: HeadedText {
            title: "The payment could not be started",
            text: "You haven't been charged. Try again in a moment, or choose another way to pay.",
        },
        page_not_opened: HeadedText {
            title: "The bank's page could not be opened",
            text: "Try again in a moment, or choose another way to pay.",
        },
        checked: HeadedText {
            title: "Your last try is being checked",
            text: "The bank's answer needs a closer look by a person: you may have been charged. Ask the merchant before you try again.",
        },
        replaced: HeadedText {
            title: "You continued in another window",
            text: "This payment was changed there, so the page that you were on was closed. Finish there, or choose a way to pay here.",
        },
        other_terms: HeadedText {
            title: "The terms have changed",
            text: "Please read what you agree to once more, then continue.",
        },
        price_changed: HeadedText {
            title: "The price has changed",
            text: "Nothing was charged. Please check the new amount, then pay if you agree.",
        },
        in_progress: HeadedText {
            title: "Your last payment is not finished",
            text: "We are still waiting to hear about it. Please wait a moment.",
        },
        too_many_attempts: HeadedText {
            title: "Too many attempts",
            text: "You haven't been charged for this one. Please wait a little, then try again.",
        },
        card_locked: HeadedText {
            title: "This card cannot be removed now",
            text: "A payment that is under way or an agreement with the merchant still needs it.",
        },
        no_wallet: HeadedText {
            title: "Google Pay is not available in this browser",
            text: "Please choose another way to pay.",
        },
        not_chosen: HeadedText {
            title: "Nothing is chosen yet",
            text: "Choose how to pay, then press the button again.",
        },
        method_unknown: HeadedText {
            title: "This payment method is not available",
            text: "Choose another way to pay.",
        },
        offline: HeadedText {
            title: "No connection",
            text: "Check your internet connection and try again. You won't be charged twice.",
        },
        no_answer: HeadedText {
            title: "No answer yet",
            text: "Something went wrong on the way. Please wait a moment, then try again. You won't be charged twice.",
        },
    },
    amount_fault: AmountFaults {
        malformed: "Enter an amount, for example {example}.",
        ambiguous: "The comma can be read in two ways. Put a point before the decimals, and nothing between thousands.",
        decimals: "The amount has too many decimals.",
        not_charged: "This payment method cannot charge exactly this amount. Enter another amount, or choose another method.",
        out_of_range: "Enter an amount from {least} to {most}.",
    },
    too_many_declines: PauseWords::ENGLISH,
    ways: WayWords::ENGLISH,
    brand: BrandWords::ENGLISH,
    card: super::card::ENGLISH,
    test_mode: HeadedText { title: "Test mode", text: "No money will be taken." },
    no_card_here: "You enter your card at your bank, never here.",
};
