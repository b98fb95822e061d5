pub fn kinds() -> ::mrtr::Tool {
    #[allow(unused_imports)]
    use ::core::convert::Into as _;
    #[derive(
        ::mrtr::__private::serde::Deserialize,
        ::mrtr::__private::schemars::JsonSchema
    )]
    #[serde(crate = "::mrtr::__private::serde")]
    #[schemars(crate = "::mrtr::__private::schemars")]
    struct __MrtrArgs {
        bank: String,
    }
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(__mrtr_ctx: ::mrtr::Ctx, bank: String) -> String {
        let __mrtr_asks = &__mrtr_ctx;
        let ctx = __mrtr_asks;
        let __mrtr_q0 = __mrtr_asks
            .url_as(
                ::mrtr::__private::as_url::<Consented>(),
                "page",
                ::mrtr::__private::template()
                    .text("Connect ")
                    .hole(&bank)
                    .text("?")
                    .finish(),
                connect_url(ctx),
            )
            .until(|| async { is_connected(&bank).await })
            .now();
        let page: Consented = __mrtr_q0.await;
        let _ = page;
        let __mrtr_q0 = __mrtr_asks
            .sample_as(
                ::mrtr::__private::as_sampling::<Sampled>(),
                "said",
                Sample::new("Sum up."),
            )
            .now();
        let __mrtr_q1 = __mrtr_asks
            .roots_as(::mrtr::__private::as_roots::<Answer<Roots>>(), "folders")
            .if_supported()
            .now();
        let __mrtr_q2 = __mrtr_asks
            .choose_as(
                ::mrtr::__private::as_options::<Select<u32>>(),
                "account",
                "Which?",
                accounts(),
            )
            .default(&(1))
            .now();
        let said: Sampled = __mrtr_q0.await;
        let folders: Answer<Roots> = __mrtr_q1.await;
        let account: Select<u32> = __mrtr_q2.await;
        format!("{said:?} {folders:?} {account:?}")
    }
    ::mrtr::__private::ToolDef::new("kinds")
        .args::<__MrtrArgs>()
        .output::<String>()
        .ask(
            ::mrtr::__private::AskDef::url(
                    &::mrtr::__private::as_url::<Consented>(),
                    "page",
                )
                .required(),
        )
        .ask(
            ::mrtr::__private::AskDef::sampling(
                    &::mrtr::__private::as_sampling::<Sampled>(),
                    "said",
                )
                .required(),
        )
        .ask(
            ::mrtr::__private::AskDef::roots(
                &::mrtr::__private::as_roots::<Answer<Roots>>(),
                "folders",
            ),
        )
        .ask(
            ::mrtr::__private::AskDef::options(
                    &::mrtr::__private::as_options::<Select<u32>>(),
                    "account",
                )
                .required(),
        )
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            let __mrtr_args = ::mrtr::__private::args::<__MrtrArgs>(&__mrtr_call)?;
            ::mrtr::__private::into_tool_result::<
                String,
            >(__mrtr_body(__mrtr_ctx, __mrtr_args.bank).await)
        })
}
