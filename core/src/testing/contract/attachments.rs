//! Files and short addresses.

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::change::{Change, EventKind};
use crate::port::{Attachments, CommitError, Store};
use crate::record::attachment::{AttachedFile, Attachment, AttachmentName, Extension};
use crate::record::short_link::{LinkKind, ShortCode, ShortLink};
use crate::transaction::Transaction;
use crate::value::slot::Slot;

fn attachment(fixture: &Fixture) -> Attachment {
    let name = AttachmentName::generate(Slot::FIRST, fixture.random(), Extension::Pdf);
    let file = AttachedFile { name, original_name: "فاتورة ' \" ; --.pdf".into(), size: 2_621_440 };
    Attachment { merchant: fixture.merchant.clone(), file, at: fixture.now }
}

fn link(fixture: &Fixture, transaction: &Transaction, kind: LinkKind) -> ShortLink {
    ShortLink {
        code: ShortCode::generate(Slot::FIRST, fixture.random()),
        kind,
        merchant: transaction.merchant.clone(),
        session_id: transaction.session_id.clone(),
    }
}

async fn created(store: &impl Store, fixture: &Fixture) -> Result<Transaction, Problem> {
    let change = fixture.created(fixture.transaction()?);
    store.commit(&change).await?;
    Ok(change.transaction)
}

pub(super) async fn an_attachment_is_read_back_as_it_was_stored(
    store: &(impl Store + Attachments),
    fixture: &Fixture,
) -> Checked {
    let alone = attachment(fixture);
    same("unknown", store.attachment(&alone.file.name).await?, None)?;
    store.add_attachment(&alone).await?;
    same("alone", store.attachment(&alone.file.name).await?, Some(alone.clone()))?;
    let with_change = attachment(fixture);
    let mut transaction = fixture.transaction()?;
    transaction.details.attachment = Some(with_change.file.clone().into());
    let change = Change { attachment: Some(with_change.clone()), ..fixture.created(transaction) };
    store.commit(&change).await?;
    let stored = store.load(&change.transaction.session_id).await?.map(|record| record.transaction);
    same("transaction", stored, Some(change.transaction))?;
    same("with a change", store.attachment(&with_change.file.name).await?, Some(with_change))
}

pub(super) async fn the_name_of_an_attachment_is_taken_once(
    store: &impl Attachments,
    fixture: &Fixture,
) -> Checked {
    let first = attachment(fixture);
    store.add_attachment(&first).await?;
    let mut second = first.clone();
    second.file.size = 1;
    holds("refused", store.add_attachment(&second).await.is_err())?;
    same("the first", store.attachment(&first.file.name).await?, Some(first))
}

pub(super) async fn a_short_link_leads_to_its_transaction(
    store: &(impl Store + Attachments),
    fixture: &Fixture,
) -> Checked {
    let transaction = created(store, fixture).await?;
    let links = LinkKind::ALL.map(|kind| link(fixture, &transaction, kind));
    same("none yet", store.short_links(&transaction.session_id).await?.len(), 0)?;
    let change = Change::of(transaction.clone(), EventKind::Updated, fixture.now);
    store.commit(&Change { short_links: links.to_vec(), ..change }).await?;
    for link in &links {
        same("link", store.short_link(&link.code).await?.as_ref(), Some(link))?;
    }
    let mut found = store.short_links(&transaction.session_id).await?;
    found.sort_by_key(|link| link.kind);
    same("links", found, links.to_vec())?;
    let unknown = link(fixture, &transaction, LinkKind::Checkout).code;
    same("unknown", store.short_link(&unknown).await?, None)
}

pub(super) async fn a_second_short_link_of_a_kind_or_code_is_a_conflict(
    store: &(impl Store + Attachments),
    fixture: &Fixture,
) -> Checked {
    let transaction = created(store, fixture).await?;
    let first = link(fixture, &transaction, LinkKind::Checkout);
    let change = Change::of(transaction.clone(), EventKind::Updated, fixture.now);
    let change = Change { short_links: [first.clone()].into(), ..change };
    store.commit(&change).await?;
    let second = link(fixture, &transaction, LinkKind::Checkout);
    let same_code =
        ShortLink { code: first.code.clone(), ..link(fixture, &transaction, LinkKind::Attachment) };
    for taken in [second, same_code] {
        let next = Change::of(change.transaction.clone(), EventKind::Updated, fixture.now);
        let next = Change { short_links: [taken].into(), ..next };
        same("refused", store.commit(&next).await, Err(CommitError::Conflict))?;
    }
    same("the first", store.short_links(&transaction.session_id).await?, [first].into())
}
