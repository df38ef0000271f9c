//! Words that point at a line of a program.

use crate::Words;

/// Names a line by its number: "Line 07".
pub const LINE: Words = Words::of(&["line", "lines"]);

/// Between that word and the number.
pub const NUMBER: Words = Words::of(&["number", "no", "nr"]);

/// Between what a line is and what it ought to be.
pub const SHOULD_BE: &[&str] =
    &[" should be ", " should have been ", " must be ", " needs to be ", " changed to "];

/// Key words before a name with its arguments: "CALL Mean(3, 8)".
pub const CALLS: Words =
    Words::of(&["call", "procedure", "function", "return", "output", "print", "input", "write", "writeline"]);

/// Words that begin a statement of a program, and stand in sentences too.
pub const STATEMENTS: Words =
    Words::of(&["if", "for", "while", "repeat", "else", "class", "select", "then", "elif", "import", "len"]);

/// Words that open or close a block of a program and stand in no sentence.
pub const BLOCKS: Words = Words::of(&[
    "endif",
    "endwhile",
    "endfor",
    "endfunction",
    "endprocedure",
    "endcase",
    "endsub",
    "enddo",
    "elseif",
    "elif",
    "def",
    "println",
    "printf",
    "openfile",
    "closefile",
    "const",
    "void",
    "endloop",
]);
