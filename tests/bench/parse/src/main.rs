//! Prints how many nanoseconds it takes natively to read and check one create request, of the first fields
//! and of every field: the median of nine batches each.

use std::process::ExitCode;
use std::time::Instant;

use parse_bench::{FIRST, FULL, read_and_check};

const BATCHES: usize = 9;
const TIMES: u32 = 20_000;

#[expect(clippy::print_stdout, reason = "the figures are what the program is for")]
fn main() -> ExitCode {
    match (median(FIRST), median(FULL)) {
        (Some(first), Some(full)) => {
            println!("{first} {full}");
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}

/// The median of the batches after one to warm up; `None` if the request was refused.
fn median(body: &[u8]) -> Option<u128> {
    let mut batches: Vec<u128> = (0..=BATCHES).filter_map(|_| nanoseconds(body)).skip(1).collect();
    batches.sort_unstable();
    batches.get(BATCHES / 2).copied()
}

/// The time of one request in one batch; `None` if the request was refused.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock itself")]
fn nanoseconds(body: &[u8]) -> Option<u128> {
    let started = Instant::now();
    if read_and_check(body, TIMES) != TIMES {
        return None;
    }
    started.elapsed().as_nanos().checked_div(u128::from(TIMES))
}
