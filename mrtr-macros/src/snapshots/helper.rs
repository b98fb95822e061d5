/// Asks for a seat.
pub async fn pick_seat<T: Copy>(ctx: &Ctx, rows: &[T]) -> String {
    let __mrtr_asks = ctx;
    let __mrtr_q0 = __mrtr_asks
        .ask_as(::mrtr::__private::as_form::<String>(), "row", "Which row?")
        .now();
    let row: String = __mrtr_q0.await;
    std::fs::write(row.as_str(), format!("{}", rows.len())).expect("a seat is free");
    let __mrtr_q0 = __mrtr_asks
        .ask_as(::mrtr::__private::as_form::<String>(), "letter", "Which letter?")
        .now();
    let letter: String = __mrtr_q0.await;
    letter
}
