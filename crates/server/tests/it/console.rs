//! The operator's console from outside: where it may listen, and the keys and the log on the command line.

use crate::process::Place;
use serde_json::json;

#[test]
fn keys_of_operators_are_made_listed_and_revoked_and_the_log_tells() {
    for place in Place::both() {
        let made = place.json(&["operator", "key", "create", "--name", "Ada Lovelace"]);
        let (id, key) = (made["id"].as_str().unwrap(), made["key"].as_str().unwrap());
        assert!(id.starts_with("okey_") && key.starts_with("tm_op_"), "{made}");
        let list = place.json(&["operator", "key", "list"]);
        assert_eq!([&list[0]["name"], &list[0]["status"]], ["Ada Lovelace", "active"]);
        assert!(!list.to_string().contains(key), "it is shown once");
        assert!(place.text(&["operator", "key", "list"]).contains("never"));
        assert_eq!(place.json(&["operator", "key", "revoke", id])["status"], "revoked");
        assert_eq!(place.json(&["operator", "key", "revoke", id])["status"], "revoked", "repeating is safe");
        let log = place.json(&["operator", "log", "--limit", "2"]);
        let actions: Vec<_> = log.as_array().unwrap().iter().map(|line| line["action"].clone()).collect();
        assert_eq!(actions, [json!("operator_key.revoked"), json!("operator_key.revoked")]);
        assert!(place.text(&["operator", "log"]).contains("For Ada Lovelace, ends in"));
        let (code, sentence) =
            place.failure(&["operator", "key", "revoke", "okey_00000000000000000000000000"]);
        assert_eq!(code, 1);
        assert_eq!(sentence, "There is no operator's key okey_00000000000000000000000000.");
        assert_eq!(place.failure(&["operator", "key", "create", "--name", ""]).0, 2);
    }
}

#[test]
fn a_console_that_others_reach_needs_a_certificate() {
    let place = Place::sqlite();
    let proxy = ["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.0/8"];
    let (code, sentence) = place.failure(&[&proxy[..], &["--console", "0.0.0.0:0"]].concat());
    assert_eq!(code, 2, "{sentence}");
    assert!(
        sentence.contains("The setting console is 0.0.0.0:0") && sentence.contains("tls_cert"),
        "{sentence}"
    );
    let (code, sentence) = place.failure(&["dev", "--listen", "127.0.0.1:0", "--console", "nowhere"]);
    assert_eq!(code, 2, "{sentence}");
    let doctor = place.run(&["--json", "doctor", "--console", "0.0.0.0:9091"]);
    let told = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(told.contains("can be reached from elsewhere"), "{told}");
}
