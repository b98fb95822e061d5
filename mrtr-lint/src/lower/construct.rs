//! What a call by path makes, as far as the path says.

use crate::effects::{ends_with, kinds};
use crate::value::{Kind, Origin, Value, remember};

/// Functions whose result is their argument in another wrapper.
pub(super) const WRAPPERS: &[&str] = &[
    "Some",
    "Ok",
    "Err",
    "Arc::new",
    "Rc::new",
    "Box::new",
    "Box::pin",
    "Arc::clone",
    "Rc::clone",
    "Pin::new",
    "Mutex::new",
    "RwLock::new",
    "RefCell::new",
    "Cell::new",
    "BufWriter::new",
    "BufReader::new",
    "LineWriter::new",
    "identity",
    "Some::<_>",
    "Arc::from",
    "Box::from",
    "Clone::clone",
    "ManuallyDrop::new",
    "Cow::Owned",
    "Cow::Borrowed",
    "Wrapping",
    "future::ready",
    "Reverse",
    "black_box",
    "MaybeDone::Future",
    "Compat::new",
];

/// Whether a function keeps a closure for later, by its name.
pub(super) fn keeps_closures(name: &str) -> bool {
    matches!(
        name,
        "new" | "from_fn" | "service_fn" | "handler_fn" | "build" | "default" | "lazy" | "poll_fn"
    ) || [
        "on_",
        "set_",
        "add_",
        "register",
        "route",
        "with_handler",
        "subscribe",
        "listen",
        "hook",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
}

/// Whether a path ends in one of these.
pub(super) fn is(path: &[String], names: &[&str]) -> bool {
    names.iter().any(|name| ends_with(path, name).is_some())
}

/// A path as the user wrote it, without generics.
pub(super) fn written(path: &syn::Path) -> String {
    let segments: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    segments.join("::")
}

/// The type an associated function belongs to.
pub(super) fn owner(path: &[String]) -> Option<&str> {
    let last = path.last()?;
    if last.starts_with(char::is_uppercase) {
        return Some(last);
    }
    path.len()
        .checked_sub(2)
        .map(|at| path[at].as_str())
        .filter(|owner| owner.starts_with(char::is_uppercase))
}

/// All arguments as one value.
pub(super) fn merged(arguments: &mut [Value]) -> Value {
    let mut whole = Value::data();
    for argument in arguments {
        whole.origin = whole.origin.join(argument.origin);
        whole.unordered |= argument.unordered;
        whole.absorb(argument);
    }
    whole
}

pub(super) fn wrapped(path: &[String], arguments: &[Value]) -> Value {
    let Some(inner) = arguments.first() else {
        return Value::data();
    };
    let cell = is(
        path,
        &["Mutex::new", "RwLock::new", "RefCell::new", "Cell::new"],
    );
    let copy = is(path, &["Clone::clone"]) && matches!(inner.kind, Kind::Data | Kind::Guard);
    let mut value = Value {
        name: None,
        ..inner.clone()
    };
    if cell {
        value.kind = Kind::Lock;
        value.origin = Origin::Local;
    }
    if copy {
        value.origin = Origin::Local;
        value.kind = Kind::Data;
    }
    value
}

/// Whether a path with a type before it ends in the variant of an enum, such as `Command::Sync`.
pub(super) fn is_variant(path: &[String]) -> bool {
    let upper = |segment: &String| segment.starts_with(char::is_uppercase);
    matches!(path, [.., ty, last] if upper(ty) && upper(last))
}

/// What an associated function makes belongs to this round, unless it was made from a handle.
pub(super) fn constructed(path: &[String], arguments: &[Value]) -> Value {
    let Some(owner) = owner(path) else {
        return Value::default();
    };
    let owner_path = if path.last().is_some_and(|last| last == owner) {
        path
    } else {
        &path[..path.len() - 1]
    };
    // A variant is of an enum of the user's own, whatever that is called.
    let kind = if is_variant(path) {
        Kind::Unknown
    } else {
        kinds::of_type(owner_path)
    };
    let local = arguments
        .iter()
        .all(|argument| argument.origin == Origin::Local || argument.kind == Kind::Data);
    let origin = if local {
        Origin::Local
    } else {
        Origin::Unknown
    };
    let unordered = kinds::is_unordered(owner_path);
    let mut value = Value {
        origin,
        kind,
        unordered,
        ty: Some(owner.into()),
        ..Value::default()
    };
    if let [only] = arguments {
        // `String::from("..")` and wrappers of a statement's text are that text.
        value.text.clone_from(&only.text);
    }
    for argument in arguments {
        remember(&mut value.unstable, &argument.unstable);
    }
    value
}
