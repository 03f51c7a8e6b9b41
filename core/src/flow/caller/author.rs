//! Who is recorded as the user who made a transaction.

use crate::access::Caller;
use crate::access::user::User;
use crate::draft::request::{Author, DraftRequest};
use crate::port::{PortError, UserKey, Users, World};
use crate::transaction::Transaction;
use crate::transaction::initiator::Initiator;
use crate::value::id::UserId;
use crate::wire::json;

impl Initiator {
    /// A user who acts; `is_basic` says whether they gave a name and a password with the request.
    pub(in crate::flow) fn of(user: &User, is_basic: bool) -> Self {
        Self {
            is_withheld: !is_basic,
            id: user.id.0,
            first_name: user.first_name.clone(),
            last_name: user.last_name.clone(),
            username: user.username.clone(),
            email: user.email.clone(),
            phone: user.phone.clone(),
        }
    }
}

/// The user who is recorded: the one who calls, or for an update the one who made the transaction. A key may name an
/// active user of its merchant, whom receivers do not learn.
///
/// # Errors
/// If the store fails.
pub(in crate::flow) async fn author(
    world: &impl World,
    caller: &Caller,
    request: &DraftRequest<'_>,
    stored: Option<&Transaction>,
) -> Result<Author, PortError> {
    let recorded = stored.and_then(|stored| stored.details.initiator.as_deref());
    if let Some(user) = caller.user() {
        let user =
            if stored.is_some() { recorded.cloned() } else { Some(Initiator::of(user, caller.is_basic)) };
        return Ok(Author { user, is_fixed: true });
    }
    let named = request.initiator_id.and_then(|raw| {
        let text = json::text_of(raw);
        UserId::parse(text.as_deref().unwrap_or(raw.get()))
    });
    // A partial update that does not name the user is laid over what is stored.
    let Some(id) = named.filter(|id| recorded.is_none_or(|user| user.id != id.0)) else {
        return Ok(Author { user: recorded.cloned(), is_fixed: false });
    };
    let found = world.directory().user(UserKey::Id(id), None).await?;
    let own = found.filter(|found| found.is_active && found.merchant.settings.merchant == *caller.merchant());
    Ok(Author { user: own.map(|found| Initiator::of(&found.user, false)), is_fixed: false })
}
