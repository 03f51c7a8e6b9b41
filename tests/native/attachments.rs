//! Files and short addresses when storage is slow, fails or is used by two requests at once.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::create::{CreateAnswer, CreateInput, create};
use checkout_core::flow::merchant::upload::{self, upload};
use checkout_core::flow::payer::download::{DownloadOutcome, download};
use checkout_core::port::Attachments;
use checkout_core::record::attachment::{Attachment, AttachmentName, FilePart};
use checkout_core::testing::store::Fault;
use checkout_core::transaction::Details;
use checkout_tests::shop::{Shop, order, session_of};
use pollster::block_on;
use serde_json::json;

const FILE: FilePart<'_> = FilePart { file_name: "bill.pdf", bytes: b"%PDF-1.7" };

fn create_with_file(shop: &Shop, key: Option<&str>, file: FilePart<'_>) -> Result<CreateAnswer, Failure> {
    let body = order(&["cash"]).to_string();
    let input = CreateInput {
        caller: shop.private(),
        idempotency_key: key,
        body: body.as_bytes(),
        file: Some(file),
        wrong: &[],
    };
    block_on(create(&shop.world, input))
}

fn row(shop: &Shop, name: &AttachmentName) -> Option<Attachment> {
    block_on(shop.world.store.attachment(name)).unwrap()
}

#[test]
fn nothing_refers_to_a_file_that_was_not_stored() {
    let shop = Shop::open(1);
    shop.world.files.be_broken(true);
    assert!(matches!(create_with_file(&shop, None, FILE), Err(Failure::World(_))));
    let input = upload::UploadInput { caller: shop.private(), fields: b"{}", file: Some(FILE), wrong: &[] };
    assert!(matches!(block_on(upload(&shop.world, input)), Err(Failure::World(_))));
    assert!(shop.world.store.transactions().is_empty());
}

#[test]
fn a_file_of_a_transaction_that_was_not_stored_is_known_to_nobody() {
    let shop = Shop::open(1);
    shop.world.store.fail_commit(1, Fault::BeforeStoring);
    assert!(create_with_file(&shop, None, FILE).is_err());
    let names = shop.world.files.names();
    assert_eq!(names.len(), 1);
    for name in names {
        assert_eq!(row(&shop, &name), None);
        assert!(block_on(download(&shop.world, &name)).is_err());
    }
}

#[test]
fn a_refused_request_stores_no_file() {
    let shop = Shop::open(1);
    assert!(create_with_file(&shop, None, FilePart { file_name: "bill.exe", bytes: b"MZ" }).is_err());
    let fields = json!({"session_id": "0".repeat(40)}).to_string();
    let input = upload::UploadInput {
        caller: shop.private(),
        fields: fields.as_bytes(),
        file: Some(FILE),
        wrong: &[],
    };
    assert!(block_on(upload(&shop.world, input)).is_err());
    assert!(shop.world.files.names().is_empty());
}

#[test]
fn a_repeated_key_stores_one_file_and_another_file_is_another_request() {
    let shop = Shop::open(1);
    let first = create_with_file(&shop, Some("k"), FILE).unwrap();
    assert_eq!(create_with_file(&shop, Some("k"), FILE).unwrap().body, first.body);
    assert_eq!(shop.world.files.names().len(), 1);
    for file in [FilePart { file_name: "other.pdf", ..FILE }, FilePart { bytes: b"%PDF-1.8", ..FILE }] {
        assert!(create_with_file(&shop, Some("k"), file).is_err());
    }
}

#[test]
fn a_file_that_is_not_visible_yet_is_known() {
    let shop = Shop::open(1);
    let session_id = session_of(&create_with_file(&shop, None, FILE).unwrap());
    let file = *shop.transaction(&session_id).details.attachment.unwrap();
    shop.world.files.be_late(true);
    assert_eq!(block_on(download(&shop.world, &file.name)), Ok(DownloadOutcome::NotYet));
    shop.world.files.be_late(false);
    let bytes = FILE.bytes.to_vec();
    assert_eq!(block_on(download(&shop.world, &file.name)), Ok(DownloadOutcome::File { file, bytes }));
}

#[test]
fn details_that_were_stored_before_there_were_files_are_still_read() {
    let details = Details::from_json(r#"{"language":"en","order_no":"A"}"#).unwrap();
    assert_eq!((details.attachment, details.attachment_upload_url), (None, None));
}
