//! The sessions of people at the desk, their second factors, links and devices.

use checkout_core::access::user::Preferences;
use checkout_core::desk::access_link::UserLink;
use checkout_core::desk::factor::{DeskFactor, FactorSecret};
use checkout_core::desk::session::{DeskSession, DeskSessionId};
use checkout_core::desk::template::PaymentTemplate;
use checkout_core::desk::trip::{DeskTrip, TripId};
use checkout_core::port::{
    DeskFactors, DeskSessions, DeskTrips, KnownDevice, LinkUse, PaymentTemplates, UserDevices, UserLinks,
};
use checkout_core::record::outbox::Message;
use checkout_core::value::sealed::Sealed;
use checkout_core::words::{Language, Plugin};

use super::*;

impl DeskSessions for FaultyWorld {
    async fn add_desk_session(&self, session: &DeskSession) -> Result<(), PortError> {
        self.write(self.inner.store.add_desk_session(session)).await
    }

    async fn desk_session(
        &self,
        id: &DeskSessionId,
        named: Option<&SessionId>,
    ) -> Result<Option<(DeskSession, FoundUser)>, PortError> {
        self.read(self.inner.store.desk_session(id, named)).await
    }

    async fn desk_sessions(&self, user: UserId) -> Result<Vec<DeskSession>, PortError> {
        self.read(self.inner.store.desk_sessions(user)).await
    }

    async fn note_desk_session(&self, id: &DeskSessionId, at: Timestamp) -> Result<(), PortError> {
        self.write(self.inner.store.note_desk_session(id, at)).await
    }

    async fn choose_desk_language(&self, id: &DeskSessionId, language: Language) -> Result<(), PortError> {
        self.write(self.inner.store.choose_desk_language(id, language)).await
    }

    async fn choose_preferences(&self, user: UserId, preferences: &Preferences) -> Result<(), PortError> {
        self.write(self.inner.store.choose_preferences(user, preferences)).await
    }

    async fn end_desk_session(&self, user: UserId, id: &DeskSessionId) -> Result<bool, PortError> {
        self.write(self.inner.store.end_desk_session(user, id)).await
    }

    async fn end_desk_sessions(&self, user: UserId) -> Result<(), PortError> {
        self.write(self.inner.store.end_desk_sessions(user)).await
    }

    async fn delete_desk_sessions(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        self.write(self.inner.store.delete_desk_sessions(before, limit)).await
    }
}

impl DeskTrips for FaultyWorld {
    async fn add_desk_trip(&self, trip: &DeskTrip) -> Result<(), PortError> {
        self.write(self.inner.store.add_desk_trip(trip)).await
    }

    async fn take_desk_trip(&self, id: &TripId) -> Result<Option<DeskTrip>, PortError> {
        self.write(self.inner.store.take_desk_trip(id)).await
    }

    async fn delete_desk_trips(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        self.write(self.inner.store.delete_desk_trips(before, limit)).await
    }
}

impl DeskFactors for FaultyWorld {
    async fn desk_factor(&self, user: UserId) -> Result<Option<DeskFactor>, PortError> {
        self.read(self.inner.store.desk_factor(user)).await
    }

    async fn set_desk_factor(
        &self,
        user: UserId,
        factor: &DeskFactor,
        entry: &Entry,
    ) -> Result<(), PortError> {
        self.write(self.inner.store.set_desk_factor(user, factor, entry)).await
    }

    async fn remove_desk_factor(
        &self,
        user: UserId,
        entry: &Entry,
        letter: Option<&Message>,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.remove_desk_factor(user, entry, letter)).await
    }

    async fn use_desk_step(&self, user: UserId, step: i64) -> Result<bool, PortError> {
        self.write(self.inner.store.use_desk_step(user, step)).await
    }

    async fn use_desk_recovery(&self, user: UserId, hash: &str) -> Result<bool, PortError> {
        self.write(self.inner.store.use_desk_recovery(user, hash)).await
    }

    async fn desk_factor_secrets(
        &self,
        after: Option<UserId>,
        limit: u32,
    ) -> Result<Vec<FactorSecret>, PortError> {
        self.read(self.inner.store.desk_factor_secrets(after, limit)).await
    }

    async fn replace_desk_factor_secret(
        &self,
        before: &FactorSecret,
        after: &Sealed,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.replace_desk_factor_secret(before, after)).await
    }
}

impl UserLinks for FaultyWorld {
    async fn add_user_link(
        &self,
        link: &UserLink,
        letter: &Message,
        entry: Option<&Entry>,
    ) -> Result<(), PortError> {
        self.write(self.inner.store.add_user_link(link, letter, entry)).await
    }

    async fn user_link(&self, hash: &str) -> Result<Option<UserLink>, PortError> {
        self.read(self.inner.store.user_link(hash)).await
    }

    async fn use_user_link(&self, used: &LinkUse, entry: &Entry) -> Result<bool, PortError> {
        self.write(self.inner.store.use_user_link(used, entry)).await
    }

    async fn delete_user_links(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        self.write(self.inner.store.delete_user_links(before, limit)).await
    }
}

impl UserDevices for FaultyWorld {
    async fn user_device(&self, user: UserId, device: &str) -> Result<KnownDevice, PortError> {
        self.read(self.inner.store.user_device(user, device)).await
    }

    async fn note_user_device(&self, user: UserId, device: &str, at: Timestamp) -> Result<(), PortError> {
        self.write(self.inner.store.note_user_device(user, device, at)).await
    }

    async fn add_user_device(
        &self,
        user: UserId,
        device: &str,
        entry: &Entry,
        letter: Option<&Message>,
    ) -> Result<(), PortError> {
        self.write(self.inner.store.add_user_device(user, device, entry, letter)).await
    }

    async fn delete_user_devices(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        self.write(self.inner.store.delete_user_devices(before, limit)).await
    }
}

impl PaymentTemplates for FaultyWorld {
    async fn payment_templates(
        &self,
        merchant: &MerchantId,
        plugin: Plugin,
        limit: u32,
    ) -> Result<Vec<PaymentTemplate>, PortError> {
        self.read(self.inner.store.payment_templates(merchant, plugin, limit)).await
    }

    async fn save_payment_template(
        &self,
        template: &PaymentTemplate,
        entry: &Entry,
    ) -> Result<(), PortError> {
        self.write(self.inner.store.save_payment_template(template, entry)).await
    }

    async fn delete_payment_template(
        &self,
        of: (&MerchantId, Plugin),
        name: &str,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.delete_payment_template(of, name, entry)).await
    }
}
