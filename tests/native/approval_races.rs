//! Requests for approval in any order, with operations by key, and an end of the Worker at every commit and every request: never
//! more than was approved, never twice, never by who asked for it.

use checkout_core::approval::stage::ApprovalState;
use checkout_core::child::stage::OperationStage;
use checkout_core::flow::Failure;
use checkout_core::flow::merchant::approvals::{approve, reject, withdraw};
use checkout_core::flow::sweep::sweep;
use checkout_core::port;
use checkout_core::strings::facts::say;
use checkout_core::testing::store::Fault;
use checkout_core::value::id::SessionId;
use checkout_core::words::Language;
use checkout_tests::dying::{Dying, End};
use checkout_tests::shop::Shop;
use pollster::block_on;
use proptest::prelude::*;
use sandbox_bank::operation::OperationStatus;
use serde_json::json;

/// Something that happens.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// A clerk asks for a refund of so many thousands.
    Ask(u32, u8),
    /// A clerk approves the newest request.
    Approve(u32),
    /// A clerk rejects it.
    Reject(u32),
    /// A clerk takes it back.
    Withdraw(u32),
    /// A key refunds so many thousands at once.
    ByKey(u8),
    /// The cron handler runs.
    Sweep,
    /// Time passes.
    Wait(u32),
}

/// How the Worker ends while it happens.
#[derive(Debug, Clone, Copy)]
enum Death {
    Never,
    AtCommit(u32, bool),
    AtRequest(bool),
}

fn act() -> impl Strategy<Value = Act> {
    let clerk = || 1_u32..4;
    prop_oneof![
        3 => (clerk(), 1_u8..11).prop_map(|(clerk, amount)| Act::Ask(clerk, amount)),
        4 => clerk().prop_map(Act::Approve),
        1 => clerk().prop_map(Act::Reject),
        1 => clerk().prop_map(Act::Withdraw),
        1 => (1_u8..5).prop_map(Act::ByKey),
        3 => Just(Act::Sweep),
        2 => prop_oneof![Just(30), Just(90), Just(3_600), Just(49 * 3_600)].prop_map(Act::Wait),
    ]
}

fn death() -> impl Strategy<Value = Death> {
    prop_oneof![
        3 => Just(Death::Never),
        2 => (1_u32..4, any::<bool>()).prop_map(|(nth, is_after)| Death::AtCommit(nth, is_after)),
        2 => any::<bool>().prop_map(Death::AtRequest),
    ]
}

fn amount(thousands: u8) -> String {
    format!("{thousands}.000")
}

