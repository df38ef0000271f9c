//! The built program says what it can measure. That the tests build it lets the gate run it without compiling anew.

use std::process::Command;

#[test]
fn every_part_is_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_bench")).arg("--help").output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["store", "http", "reading", "report", "scripts", "webhooks", "fire"] {
        assert!(text.lines().any(|line| line.trim_start().starts_with(part)), "{part} is not in\n{text}");
    }
    assert!(!text.contains("sink"), "what it starts by itself is not shown");
}
