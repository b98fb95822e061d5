// A helper that asks for any form says what a form is.

use mrtr::Form;

struct Traveller;

fn needs_a_form<T: Form>() {}

fn main() {
    needs_a_form::<Traveller>();
    needs_a_form::<Option<String>>();
}
