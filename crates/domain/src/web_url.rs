//! Addresses on the web that clients give us and that we then visit: webhook endpoints and files to fetch.
//!
//! A URL is a request to connect somewhere on our behalf, so it is read strictly: what two parsers could
//! understand differently is refused. Which network addresses its name stands for is checked when we connect.

use crate::text::is_forbidden;
use std::fmt;
use std::net::IpAddr;
use url::{Host, Url};

/// The most characters of a URL (API text, 2.13).
pub const LENGTH_MAX: usize = 2048;

/// How far out the service reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To public addresses over https alone.
    Public,
    /// Also to this machine, also over http: development mode.
    Development,
}

/// A URL that we may try to visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebUrl {
    shown: String,
    url: Url,
}

/// Why a URL was refused; reads as the end of a sentence that begins with the parameter's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Too long.
    Length,
    /// Not a URL.
    Malformed,
    /// A character that has no place in a URL, or that parsers read differently.
    Character,
    /// Not https.
    Scheme,
    /// A user name or a password.
    Userinfo,
    /// Something after a `#`.
    Fragment,
    /// A port that other services live on.
    Port,
    /// An address instead of a name.
    Address,
    /// A name that stands for something inside.
    LocalName,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Problem::Length => "must have at most 2048 characters",
            Problem::Malformed => "must be a URL, such as https://example.com/hook",
            Problem::Character => {
                "must be a URL without spaces, backslashes, control or bidirectional override characters"
            }
            Problem::Scheme => "must be an https URL",
            Problem::Userinfo => "must not contain a user name or a password",
            Problem::Fragment => "must not contain a fragment (the part after a #)",
            Problem::Port => "must use port 443, 8443 or one from 1024 up",
            Problem::Address => "must name a host, not an IP address",
            Problem::LocalName => "must name a public host",
        })
    }
}

impl WebUrl {
    /// Reads a URL that we may visit.
    pub fn parse(text: &str, reach: Reach) -> Result<WebUrl, Problem> {
        if text.chars().count() > LENGTH_MAX {
            return Err(Problem::Length);
        }
        // The parser below drops tabs and line ends and turns backslashes; other parsers do not.
        if text.chars().any(|character| {
            character.is_whitespace()
                || character == '\\'
                || is_forbidden(character)
                || character == '\u{feff}'
        }) {
            return Err(Problem::Character);
        }
        let url = Url::parse(text).map_err(|_| Problem::Malformed)?;
        // `https:host` and `https:///host` are understood differently by others.
        let (_, rest) = text.split_once(':').ok_or(Problem::Malformed)?;
        if !rest.starts_with("//") || rest.starts_with("///") {
            return Err(Problem::Malformed);
        }
        // The parser drops an empty user name (`https://@host`), but it is there.
        let authority = rest[2..].split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(Problem::Userinfo);
        }
        check(&url, reach)?;
        // Shown as a URI, which is ASCII: an internationalised one in its ASCII form.
        let shown = if text.is_ascii() { text } else { url.as_str() };
        Ok(WebUrl { shown: shown.to_owned(), url })
    }

    /// Reads the URL of a webhook endpoint, which names its host (contract, section 13).
    pub fn parse_endpoint(text: &str, reach: Reach) -> Result<WebUrl, Problem> {
        let url = WebUrl::parse(text, reach)?;
        match url.host() {
            Ok(address) if reach == Reach::Development && address.is_loopback() => Ok(url),
            Ok(_) => Err(Problem::Address),
            Err(_) => Ok(url),
        }
    }

    /// Where a redirect from here leads, if we may go there.
    pub fn redirected(&self, location: &str, reach: Reach) -> Result<WebUrl, Problem> {
        let mut url = self.url.join(location).map_err(|_| Problem::Malformed)?;
        url.set_fragment(None);
        WebUrl::parse(url.as_str(), reach)
    }

    /// As it is shown to the client: as it was written, unless it was internationalised.
    pub fn as_shown(&self) -> &str {
        &self.shown
    }

    /// As it is requested: internationalised names in their ASCII form.
    pub fn as_requested(&self) -> &str {
        self.url.as_str()
    }

    /// The address that stands in place of a name, or the name.
    fn host(&self) -> Result<IpAddr, &str> {
        match self.url.host() {
            Some(Host::Ipv4(address)) => Ok(address.into()),
            Some(Host::Ipv6(address)) => Ok(address.into()),
            Some(Host::Domain(name)) => Err(name),
            None => Err(""),
        }
    }
}

fn check(url: &Url, reach: Reach) -> Result<(), Problem> {
    let is_development = reach == Reach::Development;
    match url.scheme() {
        "https" => {}
        "http" if is_development => {}
        _ => return Err(Problem::Scheme),
    }
    if url.fragment().is_some() {
        return Err(Problem::Fragment);
    }
    let port = url.port_or_known_default().unwrap_or_default();
    if !matches!(port, 443 | 8443 | 1024..) {
        return Err(Problem::Port);
    }
    match url.host() {
        Some(Host::Domain(name)) if !is_development && is_local(name) => Err(Problem::LocalName),
        Some(_) => Ok(()),
        None => Err(Problem::Malformed),
    }
}

