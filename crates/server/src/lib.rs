//! The tickmark binary: settings, wiring, command line.
