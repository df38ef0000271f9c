//! Who is at the other end, and whether the way there is private.

use http::header::FORWARDED;
use http::{Extensions, HeaderMap, HeaderName};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};

/// The connection that a request came in on; the server's accept loop adds it to each request.
#[derive(Clone, Copy, Debug)]
pub struct Connection {
    /// The other end of the connection.
    pub peer: SocketAddr,
    /// True when it is encrypted.
    pub tls: bool,
}

/// The networks whose proxies are believed, and in which headers they say what they say.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies {
    /// The networks.
    pub networks: Vec<IpNet>,
    /// The headers.
    pub headers: ProxyHeaders,
}

/// The family of headers in which a proxy tells of the client. What comes in the other is the client's own, passed on
/// by a proxy that does not know it, and is not looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyHeaders {
    /// `X-Forwarded-For` and `X-Forwarded-Proto`.
    #[default]
    XForwarded,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// The client, as far as it can be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    pub(crate) is_secure: bool,
}

/// Hops looked at in forwarding headers; a longer chain is cut there.
const HOPS_MAX: usize = 32;

impl TrustedProxies {
    /// The client of a request: the peer itself or, behind trusted proxies, what the nearest of them that we
    /// do not run ourselves said of it. Nobody else's word is taken.
    pub(crate) fn client(&self, extensions: &Extensions, headers: &HeaderMap) -> Option<Client> {
        let connection = extensions.get::<Connection>()?;
        let peer = connection.peer.ip().to_canonical();
        if !self.trusts(peer) {
            return Some(Client { address: peer, is_secure: connection.tls });
        }
        let hops = Hops { headers, is_standard: self.headers == ProxyHeaders::Forwarded };
        let address = self.nearest_stranger(hops).unwrap_or(peer);
        let is_secure = hops.proto().map_or(connection.tls, |proto| proto.eq_ignore_ascii_case("https"));
        Some(Client { address, is_secure })
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// Each proxy appends the address it saw, so the last one that is no proxy of ours is the client.
    fn nearest_stranger(&self, hops: Hops<'_>) -> Option<IpAddr> {
        let mut nearest = None;
        for hop in hops.addresses().rev().take(HOPS_MAX) {
            let address = parse_node(hop)?;
            nearest = Some(address);
            if !self.trusts(address) {
                break;
            }
        }
        nearest
    }
}

static X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
static X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// What the headers of one family say.
#[derive(Clone, Copy)]
struct Hops<'h> {
    headers: &'h HeaderMap,
    is_standard: bool,
}

impl<'h> Hops<'h> {
    /// The addresses in order.
    fn addresses(self) -> impl DoubleEndedIterator<Item = &'h str> {
        let name = if self.is_standard { &FORWARDED } else { &X_FORWARDED_FOR };
        items(self.headers, name).filter_map(
            move |item| {
                if self.is_standard { member(item, "for") } else { Some(item) }
            },
        )
    }

    /// The scheme that the last proxy was spoken to in.
    fn proto(self) -> Option<&'h str> {
        if self.is_standard {
            return items(self.headers, &FORWARDED).next_back().and_then(|element| member(element, "proto"));
        }
        items(self.headers, &X_FORWARDED_PROTO).next_back()
    }
}

/// The items of a header that may come in several lines.
fn items<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> impl DoubleEndedIterator<Item = &'h str> + use<'h> {
    let lines = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim).filter(|item| !item.is_empty())
}

/// The value of one pair of a `Forwarded` element, such as `for=192.0.2.1;proto=https`.
fn member<'e>(element: &'e str, name: &str) -> Option<&'e str> {
    let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| key.trim().eq_ignore_ascii_case(name)).map(|(_, value)| unquote(value))
}

fn unquote(text: &str) -> &str {
    text.trim().trim_matches('"')
}

/// An address with or without brackets and port.
fn parse_node(text: &str) -> Option<IpAddr> {
    let text = unquote(text);
    let bare =
        text.parse::<IpAddr>().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()));
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<IpAddr>().ok();
    bare.or_else(bracketed).map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn client(peer: &str, tls: bool, headers: &[(&str, &str)]) -> Client {
        client_by(ProxyHeaders::XForwarded, peer, tls, headers)
    }

    fn client_by(family: ProxyHeaders, peer: &str, tls: bool, headers: &[(&str, &str)]) -> Client {
        let networks = vec!["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()];
        let proxies = TrustedProxies { networks, headers: family };
        let mut request = http::Request::builder();
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(Body::empty()).unwrap();
        let peer = SocketAddr::new(peer.parse().unwrap(), 4711);
        request.extensions_mut().insert(Connection { peer, tls });
        proxies.client(request.extensions(), request.headers()).unwrap()
    }

    fn seen(address: &str, is_secure: bool) -> Client {
        Client { address: address.parse().unwrap(), is_secure }
    }

    #[test]
    fn a_stranger_is_not_believed() {
        let claims = [("x-forwarded-for", "203.0.113.1"), ("x-forwarded-proto", "https")];
        assert_eq!(client("192.0.2.7", false, &claims), seen("192.0.2.7", false));
        assert_eq!(client("192.0.2.7", true, &[]), seen("192.0.2.7", true));
    }

    #[test]
    fn a_trusted_proxy_is_believed() {
        let claims = [("x-forwarded-for", "203.0.113.1"), ("x-forwarded-proto", "https")];
        assert_eq!(client("10.1.2.3", false, &claims), seen("203.0.113.1", true));
        assert_eq!(client("::ffff:10.1.2.3", false, &claims), seen("203.0.113.1", true));
        let forwarded = [("forwarded", r#"for="[2001:db8::1]:4711";proto=https;by=10.0.0.1"#)];
        assert_eq!(
            client_by(ProxyHeaders::Forwarded, "fd00::1", false, &forwarded),
            seen("2001:db8::1", true)
        );
    }

    #[test]
    fn what_comes_in_the_other_family_is_the_clients_own() {
        let both = [
            ("forwarded", "for=203.0.113.66;proto=https"),
            ("x-forwarded-for", "198.51.100.9"),
            ("x-forwarded-proto", "http"),
        ];
        assert_eq!(client("10.1.2.3", false, &both), seen("198.51.100.9", false));
        let standard =
            |headers: &[(&str, &str)]| client_by(ProxyHeaders::Forwarded, "10.1.2.3", false, headers);
        assert_eq!(standard(&both), seen("203.0.113.66", true));
        assert_eq!(standard(&both[1..]), seen("10.1.2.3", false), "the proxy itself, in the clear");
        assert_eq!(client("10.1.2.3", false, &both[..1]), seen("10.1.2.3", false));
    }

    #[test]
    fn what_the_client_itself_put_in_front_is_not_believed() {
        let claims =
            [("x-forwarded-for", "1.2.3.4, 203.0.113.1, 10.9.9.9"), ("x-forwarded-proto", "https, http")];
        assert_eq!(client("10.1.2.3", false, &claims), seen("203.0.113.1", false));
    }

    #[test]
    fn nonsense_leaves_the_proxy_itself() {
        assert_eq!(client("10.1.2.3", false, &[("x-forwarded-for", "unknown")]), seen("10.1.2.3", false));
        let standard = client_by(ProxyHeaders::Forwarded, "10.1.2.3", false, &[("forwarded", ";;=,\"")]);
        assert_eq!(standard, seen("10.1.2.3", false));
    }
}
