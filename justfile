# The chores of the project; `just` lists them.

default:
    @just --list

# Format, lints, arrows, documents, licences: everything that is no test
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    cargo xtask arrows
    cargo xtask words
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet
    command -v cargo-deny >/dev/null && cargo deny check || echo "cargo-deny is not installed, licences are not checked"

# All tests, on both databases
test *arguments:
    cargo test --workspace {{arguments}}

# Format everything
fmt:
    cargo fmt --all

# Write the checked-in API description anew, and what the clients generate from it
openapi:
    cargo run --quiet --bin tickmark -- openapi > openapi.json
    sdk/generate.sh

# The clients against a real server, and the packages in a folder of their own
kit:
    cargo build --quiet --bin tickmark
    sdk/test.sh target/debug/tickmark
    packaging/test.sh target/debug/tickmark

# A development server on http://127.0.0.1:8080
run *arguments:
    cargo run --bin tickmark -- dev {{arguments}}

# What the service costs, as ratios against a bare handler and a bare database
bench *arguments:
    cargo run --profile dist --package bench -- {{arguments}}
