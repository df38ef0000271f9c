//! From pages to questions, answer keys and the answers of students.
