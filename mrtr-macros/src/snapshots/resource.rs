/// A note.
fn note() -> ::mrtr::Resource {
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(__mrtr_ctx: ::mrtr::Ctx, id: u64) -> Option<String> {
        let __mrtr_asks = &__mrtr_ctx;
        find_note(id)
    }
    ::mrtr::__private::ResourceDef::template("note", "notes:///{id}")
        .description("A note.")
        .mime_type("text/markdown")
        .annotations(
            ::mrtr::__private::ContentAnnotations::new()
                .audience(::mrtr::__private::Role::User)
                .audience(::mrtr::__private::Role::Assistant)
                .priority(0.5),
        )
        .ttl_ms(300000u64)
        .scope(::mrtr::__private::CacheScope::Private)
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            let __mrtr_args = ::mrtr::__private::text_arguments(&__mrtr_call)?;
            let __mrtr_p0 = __mrtr_args.required::<u64>("id")?;
            ::mrtr::__private::into_resource_result::<
                Option<String>,
            >(__mrtr_body(__mrtr_ctx, __mrtr_p0).await)
        })
}
