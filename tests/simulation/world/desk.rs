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
    asks! {
        write add_desk_session(session: &DeskSession);
        read desk_session(id: &DeskSessionId, named: Option<&SessionId>) -> Option<(DeskSession, FoundUser)>;
        read desk_sessions(user: UserId) -> Vec<DeskSession>;
        write note_desk_session(id: &DeskSessionId, at: Timestamp);
        write choose_desk_language(id: &DeskSessionId, language: Language);
        write choose_preferences(user: UserId, preferences: &Preferences);
        write end_desk_session(user: UserId, id: &DeskSessionId) -> bool;
        write end_desk_sessions(user: UserId);
        write delete_desk_sessions(before: Timestamp, limit: u32) -> u32;
    }
}

impl DeskTrips for FaultyWorld {
    asks! {
        write add_desk_trip(trip: &DeskTrip);
        write take_desk_trip(id: &TripId) -> Option<DeskTrip>;
        write delete_desk_trips(before: Timestamp, limit: u32) -> u32;
    }
}

impl DeskFactors for FaultyWorld {
    asks! {
        read desk_factor(user: UserId) -> Option<DeskFactor>;
        write set_desk_factor(user: UserId, factor: &DeskFactor, entry: &Entry);
        write remove_desk_factor(user: UserId, entry: &Entry, letter: Option<&Message>) -> bool;
        write use_desk_step(user: UserId, step: i64) -> bool;
        write use_desk_recovery(user: UserId, hash: &str) -> bool;
        read desk_factor_secrets(after: Option<UserId>, limit: u32) -> Vec<FactorSecret>;
        write replace_desk_factor_secret(before: &FactorSecret, after: &Sealed) -> bool;
    }
}

impl UserLinks for FaultyWorld {
    asks! {
        write add_user_link(link: &UserLink, letter: &Message, entry: Option<&Entry>);
        read user_link(hash: &str) -> Option<UserLink>;
        write use_user_link(used: &LinkUse, entry: &Entry) -> bool;
        write delete_user_links(before: Timestamp, limit: u32) -> u32;
    }
}

impl UserDevices for FaultyWorld {
    asks! {
        read user_device(user: UserId, device: &str) -> KnownDevice;
        write note_user_device(user: UserId, device: &str, at: Timestamp);
        write add_user_device(user: UserId, device: &str, entry: &Entry, letter: Option<&Message>);
        write delete_user_devices(before: Timestamp, limit: u32) -> u32;
    }
}

impl PaymentTemplates for FaultyWorld {
    asks! {
        read payment_templates(merchant: &MerchantId, plugin: Plugin, limit: u32) -> Vec<PaymentTemplate>;
        write save_payment_template(template: &PaymentTemplate, entry: &Entry);
        write delete_payment_template(of: (&MerchantId, Plugin), name: &str, entry: &Entry) -> bool;
    }
}
