//! What must hold from the outside: each module is one kind of promise.

mod capabilities;
mod demo;
mod examples;
mod guarantees;
mod handlers;
mod http;
mod http_client;
mod kinds;
mod kit;
mod leaks;
mod leaving;
mod meaning;
mod observed;
mod questions;
mod recorded;
mod results;
mod rollback;
mod rounds;
mod schemas;
mod serving;
mod state;
mod stdio;
mod swallow;
mod travel_desk;
mod unsolicited;
