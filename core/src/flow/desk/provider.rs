//! Signing in at the desk through the provider of a merchant, and again where a fresh factor is needed.
//!
//! Decisions: each merchant has a return address of its own, so that an answer that one provider gave cannot be taken to another.
//! A merchant that does not exist and one without a provider for the desk are refused alike. A user who has a second factor here gives
//! it here, unless the provider says that it asked for one; of a user without one the provider is believed, unless it says that it
//! asked for a password only. When the user signed in there is how fresh the session is.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::session::{Entrance, enter, renew};
use super::visit::{Visitor, visitor_of};
use crate::access::claims::{Claims, SKEW};
use crate::access::fault::TokenFault;
use crate::desk::factor::FRESH;
use crate::desk::form::{DeskForm, TOKEN};
use crate::desk::route::{DeskAccess, DeskMatch, DeskRoute, find};
use crate::desk::session::{DeskSessionId, SECRET_BYTES, SessionSecret};
use crate::desk::trip::{DeskTrip, TripSecret, has_second_factor};
use crate::flow::Failure;
use crate::flow::caller::sign_on::{CodeAnswer, CodeRequest, Refused, redeem, sign_in_address};
use crate::port::{Clock, DeskTrips, FoundUser, Limited, Registry, Rng, TrySubject, Users, Vault, World};
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::value::digest::digest;
use crate::value::id::MerchantId;
use crate::value::sealed::Sealed;
use crate::value::time::Timestamp;
use crate::words::Language;

/// The most trips from one network in a period of tries, which are taken back when they end well.
const MOST_TRIPS: u32 = 30;
/// The field of a form that waits which says where it goes.
pub const FORM_TO: &str = "form_to";

/// Who wants to sign in at a provider.
#[derive(Debug)]
pub struct ProviderLogin<'a> {
    /// Whose provider it is, as it was typed.
    pub merchant: &'a str,
    /// From what device.
    pub device: String,
    /// In which language the desk is shown.
    pub language: Language,
    /// The page to go to afterwards.
    pub back: String,
    /// The session that the browser has.
    pub before: Option<&'a SessionSecret>,
}

/// A browser that leaves for a provider.
#[derive(Debug)]
pub struct Departure {
    /// Where to.
    pub address: String,
    /// What it holds in the meantime.
    pub secret: TripSecret,
}

/// With what a browser comes back.
#[derive(Debug)]
pub struct ProviderReturn<'a> {
    /// Whose provider gave the answer, as the address says.
    pub merchant: &'a MerchantId,
    /// The parameters of the address.
    pub query: &'a DeskForm,
    /// What the browser held in the meantime.
    pub secret: Option<&'a TripSecret>,
    /// From what device.
    pub device: String,
}

/// What a return means.
#[derive(Debug)]
pub enum TripEnd {
    /// The user is signed in.
    SignedIn {
        /// The secret of the session.
        session: SessionSecret,
        /// The language of the session.
        language: Language,
        /// The page to go to.
        back: String,
    },
    /// The user signed in again, and a form goes on.
    Confirmed {
        /// The secret of the session that goes on.
        session: SessionSecret,
        /// Who it is.
        visitor: Box<Visitor>,
        /// Where the form goes.
        to: DeskRoute,
        /// What it was filled with.
        form: DeskForm,
    },
    /// Nobody is signed in by it.
    Refused(ReturnFault, Option<Language>),
}

/// Why nobody is signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnFault {
    /// This browser began no such sign-in, it took too long, or its answer came before.
    Stale,
    /// The provider did not sign the user in, or the user did not want to.
    Cancelled,
    /// What the provider answered is wrong.
    Answer,
    /// The provider signed in someone who may not use this desk.
    NoUser,
    /// The provider does not say that the same user signed in just now, by enough.
    NotAgain,
}

/// Sends someone to the provider of a merchant.
///
/// # Errors
/// [`Rejection::NotFound`] if there is none, [`Rejection::TooManySignIns`], or a failure of the world.
pub async fn go_to_provider(world: &impl World, login: ProviderLogin<'_>) -> Result<Departure, Failure> {
    count(world).await?;
    let merchant = MerchantId::parse(login.merchant).ok_or(Rejection::NotFound)?;
    let found = world.directory().merchant(&merchant).await?.ok_or(Rejection::NotFound)?;
    let trip = Trip {
        device: login.device,
        language: login.language,
        back: login.back,
        session: login.before.map(SessionSecret::id),
        form: None,
    };
    leave(world, &found.settings, trip).await
}

