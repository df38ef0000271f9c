//! From a host's name to its addresses.

use futures_util::future::BoxFuture;
use std::fmt::Debug;
use std::io;
use std::net::IpAddr;

/// Finds the addresses of a name.
pub trait Resolver: Send + Sync + Debug {
    /// All addresses of the name, in the order in which they are to be tried.
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// Asks the operating system.
#[derive(Clone, Copy, Debug)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}
