//! Administration by command, on both databases.

use crate::process::Place;
use serde_json::json;

#[test]
fn accounts_are_made_listed_changed_suspended_and_resumed() {
    for place in Place::both() {
        let created = place.json(&["account", "create", "--name", "École", "--contact", "it@ecole.example"]);
        let id = created["id"].as_str().unwrap();
        assert!(id.starts_with("acct_"));
        assert_eq!(created["rate_limit_live"], 600);
        let changed = place.json(&[
            "account",
            "update",
            id,
            "--rate-limit-live",
            "1200",
            "--rate-limit-test",
            "60",
            "--low-balance",
            "5",
            "--paper-price",
            "2",
            "--grading-price",
            "0",
        ]);
        assert_eq!(
            [&changed["rate_limit_live"], &changed["rate_limit_test"], &changed["low_balance_threshold"]],
            [1200, 60, 5]
        );
        assert_eq!([&changed["paper_credits_per_page"], &changed["grading_credits_per_page"]], [2, 0]);
        assert_eq!(place.json(&["account", "suspend", id])["status"], "suspended");
        assert_eq!(place.json(&["account", "show", id])["status"], "suspended");
        assert_eq!(place.json(&["account", "resume", id])["status"], "active");

        place.account();
        let list = place.json(&["account", "list"]);
        assert_eq!(list.as_array().unwrap().len(), 2);
        assert_eq!(list[0], place.json(&["account", "show", id]));
        let table = place.text(&["account", "list"]);
        let first: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(&first[..6], [id, "École", "it@ecole.example", "active", "1200", "60"]);
    }
}

#[test]
fn a_key_is_shown_once_and_can_be_revoked_again_and_again() {
    for place in Place::both() {
        let account = place.account();
        let issued = place.json(&[
            "key",
            "issue",
            "--account",
            &account,
            "--mode",
            "test",
            "--name",
            "backup",
            "--scope",
            "papers:read",
            "--scope",
            "events:read",
            "--allow-ip",
            "192.0.2.0/24",
            "--allow-ip",
            "2001:db8::7",
        ]);
        let (id, key) = (issued["id"].as_str().unwrap(), issued["key"].as_str().unwrap());
        assert!(key.starts_with("tm_sk_test_"));
        assert_eq!(issued["scopes"], json!(["papers:read", "events:read"]));
        assert_eq!(issued["allowed_ips"], json!(["192.0.2.0/24", "2001:db8::7/128"]));

        let list = place.text(&["--json", "key", "list", "--account", &account]);
        assert!(list.contains(id) && !list.contains(key));
        let table = place.text(&["key", "list", "--account", &account]);
        assert!(table.contains(id) && !table.contains(key), "{table}");
        let plain = place.text(&["key", "issue", "--account", &account, "--mode", "live"]);
        assert!(plain.contains("tm_sk_live_") && plain.contains("shown only now"), "{plain}");

        for _ in 0..2 {
            assert_eq!(place.text(&["key", "revoke", id]), format!("The key {id} is revoked.\n"));
        }
        assert_eq!(place.json(&["key", "revoke", id])["status"], "revoked");
        let list = place.json(&["key", "list", "--account", &account]);
        assert_eq!([&list[0]["status"], &list[1]["status"]], ["revoked", "active"]);
    }
}

#[test]
fn credits_are_added_corrected_and_shown() {
    for place in Place::both() {
        let account = place.account();
        let show = |mode: &str| place.json(&["credits", "show", "--account", &account, "--mode", mode]);
        assert_eq!([&show("live")["available"], &show("test")["available"]], [0, 10_000]);
        let balance = place.json(&[
            "credits",
            "top-up",
            "--account",
            &account,
            "--amount",
            "50",
            "--valid-until",
            "2099-07-31",
            "--reference",
            "invoice 17",
        ]);
        assert_eq!(
            balance,
            json!({
                "account_id": account, "mode": "live", "available": 50, "held": 0, "expired": 0, "total": 50,
                "credits_valid_until": "2099-07-31T00:00:00Z"
            })
        );
        let adjust =
            ["credits", "adjust", "--account", &account, "--description", "Counted twice", "--amount"];
        let by = |amount| [&adjust[..], &[amount]].concat();
        let refusal = "Only 50 credits are available, so 51 cannot be taken away.";
        assert_eq!(place.failure(&by("-51")), (1, refusal.to_owned()));
        assert_eq!(place.json(&by("-20"))["available"], 30);
        assert_eq!(place.json(&by("5"))["available"], 35);
        assert_eq!(show("live")["available"], 35);
        let table = place.text(&["credits", "show", "--account", &account]);
        assert!(table.contains("Available    35\n"), "{table}");
    }
}

