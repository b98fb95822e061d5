pub fn trip() -> ::mrtr::Tool {
    #[allow(unused_imports)]
    use ::core::convert::Into as _;
    #[derive(
        ::mrtr::__private::serde::Deserialize,
        ::mrtr::__private::schemars::JsonSchema
    )]
    #[serde(crate = "::mrtr::__private::serde")]
    #[schemars(crate = "::mrtr::__private::schemars")]
    struct __MrtrArgs {
        city: String,
    }
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(__mrtr_ctx: ::mrtr::Ctx, city: String) -> String {
        let __mrtr_asks = &__mrtr_ctx;
        let __mrtr_q0 = __mrtr_asks
            .ask_as(::mrtr::__private::as_form::<String>(), "who", "Who?")
            .now();
        let __mrtr_q1 = __mrtr_asks
            .ask_as(::mrtr::__private::as_form::<Answer<u8>>(), "n", "How many nights?")
            .if_supported()
            .now();
        let who: String = __mrtr_q0.await;
        let nights: Answer<u8> = __mrtr_q1.await;
        let __mrtr_q0 = __mrtr_asks
            .ask_as(
                ::mrtr::__private::as_form::<Confirm>(),
                "sure",
                ::mrtr::__private::template()
                    .hole(&who)
                    .text(" to ")
                    .hole(&city)
                    .text("?")
                    .finish(),
            )
            .alone()
            .now();
        let sure: Confirm = __mrtr_q0.await;
        format!("{who} {city} {nights:?} {}", sure.yes())
    }
    ::mrtr::__private::ToolDef::new("trip")
        .args::<__MrtrArgs>()
        .output::<String>()
        .ask(
            ::mrtr::__private::AskDef::form(
                    &::mrtr::__private::as_form::<String>(),
                    "who",
                )
                .required(),
        )
        .ask(
            ::mrtr::__private::AskDef::form(
                &::mrtr::__private::as_form::<Answer<u8>>(),
                "n",
            ),
        )
        .ask(
            ::mrtr::__private::AskDef::form(
                    &::mrtr::__private::as_form::<Confirm>(),
                    "sure",
                )
                .required(),
        )
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            let __mrtr_args = ::mrtr::__private::args::<__MrtrArgs>(&__mrtr_call)?;
            ::mrtr::__private::into_tool_result::<
                String,
            >(__mrtr_body(__mrtr_ctx, __mrtr_args.city).await)
        })
}
