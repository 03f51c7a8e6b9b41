//! The storm: the dice decide what happens next. Much is in progress at the same time, and nothing in
//! progress lives longer than the limits of the platform and of our own requests permit.

use std::time::Duration;

use checkout_core::value::id::SessionId;
use pollster::block_on;

use crate::crowd::Crowd;
use crate::scene::{FIRST_RATE, Scene, Size};

/// What payers type if they may choose the amount: nothing, which means the whole, or a part of the smallest
/// order.
const PARTS: [Option<&str>; 3] = [None, Some("0.05"), Some("0.1")];

/// The longest time that anything is in progress: a request with a call to a bank, whose time limit is 15
/// seconds, and a margin.
const LONGEST_ERRAND: Duration = Duration::from_secs(30);
/// How often the payer of an agreement tries to pay.
const MOST_TRIES: u32 = 8;
/// How often one errand is polled before that counts as an error.
const MOST_POLLS: u32 = 10_000;

/// What may happen next.
#[derive(Debug, Clone, Copy)]
enum Step {
    Go,
    Kill,
    Wait,
    Create,
    MisuseKey,
    About(Errand),
    Visit,
    ComeBack,
    CallBack,
    Forge,
    Sweep,
    Reverse,
    Operate,
}

/// What may be done with a transaction that the merchant knows of.
#[derive(Debug, Clone, Copy)]
enum Errand {
    Look,
    OpenPage,
    Pay,
    PayByWallet,
    PayOnPage,
    Debit,
    Cancel,
    Move,
    Deliver,
}

/// How often each happens, compared with the others.
const STEPS: [(u64, Step); 21] = [
    (60, Step::Go),
    (10, Step::Kill),
    (10, Step::Wait),
    (8, Step::Create),
    (1, Step::MisuseKey),
    (2, Step::About(Errand::Look)),
    (4, Step::About(Errand::OpenPage)),
    (16, Step::About(Errand::Pay)),
    (6, Step::About(Errand::PayByWallet)),
    (4, Step::About(Errand::PayOnPage)),
    (24, Step::About(Errand::Debit)),
    (2, Step::About(Errand::Cancel)),
    (36, Step::About(Errand::Move)),
    (20, Step::Visit),
    (10, Step::ComeBack),
    (12, Step::CallBack),
    (1, Step::Forge),
    (3, Step::About(Errand::Deliver)),
    (8, Step::Sweep),
    (6, Step::Reverse),
    (4, Step::Operate),
];

/// Everything that happens in the storm of a scene.
pub(crate) fn rage(scene: &Scene, size: Size) {
    if size == Size::Agreement {
        prepare_agreement(scene);
    }
    scene.weather.worsen();
    let mut storm = Storm { scene, crowd: Crowd::default() };
    let steps = match size {
        Size::Few => scene.weather.dice.between(40, 200),
        Size::Hundreds => scene.weather.dice.between(3_000, 5_000),
        Size::Agreement => return storm.debit_at_once(),
    };
    for _ in 0..steps {
        storm.step();
    }
    storm.end_all(Duration::ZERO);
}

/// The payer pays the first order under the agreement, and a cycle passes.
fn prepare_agreement(scene: &Scene) {
    let [first, others @ ..] = scene.orders.as_slice() else { return };
    block_on(scene.create(first));
    let Some(session_id) = first.session_id.borrow().clone() else { return };
    let code = first.codes.first().cloned().unwrap_or_default();
    for _ in 0..MOST_TRIES {
        block_on(Box::pin(scene.pay(&session_id, &code, None)));
        for reference in scene.tabs.borrow().clone() {
            scene.bank.visit(&reference);
            block_on(scene.come_back(&reference));
        }
        for callback in scene.bank.insistent().into_iter().chain(scene.bank.callback()) {
            block_on(scene.call_back(&callback));
        }
        scene.pass(Duration::from_secs(7));
        if !scene.tokens().is_empty() {
            break;
        }
    }
    scene.pass(Duration::from_hours(25));
    for order in others {
        order.asked_at.set(Some(scene.weather.now.get()));
        block_on(scene.create(order));
    }
}

struct Storm<'s> {
    scene: &'s Scene,
    crowd: Crowd<'s>,
}

