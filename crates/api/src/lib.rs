//! The HTTP face: routes, checks around every request, JSON shapes.
