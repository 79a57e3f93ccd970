#!/usr/bin/env bash
# Software: async-graphql 7.2.1 (Rust), federation.
#
# A resolver marked `#[graphql(entity)]` that fails for one representation takes the whole operation with it: `data` is
# null, and the error's path is `_entities`, without the position of the entity. The entities that were found before and
# after it are lost. Its items are nullable (`_entities(representations: [_Any!]!): [_Entity]!`), so that graphql-js and
# what follows its algorithm answer the same with one null in the list and an error at `_entities, 1`. An entity that is
# `None` is answered like that here, too: only an error is not. A router that asks for the entities of a page in one batch
# therefore loses the page, and cannot tell which of them failed.
#
# Source: src/types/query_root.rs, `resolve_field`: the entities are awaited by `try_join_all`, and its first error is that
# of the field.
#
# Seen on 2026-11-29:
#   found, absent: {"_entities":[{"name":"lamp"},null]} []
#   found, failed: null ["no such product at _entities"]
#   failed, found: null ["no such product at _entities"]
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

#[derive(SimpleObject)]
struct Product {
    id: ID,
    name: String,
}

struct Query;

#[Object]
impl Query {
    async fn products(&self) -> i32 {
        1
    }

    #[graphql(entity)]
    async fn product(&self, id: ID) -> Result<Option<Product>> {
        match id.as_str() {
            "1" => Ok(Some(Product { id, name: "lamp".into() })),
            "2" => Err("no such product".into()),
            _ => Ok(None),
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let schema = Schema::build(Query, EmptyMutation, EmptySubscription).enable_federation().finish();
    for (name, ids) in [("found, absent", ["1", "3"]), ("found, failed", ["1", "2"]), ("failed, found", ["2", "1"])] {
        let sent = ids.map(|id| format!("{{ __typename: \"Product\", id: \"{id}\" }}")).join(", ");
        let operation = format!("{{ _entities(representations: [{sent}]) {{ ... on Product {{ name }} }} }}");
        let response = schema.execute(operation).await;
        let errors: Vec<String> = response
            .errors
            .iter()
            .map(|error| {
                let path: Vec<String> = error
                    .path
                    .iter()
                    .map(|step| match step {
                        PathSegment::Field(name) => name.clone(),
                        PathSegment::Index(index) => index.to_string(),
                    })
                    .collect();
                format!("{} at {}", error.message, path.join("."))
            })
            .collect();
        println!("{name}: {} {errors:?}", response.data.into_json().unwrap());
    }
}
RUST
cargo run --quiet | tee seen
diff seen - <<'TEXT'
found, absent: {"_entities":[{"name":"lamp"},null]} []
found, failed: null ["no such product at _entities"]
failed, found: null ["no such product at _entities"]
TEXT
