//! A browser without scripts: it keeps a cookie, sends forms as browsers do, and follows where it is led.

use crate::App;
use api::Connection;
use api::console::{Console, Finding, Level, SetUp, Setting};
use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Method, Request};
use http_body_util::BodyExt as _;
use std::net::SocketAddr;
use tower::ServiceExt as _;

/// Where it believes the console to be.
const HOST: &str = "console.test";
/// Pages that it follows one after the other at most.
const REDIRECTS_MAX: usize = 5;

/// A page as it came.
#[derive(Debug)]
pub struct Shown {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// What it holds.
    pub text: String,
    /// Where it was found at last.
    pub path: String,
}

impl Shown {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("headers are ASCII"))
    }

    /// The value of a hidden field.
    pub fn hidden(&self, name: &str) -> String {
        let mark = format!("name=\"{name}\" value=\"");
        let rest = self.text.split_once(&mark).unwrap_or_else(|| panic!("no field {name}: {}", self.text)).1;
        rest.split_once('"').expect("an attribute ends").0.to_owned()
    }
}

/// A browser at the console of an app.
#[derive(Debug)]
pub struct Browser<'a> {
    app: &'a App,
    router: Router,
    /// What it was given to keep.
    pub cookie: Option<String>,
    /// From where it asks, and whether the way is private.
    pub connection: Connection,
    /// What it says about where a form comes from.
    pub origin: Option<String>,
}

impl<'a> Browser<'a> {
    /// A fresh browser over TLS.
    pub fn new(app: &'a App, console: &Console) -> Browser<'a> {
        let peer = SocketAddr::from(([198, 51, 100, 9], 4711));
        let origin = Some(format!("https://{HOST}"));
        Browser {
            app,
            router: console.router(),
            cookie: None,
            connection: Connection { peer, tls: true },
            origin,
        }
    }

    /// The console of an app, with a setting and a check to show.
    pub fn console(app: &App) -> Console {
        let setting = |name: &str, value: &str| Setting {
            name: name.to_owned(),
            value: Some(value.to_owned()),
            origin: "default".to_owned(),
        };
        let finding = Finding {
            check: "free space".to_owned(),
            level: Level::Warn,
            message: "little is <left>".to_owned(),
            remedy: Some("make room".to_owned()),
        };
        Console::new(
            app.service.clone(),
            SetUp {
                version: "0.0.0",
                settings: vec![setting("data", "./tickmark-data"), setting("master_key", "(hidden)")],
                examine: Box::new(move || {
                    let found = vec![finding.clone()];
                    Box::pin(async move { found })
                }),
            },
        )
    }

    /// Looks at a page, without following where it leads.
    pub async fn look(&mut self, path: &str) -> Shown {
        let request = Request::builder().method(Method::GET).uri(path).header("host", HOST);
        self.send(request.body(Body::empty()).expect("the request is well formed"), path).await
    }

    /// Looks at a page.
    pub async fn get(&mut self, path: &str) -> Shown {
        let shown = self.look(path).await;
        self.follow(shown).await
    }

    /// Sends a form, without following where it leads.
    pub async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Shown {
        let pairs: Vec<String> =
            fields.iter().map(|(name, text)| format!("{}={}", encoded(name), encoded(text))).collect();
        let mut request = Request::builder().method(Method::POST).uri(path).header("host", HOST);
        request = request.header("content-type", "application/x-www-form-urlencoded");
        if let Some(origin) = &self.origin {
            request = request.header("origin", origin);
        }
        let request = request.body(Body::from(pairs.join("&"))).expect("the request is well formed");
        self.send(request, path).await
    }

    /// Sends a form.
    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Shown {
        let shown = self.submit(path, fields).await;
        self.follow(shown).await
    }

    /// Sends the form of a page of this session.
    pub async fn post_from(&mut self, page: &Shown, path: &str, fields: &[(&str, &str)]) -> Shown {
        let seal = page.hidden("seal");
        let fields: Vec<(&str, &str)> =
            [("seal", seal.as_str())].into_iter().chain(fields.iter().copied()).collect();
        self.post(path, &fields).await
    }

    /// Asks for a change and confirms it.
    pub async fn change(&mut self, query: &str, reason: &str) -> Shown {
        let pairs: Vec<String> =
            pairs(query).iter().map(|(name, text)| format!("{}={}", encoded(name), encoded(text))).collect();
        let page = self.get(&format!("/confirm?{}", pairs.join("&"))).await;
        assert_eq!(page.status, 200, "{}", page.text);
        self.confirm(&page, query, reason).await
    }

    /// Confirms what a page asks.
    pub async fn confirm(&mut self, page: &Shown, query: &str, reason: &str) -> Shown {
        let once = page.hidden("once");
        let mut fields = pairs(query);
        fields.push(("once".to_owned(), once));
        fields.push(("reason".to_owned(), reason.to_owned()));
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        self.post_from(page, "/confirm", &fields).await
    }

    async fn follow(&mut self, mut shown: Shown) -> Shown {
        for _ in 0..REDIRECTS_MAX {
            let Some(to) = shown.header("location").map(str::to_owned) else { return shown };
            shown = self.look(&to).await;
        }
        panic!("led around in a circle: {}", shown.path)
    }

    async fn send(&mut self, mut request: Request<Body>, path: &str) -> Shown {
        if let Some(cookie) = &self.cookie {
            request.headers_mut().insert("cookie", cookie.parse().expect("a cookie"));
        }
        request.extensions_mut().insert(self.connection);
        let response = self.router.clone().oneshot(request).await.expect("the router always answers");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("the body arrives").to_bytes();
        self.app.check_plans().await;
        App::check_locks();
        if let Some(cookie) = parts.headers.get("set-cookie") {
            let cookie = cookie.to_str().expect("headers are ASCII").split(';').next().unwrap_or_default();
            self.cookie = Some(cookie.to_owned()).filter(|cookie| !cookie.ends_with('='));
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Shown { status: parts.status.as_u16(), headers: parts.headers, text, path: path.to_owned() }
    }
}

/// The fields of a query in which only spaces are written otherwise.
fn pairs(query: &str) -> Vec<(String, String)> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, text)| (name.to_owned(), text.replace('+', " "))).collect()
}

/// A text as forms carry it.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}
