#[deprecated]
pub(crate) fn seats() -> ::mrtr::Tool {
    #[allow(unused_imports)]
    use ::core::convert::Into as _;
    #[derive(
        ::mrtr::__private::serde::Deserialize,
        ::mrtr::__private::schemars::JsonSchema
    )]
    #[serde(crate = "::mrtr::__private::serde")]
    #[schemars(crate = "::mrtr::__private::schemars")]
    struct __MrtrArgs {
        #[serde(rename = "where")]
        region: String,
        #[serde(default)]
        limit: u8,
        r#type: Option<String>,
    }
    #[inline]
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(
        __mrtr_ctx: ::mrtr::Ctx,
        region: String,
        mut limit: u8,
        r#type: Option<String>,
    ) -> String {
        let __mrtr_asks = &__mrtr_ctx;
        limit += 1;
        format!("{region} {limit} {type:?}", r#type = r#type)
    }
    ::mrtr::__private::ToolDef::new("list.seats")
        .title("Seats")
        .description("Lists seats.")
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false)
        .meta(&seats_meta())
        .header("where", "Region")
        .args::<__MrtrArgs>()
        .output::<String>()
        .flow_ttl_ms(7200000u64)
        .round_ttl_ms(90000u64)
        .time_limit_ms(500u64)
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            let __mrtr_args = ::mrtr::__private::args::<__MrtrArgs>(&__mrtr_call)?;
            ::mrtr::__private::into_tool_result::<
                String,
            >(
                __mrtr_body(
                        __mrtr_ctx,
                        __mrtr_args.region,
                        __mrtr_args.limit,
                        __mrtr_args.r#type,
                    )
                    .await,
            )
        })
}
