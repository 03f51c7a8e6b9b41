//! The page of metrics, in the text format of Prometheus, version 0.0.4.
//!
//! Decision: no merchant is a label, because there may be any number of them; what concerns one merchant is on the
//! attention list. Families of gateways are few, and past [`MAX_GATEWAYS`] the rarest are counted together.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt::{Display, Write};

use crate::attempt::stage::Stage;
use crate::flow::operator::page_check::LastCheck;
use crate::port::{AttemptCount, Measures, SweepTotals, Waiting};
use crate::record::attention::Reason;
use crate::state::State;
use crate::value::time::Timestamp;

/// The most families of gateways that are named.
const MAX_GATEWAYS: usize = 20;
/// What the others are called together. No family of a gateway has a space in its name.
const OTHERS: &str = "all others";

/// The metrics.
#[must_use]
pub(super) fn text(
    measures: &Measures,
    last_check: Option<LastCheck>,
    version: &str,
    now: Timestamp,
) -> String {
    let mut page = MetricsPage(String::with_capacity(4_096));
    page.family("till_build_info", "gauge", "The version of the Worker, which is always 1.");
    page.sample("till_build_info", &[("version", version)], 1);
    page.family(
        "till_payments",
        "gauge",
        "Payment transactions created in the last 24 hours and not deleted, by their state.",
    );
    for state in State::ALL.into_iter().filter(|state| *state != State::Refunded) {
        let count = measures.payments.iter().filter(|(known, _)| *known == state).map(|(_, count)| count);
        page.sample("till_payments", &[("state", state.as_str())], count.sum::<u64>());
    }
    page.attempts(&measures.attempts);
    page.waiting(
        Gauge {
            name: "till_attempts_unknown",
            about: "Attempts whose outcome is unknown and whose gateways are asked.",
        },
        Gauge {
            name: "till_attempts_unknown_oldest_seconds",
            about: "For how long the oldest of them has been unknown; 0 if there is none.",
        },
        measures.unknown,
        now,
    );
    page.waiting(
        Gauge {
            name: "till_deliveries_waiting",
            about: "Notifications of merchants that are not delivered yet.",
        },
        Gauge {
            name: "till_deliveries_overdue_seconds",
            about: "How long ago the next try of the longest due of them should have begun; 0 if none is due.",
        },
        measures.deliveries,
        now,
    );
    page.family("till_attention_open", "gauge", "Open entries of the attention list, by their reason.");
    for reason in Reason::ALL {
        let count = measures.attention.iter().filter(|(known, _)| *known == reason).map(|(_, count)| count);
        page.sample("till_attention_open", &[("reason", reason.as_str())], count.sum::<u64>());
    }
    if let Some(sweeps) = &measures.sweeps {
        page.sweeps(sweeps);
    }
    page.check(last_check);
    page.0
}

/// A measure that goes up and down.
#[derive(Clone, Copy)]
struct Gauge {
    name: &'static str,
    about: &'static str,
}

struct MetricsPage(String);

impl MetricsPage {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a text never fails.
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let labels: Vec<String> =
            labels.iter().map(|(label, value)| format!("{label}=\"{}\"", escaped(value))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }

    fn attempts(&mut self, counts: &[AttemptCount]) {
        let name = "till_attempts";
        self.family(
            name,
            "gauge",
            "Payment attempts opened in the last hour, by the family of their gateway.",
        );
        let mut totals: BTreeMap<&str, u64> = BTreeMap::new();
        for one in counts {
            let known = totals.get(one.pg_name.as_str()).copied().unwrap_or_default();
            totals.insert(&one.pg_name, known.saturating_add(one.count));
        }
        let mut ranked: Vec<(&str, u64)> = totals.into_iter().collect();
        ranked.sort_by_key(|(family, count)| (Reverse(*count), *family));
        let named: Vec<&str> = ranked.iter().take(MAX_GATEWAYS).map(|(family, _)| *family).collect();
        let mut sums: BTreeMap<(&str, bool, Stage), u64> = BTreeMap::new();
        for one in counts {
            let is_named = named.contains(&one.pg_name.as_str());
            let key = (if is_named { one.pg_name.as_str() } else { OTHERS }, one.is_sandbox, one.stage);
            let known = sums.get(&key).copied().unwrap_or_default();
            sums.insert(key, known.saturating_add(one.count));
        }
        for ((family, is_sandbox, stage), count) in &sums {
            let sandbox = if *is_sandbox { "true" } else { "false" };
            let labels = [("gateway", *family), ("sandbox", sandbox), ("stage", stage.as_str())];
            self.sample(name, &labels, *count);
        }
    }

    /// How many wait, and for how long the oldest of them.
    fn waiting(&mut self, count: Gauge, age: Gauge, waiting: Waiting, now: Timestamp) {
        self.family(count.name, "gauge", count.about);
        self.sample(count.name, &[], waiting.count);
        self.family(age.name, "gauge", age.about);
        self.sample(age.name, &[], waiting.since.map_or(0, |since| now.since(since).as_secs()));
    }

