pub fn commits() -> ::mrtr::Tool {
    #[allow(unused_imports)]
    use ::core::convert::Into as _;
    #[derive(
        ::mrtr::__private::serde::Deserialize,
        ::mrtr::__private::schemars::JsonSchema
    )]
    #[serde(crate = "::mrtr::__private::serde")]
    #[schemars(crate = "::mrtr::__private::schemars")]
    struct __MrtrArgs {
        how: u8,
    }
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(__mrtr_ctx: ::mrtr::Ctx, how: u8) -> Result<String, ToolError> {
        let __mrtr_asks = &__mrtr_ctx;
        let __mrtr_q0 = __mrtr_asks
            .ask_as(::mrtr::__private::as_form::<bool>(), "sure", "Sure?")
            .now();
        let sure: bool = __mrtr_q0.await;
        match how + u8::from(sure) {
            0 => {
                let Some(text) = ({
                    let __mrtr_commit = __mrtr_ctx;
                    let mut __mrtr_commit = ::mrtr::__private::commit(__mrtr_commit)
                        .await;
                    let c = &mut __mrtr_commit;
                    find(c.key("a")).await
                }) else { return Ok(String::new()) };
                Ok(text)
            }
            1 => {
                {
                    let __mrtr_commit = __mrtr_ctx;
                    let __mrtr_commit = ::mrtr::__private::commit(__mrtr_commit).await;
                    act().await?;
                }
                Ok(String::new())
            }
            2 => {
                let __mrtr_commit = __mrtr_ctx;
                let mut __mrtr_commit = ::mrtr::__private::commit(__mrtr_commit).await;
                let c = &mut __mrtr_commit;
                {
                    act().await?;
                    Ok(c.key("b"))
                }
            }
            3 => {
                let __mrtr_commit = __mrtr_ctx;
                let mut __mrtr_commit = ::mrtr::__private::commit(__mrtr_commit).await;
                let c = &mut __mrtr_commit;
                return Ok(c.key("c"));
            }
            4 => {
                {
                    let __mrtr_commit = __mrtr_ctx;
                    let __mrtr_commit = ::mrtr::__private::commit(__mrtr_commit).await;
                    for _ in 0..how {
                        act().await?;
                    }
                }
                Ok(String::new())
            }
            _ => {
                let mut last = String::new();
                {
                    let __mrtr_commit = __mrtr_ctx;
                    let mut __mrtr_commit = ::mrtr::__private::commit(__mrtr_commit)
                        .await;
                    let c = &mut __mrtr_commit;
                    last = c.key("d");
                }
                #[allow(clippy::let_and_return)] Ok(last)
            }
        }
    }
    ::mrtr::__private::ToolDef::new("commits")
        .args::<__MrtrArgs>()
        .output::<Result<String, ToolError>>()
        .ask(
            ::mrtr::__private::AskDef::form(
                    &::mrtr::__private::as_form::<bool>(),
                    "sure",
                )
                .required(),
        )
        .commits()
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            let __mrtr_args = ::mrtr::__private::args::<__MrtrArgs>(&__mrtr_call)?;
            ::mrtr::__private::into_tool_result::<
                Result<String, ToolError>,
            >(__mrtr_body(__mrtr_ctx, __mrtr_args.how).await)
        })
}
