//! What the API shows of a payment transaction: the answer to create and retrieve. Optional fields that were
//! not given are left out.

use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::billing::billing;
use crate::answer::body::{AnswerBody, component};
use crate::answer::consent::ConsentShown;
use crate::answer::method::method_members;
use crate::answer::operation::children;
use crate::answer::source::ViewSource;
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::operation::standing::{Standing, StandingSums};
use crate::payment::routing::offered;
use crate::record::short_link::ShortCode;
use crate::route::{ImageFormat, QrCode, Route};
use crate::sdk::billing::Billing;
use crate::sdk::method::MethodMembers;
use crate::sdk::session::CheckoutSdk;
use crate::transaction::CardAcceptanceCriteria;
use crate::transaction::fields::sorted::sorted_fields;
use crate::transaction::fields::transaction_fields;
use crate::transaction::stored::StoredField as _;
use crate::value::id::{PgCode, SessionId};
use crate::value::json::{self, Unwritten};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::value::time::period::print_period;
use crate::wire::json::name_of;

/// What a response shows only because its request asked for it, or only once the transaction has ended.
#[derive(Default)]
pub struct ViewOptions {
    /// The code of `checkout_short_url`.
    pub checkout_code: Option<ShortCode>,
    /// The code of `attachment_short_url`.
    pub attachment_code: Option<ShortCode>,
    /// Whether `qr_code_url` is shown.
    pub has_qr_code: bool,
    /// `consent`.
    pub consent: Option<ConsentShown>,
    /// `receipt`.
    pub receipt: Option<String>,
    /// The state of the payment beyond the transaction; `None` if nobody tried to pay yet.
    pub standing: Option<Standing>,
    /// `sdk_setup_preload_payload`.
    pub sdk: Option<CheckoutSdk>,
}

/// The JSON text of a transaction.
///
/// # Errors
/// If it could not be written.
pub fn view(source: ViewSource<'_>, asked: &ViewOptions) -> Result<String, Unwritten> {
    json::write(&View::of(source, asked))
}

/// The address of the checkout page of a transaction.
#[must_use]
pub fn checkout_url(public_url: &str, session_id: &SessionId) -> String {
    [public_url, &Route::CheckoutPage.path(), "?session_id=", session_id.as_str()].concat()
}

/// A transaction that is written as it is shown: what several members show, and a function for each member that is not just
/// the value of its field.
pub struct View<'a> {
    source: ViewSource<'a>,
    asked: &'a ViewOptions,
    checkout_url: String,
    sums: StandingSums,
    children: Vec<AnswerBody<'a>>,
    offered: Vec<(&'a Profile, Quote)>,
}

component!(View<'_> = "Transaction");

macro_rules! declare_members {
    ($($name:ident $(as $wire:literal)? $(after $before:ident)? $(=> $show:ident)?;)*) => {
        sorted_fields! { Member { $($name $(as $wire)? $(after $before)?;)* } }

        impl Serialize for View<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(None)?;
                for member in Member::SORTED {
                    match member {
                        $(Member::$name => {
                            let name = name_of!($name $($wire)?);
                            show!(self, map, name, $name $(, $show)?);
                        })*
                    }
                }
                map.end()
            }
        }
    };
}

/// A member of details is shown as it is stored, except those with a function.
macro_rules! show {
    ($view:ident, $map:ident, $name:ident, $field:ident) => {
        let value = &$view.source.transaction.details.$field;
        if !value.is_absent() {
            $map.serialize_entry($name, value)?;
        }
    };
    ($view:ident, $map:ident, $name:ident, $field:ident, $show:ident) => {
        put(&mut $map, $name, &$view.$show())?;
    };
}
transaction_fields!(shown => declare_members);

fn put<M: SerializeMap>(map: &mut M, name: &'static str, value: &impl ViewMember) -> Result<(), M::Error> {
    if value.is_shown() { map.serialize_entry(name, value) } else { Ok(()) }
}

/// The value of a member, which may be left out.
trait ViewMember: Serialize {
    fn is_shown(&self) -> bool {
        true
    }
}

impl<T: Serialize> ViewMember for Option<T> {
    fn is_shown(&self) -> bool {
        self.is_some()
    }
}

impl<T: Serialize> ViewMember for Vec<T> {}
impl<T: Serialize> ViewMember for &[T] {}
impl ViewMember for &str {}
impl ViewMember for String {}
impl ViewMember for Billing {}

impl<'a> View<'a> {
    /// The transaction of `source`, with what was asked for.
    pub(crate) fn of(source: ViewSource<'a>, asked: &'a ViewOptions) -> Self {
        let transaction = source.transaction;
        let standing = asked.standing.as_ref();
        let order_no = transaction.details.order_no.as_deref();
        Self {
            asked,
            checkout_url: checkout_url(source.public_url, &transaction.session_id),
            sums: standing.map(|standing| standing.sums(transaction)).unwrap_or_default(),
            children: standing.map(|standing| children(&standing.children, order_no)).unwrap_or_default(),
            offered: offered(transaction, source.situation).collect(),
            source,
        }
    }
}

