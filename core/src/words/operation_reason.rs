//! Why money is captured, returned or released.

use crate::words::word_list;

word_list! {
    /// Why a merchant asks for an operation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum OperationReason {
        /// The payer asked for it.
        RequestedByCustomer = "requested_by_customer",
        /// The payer paid twice.
        Duplicate = "duplicate",
        /// The payment was not made by the holder of the card.
        Fraudulent = "fraudulent",
        /// The goods came back.
        GoodsReturned = "goods_returned",
        /// The goods or the service cannot be delivered, or not all of it.
        NotDelivered = "not_delivered",
        /// The goods were delivered, or the service rendered.
        Delivered = "delivered",
        /// The price was wrong.
        WrongAmount = "wrong_amount",
        /// What the note says.
        Other = "other",
    }
}
