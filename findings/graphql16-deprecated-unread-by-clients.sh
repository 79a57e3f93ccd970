#!/usr/bin/env bash
# Software: graphql 16.15.0 (npm), beside 16.13.1, and cynic-introspection 3.14.0 (crates.io), by which the Rust client cynic
# reads schemas.
#
# Since 16.14 `@deprecated` may stand on the definition of a directive, as in the edition of September 2026. Every schema
# has this directive, so introspection of every server over such a version tells the location DIRECTIVE_DEFINITION, even if
# nothing is deprecated. cynic knows the locations of earlier editions alone, and reads nothing of such a schema. Neither does
# Apollo Kotlin (apollo-ast 4.3.3: `No enum constant … GQLDirectiveLocation.DIRECTIVE_DEFINITION`, seen on the same day).
# graphql_client (Rust), graphql-java 22.3 and graphql-core 3.3.2 read it. A server helps them if its introspection leaves the
# location out.
#
# Source: `locations` of GraphQLDeprecatedDirective in graphql, type/directives.js; `DirectiveLocation` in
# cynic-introspection.
#
# Seen on 2026-11-30, introspection of `type Query { a: Int }`:
#   graphql 16.13.1   read
#   graphql 16.15.0   unknown variant `DIRECTIVE_DEFINITION`
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p src
cat > Cargo.toml <<'TOML'
[package]
name = "read"
version = "0.1.0"
edition = "2021"

[dependencies]
cynic-introspection = "=3.14.0"
serde_json = "1"
TOML
cat > src/main.rs <<'RUST'
use cynic_introspection::IntrospectionQuery;

fn main() {
    for version in std::env::args().skip(1) {
        let text = std::fs::read_to_string(format!("{version}/schema.json")).unwrap();
        let said = match serde_json::from_str::<IntrospectionQuery>(&text) {
            Ok(_) => "read".to_string(),
            Err(error) => error.to_string().split(',').next().unwrap().to_string(),
        };
        println!("graphql {version}   {said}");
    }
}
RUST
cat > tell.cjs <<'JS'
const { buildSchema, introspectionFromSchema } = require(`./${process.argv[2]}/node_modules/graphql`)
console.log(JSON.stringify(introspectionFromSchema(buildSchema('type Query { a: Int }'))))
JS
for version in 16.13.1 16.15.0; do
  mkdir "$version"
  npm install --silent --no-audit --no-fund --no-save --prefix "$version" "graphql@$version" >/dev/null
  node tell.cjs "$version" > "$version/schema.json"
done
cargo run --quiet -- 16.13.1 16.15.0 | tee seen.txt
diff seen.txt - <<'EXPECTED'
graphql 16.13.1   read
graphql 16.15.0   unknown variant `DIRECTIVE_DEFINITION`
EXPECTED
