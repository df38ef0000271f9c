//! The built-in engine: rules first, meaning where rules end. Offline and deterministic.

mod algebra;
mod chemistry;
mod demand;
mod normal;
mod number;
mod verdict;
