/// Asks for a seat.
pub async fn pick_seat<T: Copy>(ctx: &Ctx, rows: &[T]) -> String {
    let __mrtr_asks = ctx;
    let __mrtr_q0 = __mrtr_asks
        .ask_as(::mrtr::__private::as_form::<String>(), "row", "Which row?")
        .now();
    let row: String = __mrtr_q0.await;
    let _ = rows.len();
    row
}
