/// Books a seat on a flight.
///
/// # Errors
/// When the flight is full.
pub fn book() -> ::mrtr::Tool {
    #[allow(unused_imports)]
    use ::core::convert::Into as _;
    #[derive(
        ::mrtr::__private::serde::Deserialize,
        ::mrtr::__private::schemars::JsonSchema
    )]
    #[serde(crate = "::mrtr::__private::serde")]
    #[schemars(crate = "::mrtr::__private::schemars")]
    struct __MrtrArgs {
        ///Flight number, such as LH123
        flight: String,
    }
    #[allow(clippy::too_many_arguments, clippy::unused_async)]
    async fn __mrtr_body(
        __mrtr_ctx: ::mrtr::Ctx,
        flight: String,
        State(desk): State<Desk>,
    ) -> Result<Json<Booking>, ToolError> {
        let __mrtr_asks = &__mrtr_ctx;
        let price = desk.quote(&flight).await?;
        let __mrtr_q0 = __mrtr_asks
            .ask_as(
                ::mrtr::__private::as_form::<Traveller>(),
                "who",
                "Who is travelling?",
            )
            .now();
        let who: Traveller = __mrtr_q0.await;
        let __mrtr_q0 = __mrtr_asks
            .ask_as(
                ::mrtr::__private::as_form::<Confirm>(),
                "ok",
                ::mrtr::__private::template()
                    .text("Book ")
                    .hole(&flight)
                    .text(" for ")
                    .hole(&who.name)
                    .text(" at ")
                    .hole(&::core::format_args!("{:.2}", price))
                    .text("?")
                    .finish(),
            )
            .pin(&(&price))
            .now();
        let ok: Confirm = __mrtr_q0.await;
        if !ok.yes() {
            return Err(ToolError::user("not booked"));
        }
        let booking = {
            let __mrtr_commit = __mrtr_ctx;
            let mut __mrtr_commit = ::mrtr::__private::commit(__mrtr_commit).await;
            let c = &mut __mrtr_commit;
            desk.book(&flight, &who, price, c.key("book")).await?
        };
        Ok(Json(booking))
    }
    ::mrtr::__private::ToolDef::new("book")
        .title("Book a flight")
        .description("Books a seat on a flight.")
        .args::<__MrtrArgs>()
        .output::<Result<Json<Booking>, ToolError>>()
        .param::<State<Desk>>()
        .ask(
            ::mrtr::__private::AskDef::form(
                &::mrtr::__private::as_form::<Traveller>(),
                "who",
            ),
        )
        .ask(
            ::mrtr::__private::AskDef::form(
                &::mrtr::__private::as_form::<Confirm>(),
                "ok",
            ),
        )
        .commits()
        .handler(|__mrtr_ctx, __mrtr_call| async move {
            let __mrtr_args = ::mrtr::__private::args::<__MrtrArgs>(&__mrtr_call)?;
            let __mrtr_p1 = ::mrtr::__private::from_call::<
                State<Desk>,
            >(&__mrtr_ctx, &__mrtr_call)
                .await?;
            ::mrtr::__private::into_tool_result::<
                Result<Json<Booking>, ToolError>,
            >(__mrtr_body(__mrtr_ctx, __mrtr_args.flight, __mrtr_p1).await)
        })
}