    fn sweeps(&mut self, sweeps: &SweepTotals) {
        let ended = "till_sweep_last_ended_timestamp_seconds";
        self.family(ended, "gauge", "When the last run of the cron handler ended, in seconds since 1970.");
        self.sample(ended, &[], sweeps.ended_at.millis().div_euclid(1_000));
        self.family("till_sweep_runs_total", "counter", "Runs of the cron handler.");
        self.sample("till_sweep_runs_total", &[], sweeps.runs);
        self.family(
            "till_sweep_done_total",
            "counter",
            "What the runs of the cron handler did, by its kind.",
        );
        for (kind, count) in [
            ("inquired", sweeps.inquired),
            ("expired", sweeps.expired),
            ("delivered", sweeps.delivered),
            ("reconciled", sweeps.reconciled),
        ] {
            self.sample("till_sweep_done_total", &[("kind", kind)], count);
        }
        self.family("till_sweep_failures_total", "counter", "What failed in runs of the cron handler.");
        self.sample("till_sweep_failures_total", &[], sweeps.failures);
    }

    /// Without a check they are 0, so that one that is missing is as old as can be.
    fn check(&mut self, last: Option<LastCheck>) {
        let at = "till_page_check_timestamp_seconds";
        self.family(
            at,
            "gauge",
            "When the pages were last compared with what was published, in seconds since 1970.",
        );
        self.sample(at, &[], last.map_or(0, |last| last.at.millis().div_euclid(1_000)));
        self.family("till_page_check_differences", "gauge", "What differed then.");
        self.sample("till_page_check_differences", &[], last.map_or(0, |last| last.differences));
        self.family("till_page_check_unanswered", "gauge", "How many addresses gave no answer then.");
        self.sample("till_page_check_unanswered", &[], last.map_or(0, |last| last.unanswered));
    }
}

/// The value of a label, as the format wants it.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn nothing() -> Measures {
        Measures {
            payments: Vec::new(),
            attempts: Vec::new(),
            unknown: Waiting::default(),
            deliveries: Waiting::default(),
            attention: Vec::new(),
            sweeps: None,
        }
    }

    fn attempts(pg_name: &str, stage: Stage, count: u64) -> AttemptCount {
        AttemptCount { pg_name: pg_name.into(), is_sandbox: false, stage, count }
    }

    #[test]
    fn every_state_and_reason_has_a_sample_even_if_there_is_none() {
        let page = text(&nothing(), None, "1.2.3", NOW);
        assert!(page.starts_with("# HELP till_build_info "), "{page}");
        for line in [
            "till_build_info{version=\"1.2.3\"} 1",
            "till_payments{state=\"paid\"} 0",
            "till_attempts_unknown 0",
            "till_attempts_unknown_oldest_seconds 0",
            "till_attention_open{reason=\"second_success\"} 0",
        ] {
            assert!(page.lines().any(|known| known == line), "{line}\n{page}");
        }
        assert!(!page.contains("till_sweep"), "{page}");
    }

    #[test]
    fn what_waits_has_an_age() {
        let since = Some(Timestamp::from_millis(938_500));
        let page = text(&Measures { unknown: Waiting { count: 2, since }, ..nothing() }, None, "1", NOW);
        assert!(page.contains("\ntill_attempts_unknown 2\n"), "{page}");
        assert!(page.contains("\ntill_attempts_unknown_oldest_seconds 61\n"), "{page}");
        let later = Some(Timestamp::from_millis(2_000_000));
        let page =
            text(&Measures { deliveries: Waiting { count: 1, since: later }, ..nothing() }, None, "1", NOW);
        assert!(page.contains("\ntill_deliveries_overdue_seconds 0\n"), "{page}");
    }

    #[test]
    fn the_rarest_gateways_are_counted_together() {
        let mut counts: Vec<AttemptCount> =
            (0..25).map(|number| attempts(&format!("g{number:02}"), Stage::Success, 100 - number)).collect();
        counts.push(attempts("g00", Stage::Failed, 7));
        let page = text(&Measures { attempts: counts, ..nothing() }, None, "1", NOW);
        let of = |family: &str, stage: &str| {
            let start = format!("till_attempts{{gateway=\"{family}\",sandbox=\"false\",stage=\"{stage}\"}} ");
            page.lines().find_map(|line| line.strip_prefix(&start).map(String::from))
        };
        assert_eq!(of("g00", "success").as_deref(), Some("100"));
        assert_eq!(of("g00", "failed").as_deref(), Some("7"));
        assert_eq!(of("g19", "success").as_deref(), Some("81"));
        assert_eq!(of("g20", "success"), None);
        assert_eq!(of("all others", "success").as_deref(), Some("390"));
    }

    #[test]
    fn a_name_cannot_end_its_label() {
        let counts = Vec::from([attempts("a\"b\\c\nd", Stage::Error, 1)]);
        let page = text(&Measures { attempts: counts, ..nothing() }, None, "1", NOW);
        assert!(page.contains("gateway=\"a\\\"b\\\\c\\nd\",sandbox"), "{page}");
    }
}
