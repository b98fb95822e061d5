pub fn memo() -> ::mrtr::Tool {
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(__mrtr_ctx: ::mrtr::Ctx) -> Result<u32, ToolError> {
        let __mrtr_asks = &__mrtr_ctx;
        let quote: u32 = match __mrtr_asks.memo_get::<u32>("quote") {
            ::core::option::Option::Some(__mrtr_kept) => __mrtr_kept,
            ::core::option::Option::None => {
                let __mrtr_kept: u32 = fetch().await?;
                __mrtr_asks.memo_put::<u32>("quote", &__mrtr_kept);
                __mrtr_kept
            }
        };
        let mut draw: u32 = match __mrtr_asks.memo_get::<u32>("draw") {
            ::core::option::Option::Some(__mrtr_kept) => __mrtr_kept,
            ::core::option::Option::None => {
                let __mrtr_kept: u32 = quote + 1;
                __mrtr_asks.memo_put::<u32>("draw", &__mrtr_kept);
                __mrtr_kept
            }
        };
        draw += 1;
        Ok(draw)
    }
    ::mrtr::__private::ToolDef::new("memo")
        .no_args()
        .output::<Result<u32, ToolError>>()
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            ::mrtr::__private::into_tool_result::<
                Result<u32, ToolError>,
            >(__mrtr_body(__mrtr_ctx).await)
        })
}