/// Sends a visitor to their provider again, with the form that needs it, which names where it goes.
///
/// # Errors
/// [`Rejection::NotFound`] if the form needs nothing or the visitor has no provider, or a failure of the world.
pub async fn go_to_provider_again(
    world: &impl World,
    visitor: &Visitor,
    form: &DeskForm,
) -> Result<Departure, Failure> {
    let to = form.get(FORM_TO).and_then(waiting_route).ok_or(Rejection::NotFound)?;
    if !visitor.session.asks_provider() {
        return Err(Rejection::NotFound.into());
    }
    count(world).await?;
    let text = format!("{}\n{}", to.path(), form.text_without(&[TOKEN, FORM_TO]));
    let sealed = world.vault().seal(visitor.caller.merchant(), &text)?;
    let trip = Trip {
        device: visitor.session.device.clone(),
        language: visitor.session.language.unwrap_or(Language::En),
        back: DeskRoute::Home.path(),
        session: Some(visitor.session.id.clone()),
        form: Some(sealed),
    };
    leave(world, &visitor.caller.situation.settings, trip).await
}

/// An address whose form needs a fresh factor.
fn waiting_route(path: &str) -> Option<DeskRoute> {
    let DeskMatch::Route(route) = find("POST", path) else { return None };
    matches!(route.facts().access, DeskAccess::Fresh(_)).then_some(route)
}

/// What a trip that begins carries.
struct Trip {
    device: String,
    language: Language,
    back: String,
    session: Option<DeskSessionId>,
    form: Option<Sealed>,
}

async fn leave(world: &impl World, settings: &MerchantSettings, trip: Trip) -> Result<Departure, Failure> {
    let now = world.clock().now();
    let mut random = [0; SECRET_BYTES];
    world.rng().fill(&mut random)?;
    let secret = TripSecret::of(random);
    let asked = CodeRequest {
        return_to: &return_address(world, &settings.merchant)?,
        state: &secret.state(),
        nonce: &secret.nonce(),
        challenge: &secret.challenge(),
        is_again: trip.form.is_some(),
    };
    let address = match sign_in_address(world, settings, &asked, now).await {
        Ok(address) => address,
        Err(Refused::Fault(_)) => return Err(Rejection::NotFound.into()),
        Err(Refused::World(error)) => return Err(error.into()),
    };
    let issuer = settings.single_sign_on.as_ref().map(|own| own.issuer.clone()).unwrap_or_default();
    let trip = DeskTrip {
        id: secret.id(),
        merchant: settings.merchant.clone(),
        issuer,
        device: trip.device,
        language: trip.language,
        back: world.vault().seal(&settings.merchant, &trip.back)?,
        session: trip.session,
        form: trip.form,
        created_at: now,
    };
    world.directory().add_desk_trip(&trip).await?;
    Ok(Departure { address, secret })
}

/// Where browsers come back to from the provider of a merchant.
fn return_address(world: &impl World, merchant: &MerchantId) -> Result<String, Failure> {
    let desk = world.installation().desk_url.as_deref().ok_or(Rejection::NotFound)?;
    Ok(format!("{desk}{}", DeskRoute::ReturnFromProvider(merchant.clone()).path()))
}

/// Takes the answer of a provider:
///
/// 1. it must repeat the state of this browser's trip, which is taken from the store: no answer counts twice;
/// 2. the trip must be to the provider of this address, which the merchant still has, by the same device, and not too long ago;
/// 3. exchange the code, and find the user;
/// 4. a form that waits goes on, if the same user signed in since it began to wait;
/// 5. otherwise a session begins.
///
/// # Errors
/// A failure of the world; one of the provider is among them.
pub async fn return_from_provider(
    world: &impl World,
    answer: &ProviderReturn<'_>,
) -> Result<TripEnd, Failure> {
    // 1
    let state = answer.query.get("state").unwrap_or_default();
    let Some(secret) = answer.secret.filter(|secret| secret.is_state(state)) else {
        return Ok(TripEnd::Refused(ReturnFault::Stale, None));
    };
    let now = world.clock().now();
    let Some(trip) = world.directory().take_desk_trip(&secret.id()).await? else {
        return Ok(TripEnd::Refused(ReturnFault::Stale, None));
    };
    let refused = |fault| Ok(TripEnd::Refused(fault, Some(trip.language)));
    // 2
    if trip.merchant != *answer.merchant || trip.device != answer.device || !trip.is_open(now) {
        return refused(ReturnFault::Stale);
    }
    let Some(merchant) = world.directory().merchant(&trip.merchant).await? else {
        return refused(ReturnFault::Stale);
    };
    let settings = &merchant.settings;
    if settings.single_sign_on.as_ref().is_none_or(|own| own.issuer != trip.issuer) {
        return refused(ReturnFault::Stale);
    }
    let Some(code) = answer.query.filled("code").filter(|_| answer.query.get("error").is_none()) else {
        return refused(ReturnFault::Cancelled);
    };
    // 3
    let given = CodeAnswer {
        code,
        issuer: answer.query.get("iss"),
        return_to: &return_address(world, &trip.merchant)?,
        nonce: &secret.nonce(),
        verifier: &secret.verifier(),
    };
    let (found, claims) = match redeem(world, settings, &given, now).await {
        Ok(found) => found,
        Err(Refused::Fault(TokenFault::Username)) => return refused(ReturnFault::NoUser),
        Err(Refused::Fault(_)) => return refused(ReturnFault::Answer),
        Err(Refused::World(error)) => return Err(error.into()),
    };
    take_back(world).await;
    if let (Some(form), Some(session)) = (&trip.form, &trip.session) {
        // 4
        let waiting = WaitingForm { session, form, device: &answer.device, since: trip.created_at };
        return Ok(match confirm(world, &found, &claims, waiting).await? {
            Ok(confirmed) => confirmed,
            Err(fault) => TripEnd::Refused(fault, Some(trip.language)),
        });
    }
    // 5
    let back = world.vault().open(&trip.merchant, &trip.back)?;
    let entrance = Entrance {
        found: &found,
        device: trip.device,
        language: trip.language,
        before: trip.session.as_ref(),
        issuer: Some(trip.issuer),
    };
    let is_test = found.merchant.settings.is_test();
    let session = enter(world, entrance, |has_factor| factor_at(&claims, (has_factor, is_test), now)).await?;
    Ok(TripEnd::SignedIn { session, language: trip.language, back })
}

