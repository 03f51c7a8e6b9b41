//! The log of deliveries, whose reads and writes may fail like all others.

use checkout_core::port::{
    Deliveries, DeliverySearch, FullDelivery, LoggedDelivery, PortError, Receivers, Released, Resend, Resent,
};
use checkout_core::record::audit::Entry;
use checkout_core::record::receiver::Receiver;
use checkout_core::value::id::{DeliveryId, MerchantId};
use checkout_core::value::time::Timestamp;

use super::FaultyWorld;

impl Deliveries for FaultyWorld {
    asks! {
        read find_deliveries(search: &DeliverySearch) -> Vec<LoggedDelivery>;
        read logged_delivery(merchant: &MerchantId, id: &DeliveryId) -> Option<FullDelivery>;
        write resend(resend: &Resend, entry: &Entry) -> Resent;
    }
}

impl Receivers for FaultyWorld {
    asks! {
        read count_receivers(merchant: &MerchantId, most: u32) -> u32;
        read receivers(merchant: &MerchantId, limit: u32) -> Vec<Receiver>;
        write enable_receiver(
            merchant: &MerchantId,
            address: &str,
            now: Timestamp,
            entry: &Entry,
        ) -> Option<Released>;
    }
}
