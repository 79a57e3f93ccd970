#!/usr/bin/env bash
# Software: @prometheus-io/lezer-promql 0.315.0 (npm), the grammar of PromQL in Prometheus' own editor.
#
# The tree of a valid expression is not that of Prometheus if `offset` or `@` follows the right operand of an operator.
# In Prometheus they belong to the operand: "the offset modifier always needs to follow the selector immediately"
# (documentation, "Querying basics"). In this grammar they belong to the whole expression before them, so that
# `a + b offset 5m` is `(a + b) offset 5m`. The tree has no error node. A program that reads the tree (a linter, a
# converter, an evaluator) therefore reads another query. A sign has the same fault: `-1 ^ 2` is `(-1) ^ 2`, which is 1
# and not -1 as in Prometheus. A subquery, too, takes the whole expression before it, so `max_over_time(a + b[5m:1m])`
# has a tree without errors, although Prometheus refuses it: its range would belong to `b` alone.
#
# Source: src/promql.grammar. `BinaryExpr` marks each operator with a precedence, but `OffsetExpr { expr Offset … }`,
# `StepInvariantExpr`, `MatrixSelector` and `SubqueryExpr` have no mark, so a finished binary expression is taken as
# their `expr`. `NumberDurationLiteral` includes the sign of a number.
#
# Seen on 2026-11-30: the expression, and its tree with parentheses around each operation.
#   a + b offset 5m                 ((a + b) offset 5m)
#   a * b @ 1700000000              ((a * b) @ 1700000000)
#   max_over_time(a + b[5m:1m])     max_over_time(((a + b)[5m:1m]))
#   -1 ^ 2                          (-1 ^ 2), whose left operand is -1
#   a + (b offset 5m)               (a + ((b offset 5m)))
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @prometheus-io/lezer-promql@0.315.0 \
  @lezer/lr@1.4.3 @lezer/common@1.3.0 @lezer/highlight@1.2.3 >/dev/null
cat > try.mjs <<'JS'
import { parser } from '@prometheus-io/lezer-promql'

/** The source of a node, with parentheses around each operation. */
function grouped(node, source) {
  let text = ''
  let at = node.from
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    text += source.slice(at, child.from) + grouped(child, source)
    at = child.to
  }
  text += source.slice(at, node.to)
  return /^(Binary|Offset|StepInvariant|Subquery|Unary)Expr$/.test(node.name) ? `(${text})` : text
}

const expressions = [
  'a + b offset 5m',
  'a * b @ 1700000000',
  'max_over_time(a + b[5m:1m])',
  '-1 ^ 2',
  'a + (b offset 5m)',
]
for (const source of expressions) {
  const tree = parser.parse(source)
  let errors = 0
  tree.iterate({ enter: ({ type }) => void (errors += type.isError ? 1 : 0) })
  console.log(`${source.padEnd(30)}  ${grouped(tree.topNode, source).padEnd(34)}  ${errors} errors`)
}
const left = parser.parse('-1 ^ 2').topNode.firstChild.firstChild
console.log(`the left operand of -1 ^ 2      ${'-1 ^ 2'.slice(left.from, left.to)}`)
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
a + b offset 5m                 ((a + b) offset 5m)                 0 errors
a * b @ 1700000000              ((a * b) @ 1700000000)              0 errors
max_over_time(a + b[5m:1m])     max_over_time(((a + b)[5m:1m]))     0 errors
-1 ^ 2                          (-1 ^ 2)                            0 errors
a + (b offset 5m)               (a + ((b offset 5m)))               0 errors
the left operand of -1 ^ 2      -1
EXPECTED