/// A form that waits.
struct WaitingForm<'a> {
    session: &'a DeskSessionId,
    form: &'a Sealed,
    device: &'a str,
    since: Timestamp,
}

/// Has a form go on whose user signed in again.
async fn confirm(
    world: &impl World,
    found: &FoundUser,
    claims: &Claims,
    waiting: WaitingForm<'_>,
) -> Result<Result<TripEnd, ReturnFault>, Failure> {
    let Some(mut visitor) = visitor_of(world, (waiting.session, waiting.device), None).await? else {
        return Ok(Err(ReturnFault::Stale));
    };
    if !is_again(found, &visitor, (claims, waiting.since)) {
        return Ok(Err(ReturnFault::NotAgain));
    }
    let text = world.vault().open(visitor.caller.merchant(), waiting.form)?;
    let parts = text.split_once('\n').and_then(|(path, form)| Some((waiting_route(path)?, form)));
    let Some((to, form)) = parts else { return Ok(Err(ReturnFault::Stale)) };
    let session = renew(world, &visitor).await?;
    visitor.session.id = session.id();
    let form = DeskForm::read(form.as_bytes());
    Ok(Ok(TripEnd::Confirmed { session, visitor: visitor.into(), to, form }))
}

/// When someone who signed in at a provider gave a factor; `None` if the desk has to ask for one. At a time that is not known, it
/// is not fresh.
fn factor_at(claims: &Claims, (has_factor, is_test): (bool, bool), now: Timestamp) -> Option<Timestamp> {
    let is_enough = has_second_factor(claims.means.as_deref()).unwrap_or(!has_factor);
    let is_enough = is_enough || (is_test && !has_factor);
    is_enough.then(|| claims.signed_in_at.map_or_else(|| now.minus(FRESH), |at| at.min(now)))
}

/// Whether the same user signed in since a moment, by as much as a session begins with.
fn is_again(found: &FoundUser, visitor: &Visitor, (claims, since): (&Claims, Timestamp)) -> bool {
    let is_test = found.merchant.settings.is_test();
    let is_enough = is_test || has_second_factor(claims.means.as_deref()) != Some(false);
    let is_since = claims.signed_in_at.is_some_and(|at| at >= since.minus(SKEW));
    found.user.id == visitor.session.user && is_enough && is_since
}

/// For what a trip is counted; nothing where the network is not known.
fn subjects(world: &impl World) -> Vec<TrySubject> {
    let network = world.scope().network.map(|network| network.to_string());
    let subject = |network: String| TrySubject { key: digest(&["desk trips", &network]), most: MOST_TRIPS };
    network.map(subject).into_iter().collect()
}

/// Counts a trip.
async fn count(world: &impl World) -> Result<(), Failure> {
    let (now, subjects) = (world.clock().now(), subjects(world));
    if subjects.is_empty() {
        return Ok(());
    }
    if let Some(until) = world.directory().count_tries(&subjects, now).await? {
        let retry_after = until.since(now).as_secs().saturating_add(1);
        world.limited(&Limited { limit: "desk_trips", merchant: None, retry_after });
        return Err(Rejection::TooManySignIns { retry_after }.into());
    }
    Ok(())
}

async fn take_back(world: &impl World) {
    let subjects = subjects(world);
    if !subjects.is_empty() {
        // Who is signed in is not refused because a count stays.
        let _ = world.directory().take_back_tries(&subjects).await;
    }
}
