//! Enums that have a name on the wire and in the database.

/// Gives enums without data their names: `ALL`, `name` and `parse`.
#[macro_export]
macro_rules! names {
    ($($kind:ident { $($variant:ident = $name:literal),* $(,)? })*) => {$(
        impl $kind {
            /// Every value, in the order of the API text.
            pub const ALL: &'static [$kind] = &[$($kind::$variant),*];

            /// As it is written.
            pub const fn name(self) -> &'static str {
                match self { $($kind::$variant => $name),* }
            }

            /// The value of that name.
            pub fn parse(name: &str) -> Option<$kind> {
                match name { $($name => Some($kind::$variant),)* _ => None }
            }
        }
    )*};
}