/// The members of the table's columns.
impl View<'_> {
    fn kind(&self) -> &'static str {
        self.source.transaction.plugin.as_str()
    }

    fn amount(&self) -> String {
        self.source.transaction.amount.text()
    }

    fn currency_code(&self) -> &'static str {
        self.source.transaction.amount.currency().code()
    }

    fn pg_codes(&self) -> &[PgCode] {
        &self.source.transaction.pg_codes
    }

    fn expiration_time(&self) -> String {
        let transaction = &self.source.transaction;
        print_period(transaction.expires_at.since(transaction.created_at))
    }
}

/// The members of details that are shown otherwise than they are stored.
impl View<'_> {
    fn payment_type(&self) -> &'static str {
        self.source.transaction.details.payment_type.as_str()
    }

    fn language(&self) -> &'static str {
        self.source.transaction.details.language().as_str()
    }

    fn due_datetime(&self) -> String {
        let transaction = &self.source.transaction;
        transaction.details.due_datetime.unwrap_or(transaction.created_at).text()
    }

    fn card_acceptance_criteria(&self) -> Option<CardAcceptanceCriteria> {
        self.source.transaction.details.card_criteria()
    }

    fn attachment(&self) -> Option<String> {
        let file = self.source.transaction.details.attachment.as_ref();
        file.map(|file| file.name.address(self.source.public_url))
    }
}

/// The members that are only shown.
impl<'a> View<'a> {
    fn attachment_short_url(&self) -> Option<String> {
        self.asked.attachment_code.as_ref().map(|code| self.short_url(code))
    }

    fn billing(&self) -> Billing {
        billing(self.source.transaction, self.offered.first().copied())
    }

    fn checkout_page_url(&self) -> &str {
        &self.checkout_url
    }

    fn checkout_short_url(&self) -> Option<String> {
        self.asked.checkout_code.as_ref().map(|code| self.short_url(code))
    }

    fn checkout_url(&self) -> &str {
        &self.checkout_url
    }

    fn consent(&self) -> Option<&'a ConsentShown> {
        self.asked.consent.as_ref()
    }

    fn created_at(&self) -> String {
        self.source.transaction.created_at.text()
    }

    fn operation(&self) -> &'static str {
        self.source.transaction.operation.as_str()
    }

    fn paid_amount(&self) -> Option<String> {
        self.sums.paid.map(|paid| paid.text())
    }

    fn paid_at(&self) -> Option<String> {
        self.sums.paid_at.map(Timestamp::text)
    }

    fn payment_methods(&self) -> Vec<MethodMembers> {
        let ViewSource { transaction, public_url, .. } = &self.source;
        let methods = self.offered.iter().map(|(profile, quote)| MethodMembers {
            // The page with this method chosen.
            redirect_url: Some([self.checkout_url.as_str(), "&pg_code=", profile.code.as_str()].concat()),
            ..method_members(transaction, profile, *quote, public_url)
        });
        methods.collect()
    }

    fn qr_code_url(&self) -> Option<String> {
        let session_id = || self.source.transaction.session_id.clone();
        let route = || Route::DrawQrCode(QrCode { session_id: session_id(), format: ImageFormat::Png });
        self.asked.has_qr_code.then(|| self.address(&route()))
    }

    fn receipt(&self) -> Option<&'a str> {
        self.asked.receipt.as_deref()
    }

    fn reference_number(&self) -> Option<&'a str> {
        self.asked.standing.as_ref().map(|standing| standing.attempt.reference.as_str())
    }

    fn refunded_amount(&self) -> Option<String> {
        unless_zero(self.sums.refunded)
    }

    fn sdk_setup_preload_payload(&self) -> Option<&CheckoutSdk> {
        self.asked.sdk.as_ref()
    }

    fn session_id(&self) -> &str {
        self.source.transaction.session_id.as_str()
    }

    fn settled_pg_code(&self) -> Option<&str> {
        let transaction = self.source.transaction;
        let settlement = transaction.settlement.as_ref().filter(|_| transaction.state.is_success());
        settlement.map(|settlement| settlement.pg_code.as_str())
    }

    fn state(&self) -> &'static str {
        let ViewSource { transaction, has_open_attempt, situation, .. } = &self.source;
        transaction.state_at(situation.now, *has_open_attempt).as_str()
    }

    /// The children, under both of the names of the notification.
    fn transaction(&self) -> Option<&[AnswerBody<'a>]> {
        self.transactions()
    }

    fn transactions(&self) -> Option<&[AnswerBody<'a>]> {
        Some(self.children.as_slice()).filter(|children| !children.is_empty())
    }

    fn voided_amount(&self) -> Option<String> {
        unless_zero(self.sums.voided)
    }

    fn short_url(&self, code: &ShortCode) -> String {
        self.address(&Route::ShortLink(code.clone()))
    }

    fn address(&self, route: &Route) -> String {
        [self.source.public_url, &route.path()].concat()
    }
}

fn unless_zero(amount: Option<Money>) -> Option<String> {
    amount.filter(|amount| !amount.is_zero()).map(|amount| amount.text())
}
