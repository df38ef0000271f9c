//! From answer keys and answers to marks, with evidence, feedback and confidence.
