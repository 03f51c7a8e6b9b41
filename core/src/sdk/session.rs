//! What a checkout SDK needs to offer the payment methods.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::billing::Billing;
use super::callback::SdkCallback;
use super::card::CardShown;
use super::flexible::FlexMethod;
use super::method::MethodMembers;
use super::service::WalletService;
use crate::state::State;
use crate::value::id::SessionId;
use crate::value::money::Currency;
use crate::value::time::Moment;
use crate::words::payment_type::PaymentType;
use crate::words::{Language, Operation, Plugin};

/// The object. Lists of what does not exist yet are empty.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CheckoutSdk {
    /// The total without fees.
    pub amount: String,
    /// What the first payment method costs.
    pub billing: Billing,
    /// Where an SDK cancels the transaction.
    pub cancel_url: String,
    /// The saved cards with which it can be paid.
    pub cards: Vec<CardShown>,
    /// The hosted page of the transaction.
    pub checkout_url: String,
    /// ISO 4217 code.
    #[schemars(with = "String")]
    pub currency_code: Currency,
    /// The merchant's id of the payer, for the merchant's server only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<String>,
    /// The payer's phone number, for the merchant's server only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_phone: Option<String>,
    /// Until when it can be paid.
    pub expiration_time: Moment,
    /// The methods that may be asked before they are offered.
    pub flex_methods: Vec<FlexMethod>,
    /// Whether the payer may choose how much to pay.
    pub is_amount_editable: bool,
    /// Whether the merchant takes no payments at the moment: nothing can be chosen until that ends.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_paused: bool,
    /// Whether one of its gateways moves no money.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_sandbox: bool,
    /// The language of the page.
    pub language: Language,
    /// After a soft decline, while nothing can have been charged: the other way to pay that is offered by one press.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_way: Option<Box<MethodMembers>>,
    /// Whether the first gateway charges at once or only holds the money.
    pub operation: Operation,
    /// The methods that use the page of a gateway.
    pub payment_methods: Vec<MethodMembers>,
    /// The device wallets.
    pub payment_services: Vec<WalletService>,
    /// What the payment is for.
    pub payment_type: PaymentType,
    /// The outcome of the latest attempt; an empty object while there is none.
    #[serde(with = "outcome")]
    #[schemars(with = "SdkCallback")]
    pub response: Option<Box<SdkCallback>>,
    /// Always an empty object.
    pub sdk_studio: Studio,
    /// The transaction.
    #[schemars(with = "String")]
    pub session_id: SessionId,
    /// Its state.
    pub state: State,
    /// The plugin.
    #[serde(rename = "type")]
    pub kind: Plugin,
}

/// How the SDK looks: none of it can be configured yet.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Studio {}

/// The outcome of an attempt as an SDK decodes it: always an object.
mod outcome {
    use alloc::boxed::Box;
    use core::cell::Cell;
    use core::fmt;

    use serde::de::{DeserializeSeed, MapAccess, Visitor};
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, forward_to_deserialize_any};

    use super::{SdkCallback, Studio};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(
        outcome: &Option<Box<SdkCallback>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match outcome {
            Some(known) => known.serialize(serializer),
            None => Studio {}.serialize(serializer),
        }
    }

    /// An object without members is none, whatever the format.
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Box<SdkCallback>>, D::Error> {
        let is_empty = Cell::new(false);
        match SdkCallback::deserialize(Noting { inner: deserializer, is_empty: &is_empty }) {
            Ok(outcome) => Ok(Some(Box::new(outcome))),
            Err(_) if is_empty.get() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads, and notes whether an object had no members.
    struct Noting<'a, T> {
        inner: T,
        is_empty: &'a Cell<bool>,
    }

    impl<'de, D: Deserializer<'de>> Deserializer<'de> for Noting<'_, D> {
        type Error = D::Error;

        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.deserialize_any(visitor)
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            name: &'static str,
            fields: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, D::Error> {
            let visitor = Noting { inner: visitor, is_empty: self.is_empty };
            self.inner.deserialize_struct(name, fields, visitor)
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    impl<'de, V: Visitor<'de>> Visitor<'de> for Noting<'_, V> {
        type Value = V::Value;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.inner.expecting(f)
        }

        fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
            self.is_empty.set(true);
            self.inner.visit_map(Noting { inner: members, is_empty: self.is_empty })
        }
    }

    impl<'de, A: MapAccess<'de>> MapAccess<'de> for Noting<'_, A> {
        type Error = A::Error;

        fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
            let name = self.inner.next_key_seed(seed)?;
            self.is_empty.set(self.is_empty.get() && name.is_none());
            Ok(name)
        }

        fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
            self.inner.next_value_seed(seed)
        }
    }
}
