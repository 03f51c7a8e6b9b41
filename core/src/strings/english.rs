//! The page in English.

use super::aftermath::AftermathWords;
use super::brand::BrandWords;
use super::pause::PauseWords;
use super::ways::WayWords;
use super::{Actions, AmountFaults, Labels, Message, Notices, Screens, Strings};
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
        including: "incl.",
        order_number: "Order number",
        attachment: "Attachment",
        reference_number: "Reference number",
        method: "Payment method",
        date: "Date",
        due_at: "Due by",
        open_until: "Open until",
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
        started: "Started",
        gateway_message: "Message",
    },
    action: Actions {
        pay: "Pay",
        pay_on_delivery: "Pay on delivery",
        connecting: "Connecting…",
        return_to: "Return to",
        check_again: "Check again",
        other_language: "العربية",
    },
    screen: Screens {
        payable: Message { title: "Choose how to pay", text: "You pay on the page of your bank or card." },
        pending: Message {
            title: "Confirming your payment",
            text: "We are waiting for the bank's answer. Please do not pay again; this page updates by itself.",
        },
        paid: Message {
            title: "Payment successful",
            text: "Thank you. Keep the reference number for your records.",
        },
        authorized: Message {
            title: "Payment approved",
            text: "The amount is reserved. The merchant collects it when the order is fulfilled.",
        },
        cash_on_delivery: Message {
            title: "Order confirmed",
            text: "Please have the amount ready in cash when your order is delivered.",
        },
        failed: Message {
            title: "Payment failed",
            text: "The payment did not go through. Please contact the merchant to try again.",
        },
        expired: Message {
            title: "This payment page has expired",
            text: "The time to pay is over. Please ask the merchant for a new link.",
        },
        canceled: Message {
            title: "Payment canceled",
            text: "The merchant canceled this payment. Nothing more can be paid here.",
        },
        invalid: Message {
            title: "This payment is no longer available",
            text: "The payment settings of the merchant changed. Please ask the merchant for a new link.",
        },
        paused: Message {
            title: "Payments are paused",
            text: "The merchant takes no payments at the moment, and nothing was charged. Please come back later.",
        },
    },
    notice: Notices {
        declined: Message {
            title: "The payment was declined",
            text: "Try again, or choose another way to pay.",
        },
        withdrawn: Message {
            title: "The payment was not completed",
            text: "You left the payment page before paying. You can try again whenever you are ready.",
        },
        gateway_trouble: Message {
            title: "The payment could not be started",
            text: "Nothing was charged. Try again in a moment, or choose another way to pay.",
        },
        page_not_opened: Message {
            title: "The bank's page could not be opened",
            text: "Try again in a moment, or choose another way to pay.",
        },
        in_progress: Message {
            title: "A payment is already under way",
            text: "Wait a moment until its outcome is known, then try again.",
        },
        too_many_attempts: Message {
            title: "Too many attempts",
            text: "You have not been charged for this one. Please wait a little, then try again.",
        },
        card_locked: Message {
            title: "This card cannot be removed now",
            text: "A payment that is under way or an agreement with the merchant still needs it.",
        },
        not_chosen: Message {
            title: "Nothing is chosen yet",
            text: "Choose how to pay, then press the button again.",
        },
        method_unknown: Message {
            title: "This payment method is not available",
            text: "Choose another way to pay.",
        },
        offline: Message {
            title: "No connection",
            text: "Check your internet connection and try again. You will not be charged twice.",
        },
    },
    amount_fault: AmountFaults {
        malformed: "Enter the amount in digits, with a point or a comma before the decimals.",
        ambiguous: "The comma can be read in two ways. Put a point before the decimals, and nothing between thousands.",
        decimals: "The amount has too many decimals.",
        out_of_range: "The amount is not within the limits.",
    },
    too_many_declines: PauseWords::ENGLISH,
    ways: WayWords::ENGLISH,
    brand: BrandWords::ENGLISH,
    aftermath: AftermathWords::ENGLISH,
    card: super::card::ENGLISH,
    not_found: Message {
        title: "Payment not found",
        text: "This link is incomplete or no longer valid. Open it again from the merchant's message, or ask for a new one.",
    },
    forward: (
        Message { title: "Confirm with your bank", text: "Your bank asks you to confirm the payment." },
        "Continue to your bank",
    ),
    test_mode: Message { title: "Test mode", text: "No real money is moved." },
    no_card_here: "Card details are entered on your bank's secure page, never here.",
    decline: super::decline::english,
    months: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    comma: ",",
    utc: "UTC",
};
