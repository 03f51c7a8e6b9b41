//! The addresses of the operator API.

use super::{Entry, Route, session};
use crate::record::attention::AttentionId;
use crate::value::id::MerchantId;

pub(super) const TABLE: &[Entry] = &[
    Entry {
        path: "/b/operator/v1/merchants/",
        allow: "POST",
        methods: &[("POST", |_| Some(Route::AddMerchant))],
    },
    Entry {
        path: "/b/operator/v1/merchants/{}/",
        allow: "GET",
        methods: &[("GET", |s| merchant(s).map(Route::ReadMerchant))],
    },
    Entry {
        path: "/b/operator/v1/merchants/{}/settings/",
        allow: "PUT",
        methods: &[("PUT", |s| merchant(s).map(Route::ReplaceSettings))],
    },
    Entry {
        path: "/b/operator/v1/merchants/{}/keys/",
        allow: "GET, POST",
        methods: &[
            ("GET", |s| merchant(s).map(Route::ListKeys)),
            ("POST", |s| merchant(s).map(Route::AddKey)),
        ],
    },
    Entry {
        path: "/b/operator/v1/merchants/{}/keys/{}/",
        allow: "DELETE",
        methods: &[("DELETE", |s| Some(Route::RevokeKey(merchant(s)?, (*s.get(1)?).into())))],
    },
    Entry {
        path: "/b/operator/v1/merchants/{}/clock/",
        allow: "GET, POST",
        methods: &[
            ("GET", |s| merchant(s).map(Route::ReadClock)),
            ("POST", |s| merchant(s).map(Route::MoveClock)),
        ],
    },
    Entry {
        path: "/b/operator/v1/merchants/{}/reconciliations/",
        allow: "GET, POST",
        methods: &[
            ("GET", |s| merchant(s).map(Route::ListReconciliations)),
            ("POST", |s| merchant(s).map(Route::ReconcileAgain)),
        ],
    },
    Entry {
        path: "/b/operator/v1/attention/",
        allow: "GET",
        methods: &[("GET", |_| Some(Route::ListAttention))],
    },
    Entry {
        path: "/b/operator/v1/attention/{}/resolve/",
        allow: "POST",
        methods: &[("POST", |s| AttentionId::parse(s.first()?).map(Route::ResolveAttention))],
    },
    Entry {
        path: "/b/operator/v1/transactions/{}/restore/",
        allow: "POST",
        methods: &[("POST", |s| session(s).map(Route::RestoreTransaction))],
    },
];

fn merchant(segments: &[&str]) -> Option<MerchantId> {
    MerchantId::parse(segments.first()?)
}
