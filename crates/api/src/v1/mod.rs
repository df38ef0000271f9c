//! The endpoints, one file per resource: who may ask, what is asked, one use case, one view.

pub(crate) mod account;
pub(crate) mod adjustments;
pub(crate) mod amendments;
pub(crate) mod api_key;
pub(crate) mod class_scans;
pub(crate) mod covers;
pub(crate) mod credits;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod papers;
pub(crate) mod review_links;
pub(crate) mod subjects;
pub(crate) mod submissions;
pub(crate) mod webhook_endpoints;
