//! The tables next to that of the transactions.

use checkout_core::approval::Approval;
use checkout_core::approval::day::RefundDay;
use checkout_core::attempt::hold::CaptureDeadline;
use checkout_core::card::ladder::Ladder;
use checkout_core::port::{
    ApprovalSearch, Approvals, AttentionLists, AttentionSearch, Counters, CustomerSearch, Customers,
    DayTotals, FirstApprovals, GivenConsent, Holds, Ladders, ListedMessage, LoggedTry, MerchantEntry,
    OpenMatters, PageOrigins, Pausing, Payers, StoredEnding, Timelines,
};
use checkout_core::record::attention::ListedAttention;
use checkout_core::record::consent::Consent;
use checkout_core::record::event::LoggedEvent;
use checkout_core::transaction::totals::{DayCount, WantedTotals};
use checkout_core::value::money::SumOfMoney;

use super::*;

impl Bookkeeping for FaultyWorld {
    asks! {
        write claim_operation(
            reference: &ReferenceNumber,
            due_at: Timestamp,
            until: Timestamp,
        ) -> Option<u32>;
        read refunded(day: &RefundDay) -> SumOfMoney;
        write end_operation_inquiries(reference: &ReferenceNumber);
        read books(session_id: &SessionId) -> Option<Books>;
        read table_rows(listing: &Listing) -> u64;
        read standings(session_ids: &[&SessionId]) -> BTreeMap<SessionId, Standing>;
        read child(reference: &ReferenceNumber) -> Option<Child>;
        read tracked(merchant: &MerchantId, key: &str) -> Option<Child>;
        read due_operations(due: Due<'_>) -> Vec<DueRow<ReferenceNumber>>;
        write postpone_operation(reference: &ReferenceNumber, until: Timestamp);
    }
}

impl Keyring for FaultyWorld {
    asks! {
        read caller(key: &ApiKey, now: Timestamp, named: Option<&SessionId>) -> Option<KeyHolder>;
        read prove() -> bool;
        read holder(
            merchant: &MerchantId,
            prefix: &str,
            now: Timestamp,
            named: Option<&SessionId>,
        ) -> Option<KeyHolder>;
        write note_use(merchant: &MerchantId, prefix: &str, at: Timestamp);
    }

