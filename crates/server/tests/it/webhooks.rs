//! Webhooks from outside: the master key, deliveries, and the commands around them.

use crate::process::Place;

#[test]
fn the_master_key_can_be_changed_and_another_is_noticed() {
    for place in Place::both() {
        place.account();
        let folder = place.folder.path().join("data");
        let file = folder.join("master.key");
        let first = std::fs::read_to_string(&file).unwrap();
        let said = place.text(&["master-key", "rotate"]);
        assert_eq!(said, "0 secrets are sealed under the new master key. Start the servers again.\n");
        let second = std::fs::read_to_string(&file).unwrap();
        assert_ne!(first, second);
        place.account();

        let sentence = "The secrets in the database are sealed under another master key; give that one (the file \
                        master.key of the data folder, or the setting master_key).";
        std::fs::write(&file, &first).unwrap();
        assert_eq!(place.failure(&["account", "list"]), (1, sentence.to_owned()));
        // A change that was cut short after the database had changed is finished by the next start.
        std::fs::write(folder.join("master.key.next"), &second).unwrap();
        place.account();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), second);
        assert!(!folder.join("master.key.next").exists());
        // A lost key is not silently replaced by a new one.
        std::fs::remove_file(&file).unwrap();
        assert_eq!(place.failure(&["account", "list"]), (1, sentence.to_owned()));
        assert!(!file.exists());

        let given = |key: &str, arguments: &[&str]| {
            place.command(arguments).env("TICKMARK_MASTER_KEY", key).output().unwrap()
        };
        assert!(given(&second, &["account", "list"]).status.success());
        assert!(!given(&first, &["account", "list"]).status.success());
        assert!(
            !given(&second, &["master-key", "rotate"]).status.success(),
            "it asks for the file of the new key"
        );
        let new = place.folder.path().join("new.key");
        std::fs::write(&new, &first).unwrap();
        let rotated = given(&second, &["master-key", "rotate", "--new-key-file", new.to_str().unwrap()]);
        assert!(rotated.status.success());
        assert!(given(&first, &["account", "list"]).status.success());
    }
}
