impl Desk {
    /// Counts seats.
    pub async fn count(&self, other: Vec<Self>) -> String {
        format!("{}", self.0.len() + other.len())
    }
    #[doc(hidden)]
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_reserve(
        &self,
        __mrtr_ctx: ::mrtr::Ctx,
        seat: String,
    ) -> Result<String, ToolError> {
        let __mrtr_asks = &__mrtr_ctx;
        let __mrtr_q0 = __mrtr_asks
            .ask_as(
                ::mrtr::__private::as_form::<Confirm>(),
                "ok",
                ::mrtr::__private::template()
                    .text("Reserve ")
                    .hole(&seat)
                    .text("?")
                    .finish(),
            )
            .now();
        let ok: Confirm = __mrtr_q0.await;
        {
            let __mrtr_commit = __mrtr_ctx;
            let __mrtr_commit = ::mrtr::__private::commit(__mrtr_commit).await;
            self.hold(&seat, ok.yes()).await?;
        }
        Ok(seat)
    }
    async fn hold(&self, _seat: &str, _ok: bool) -> Result<(), ToolError> {
        Ok(())
    }
}
#[automatically_derived]
impl ::mrtr::Handlers for Desk {
    fn handlers(
        self: ::mrtr::__private::Arc<Self>,
    ) -> ::mrtr::__private::Vec<::mrtr::AnyHandler> {
        let __mrtr_this = self;
        let mut __mrtr_tools = ::mrtr::__private::Vec::new();
        __mrtr_tools
            .push(
                ::mrtr::AnyHandler::Tool({
                    #[allow(unused_imports)]
                    use ::core::convert::Into as _;
                    #[derive(
                        ::mrtr::__private::serde::Deserialize,
                        ::mrtr::__private::schemars::JsonSchema
                    )]
                    #[serde(crate = "::mrtr::__private::serde")]
                    #[schemars(crate = "::mrtr::__private::schemars")]
                    struct __MrtrArgs {
                        other: Vec<Desk>,
                    }
                    ::mrtr::__private::ToolDef::new("count")
                        .description("Counts seats.")
                        .read_only(true)
                        .args::<__MrtrArgs>()
                        .output::<String>()
                        .handler({
                            let __mrtr_this = ::core::clone::Clone::clone(&__mrtr_this);
                            move |__mrtr_ctx, __mrtr_call| {
                                let __mrtr_this = ::core::clone::Clone::clone(&__mrtr_this);
                                async move {
                                    let __mrtr_args = ::mrtr::__private::args::<
                                        __MrtrArgs,
                                    >(&__mrtr_call)?;
                                    ::mrtr::__private::into_tool_result::<
                                        String,
                                    >(__mrtr_this.count(__mrtr_args.other).await)
                                }
                            }
                        })
                }),
            );
        __mrtr_tools
            .push(
                ::mrtr::AnyHandler::Tool({
                    #[allow(unused_imports)]
                    use ::core::convert::Into as _;
                    #[derive(
                        ::mrtr::__private::serde::Deserialize,
                        ::mrtr::__private::schemars::JsonSchema
                    )]
                    #[serde(crate = "::mrtr::__private::serde")]
                    #[schemars(crate = "::mrtr::__private::schemars")]
                    struct __MrtrArgs {
                        seat: String,
                    }
                    ::mrtr::__private::ToolDef::new("reserve")
                        .description("Books a seat.")
                        .args::<__MrtrArgs>()
                        .output::<Result<String, ToolError>>()
                        .ask(
                            ::mrtr::__private::AskDef::form(
                                    &::mrtr::__private::as_form::<Confirm>(),
                                    "ok",
                                )
                                .required(),
                        )
                        .commits()
                        .handler({
                            let __mrtr_this = ::core::clone::Clone::clone(&__mrtr_this);
                            move |__mrtr_ctx, __mrtr_call| {
                                let __mrtr_this = ::core::clone::Clone::clone(&__mrtr_this);
                                async move {
                                    let __mrtr_args = ::mrtr::__private::args::<
                                        __MrtrArgs,
                                    >(&__mrtr_call)?;
                                    ::mrtr::__private::into_tool_result::<
                                        Result<String, ToolError>,
                                    >(
                                        __mrtr_this
                                            .__mrtr_reserve(__mrtr_ctx, __mrtr_args.seat)
                                            .await,
                                    )
                                }
                            }
                        })
                }),
            );
        __mrtr_tools
    }
}