impl<'s> Storm<'s> {
    fn step(&mut self) {
        let (scene, dice) = (self.scene, &self.scene.weather.dice);
        match dice.weighted(&STEPS) {
            Step::Go => self.go(),
            Step::Kill => self.kill(),
            Step::Wait => self.wait(),
            Step::Create => self.create(),
            Step::MisuseKey => {
                let now = scene.weather.now.get();
                let known = scene.orders.iter().find(|order| order.is_known(now));
                if let Some(order) = known.filter(|order| order.answer.borrow().is_some()) {
                    self.begin("create with another body", scene.misuse_key(order));
                }
            }
            Step::Visit => {
                let tabs: Vec<String> = scene.tabs.borrow().iter().cloned().collect();
                if let Some(reference) = dice.pick(&tabs) {
                    scene.bank.visit(&reference);
                }
            }
            Step::ComeBack => {
                let returns: Vec<String> = scene.returns.borrow().iter().cloned().collect();
                if let Some(reference) = dice.pick(&returns) {
                    self.begin("come back", async move { scene.come_back(&reference).await });
                }
            }
            Step::CallBack => {
                if let Some(callback) = scene.bank.callback() {
                    self.begin("call back", async move { scene.call_back(&callback).await });
                }
            }
            Step::Forge => {
                if let Some(callback) = scene.bank.forgery() {
                    self.begin("forged callback", async move { scene.forge(&callback).await });
                }
            }
            Step::Sweep => self.begin("sweep", scene.sweep()),
            Step::Reverse if scene.weather.chance(|rates| rates.reversals) => scene.bank.reverse(),
            Step::Operate if scene.weather.chance(|rates| rates.operator) => {
                let without: &[&str] = dice.pick(&[&[][..], &["knet"], ALL]).unwrap_or_default();
                let rate = dice.pick(&[FIRST_RATE, "0.31", "0.2999"]).unwrap_or(FIRST_RATE);
                self.begin("replace settings", scene.replace_settings(without, rate));
            }
            Step::Reverse | Step::Operate => {}
            Step::About(errand) => self.about(errand),
        }
    }

    /// The merchant charges the card of the agreement for every order, all at once.
    fn debit_at_once(&mut self) {
        let scene = self.scene;
        let dice = &scene.weather.dice;
        let Some(token) = scene.tokens().pop() else { return };
        for order in scene.orders.iter().skip(1) {
            let Some(session_id) = order.session_id.borrow().clone() else { continue };
            let token = token.clone();
            let what = format!("charge {token:?} for {session_id} at once");
            let errand = async move { Box::pin(scene.debit(&session_id, &token, None)).await };
            let number = self.crowd.join(scene.weather.now.get(), errand);
            scene.weather.note(|| format!("#{number} begins: {what}"));
        }
        while let Some(place) = dice.place(self.crowd.len()) {
            if dice.chance(5) {
                self.kill();
            } else {
                self.poll(place);
            }
        }
    }

    fn about(&mut self, errand: Errand) {
        let (scene, dice) = (self.scene, &self.scene.weather.dice);
        let known = |place: usize| Some((place, scene.orders.get(place)?.session_id.borrow().clone()?));
        let known: Vec<(usize, SessionId)> = (0..scene.orders.len()).filter_map(known).collect();
        let Some((place, session_id)) = dice.pick(&known) else { return };
        match errand {
            Errand::Look => self.begin("look", async move { scene.look(&session_id).await }),
            Errand::OpenPage => {
                self.begin("open the page", async move { scene.open_page(&session_id).await });
            }
            Errand::Move => self.move_money(&known, session_id),
            Errand::Pay => self.pay(place, session_id),
            Errand::PayByWallet => {
                let key = dice.pick(&[None, Some("wallet-1"), Some("wallet-2")]).flatten();
                let what = format!("pay {session_id} by wallet under {key:?}");
                self.begin(&what, async move { Box::pin(scene.pay_by_wallet(&session_id, key)).await });
            }
            Errand::PayOnPage => {
                let Some(order) = scene.orders.get(place) else { return };
                if let Some(code) = dice.pick(&order.codes) {
                    let what = format!("pay {session_id} by wallet on a page through {code}");
                    self.begin(&what, async move { Box::pin(scene.pay_on_page(&session_id, &code)).await });
                }
            }
            Errand::Debit => self.debit(&known, session_id),
            Errand::Cancel => self.begin("cancel", async move { scene.cancel(&session_id).await }),
            Errand::Deliver => {
                let stored = scene.world.inner.store.deliveries(&session_id);
                if let Some(row) = dice.pick(&stored) {
                    let id = row.message.id;
                    self.begin("deliver", async move { scene.deliver(&id).await });
                }
            }
        }
    }

    /// Captures, refunds or voids, mostly what was paid.
    fn move_money(&mut self, known: &[(usize, SessionId)], otherwise: SessionId) {
        let (scene, dice) = (self.scene, &self.scene.weather.dice);
        let paid: Vec<SessionId> =
            known.iter().map(|(_, id)| id.clone()).filter(|id| scene.is_paid(id)).collect();
        let session_id = dice.pick(&paid).unwrap_or(otherwise);
        let operation = dice.pick(&["refund", "capture", "void"]).unwrap_or("refund");
        let amount = dice.pick(&PARTS).flatten();
        let key = dice.pick(&[None, None, Some("track-1"), Some("track-2")]).flatten();
        let what = format!("{operation} {amount:?} of {session_id} under {key:?}");
        self.begin(&what, async move { scene.operate(&session_id, operation, amount, key).await });
    }