/// Names that no public server has: one label alone, and the endings kept for networks of one's own.
fn is_local(name: &str) -> bool {
    const ENDINGS: [&str; 8] =
        ["localhost", "local", "internal", "intranet", "lan", "home.arpa", "localdomain", "onion"];
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let is_under =
        |ending: &str| name.strip_suffix(ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    !name.contains('.') || ENDINGS.into_iter().any(is_under)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn public(text: &str) -> Result<String, Problem> {
        WebUrl::parse_endpoint(text, Reach::Public).map(|url| url.as_requested().to_owned())
    }

    #[test]
    fn public_hosts_are_taken() {
        for (given, requested) in [
            ("https://example.com", "https://example.com/"),
            ("HTTPS://Example.COM:443/Hook?a=b", "https://example.com/Hook?a=b"),
            ("https://hooks.example.com:8443/x", "https://hooks.example.com:8443/x"),
            ("https://example.com:1024/", "https://example.com:1024/"),
            ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
            ("https://localhost.example.com/", "https://localhost.example.com/"),
        ] {
            assert_eq!(public(given).as_deref(), Ok(requested), "{given}");
        }
    }

    #[test]
    fn every_known_trick_is_refused() {
        for (text, problem) in [
            ("http://example.com/", Problem::Scheme),
            ("ftp://example.com/", Problem::Scheme),
            ("file:///etc/passwd", Problem::Malformed),
            ("javascript:alert(1)", Problem::Malformed),
            ("example.com/hook", Problem::Malformed),
            ("//example.com/hook", Problem::Malformed),
            ("https:example.com", Problem::Malformed),
            ("https:///example.com", Problem::Malformed),
            ("https://", Problem::Malformed),
            ("https://user@example.com/", Problem::Userinfo),
            ("https://@example.com/", Problem::Userinfo),
            ("https://user:pass@example.com/", Problem::Userinfo),
            ("https://example.com/#x", Problem::Fragment),
            ("https://example.com/#", Problem::Fragment),
            ("https://example.com:22/", Problem::Port),
            ("https://example.com:80/", Problem::Port),
            ("https://example.com:0/", Problem::Port),
            ("https://example.com:99999/", Problem::Malformed),
            ("https://127.0.0.1/", Problem::Address),
            ("https://2130706433/", Problem::Address),
            ("https://0x7f.1/", Problem::Address),
            ("https://0177.0.0.1/", Problem::Address),
            ("https://127.1/", Problem::Address),
            ("https://93.184.216.34/", Problem::Address),
            ("https://[::1]/", Problem::Address),
            ("https://[::ffff:127.0.0.1]/", Problem::Address),
            // Digits in circles and other forms become plain digits.
            ("https://①②⑦.⓪.⓪.①/", Problem::Address),
            ("https://localhost/", Problem::LocalName),
            ("https://LOCALHOST./", Problem::LocalName),
            ("https://ⓛocalhost/", Problem::LocalName),
            ("https://a.localhost/", Problem::LocalName),
            ("https://printer.local/", Problem::LocalName),
            ("https://metadata.google.internal/", Problem::LocalName),
            ("https://intranet/", Problem::LocalName),
            ("https://exa mple.com/", Problem::Character),
            ("https://exam\nple.com/", Problem::Character),
            ("https://example.com\\@evil.example/", Problem::Character),
            (" https://example.com/", Problem::Character),
            ("https://example.com/\u{202e}", Problem::Character),
            ("https://exa%00mple.com/", Problem::Malformed),
        ] {
            assert_eq!(public(text), Err(problem), "{text}");
        }
        assert_eq!(public(&format!("https://example.com/{}", "a".repeat(2029))), Err(Problem::Length));
        assert!(public(&format!("https://example.com/{}", "a".repeat(2028))).is_ok());
    }

    #[test]
    fn development_reaches_this_machine() {
        let parse = |text| WebUrl::parse_endpoint(text, Reach::Development);
        assert!(parse("http://localhost:3000/hook").is_ok());
        assert!(parse("http://127.0.0.1:8080/hook").is_ok());
        assert!(parse("http://[::1]:3000/").is_ok());
        assert_eq!(parse("http://10.0.0.1:3000/").unwrap_err(), Problem::Address);
        assert_eq!(parse("http://user@localhost/").unwrap_err(), Problem::Userinfo);
        for text in ["http://127.0.0.1:80/hook", "http://localhost/", "https://localhost:22/"] {
            assert_eq!(parse(text).unwrap_err(), Problem::Port, "{text}");
        }
    }

    #[test]
    fn a_redirect_is_read_as_strictly() {
        let from = WebUrl::parse("https://example.com/a/b", Reach::Public).unwrap();
        let to = |location| from.redirected(location, Reach::Public).map(|url| url.as_requested().to_owned());
        assert_eq!(to("c#part").as_deref(), Ok("https://example.com/a/c"));
        assert_eq!(to("//other.example/").as_deref(), Ok("https://other.example/"));
        assert_eq!(to("http://example.com/"), Err(Problem::Scheme));
        assert_eq!(to("https://x@example.com/"), Err(Problem::Userinfo));
        assert_eq!(to("https://localhost/"), Err(Problem::LocalName));
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_parser(text: String) {
            let _ = WebUrl::parse(&text, Reach::Public);
            let _ = WebUrl::parse(&format!("https://{text}"), Reach::Development);
        }
    }
}
