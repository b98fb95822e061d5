//! Only the benchmark in `benches/` is of interest here.