#[test]
fn expired_credits_are_revived() {
    let place = Place::sqlite();
    let account = place.account();
    let past = ["credits", "top-up", "--account", &account, "--amount", "50", "--valid-until", "2020-01-01"];
    place.json(&past);
    assert_eq!(place.json(&["credits", "show", "--account", &account])["expired"], 50);
    let revived = place.json(&["credits", "revive", "--account", &account, "--valid-until", "2099-01-01"]);
    assert_eq!([&revived["available"], &revived["expired"]], [50, 0]);
}

#[test]
fn subjects_are_there_from_the_start_and_can_be_added() {
    for place in Place::both() {
        let before = place.json(&["subject", "list"]).as_array().unwrap().len();
        assert!(before > 10);
        let added = place.json(&["subject", "add", "--name", "Latin", "--code", "LAT", "--level", "A level"]);
        assert_eq!([&added["name"], &added["code"], &added["level"]], ["Latin", "LAT", "A level"]);
        let list = place.json(&["subject", "list"]);
        assert_eq!(list.as_array().unwrap().len(), before + 1);
        assert!(list.as_array().unwrap().contains(&added));
        assert!(place.text(&["subject", "list"]).contains("Latin"));
    }
}

#[test]
fn what_does_not_exist_is_named() {
    for place in Place::both() {
        let account = "acct_00000000000000000000000000";
        let missing = (1, format!("There is no account {account}."));
        assert_eq!(place.failure(&["account", "show", account]), missing);
        assert_eq!(place.failure(&["account", "suspend", account]), missing);
        assert_eq!(place.failure(&["key", "list", "--account", account]), missing);
        assert_eq!(place.failure(&["key", "issue", "--account", account, "--mode", "live"]), missing);
        assert_eq!(place.failure(&["credits", "show", "--account", account]), missing);
        let key = "key_00000000000000000000000000";
        assert_eq!(place.failure(&["key", "revoke", key]), (1, format!("There is no key {key}.")));
    }
}

#[test]
fn the_database_is_brought_up_to_date_only_when_that_is_allowed() {
    for place in Place::both() {
        let output = place.command(&["account", "list"]).env("TICKMARK_MIGRATE", "false").output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(place.text(&["migrate"]), "The database is up to date.\n");
        let output = place.command(&["account", "list"]).env("TICKMARK_MIGRATE", "false").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_program_says_which_weights_it_holds() {
    let place = Place::sqlite();
    let models = place.json(&["models"]);
    let models = models.as_array().unwrap();
    assert_eq!(models.len(), 9);
    for model in models {
        assert_eq!(model["licence"], "Apache-2.0");
        assert_eq!(model["sha256"].as_str().unwrap().len(), 64);
        assert!(
            model["bytes"].as_u64().unwrap() > 0 && !model["version"].as_str().unwrap().is_empty(),
            "{model}"
        );
    }
    let recorded = include_str!("../../../../models/SHA256SUMS");
    let line = |file: &str| {
        let model = models.iter().find(|model| model["file"] == file).unwrap();
        format!("{}  {file}", model["sha256"].as_str().unwrap())
    };
    assert!(recorded.lines().any(|recorded| recorded == line("PP-OCRv6_rec_small_int7.onnx")));
    let table = place.text(&["models"]);
    assert!(
        table.starts_with("MODEL") && table.contains("tickmark-meaning-") && table.contains("PP-OCRv6"),
        "{table}"
    );
    assert!(std::fs::read_dir(place.folder.path()).unwrap().next().is_none(), "it opens no database");
}
