//! What every store must do: one list of checks, run natively on the store in memory and inside workerd on
//! D1.
//!
//! A check returns what is wrong instead of panicking, because a panic would stop the whole isolate.

mod alerts;
mod approvals;
mod attachments;
mod attention;
mod audit;
mod bearers;
mod cards;
mod clocks;
mod commits;
mod counters;
mod customers;
mod decisions;
mod deliveries;
mod desk_factors;
mod desk_sessions;
mod desk_trips;
mod doorbells;
mod due;
mod erasures;
mod filters;
mod fixture;
mod holds;
mod ladders;
mod listing;
mod merchants;
mod messages;
mod monitoring;
mod published;
mod receivers;
mod reconciliations;
mod records;
mod refund_days;
mod sealing;
mod searches;
mod templates;
mod timelines;
mod totals;
mod user_links;
mod users;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use serde::Serialize;

use crate::port::{CommitError, Directory, Ledger, PortError};
use fixture::Fixture;

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The check, as a sentence.
    pub name: String,
    /// What is wrong; `None` if the store does what it must.
    pub problem: Option<String>,
}

/// What is wrong with a store.
struct Problem(String);

type Checked = Result<(), Problem>;

impl From<PortError> for Problem {
    fn from(error: PortError) -> Self {
        Self(alloc::format!("{error}"))
    }
}

impl From<CommitError> for Problem {
    fn from(error: CommitError) -> Self {
        Self(alloc::format!("a change was refused: {error:?}"))
    }
}

