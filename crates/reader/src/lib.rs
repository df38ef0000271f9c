//! From the bytes of a PDF, JPEG or PNG to pages with words, boxes, rulings and pictures.

pub mod page;
