//! How many calls each user and each private key made today, in the memory of the isolate and in the database.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use checkout_core::access::Principal;
use checkout_core::access::quota::{CallTally, Counting, counted_as, day_of, until_tomorrow};
use checkout_core::flow::Failure;
use checkout_core::port::{Clock, Counters, Limited, World};
use checkout_core::rejection::Rejection;
use checkout_core::value::time::Timestamp;
use worker::Context;

use crate::edge::Edge;
use crate::logging;

/// The most callers that are remembered.
const CAPACITY: usize = 1_024;

thread_local! {
    // Borrowed within one function only: never across an await.
    static TALLIES: RefCell<BTreeMap<String, CallTally>> = const { RefCell::new(BTreeMap::new()) };
}

/// Counts a call of a known caller.
///
/// # Errors
/// [`Rejection::TooManyRequests`] until the next day. If the database does not count, the call goes on.
pub(crate) async fn check(edge: &Rc<Edge>, context: &Context, principal: &Principal) -> Result<(), Failure> {
    let Some(caller) = counted_as(principal) else { return Ok(()) };
    let now = edge.clock().now();
    let is_over = match tally(&caller, |tally| tally.count(now)) {
        Counting::Later => false,
        Counting::Over => true,
        Counting::First => !store(edge, &caller, now, 1).await,
        Counting::Aside(calls) => {
            let edge = Rc::clone(edge);
            context.wait_until(async move {
                store(&edge, &caller, now, calls).await;
            });
            false
        }
    };
    if !is_over {
        return Ok(());
    }
    let retry_after = until_tomorrow(now);
    let merchant = if let Principal::Merchant(caller) = principal { Some(caller.merchant()) } else { None };
    edge.limited(&Limited { limit: "day", merchant, retry_after });
    Err(Rejection::TooManyRequests { retry_after }.into())
}

/// Adds calls of a caller to those of the day; whether the last of them may go on.
async fn store(edge: &Edge, caller: &str, now: Timestamp, calls: u32) -> bool {
    let day = day_of(now);
    match edge.directory().count_calls(caller, day, calls).await {
        Ok(stored) => tally(caller, |tally| tally.learn(day, stored)),
        Err(error) => {
            logging::failed("-", &error);
            true
        }
    }
}

/// Does something with the tally of a caller.
fn tally<T>(caller: &str, act: impl FnOnce(&mut CallTally) -> T) -> T {
    TALLIES.with_borrow_mut(|tallies| {
        if !tallies.contains_key(caller) && tallies.len() >= CAPACITY {
            tallies.clear();
        }
        act(tallies.entry(caller.to_owned()).or_default())
    })
}
