pub fn who_am_i() -> ::mrtr::Tool {
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(
        __mrtr_ctx: ::mrtr::Ctx,
        caller: Option<Principal>,
        State(desk): State<Desk>,
        call: Call,
        extra: Extra,
    ) -> String {
        let __mrtr_asks = &__mrtr_ctx;
        let ctx = __mrtr_asks;
        let name: String = ctx.ask("name", "Your name?").await;
        format!("{name} {caller:?} {} {call:?} {}", desk.0, extra.0)
    }
    ::mrtr::__private::ToolDef::new("who_am_i")
        .no_args()
        .output::<String>()
        .param::<Option<Principal>>()
        .param::<State<Desk>>()
        .param::<Call>()
        .param::<Extra>()
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            let __mrtr_p0 = ::mrtr::__private::from_call::<
                Option<Principal>,
            >(&__mrtr_ctx, &__mrtr_call)
                .await?;
            let __mrtr_p1 = ::mrtr::__private::from_call::<
                State<Desk>,
            >(&__mrtr_ctx, &__mrtr_call)
                .await?;
            let __mrtr_p3 = ::mrtr::__private::from_call::<
                Call,
            >(&__mrtr_ctx, &__mrtr_call)
                .await?;
            let __mrtr_p4 = ::mrtr::__private::from_call::<
                Extra,
            >(&__mrtr_ctx, &__mrtr_call)
                .await?;
            ::mrtr::__private::into_tool_result::<
                String,
            >(__mrtr_body(__mrtr_ctx, __mrtr_p0, __mrtr_p1, __mrtr_p3, __mrtr_p4).await)
        })
}
