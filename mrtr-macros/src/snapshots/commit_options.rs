pub fn commit_options() -> ::mrtr::Tool {
    #[allow(unused_imports)]
    use ::core::convert::Into as _;
    #[derive(
        ::mrtr::__private::serde::Deserialize,
        ::mrtr::__private::schemars::JsonSchema
    )]
    #[serde(crate = "::mrtr::__private::serde")]
    #[schemars(crate = "::mrtr::__private::schemars")]
    struct __MrtrArgs {
        invoice: String,
    }
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(
        __mrtr_ctx: ::mrtr::Ctx,
        invoice: String,
    ) -> Result<String, ToolError> {
        let __mrtr_asks = &__mrtr_ctx;
        let __mrtr_q0 = __mrtr_asks
            .ask_as(
                ::mrtr::__private::as_form::<Confirm>(),
                "ok",
                ::mrtr::__private::template()
                    .text("Pay ")
                    .hole(&invoice)
                    .text("?")
                    .finish(),
            )
            .now();
        let ok: Confirm = __mrtr_q0.await;
        if ok.yes() {
            {
                let __mrtr_commit = __mrtr_ctx;
                let mut __mrtr_commit = ::mrtr::__private::commit(__mrtr_commit)
                    .in_flow()
                    .key(&(&invoice, 1).text())
                    .await;
                let c = &mut __mrtr_commit;
                pay(&invoice, c.key("pay")).await?;
            }
        } else {
            {
                let __mrtr_commit = __mrtr_ctx;
                let __mrtr_commit = ::mrtr::__private::commit(__mrtr_commit).await;
                note(&invoice).await?;
            }
        }
        Ok(invoice)
    }
    ::mrtr::__private::ToolDef::new("commit_options")
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
        .idempotent_commit()
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            let __mrtr_args = ::mrtr::__private::args::<__MrtrArgs>(&__mrtr_call)?;
            ::mrtr::__private::into_tool_result::<
                Result<String, ToolError>,
            >(__mrtr_body(__mrtr_ctx, __mrtr_args.invoice).await)
        })
}
