/// Reviews a file.
fn review() -> ::mrtr::Prompt {
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(
        __mrtr_ctx: ::mrtr::Ctx,
        language: String,
        lines: Option<u32>,
        State(desk): State<Desk>,
    ) -> Result<String, ToolError> {
        let __mrtr_asks = &__mrtr_ctx;
        let __mrtr_q0 = __mrtr_asks
            .ask_as(
                ::mrtr::__private::as_form::<String>(),
                "focus",
                "What matters most?",
            )
            .now();
        let focus: String = __mrtr_q0.await;
        Ok(desk.review(&language, lines, &focus))
    }
    ::mrtr::__private::PromptDef::new("review")
        .title("Review code")
        .description("Reviews a file.")
        .argument("language", "The language", true)
        .complete("language", languages)
        .argument("lines", "", false)
        .param::<State<Desk>>()
        .ask(
            ::mrtr::__private::AskDef::form(
                    &::mrtr::__private::as_form::<String>(),
                    "focus",
                )
                .required(),
        )
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            let __mrtr_args = ::mrtr::__private::text_arguments(&__mrtr_call)?;
            let __mrtr_p0 = __mrtr_args.required::<String>("language")?;
            let __mrtr_p1 = __mrtr_args.optional::<u32>("lines")?;
            let __mrtr_p2 = ::mrtr::__private::from_call::<
                State<Desk>,
            >(&__mrtr_ctx, &__mrtr_call)
                .await?;
            ::mrtr::__private::into_prompt_result::<
                Result<String, ToolError>,
            >(__mrtr_body(__mrtr_ctx, __mrtr_p0, __mrtr_p1, __mrtr_p2).await)
        })
}
