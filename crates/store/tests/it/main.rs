//! The store's behaviour, the same on both engines.

mod writes;
