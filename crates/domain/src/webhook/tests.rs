use super::*;
use crate::id::{AccountId, EndpointId};

fn endpoint() -> Endpoint {
    Endpoint {
        id: EndpointId::from_number(1),
        account_id: AccountId::from_number(1),
        mode: Mode::Live,
        kind: Kind::Endpoint,
        url: "https://example.com/".to_owned(),
        events: Subscription::parse("*").unwrap(),
        description: None,
        status: Status::Enabled,
        secret: SealedSecret("first".to_owned()),
        old_secret: None,
        health: Health { failing_since: Some(Timestamp::UNIX_EPOCH), warnings: 1 },
        created_at: Timestamp::UNIX_EPOCH,
    }
}

fn signing(endpoint: &Endpoint, hours: i64) -> Vec<&str> {
    let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours);
    endpoint.secrets(now).map(|secret| secret.0.as_str()).collect()
}

#[test]
fn the_old_secret_signs_for_a_day_and_only_the_newest_two_sign() {
    let at = |hours| Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours);
    let once = endpoint().rotated(SealedSecret("second".to_owned()), at(0));
    assert_eq!(signing(&once, 23), ["second", "first"]);
    assert_eq!(signing(&once, 24), ["second"]);
    let twice = once.rotated(SealedSecret("third".to_owned()), at(1));
    assert_eq!(signing(&twice, 2), ["third", "second"]);
}

#[test]
fn a_new_url_or_being_enabled_again_restarts_the_five_days() {
    let change = |changes| endpoint().changed(&changes).health.failing_since.is_some();
    assert!(change(EndpointChanges::default()));
    assert!(change(EndpointChanges { url: Some("https://example.com/".to_owned()), ..Default::default() }));
    assert!(change(EndpointChanges { status: Some(Status::Enabled), ..Default::default() }));
    assert!(!change(EndpointChanges { url: Some("https://example.com/2".to_owned()), ..Default::default() }));
    let disabled = Endpoint { status: Status::Disabled, ..endpoint() };
    let enable = EndpointChanges { status: Some(Status::Enabled), ..Default::default() };
    assert_eq!(disabled.changed(&enable).health, Health::default());
}

#[test]
fn a_sixth_endpoint_is_refused() {
    assert!(may_add(4).is_ok());
    assert_eq!(may_add(5), Err(Refusal::TooManyWebhookEndpoints { most: 5 }));
}
