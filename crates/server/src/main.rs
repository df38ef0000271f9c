//! The `tickmark` program. All of it is in the library, where tests can reach it.

fn main() -> std::process::ExitCode {
    // A hostile file is read by this program again, as a child that may do nothing else.
    reader::isolate::run_if_child();
    server::cli::run()
}
