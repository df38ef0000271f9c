//! The few colours of a report. Each is dark enough on white to be read (at least 4.5 to 1), and no
//! meaning rests on colour alone.

use krilla::color::rgb;

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink(u8, u8, u8);

impl Ink {
    /// For what is photographed and read by a machine again.
    pub(super) const BLACK: Ink = Ink(0, 0, 0);
    pub(super) const TEXT: Ink = Ink(0x1d, 0x27, 0x33);
    pub(super) const SOFT: Ink = Ink(0x55, 0x61, 0x6f);
    pub(super) const ACCENT: Ink = Ink(0x1f, 0x4e, 0x79);
    pub(super) const GOOD: Ink = Ink(0x17, 0x69, 0x3f);
    pub(super) const BAD: Ink = Ink(0xa8, 0x36, 0x1a);
    pub(super) const CAUTION: Ink = Ink(0x6b, 0x4a, 0x00);
    /// Lines and backgrounds, never text.
    pub(super) const LINE: Ink = Ink(0xd9, 0xdf, 0xe5);
    pub(super) const TRACK: Ink = Ink(0xe6, 0xeb, 0xf0);
    pub(super) const WASH: Ink = Ink(0xf5, 0xf7, 0xf9);
    pub(super) const PAPER: Ink = Ink(0xff, 0xff, 0xff);
    pub(super) const BOX: Ink = Ink(0xc9, 0xd8, 0xe6);

    pub(super) fn colour(self) -> rgb::Color {
        rgb::Color::new(self.0, self.1, self.2)
    }
}
