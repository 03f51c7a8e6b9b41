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
    async fn find_deliveries(&self, search: &DeliverySearch) -> Result<Vec<LoggedDelivery>, PortError> {
        self.read(self.inner.store.find_deliveries(search)).await
    }

    async fn logged_delivery(
        &self,
        merchant: &MerchantId,
        id: &DeliveryId,
    ) -> Result<Option<FullDelivery>, PortError> {
        self.read(self.inner.store.logged_delivery(merchant, id)).await
    }

    async fn resend(&self, resend: &Resend, entry: &Entry) -> Result<Resent, PortError> {
        self.write(self.inner.store.resend(resend, entry)).await
    }
}

impl Receivers for FaultyWorld {
    async fn count_receivers(&self, merchant: &MerchantId, most: u32) -> Result<u32, PortError> {
        self.read(self.inner.store.count_receivers(merchant, most)).await
    }

    async fn receivers(&self, merchant: &MerchantId, limit: u32) -> Result<Vec<Receiver>, PortError> {
        self.read(self.inner.store.receivers(merchant, limit)).await
    }

    async fn enable_receiver(
        &self,
        merchant: &MerchantId,
        address: &str,
        now: Timestamp,
        entry: &Entry,
    ) -> Result<Option<Released>, PortError> {
        self.write(self.inner.store.enable_receiver(merchant, address, now, entry)).await
    }
}
