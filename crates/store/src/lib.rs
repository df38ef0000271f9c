//! Where things are kept: one SQL text on SQLite and PostgreSQL.