    fn recall(&self, key: &ApiKey, now: Timestamp) -> Option<KeyHolder> {
        self.inner.store.recall(key, now)
    }
}

impl Users for FaultyWorld {
    asks! {
        read user(key: UserKey<'_>, named: Option<&SessionId>) -> Option<FoundUser>;
        write count_tries(subjects: &[TrySubject], now: Timestamp) -> Option<Timestamp>;
        write take_back_tries(subjects: &[TrySubject]);
        write delete_tries(before: Timestamp, limit: u32) -> u32;
        write note_place(place: &str, at: Timestamp);
        read knows_place(place: &str, since: Timestamp) -> bool;
        write delete_places(before: Timestamp, limit: u32) -> u32;
        write bind_user(id: UserId, from: Option<&str>, subject: &str) -> bool;
        write add_user(user: &NewUser, entry: &Entry) -> Option<UserId>;
        read users(merchant: &MerchantId) -> Vec<UserEntry>;
        write change_user(merchant: &MerchantId, change: &UserChange, entry: &Entry) -> bool;
    }
}

impl Registry for FaultyWorld {
    asks! {
        read merchant(id: &MerchantId) -> Option<Merchant>;
        read merchant_of_provider(issuer: &str, audiences: &[String]) -> Option<Merchant>;
        read document(merchant: &MerchantId) -> Option<StoredDocument>;
        read versions(merchant: &MerchantId, before: Option<i64>, limit: u32) -> Vec<StoredVersion>;
        read version(merchant: &MerchantId, version: i64) -> Option<String>;
        write add_merchant(merchant: &NewMerchant, entry: &Entry) -> bool;
        write replace_document(new: &NewDocument<'_>, entry: &Entry) -> bool;
        write replace_secrets(new: &NewSecrets<'_>, entry: &Entry) -> bool;
        write move_clock(settings: &MerchantSettings, offset: Duration, entry: &Entry) -> bool;
        read merchants(after: Option<&MerchantId>, limit: u32) -> Vec<MerchantEntry>;
        read moved_clocks(limit: u32) -> Vec<MerchantId>;
        write add_key(key: &NewKey, entry: &Entry);
        read keys(merchant: &MerchantId) -> Vec<KeyEntry>;
        write revoke_key(merchant: &MerchantId, prefix: &str, entry: &Entry) -> bool;
    }
}

impl PageOrigins for FaultyWorld {
    asks! {
        read allowed_origins(session_id: &SessionId) -> Vec<String>;
    }
}

impl Operators for FaultyWorld {
    asks! {
        read operator(key: &ApiKey, now: Timestamp) -> Option<(Operator, Option<Timestamp>)>;
        write note_operator(id: OperatorId, at: Timestamp);
        write add_operator(operator: &NewOperator, entry: &Entry) -> OperatorId;
        read operators() -> Vec<OperatorEntry>;
        write revoke_operator(id: OperatorId, entry: &Entry) -> bool;
    }
}

impl Journal for FaultyWorld {
    asks! {
        write record(entry: &Entry);
        write record_unless_since(entry: &Entry, since: Timestamp);
        read recorded(search: &Search) -> Vec<RecordedEntry>;
    }
}

impl Payers for FaultyWorld {
    asks! {
        read tried_by(merchant: &MerchantId, payer: &str, since: Timestamp, limit: u32) -> Vec<TriedPayment>;
        write delete_payers(before: Timestamp, limit: u32) -> u32;
    }
}

impl Counters for FaultyWorld {
    asks! {
        write count_calls(caller: &str, day: i64, calls: u32) -> u32;
        write delete_calls(day: i64, limit: u32) -> u32;
    }
}

impl Timelines for FaultyWorld {
    asks! {
        read logged_events(session_id: &SessionId, limit: u32) -> Vec<LoggedEvent>;
        read logged_tries(session_id: &SessionId, limit: u32) -> Vec<(DeliveryId, LoggedTry)>;
    }
}

impl DayTotals for FaultyWorld {
    asks! {
        read count_days(wanted: &WantedTotals) -> Vec<DayCount>;
    }
}

impl Approvals for FaultyWorld {
    asks! {
        read approval(id: &ReferenceNumber) -> Option<Approval>;
        read tracked_approval(merchant: &MerchantId, key: &str) -> Option<Approval>;
        read find_approvals(search: &ApprovalSearch) -> Vec<Approval>;
        read first_approvals(merchant: &MerchantId, limit: u32) -> FirstApprovals;
    }
}

impl Customers for FaultyWorld {
    asks! {
        read messages_to(search: CustomerSearch<'_>) -> Vec<ListedMessage>;
        read consents_of(search: CustomerSearch<'_>) -> Vec<GivenConsent>;
    }
}

impl AttentionLists for FaultyWorld {
    asks! {
        read find_attention(search: &AttentionSearch) -> Vec<ListedAttention>;
        read open_matters(merchant: &MerchantId, most: u32) -> OpenMatters;
    }
}

impl Decisions for FaultyWorld {
    asks! {
        read health(merchant: &MerchantId, now: Timestamp) -> Vec<Health>;
        read decisions(session_id: &SessionId) -> Vec<RoutingDecision>;
    }
}

impl Reconciliations for FaultyWorld {
    asks! {
        read due_reconciliations(due: Due<'_>) -> Vec<Reconciliation>;
        read reconciliations(merchant: &MerchantId) -> Vec<Reconciliation>;
        write save_reconciliation(next: &Reconciliation, found: &StepFindings, at: Timestamp) -> bool;
        read listed(references: &[ReferenceNumber]) -> Vec<RecordedCharge>;
        read unsettled(wanted: Unsettled<'_>) -> Vec<Record>;
    }
}

impl Endings for FaultyWorld {
    asks! {
        read ended(session_id: &SessionId, state: State) -> Option<TransactionEnd>;
        read endings(wanted: &[(&SessionId, State)]) -> BTreeMap<SessionId, StoredEnding>;
    }
}

impl Published for FaultyWorld {
    asks! {
        read image(name: &ImageName) -> Option<StoredImage>;
        read images(merchant: &MerchantId) -> Vec<ImageEntry>;
        write add_image(image: &StoredImage, entry: &Entry);
        write delete_image(merchant: &MerchantId, name: &ImageName, entry: &Entry) -> bool;
        read apple_domain_file() -> Option<String>;
        write set_apple_domain_file(text: Option<&str>, entry: &Entry);
    }
}

impl Attachments for FaultyWorld {
    asks! {
        read attachment(name: &AttachmentName) -> Option<Attachment>;
        write add_attachment(attachment: &Attachment);
        read short_link(code: &ShortCode) -> Option<ShortLink>;
        read short_links(session_id: &SessionId) -> Vec<ShortLink>;
    }
}

impl Cards for FaultyWorld {
    asks! {
        read cards(holder: &Holder, limit: u32) -> Vec<SavedCard>;
        read card(merchant: &MerchantId, name: CardName<'_>) -> Option<SavedCard>;
        write delete_card(holder: &Holder, token: &CardToken) -> CardDeletion;
        read awaiting_card(awaited: Awaited<'_>) -> Vec<Record>;
        read agreement(key: &AgreementKey) -> Option<SavedAgreement>;
        read consent(reference: &ReferenceNumber) -> Option<Consent>;
    }
}

impl Holds for FaultyWorld {
    asks! {
        read capture_deadline(session_id: &SessionId) -> Option<CaptureDeadline>;
        read due_captures(due: Due<'_>) -> Vec<CaptureDeadline>;
        write remind_of_captures(reminders: &[Attention]);
    }
}

impl Ladders for FaultyWorld {
    asks! {
        read ladder(session_id: &SessionId) -> Option<Ladder>;
        read due_ladders(due: Due<'_>) -> Vec<DueRow<SessionId>>;
        write claim_ladder(session_id: &SessionId, due_at: Timestamp, until: Timestamp) -> bool;
        write end_ladder(session_id: &SessionId, until: Timestamp, paused: Option<&Pausing>);
        read tried_debits(holder: &Holder, card: &CardToken, since: Timestamp) -> Vec<Timestamp>;
        read agreements(holder: &Holder, limit: u32) -> Vec<SavedAgreement>;
        write resume_agreement(key: &AgreementKey, entry: &Entry) -> bool;
    }
}
