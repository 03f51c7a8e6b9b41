//! Prints how many nanoseconds it takes natively to read and check one full create request: the median of nine
//! batches.

use std::process::ExitCode;
use std::time::Instant;

use parse_bench::read_and_check;

const BATCHES: usize = 9;
const TIMES: u32 = 20_000;

#[expect(clippy::print_stdout, reason = "the figure is what the program is for")]
fn main() -> ExitCode {
    let mut batches: Vec<u128> = (0..=BATCHES).filter_map(|_| nanoseconds()).skip(1).collect();
    batches.sort_unstable();
    match batches.get(BATCHES / 2) {
        Some(median) => {
            println!("{median}");
            ExitCode::SUCCESS
        }
        None => ExitCode::FAILURE,
    }
}

/// The time of one request in one batch; `None` where the request was refused.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock itself")]
fn nanoseconds() -> Option<u128> {
    let started = Instant::now();
    if read_and_check(TIMES) != TIMES {
        return None;
    }
    started.elapsed().as_nanos().checked_div(u128::from(TIMES))
}
