pub fn rounds() -> ::mrtr::Tool {
    #[allow(unused_imports)]
    use ::core::convert::Into as _;
    #[derive(
        ::mrtr::__private::serde::Deserialize,
        ::mrtr::__private::schemars::JsonSchema
    )]
    #[serde(crate = "::mrtr::__private::serde")]
    #[schemars(crate = "::mrtr::__private::schemars")]
    struct __MrtrArgs {
        seats: u8,
    }
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(__mrtr_ctx: ::mrtr::Ctx, seats: u8) -> String {
        let __mrtr_asks = &__mrtr_ctx;
        let __mrtr_q0 = __mrtr_asks
            .ask_as(::mrtr::__private::as_form::<String>(), "first", "First?")
            .now();
        let __mrtr_q1 = __mrtr_asks
            .ask_as(
                ::mrtr::__private::as_form::<Option<String>>(),
                "second",
                translate("second"),
            )
            .validate(not_empty)
            .now();
        let first: String = __mrtr_q0.await;
        let mut second: Option<String> = __mrtr_q1.await;
        let __mrtr_q0 = __mrtr_asks
            .ask_as(
                ::mrtr::__private::as_form::<bool>(),
                "third",
                format!("Third, after {first}?"),
            )
            .now();
        let third: bool = __mrtr_q0.await;
        let note = "a statement ends a round";
        let __mrtr_q0 = __mrtr_asks
            .ask_as(::mrtr::__private::as_form::<String>(), "fourth", "Fourth?")
            .accept_unsolicited()
            .now();
        let fourth: String = __mrtr_q0.await;
        for i in 0..seats {
            let __mrtr_q0 = __mrtr_asks
                .ask_as(
                    ::mrtr::__private::as_form::<String>(),
                    format!("seat-{i}"),
                    ::mrtr::__private::template()
                        .text("Seat ")
                        .hole(&i)
                        .text(", ")
                        .hole(&note)
                        .text("?")
                        .finish(),
                )
                .now();
            let seat: String = __mrtr_q0.await;
            second = Some(seat);
        }
        format!("{first}{second:?}{third}{fourth}")
    }
    ::mrtr::__private::ToolDef::new("rounds")
        .args::<__MrtrArgs>()
        .output::<String>()
        .ask(
            ::mrtr::__private::AskDef::form(
                    &::mrtr::__private::as_form::<String>(),
                    "first",
                )
                .required(),
        )
        .ask(
            ::mrtr::__private::AskDef::form(
                    &::mrtr::__private::as_form::<Option<String>>(),
                    "second",
                )
                .required(),
        )
        .ask(
            ::mrtr::__private::AskDef::form(
                    &::mrtr::__private::as_form::<bool>(),
                    "third",
                )
                .required(),
        )
        .ask(
            ::mrtr::__private::AskDef::form(
                &::mrtr::__private::as_form::<String>(),
                "fourth",
            ),
        )
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            let __mrtr_args = ::mrtr::__private::args::<__MrtrArgs>(&__mrtr_call)?;
            ::mrtr::__private::into_tool_result::<
                String,
            >(__mrtr_body(__mrtr_ctx, __mrtr_args.seats).await)
        })
}
