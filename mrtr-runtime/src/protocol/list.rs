//! The lists: pages that are written once, when the server is built.
//!
//! Source: MCP 2026-07-28, server/utilities/pagination, and "Listing" of tools, prompts and resources.

use std::sync::Arc;

use mrtr_core::digest::Framed;
use mrtr_core::json::Value;
use serde::Serialize;

use crate::resource::Caching;
use crate::server::Inner;

use crate::wire;

use super::response::{Reply, Response};
use super::{Accepted, Checked, Refusal, encode};

/// A list in pages. The first has no cursor.
#[derive(Debug)]
pub(crate) struct Listed {
    first: Page,
    more: Vec<(Box<str>, Page)>,
}

/// The `result` of one request as JSON text.
#[derive(Debug)]
struct Page(Box<str>);

/// `tools/list`.
pub(super) fn tools(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    serve(&server.lists.tools, &request)
}

/// `prompts/list`.
pub(super) fn prompts(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    serve(&server.lists.prompts, &request)
}

/// `resources/list`.
pub(super) fn resources(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    serve(&server.lists.resources, &request)
}

/// `resources/templates/list`.
pub(super) fn templates(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    serve(&server.lists.templates, &request)
}

fn serve(list: &Listed, request: &Checked<'_>) -> Result<Accepted, Refusal> {
    let page = match request.params.cursor.map(Value::as_str) {
        None => &list.first,
        Some(cursor) => {
            let found = cursor.and_then(|cursor| list.page(&cursor));
            found.ok_or_else(|| {
                Refusal::invalid_params("the cursor is not valid; list again from the start")
            })?
        }
    };
    let body = encode::prepared(request.id.as_json(), &page.0);
    Ok(Accepted::Answered(Response::Json(Reply::ok(body))))
}

impl Listed {
    fn page(&self, cursor: &str) -> Option<&Page> {
        let found = self.more.iter().find(|(known, _)| **known == *cursor);
        found.map(|(_, page)| page)
    }
}

/// Writes a list under its member's name, in pages of at most `page_size`.
///
/// A cursor is a digest of the whole list and a page number: another instance of the same server
/// understands it, and one whose list has changed says that it is not valid.
pub(crate) fn listed<T: Serialize>(
    name: &str,
    items: &[T],
    page_size: Option<usize>,
    caching: Caching,
    info: Option<&str>,
) -> Listed {
    let texts: Vec<String> = (items.iter())
        .map(|item| serde_json::to_string(item).expect("invariant: a listing serialises"))
        .collect();
    let mut digest = Framed::new("mrtr v1 list");
    for text in &texts {
        digest.part(text.as_bytes());
    }
    let tag: String = digest.finish()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let cursor = |page: usize| -> Box<str> { format!("{tag}.{page}").into() };
    let size = page_size.unwrap_or(texts.len()).max(1);
    let mut chunks: Vec<&[String]> = texts.chunks(size).collect();
    if chunks.is_empty() {
        chunks.push(&[]);
    }
    let last = chunks.len() - 1;
    let mut pages = chunks.iter().enumerate().map(|(index, texts)| {
        let next = (index < last).then(|| cursor(index + 1));
        (
            cursor(index),
            write_page(name, texts, next.as_deref(), caching, info),
        )
    });
    let (_, first) = pages.next().expect("invariant: there is a first page");
    Listed {
        first,
        more: pages.collect(),
    }
}

fn write_page(
    name: &str,
    items: &[String],
    next: Option<&str>,
    caching: Caching,
    info: Option<&str>,
) -> Page {
    let mut out = br#"{"resultType":"complete""#.to_vec();
    wire::member(&mut out, name, &format!("[{}]", items.join(",")));
    if let Some(next) = next {
        out.extend_from_slice(br#","nextCursor":"#);
        wire::leaf(&mut out, next);
    }
    wire::caching(&mut out, caching);
    wire::meta(&mut out, info, &[]);
    out.push(b'}');
    Page(
        String::from_utf8(out)
            .expect("invariant: JSON is UTF-8")
            .into(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::CacheScope;

    const NOW: Caching = Caching {
        ttl: std::time::Duration::ZERO,
        scope: Some(CacheScope::Public),
    };

    #[test]
    fn the_pages_make_up_the_list_and_only_the_last_has_no_cursor() {
        let list = listed("tools", &[1, 2, 3, 4, 5], Some(2), NOW, None);
        let all: Vec<&str> = std::iter::once(&list.first)
            .chain(list.more.iter().map(|(_, page)| page))
            .map(|page| &*page.0)
            .collect();
        let [second, third] = [&list.more[0].0, &list.more[1].0];
        assert_eq!(
            all,
            [
                format!(
                    r#"{{"resultType":"complete","tools":[1,2],"nextCursor":"{second}","ttlMs":0,"cacheScope":"public"}}"#
                ),
                format!(
                    r#"{{"resultType":"complete","tools":[3,4],"nextCursor":"{third}","ttlMs":0,"cacheScope":"public"}}"#
                ),
                r#"{"resultType":"complete","tools":[5],"ttlMs":0,"cacheScope":"public"}"#
                    .to_owned(),
            ]
        );
        assert!(list.page(second).is_some());
        for cursor in [
            "",
            "!!",
            "0",
            &format!("{second}0"),
            &second.replace(".1", ".0"),
        ] {
            assert!(list.page(cursor).is_none(), "{cursor}");
        }
    }

    #[test]
    fn an_empty_list_is_one_empty_page() {
        let list = listed::<u8>("tools", &[], None, NOW, None);
        assert_eq!(
            &*list.first.0,
            r#"{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}"#
        );
        assert!(list.more.is_empty());
    }

    #[test]
    fn a_cursor_of_another_list_is_not_valid() {
        let list = listed("tools", &[1, 2], Some(1), NOW, None);
        let other = listed("tools", &[1, 3], Some(1), NOW, None);
        assert!(other.page(&list.more[0].0).is_none());
    }
}