impl From<&str> for Problem {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

/// Passes if both are the same.
#[expect(clippy::needless_pass_by_value, reason = "what is compared is made for the comparison")]
fn same<T: PartialEq + Debug>(what: &str, found: T, wanted: T) -> Checked {
    if found == wanted {
        Ok(())
    } else {
        Err(Problem(alloc::format!("{what}: found {found:?}, wanted {wanted:?}")))
    }
}

/// Passes if `is_so`.
fn holds(what: &str, is_so: bool) -> Checked {
    same(what, is_so, true)
}

/// Runs each check with separate rows, numbered after a place, and collects the findings.
macro_rules! run {
    ($store:expr, $seed:expr, $after:expr, $($module:ident::$check:ident,)+) => {{
        let mut findings = Vec::new();
        let mut place: u64 = $after;
        $(
            place = place.saturating_add(1);
            let problem = match Fixture::prepare($store, $seed, place).await {
                // Boxed: in a build without optimisation each check would have a place of its own on the stack.
                Ok(fixture) => Box::pin($module::$check($store, &fixture)).await.err(),
                Err(problem) => Some(problem),
            };
            findings.push(Finding {
                name: stringify!($check).replace('_', " "),
                problem: problem.map(|problem| problem.0),
            });
        )+
        findings
    }};
}

/// Runs every check. `seed` separates the rows of one run from those of another in the same store, which may
/// already contain rows.
pub async fn all(store: &(impl Directory + Ledger), seed: u64) -> Vec<Finding> {
    let mut findings = of_payments(store, seed).await;
    findings.extend(of_administration(store, seed).await);
    findings.extend(of_desk(store, seed).await);
    findings
}

#[expect(clippy::too_many_lines, reason = "a table")]
async fn of_payments(store: &(impl Directory + Ledger), seed: u64) -> Vec<Finding> {
    run!(
        store,
        seed,
        0,
        records::a_transaction_is_read_back_as_it_was_stored,
        records::the_smallest_transaction_is_read_back_as_it_was_stored,
        records::a_settled_transaction_is_read_back_as_it_was_stored,
        records::an_attempt_is_read_back_as_it_was_stored,
        records::a_transaction_comes_with_its_latest_attempt,
        records::the_attempts_of_a_transaction_are_read_in_order,
        records::an_attempt_comes_with_its_transaction,
        records::nothing_is_found_under_an_unknown_name,
        decisions::a_decision_is_read_back_as_it_was_stored,
        decisions::a_gateway_that_fails_in_a_row_is_skipped_for_a_while,
        decisions::one_transaction_counts_as_one_failure,
        decisions::the_first_failure_can_be_enough,
        commits::a_session_id_is_taken_once,
        commits::of_two_changes_of_one_version_the_second_is_a_conflict,
        commits::a_conflict_stores_nothing,
        commits::a_change_of_an_unknown_transaction_is_a_conflict,
        commits::a_change_in_the_name_of_another_merchant_is_a_conflict,
        commits::a_second_open_attempt_is_a_conflict,
        commits::an_attempt_may_follow_one_that_ended,
        commits::a_change_of_an_attempt_from_another_stage_is_a_conflict,
        commits::an_illegal_move_of_a_transaction_is_refused,
        commits::an_illegal_move_of_an_attempt_is_refused,
        commits::what_an_attempt_costs_is_frozen,
        commits::an_idempotency_key_is_taken_once,
        commits::idempotency_keys_of_others_do_not_meet,
        commits::old_answers_are_deleted,
        due::a_payable_transaction_expires_when_its_time_is_over,
        due::a_transaction_with_an_unknown_outcome_does_not_expire,
        due::a_transaction_whose_payer_is_at_the_gateway_does_not_expire,
        due::expiries_are_limited,
        clocks::a_clock_is_moved_from_the_version_that_was_read_only,
        clocks::a_moved_clock_survives_new_settings,
        clocks::what_is_due_of_a_merchant_whose_clock_was_moved_is_found_by_its_own_time,
        due::the_inquiries_of_a_merchant_are_counted,
        due::an_attempt_is_inquired_when_it_is_time,
        due::what_is_due_comes_by_turns_of_merchants_and_their_gateways,
        customers::the_codes_through_which_a_customer_paid_are_named_once,
        customers::what_a_customer_paid_to_another_merchant_is_not_named,
        customers::what_a_customer_was_sent_and_agreed_to_is_listed,
        deliveries::a_message_is_due_at_its_time,
        deliveries::a_message_is_claimed_once_until_its_lease_is_over,
        deliveries::a_message_of_each_kind_is_claimed_as_it_was_stored,
        deliveries::a_message_that_failed_is_due_again_later,
        deliveries::a_message_that_was_delivered_stays_delivered,
        deliveries::a_message_that_is_given_up_is_on_the_attention_list,
        deliveries::the_newest_message_about_an_attempt_is_named,
        deliveries::a_message_that_was_asked_for_is_not_the_newest,
        deliveries::an_attention_entry_is_closed_permanently,
        attention::the_entries_of_a_merchant_are_listed_by_pages,
        attention::an_entry_that_goes_on_is_replaced_and_open_again,
        attention::a_note_is_stored_with_its_entry_and_erased_with_the_payer,
        attention::what_waits_is_counted_up_to_a_limit,
        receivers::the_log_shows_each_delivery_with_its_tries,
        receivers::the_log_is_narrowed_and_read_by_pages,
        receivers::a_delivery_is_sent_again_under_its_id,
        receivers::deliveries_of_a_period_are_sent_again_once,
        receivers::a_receiver_that_fails_is_known_until_it_works,
        receivers::what_is_for_a_disabled_receiver_is_held_until_it_is_enabled,
        receivers::an_address_that_is_gone_is_disabled_alone,
        approvals::a_request_is_read_back_as_it_was_stored_and_changed,
        approvals::one_request_is_open_for_an_operation_on_an_attempt,
        approvals::a_request_moves_only_from_the_state_in_which_it_is,
        approvals::a_tracking_key_asks_once,
        approvals::pages_of_requests_follow_each_other,
        refund_days::what_one_person_refunded_in_a_day_is_added_up,
        refund_days::a_refund_is_stored_only_while_it_fits_its_day,
        alerts::an_entry_is_reported_once_to_each_audience,
        alerts::of_two_alerts_after_the_same_one_the_second_is_not_stored,
        alerts::what_is_closed_is_not_reported,
        alerts::a_difference_that_is_another_one_now_is_reported_again,
        alerts::a_merchant_is_reported_only_what_its_settings_choose,
        alerts::a_gateway_that_is_skipped_is_one_entry_until_it_answers,
        alerts::a_message_of_an_alert_is_claimed_logged_and_never_flagged,
        doorbells::a_row_that_was_rung_for_is_found_again_after_its_rest,
        doorbells::what_cannot_be_handled_is_put_on_the_attention_list_once,
        doorbells::messages_are_claimed_and_recorded_together,
        attachments::an_attachment_is_read_back_as_it_was_stored,
        attachments::the_name_of_an_attachment_is_taken_once,
        attachments::a_short_link_leads_to_its_transaction,
        attachments::a_second_short_link_of_a_kind_or_code_is_a_conflict,
        cards::a_saved_card_is_read_back_as_it_was_stored,
        cards::attempts_that_wait_for_their_card_are_found_by_customer_and_gateway,
        cards::the_same_card_is_saved_once,
        cards::the_consent_of_an_attempt_is_read_back_as_it_was_stored,
        cards::a_card_of_someone_else_is_not_seen,
        cards::an_agreement_locks_its_card_until_another_takes_its_place,
        cards::the_first_terms_of_an_agreement_hold_and_payments_count,
        cards::a_cycle_is_taken_once_and_free_again_when_its_attempt_ends,
        ladders::a_ladder_is_due_claimed_and_ended,
        ladders::a_pause_ends_when_someone_pays_or_resumes,
        ladders::a_card_is_tried_as_often_as_the_limits_permit,
        holds::a_deadline_is_reminded_of_once_and_ends_with_its_entry,
        holds::a_deadline_is_due_by_the_time_of_its_merchant,
        listing::pages_hold_every_transaction_once_while_others_are_made,
        listing::a_page_holds_no_more_than_its_limit,
        listing::a_listing_goes_by_the_state_that_is_shown,
        listing::a_listed_transaction_is_read_back_as_it_was_stored,
        listing::a_listing_is_narrowed_by_period_order_number_and_customer,
        listing::a_listing_holds_nothing_of_another_merchant,
        filters::a_listing_is_narrowed_by_every_filter,
        filters::a_page_stops_where_enough_rows_were_looked_at,
        totals::what_was_paid_returned_and_failed_is_counted_by_its_day,
        totals::what_another_attempt_took_and_what_is_deleted_does_not_count,
        searches::a_search_finds_by_everything_that_is_known,
        searches::an_erased_payer_is_not_found,
        timelines::events_are_read_back_with_who_caused_them,
        timelines::the_tries_of_a_transaction_are_read_the_newest_first,
        reconciliations::a_reconciliation_begins_with_the_first_attempt,
        reconciliations::a_reconciliation_is_read_back_as_it_was_stored,
        reconciliations::of_two_changes_of_a_reconciliation_the_second_is_not_stored,
        reconciliations::reconciliations_are_due_by_the_time_of_their_merchant,
        reconciliations::listed_attempts_come_with_their_transactions,
        reconciliations::successes_are_unsettled_in_order_until_they_are_settled,
        reconciliations::a_difference_is_open_again_when_it_is_another_one,
    )
}

async fn of_administration(store: &(impl Directory + Ledger), seed: u64) -> Vec<Finding> {
    run!(
        store,
        seed,
        500,
        merchants::a_merchant_is_added_once,
        merchants::merchants_are_listed_in_the_order_of_their_ids,
        merchants::a_document_is_replaced_from_its_version_only,
        merchants::a_key_names_its_holder,
        merchants::a_key_with_a_wrong_secret_belongs_to_no_one,
        merchants::a_revoked_key_belongs_to_no_one,
        merchants::who_is_recalled_stores_nothing_unless_they_are_who_they_were,
        merchants::an_expired_key_belongs_to_no_one,
        merchants::a_new_version_of_the_settings_is_seen_at_once,
        merchants::the_origins_of_a_transaction_are_those_of_its_merchant_until_it_is_deleted,
        merchants::a_key_has_its_scope_and_the_time_of_its_last_use,
        users::a_user_is_found_by_name_and_number,
        users::a_name_is_taken_in_any_case,
        users::a_user_is_changed_from_its_version_only,
        users::tries_are_counted_for_each_subject_and_period,
        users::a_user_is_bound_to_one_subject,
        users::places_are_known_until_they_are_deleted,
        audit::an_operator_is_found_by_the_key_until_it_expires_or_is_revoked,
        audit::an_entry_is_read_back_as_it_was_recorded,
        audit::an_entry_is_recorded_once_in_a_while,
        audit::a_change_has_one_entry_and_a_lost_race_has_none,
        audit::every_version_of_a_document_is_stored_with_who_made_it,
        audit::secrets_of_webhooks_are_replaced_from_their_version_only,
        merchants::keys_are_listed_newest_first,
        counters::what_a_payer_tried_is_found_by_merchant_and_age,
        counters::an_attempt_is_stored_only_while_its_payer_is_below_the_limits,
        counters::who_tried_is_deleted_when_it_no_longer_counts,
        counters::calls_are_counted_by_caller_and_day,
        erasures::only_what_has_ended_and_is_quiet_can_be_erased,
        erasures::what_is_older_than_the_settings_say_can_be_erased,
        erasures::nothing_of_the_payer_stays_with_a_transaction_that_is_erased,
        erasures::the_cards_of_one_customer_are_deleted,
        published::an_image_is_read_back_as_it_was_stored,
        published::an_image_is_deleted_by_its_merchant_only,
        published::the_file_of_the_domain_is_the_one_that_was_stored_last,
        monitoring::what_is_new_and_what_waits_is_counted,
        monitoring::the_runs_of_the_cron_handler_add_up,
        sealing::the_secrets_of_merchants_are_read_in_order_and_replaced_from_their_version_only,
        sealing::the_secrets_of_cards_are_found_by_their_key_and_replaced_only_as_they_were_read,
        sealing::a_card_that_is_saved_again_stays_under_the_key_that_sealed_it_last,
        bearers::the_holder_of_a_private_key_is_found_by_merchant_and_prefix,
        bearers::a_merchant_is_found_by_its_provider,
        messages::a_message_is_begun_once_until_it_surely_did_not_leave,
        messages::a_report_says_what_became_of_a_message_of_its_merchant,
        messages::a_report_with_our_id_may_come_before_the_answer,
        messages::the_list_of_messages_is_narrowed_and_read_by_pages,
        messages::a_listed_message_is_read_back_as_it_was_stored,
    )
}

async fn of_desk(store: &(impl Directory + Ledger), seed: u64) -> Vec<Finding> {
    run!(
        store,
        seed,
        600,
        desk_sessions::a_desk_session_is_read_back_with_its_user,
        desk_sessions::how_a_user_reads_is_stored_with_the_user,
        desk_sessions::desk_sessions_are_ended_by_their_own_user,
        desk_sessions::desk_sessions_that_nobody_uses_are_deleted,
        desk_trips::a_desk_trip_is_taken_once,
        desk_trips::desk_trips_that_took_too_long_are_deleted,
        desk_factors::each_code_of_a_desk_factor_counts_once,
        desk_factors::a_desk_factor_is_sealed_again_unless_it_changed,
        user_links::a_link_of_a_user_is_used_once,
        user_links::a_link_ends_when_its_user_is_reached_elsewhere,
        user_links::links_that_are_over_are_deleted,
        user_links::a_desk_factor_is_removed_with_the_sessions,
        user_links::devices_of_a_user_are_remembered,
        templates::templates_are_saved_by_their_names,
    )
}
