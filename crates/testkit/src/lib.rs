//! What the tests share: an app in the process, private databases, a clock that stands still.
