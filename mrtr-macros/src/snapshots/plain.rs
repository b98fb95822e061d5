pub fn ping() -> ::mrtr::Tool {
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(__mrtr_ctx: ::mrtr::Ctx) {
        let __mrtr_asks = &__mrtr_ctx;
    }
    ::mrtr::__private::ToolDef::new("ping")
        .no_args()
        .output::<()>()
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            ::mrtr::__private::into_tool_result::<()>(__mrtr_body(__mrtr_ctx).await)
        })
}
