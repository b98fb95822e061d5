pub fn hello() -> renamed::Tool {
    #[allow(unused_imports)]
    use ::core::convert::Into as _;
    #[derive(
        renamed::__private::serde::Deserialize,
        renamed::__private::schemars::JsonSchema
    )]
    #[serde(crate = "renamed::__private::serde")]
    #[schemars(crate = "renamed::__private::schemars")]
    struct __MrtrArgs {
        name: String,
    }
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(__mrtr_ctx: renamed::Ctx, name: String) -> String {
        let __mrtr_asks = &__mrtr_ctx;
        let __mrtr_q0 = __mrtr_asks
            .ask_as(
                renamed::__private::as_form::<bool>(),
                "ok",
                renamed::__private::template()
                    .text("Greet ")
                    .hole(&name)
                    .text("?")
                    .finish(),
            )
            .now();
        let ok: bool = __mrtr_q0.await;
        format!("{name} {ok}")
    }
    renamed::__private::ToolDef::new("hello")
        .args::<__MrtrArgs>()
        .output::<String>()
        .ask(
            renamed::__private::AskDef::form(
                    &renamed::__private::as_form::<bool>(),
                    "ok",
                )
                .required(),
        )
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            let __mrtr_args = renamed::__private::args::<__MrtrArgs>(&__mrtr_call)?;
            renamed::__private::into_tool_result::<
                String,
            >(__mrtr_body(__mrtr_ctx, __mrtr_args.name).await)
        })
}