    fn pay(&mut self, place: usize, session_id: SessionId) {
        let (scene, dice) = (self.scene, &self.scene.weather.dice);
        let Some(order) = scene.orders.get(place) else { return };
        let amount = dice.pick(&PARTS).flatten().filter(|_| order.is_editable);
        if let Some(code) = dice.pick(&order.codes) {
            let what = format!("pay {amount:?} of {session_id} with {code}");
            self.begin(&what, async move { Box::pin(scene.pay(&session_id, &code, amount)).await });
        }
    }

    /// Charges a saved card, mostly for what is not paid yet.
    fn debit(&mut self, known: &[(usize, SessionId)], otherwise: SessionId) {
        let (scene, dice) = (self.scene, &self.scene.weather.dice);
        let unpaid: Vec<SessionId> =
            known.iter().map(|(_, id)| id.clone()).filter(|id| !scene.is_paid(id)).collect();
        let session_id = dice.pick(&unpaid).unwrap_or(otherwise);
        let key = dice.pick(&[None, Some("debit-1"), Some("debit-2")]).flatten();
        if let Some(token) = dice.pick(&scene.tokens()) {
            let what = format!("charge {token:?} for {session_id} under {key:?}");
            self.begin(&what, async move { Box::pin(scene.debit(&session_id, &token, key)).await });
        }
    }

    fn create(&mut self) {
        let scene = self.scene;
        let now = scene.weather.now.get();
        let Some(place) = scene.weather.dice.place(scene.orders.len()) else { return };
        let Some(order) = scene.orders.get(place) else { return };
        order.asked_at.set(Some(order.asked_at.get().unwrap_or(now)));
        if order.is_known(now) {
            self.begin(&format!("create {}", order.key), scene.create(order));
        }
    }

    fn begin(&mut self, what: &str, errand: impl Future<Output = ()> + 's) {
        let number = self.crowd.join(self.scene.weather.now.get(), errand);
        self.scene.weather.note(|| format!("#{number} begins: {what}"));
        // Most errands are done before the next thing happens.
        if self.scene.weather.dice.chance(500) {
            let place = self.crowd.len().saturating_sub(1);
            self.finish(place);
        }
    }

    fn poll(&mut self, place: usize) -> bool {
        let scene = self.scene;
        let number = self.crowd.number(place);
        scene.weather.attend(number);
        scene.world.inner.store.serve(number.unwrap_or_default());
        let is_done = self.crowd.poll(place);
        scene.weather.attend(None);
        self.scene.check_fresh_charges();
        is_done
    }

    /// A task goes on, one step or several.
    fn go(&mut self) {
        let dice = &self.scene.weather.dice;
        let Some(place) = dice.place(self.crowd.len()) else { return };
        for _ in 0..dice.between(1, 8) {
            if self.poll(place) {
                return;
            }
        }
    }

    fn finish(&mut self, place: usize) {
        for _ in 0..MOST_POLLS {
            if self.poll(place) {
                return;
            }
        }
        self.scene.weather.wrong("an errand never ends".into());
        self.crowd.kill(place);
    }

    fn kill(&mut self) {
        if self.scene.weather.chance(|rates| rates.kills)
            && let Some(place) = self.scene.weather.dice.place(self.crowd.len())
        {
            self.kill_at(place);
        }
    }

    fn kill_at(&mut self, place: usize) {
        if let Some(number) = self.crowd.kill(place) {
            self.scene.weather.note(|| format!("#{number} is killed"));
        }
    }

    /// Ends, in one way or another, everything that would be in progress for too long after this much time.
    fn end_all(&mut self, after: Duration) {
        let now = self.scene.weather.now.get().plus(after);
        let mut place = 0;
        while let Some(since) = self.crowd.since(place) {
            if after > Duration::ZERO && now.since(since) <= LONGEST_ERRAND {
                place = place.saturating_add(1);
            } else if self.scene.weather.chance(|rates| rates.kills) {
                self.kill_at(place);
            } else {
                self.finish(place);
            }
        }
    }

    fn wait(&mut self) {
        let dice = &self.scene.weather.dice;
        let seconds = dice.weighted(&[
            (30, 1),
            (30, 5),
            (20, 20),
            (20, 61),
            (20, 400),
            (10, 1_200),
            (6, 7_000),
            (2, 90_000),
            (1, 270_000),
        ]);
        let by = Duration::from_secs(seconds);
        self.end_all(by);
        self.scene.weather.note(|| format!("{seconds} s pass"));
        self.scene.pass(by);
    }
}

/// Every gateway except the one that is not used with others in the storm: a merchant has at least one.
const ALL: &[&str] = &["knet", "credit-card", "queued", "single", "cash"];
