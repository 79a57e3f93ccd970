#!/usr/bin/env bash
# Software: strawberry-graphql 0.341.2 (Python), over graphql-core.
#
# Strawberry's resolver of `_entities` removes `__typename` from each representation that it receives. graphql-core hands
# out the coerced value of a variable as it is, so that the value of the variable itself is changed. A router that asks one
# service for entities in two ways in one operation, and sends the equal representations once (`a: _entities(representations:
# $r) …  b: _entities(representations: $r) …`), gets the first list, and for the second one the error `'__typename'`.
# `_entities` is non-null, so that all data of the operation are lost with it. Each of the two alone works, and so do two
# variables with equal values. The operation is valid, and no server that reads its arguments without changing them fails.
#
# Source: strawberry/federation/schema.py, `entities_resolver`: `type_name = representation.pop("__typename")`.
#
# Seen on 2026-11-29:
#   two variables: {'a': [{'name': 'lamp'}], 'b': [{'id': '1'}]} None
#   one variable: None '__typename' ['b']
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv here
here/bin/pip install --quiet --disable-pip-version-check strawberry-graphql==0.341.2
cat > ask.py <<'PY'
import logging
import sys

import strawberry

logging.disable()


@strawberry.federation.type(keys=["id"])
class Product:
    id: strawberry.ID
    name: str

    @classmethod
    def resolve_reference(cls, id: strawberry.ID) -> "Product":
        return Product(id=id, name="lamp")


@strawberry.type
class Query:
    products: int = 1


schema = strawberry.federation.Schema(query=Query, types=[Product])


def ask(second):
    product = [{"__typename": "Product", "id": "1"}]
    more = ", $s: [_Any!]!" if second == "$s" else ""
    operation = (
        f"query ($r: [_Any!]!{more}) {{"
        " a: _entities(representations: $r) { ... on Product { name } }"
        f" b: _entities(representations: {second}) {{ ... on Product {{ id }} }} }}"
    )
    given = {"r": product, "s": [dict(each) for each in product]}
    return schema.execute_sync(operation, given)


apart, together = ask("$s"), ask("$r")
print("two variables:", apart.data, apart.errors)
print("one variable:", together.data, together.errors[0].message if together.errors else None, together.errors[0].path if together.errors else None)
works = apart.errors is None and apart.data["b"] == [{"id": "1"}]
fails = together.data is None and together.errors[0].message == "'__typename'" and together.errors[0].path == ["b"]
sys.exit(0 if works and fails else 1)
PY
here/bin/python ask.py