fn run(world: &impl port::World, shop: &Shop, session_id: &SessionId, act: Act) -> impl Future<Output = ()> {
    let newest = shop.approvals(session_id).first().map(|one| one.id.clone());
    async move {
        let done: Result<(), Failure> = match (act, newest) {
            (Act::Ask(clerk, thousands), _) => {
                shop.refund_in(world, shop.clerk(clerk), (session_id, &amount(thousands))).await
            }
            (Act::ByKey(thousands), _) => {
                shop.refund_in(world, shop.private(), (session_id, &amount(thousands))).await
            }
            (Act::Approve(clerk), Some(id)) => approve(world, &shop.clerk(clerk), &id, b"{}").await.map(drop),
            (Act::Reject(clerk), Some(id)) => {
                reject(world, &shop.clerk(clerk), &id, br#"{"note":"no"}"#).await.map(drop)
            }
            (Act::Withdraw(clerk), Some(id)) => withdraw(world, &shop.clerk(clerk), &id).await.map(drop),
            (Act::Sweep, _) => {
                let _ = sweep(world).await;
                Ok(())
            }
            (Act::Approve(_) | Act::Reject(_) | Act::Withdraw(_) | Act::Wait(_), _) => Ok(()),
        };
        // A refusal is an answer, and a failure of the store is how the Worker ends.
        drop(done);
    }
}

/// What must be true at any moment.
fn check(shop: &Shop, session_id: &SessionId) {
    let approvals = shop.approvals(session_id);
    let children = shop.world.store.children(session_id);
    for approval in &approvals {
        let carried: Vec<_> = children
            .iter()
            .filter(|child| child.tracking_key.as_deref() == Some(approval.key().as_str()))
            .collect();
        assert!(carried.len() <= 1, "{approval:?} is carried out once");
        assert_eq!(carried.first().map(|child| &child.reference), approval.reference.as_ref());
        for child in &carried {
            assert_eq!((child.amount, child.operation), (approval.amount, approval.operation));
            let approvers = &approval.decided.approved_by;
            assert!(approvers.len() >= usize::from(approval.approvers), "{approval:?}");
            assert!(approvers.iter().all(|one| !approval.is_asked_by(&one.by)), "nobody approves their own");
            let wanted = match child.stage {
                OperationStage::Done => ApprovalState::Done,
                OperationStage::Refused | OperationStage::Rejected => ApprovalState::Failed,
                OperationStage::Sending | OperationStage::Unknown | OperationStage::Queued => {
                    ApprovalState::Approved
                }
            };
            assert_eq!(approval.state, wanted, "as its operation");
        }
    }
    assert!(approvals.iter().filter(|one| one.is_open()).count() <= 1, "one request is open");
}

/// What the bank gave back, in minor units: all of it belongs to an operation here, and no operation twice.
fn check_bank(shop: &Shop, session_id: &SessionId) {
    let operations = shop.bank.books().operations();
    let at_bank = operations.values().filter(|one| one.status == OperationStatus::Done);
    let moved: i64 = at_bank.map(|one| one.terms.amount.minor()).sum();
    let done =
        shop.world.store.children(session_id).into_iter().filter(|child| child.stage == OperationStage::Done);
    assert_eq!(done.map(|child| child.amount.minor()).sum::<i64>(), moved, "what is recorded is what moved");
    assert!(moved <= 10_000);
}

fn play(approvers: u8, steps: &[(Act, Death)]) {
    let (shop, session_id) =
        Shop::with_policy(21, &json!({"operations": ["refund"], "approvers": approvers}));
    for (act, death) in steps {
        if let Act::Wait(seconds) = act {
            shop.wait(u64::from(*seconds));
        }
        match death {
            Death::Never => block_on(run(&shop.world, &shop, &session_id, *act)),
            Death::AtCommit(nth, is_after) => {
                let fault = if *is_after { Fault::AfterStoring } else { Fault::BeforeStoring };
                shop.world.store.fail_commit(*nth, fault);
                block_on(run(&shop.world, &shop, &session_id, *act));
                // No fault is left for a later act.
                shop.world.store.fail_commit(u32::MAX, fault);
            }
            Death::AtRequest(is_after) => {
                let world = Dying::new(&shop.world, if *is_after { End::AfterSend } else { End::BeforeSend });
                let _ = world.run(run(&world, &shop, &session_id, *act));
            }
        }
        check(&shop, &session_id);
    }
    for _ in 0..90 {
        shop.wait(3_600);
        let _ = shop.sweep();
    }
    check(&shop, &session_id);
    check_bank(&shop, &session_id);
    for approval in shop.approvals(&session_id) {
        assert!(
            !matches!(approval.state, ApprovalState::Asked | ApprovalState::Approved),
            "after three days nothing waits: {approval:?}"
        );
        // Nothing is in the way of this bank, so that what was approved is done unless less was left.
        let is_failed = approval.state == ApprovalState::Failed;
        assert!(
            !is_failed || approval.failure.is_some_and(|why| say(Language::En, &why).contains("left")),
            "failed without need"
        );
    }
}

#[test]
fn an_approved_refund_is_done_once_wherever_the_worker_ends() {
    let deaths = (1..8).flat_map(|nth| [false, true].map(|is_after| Death::AtCommit(nth, is_after)));
    for death in deaths.chain([false, true].map(Death::AtRequest)) {
        for dying in 0..3 {
            let mut steps = [Act::Ask(1, 4), Act::Approve(2), Act::Sweep].map(|act| (act, Death::Never));
            steps[dying].1 = death;
            play(1, &steps);
        }
    }
}

/// Nothing ran for two days, and the batch that begins the refund is stored while its writer ends: it is asked about in the same
/// minute, before the gateway can say that it never got it.
#[test]
fn an_approved_refund_that_is_asked_about_too_early_is_sent_later() {
    let steps = [
        (Act::Ask(3, 1), Death::Never),
        (Act::Approve(1), Death::AtRequest(false)),
        (Act::Wait(49 * 3_600), Death::Never),
        (Act::Sweep, Death::AtCommit(1, true)),
    ];
    play(1, &steps);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn never_more_than_approved_never_twice_never_by_who_asked(
        approvers in 1_u8..3,
        steps in prop::collection::vec((act(), death()), 1..14),
    ) {
        play(approvers, &steps);
    }
}
