//! How attempts and operations stand, in words.

use crate::attempt::stage::Stage;
use crate::child::stage::OperationStage;
use crate::strings::desk::DeskWords;

/// How an attempt ended, or that it is open.
#[must_use]
pub const fn attempt_result(words: &DeskWords, stage: Stage) -> &'static str {
    words.one_of(match stage {
        Stage::Sending | Stage::Redirected | Stage::Unknown => ("Open", "قيد الانتظار"),
        Stage::Success => ("Paid", "مدفوعة"),
        Stage::Failed => ("Declined", "مرفوضة"),
        Stage::Canceled => ("Given up", "ملغاة"),
        Stage::Error => ("Not reached", "لم تصل"),
        Stage::Cod => ("Cash on delivery", "نقدًا عند التسليم"),
    })
}

/// How a capture, refund or void ended, or that it is open.
#[must_use]
pub const fn operation_result(words: &DeskWords, stage: OperationStage) -> &'static str {
    words.one_of(match stage {
        OperationStage::Sending | OperationStage::Unknown => ("Open", "قيد الانتظار"),
        OperationStage::Queued => ("Queued at the bank", "لدى البنك"),
        OperationStage::Done => ("Done", "تمت"),
        OperationStage::Rejected | OperationStage::Refused => ("Refused", "مرفوضة"),
    })
}
