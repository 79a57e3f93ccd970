#!/usr/bin/env bash
# Software: async-graphql 7.2.1 (Rust).
#
# An argument with a default whose value is a variable that the request leaves out gets no default: it gets null. By the
# specification (CoerceArgumentValues) the default counts, because the argument has no value then; null counts only if the
# request says null. `query ($n: Int) { needed(n: $n) }` with `needed(n: Int! = 2)` is valid, and fails with an error
# about a null that the request does not contain. With `optional(n: Int = 2)` the resolver silently gets null instead of 2.
# Clients with optional variables (a page's size) and routers that pass variables on therefore get other answers than from
# servers that follow the algorithm, such as graphql-js. Without the argument, and with a default of the variable, both
# work.
#
# Source: src/context.rs, `get_param_value`: the default is taken only if the field has no such argument in the document;
# else the value is resolved, which for an absent variable is null.
#
# Seen on 2026-12-01:
#   { needed optional }: {"needed":2,"optional":2} []
#   ($n: Int) optional(n: $n), without $n: {"optional":null} []
#   ($n: Int) needed(n: $n), without $n: null ["Expected input type \"Int\", found null."]
#   ($n: Int = 5) needed(n: $n), without $n: {"needed":5} []
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "ask"
version = "0.1.0"
edition = "2021"

[dependencies]
async-graphql = { version = "=7.2.1", default-features = false }
tokio = { version = "1", features = ["rt", "macros"] }
TOML
cat > src/main.rs <<'RUST'
use async_graphql::*;

struct Query;

#[Object]
impl Query {
    async fn needed(&self, #[graphql(default = 2)] n: i32) -> Option<i32> {
        Some(n)
    }

    async fn optional(&self, #[graphql(default = 2)] n: Option<i32>) -> Option<i32> {
        n
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
    for (name, operation) in [
        ("{ needed optional }", "{ needed optional }"),
        ("($n: Int) optional(n: $n), without $n", "query ($n: Int) { optional(n: $n) }"),
        ("($n: Int) needed(n: $n), without $n", "query ($n: Int) { needed(n: $n) }"),
        ("($n: Int = 5) needed(n: $n), without $n", "query ($n: Int = 5) { needed(n: $n) }"),
    ] {
        let response = schema.execute(operation).await;
        let errors: Vec<String> = response.errors.iter().map(|error| error.message.clone()).collect();
        println!("{name}: {} {errors:?}", response.data.into_json().unwrap());
    }
}
RUST
cargo run --quiet | tee seen
diff seen - <<'TEXT'
{ needed optional }: {"needed":2,"optional":2} []
($n: Int) optional(n: $n), without $n: {"optional":null} []
($n: Int) needed(n: $n), without $n: null ["Expected input type \"Int\", found null."]
($n: Int = 5) needed(n: $n), without $n: {"needed":5} []
TEXT
