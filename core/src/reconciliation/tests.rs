use super::*;

const BEGINNING: Timestamp = Timestamp::from_millis(1_700_000_000_000);

/// That many seconds after the beginning.
fn at(seconds: u64) -> Timestamp {
    BEGINNING.plus(Duration::from_secs(seconds))
}

/// That many seconds before it.
fn before(seconds: u64) -> Timestamp {
    BEGINNING.minus(Duration::from_secs(seconds))
}

fn begun() -> Reconciliation {
    let merchant = MerchantId::parse("demo").unwrap();
    Reconciliation::new(merchant, PgCode::parse("knet").unwrap(), at(0), at(0))
}

#[test]
fn a_gateway_is_first_due_an_hour_after_its_first_attempt() {
    assert_eq!(begun().due_at, at(3_600));
}

#[test]
fn a_list_reaches_back_an_hour_and_ends_when_the_run_began() {
    let ClaimedRun { next: claimed, run } = begun().claimed(at(4_000), at(90_000));
    assert_eq!(claimed.period(&run), Period { from: before(3_600), to: at(4_000) });
    let ClaimedRun { run: again, .. } = claimed.at(run.clone(), at(90_100)).claimed(at(9_000), at(95_000));
    assert_eq!(again, run, "a run that goes on keeps its end");
}

#[test]
fn nobody_else_goes_on_with_a_claimed_run_for_five_minutes() {
    let ClaimedRun { next: claimed, .. } = begun().claimed(at(4_000), at(4_000));
    assert_eq!(claimed.due_at, at(4_300));
}

#[test]
fn the_next_run_begins_where_the_list_of_this_one_ended() {
    let ClaimedRun { next: claimed, run } = begun().claimed(at(4_000), at(90_000));
    let ended = claimed.ended(&run, at(90_010));
    assert_eq!((ended.listed_to, ended.due_at, &ended.run), (at(4_000), at(93_610), &None));
    assert_eq!(ended.last.map(|last| last.at), Some(at(90_010)));
}

#[test]
fn a_silent_gateway_is_asked_again_from_the_same_place() {
    let ClaimedRun { next: claimed, run } = begun().claimed(at(4_000), at(4_000));
    let ClaimedRun { next: again, .. } = claimed.put_off(at(4_010)).claimed(at(4_690), at(4_690));
    let silent = again.put_off(at(4_700));
    assert_eq!((silent.failures, silent.due_at, silent.run.as_ref()), (2, at(5_300), Some(&run)));
    assert_eq!(silent.at(run, at(5_301)).failures, 0);
}

#[test]
fn a_run_whose_sender_ends_each_time_is_continued_rarely() {
    let mut next = begun();
    let mut pauses = alloc::vec::Vec::new();
    for _ in 0..7 {
        let now = next.due_at;
        next = next.claimed(now, now).next;
        pauses.push(next.due_at.since(now).as_secs());
    }
    assert_eq!((pauses.as_slice(), next.failures), ([300, 300, 300, 300, 300, 3_600, 3_600].as_slice(), 7));
}

#[test]
fn rewinding_goes_back_and_never_forward() {
    let ClaimedRun { next: claimed, run } = begun().claimed(at(4_000), at(4_000));
    let ended = claimed.ended(&run, at(4_000));
    let back = ended.clone().rewound(before(500), at(5_000));
    assert_eq!((back.since, back.listed_to, back.due_at), (before(500), before(500), at(5_000)));
    let forward = ended.rewound(at(4_900), at(5_000));
    assert_eq!((forward.since, forward.listed_to), (at(0), at(4_000)));
}
