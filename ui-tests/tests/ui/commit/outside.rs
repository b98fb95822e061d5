// Outside a handler nothing takes the commit away.

use mrtr::prelude::*;

async fn book() {
    #[commit]
    drop(1);
}

fn main() {}
