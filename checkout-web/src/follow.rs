//! How often the state of a payment is asked for.

/// How often a page that a payer sees looks whether it is still right, in milliseconds.
pub const LOOK_EVERY: i32 = 15_000;

/// The pause before the next question, in milliseconds: 1, 2, 3, then 5 seconds.
#[must_use]
pub const fn pause(asked: u32) -> i32 {
    match asked {
        0 => 1_000,
        1 => 2_000,
        2 => 3_000,
        _ => 5_000,
    }
}
