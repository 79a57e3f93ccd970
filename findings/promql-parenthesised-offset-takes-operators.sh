#!/usr/bin/env bash
# Software: github.com/prometheus/prometheus v0.316.0 (Prometheus 3.16, Go): its parser of PromQL.
#
# An offset that begins with a parenthesis takes the arithmetic operators after it. `up offset (5m) - 10m` is one selector
# that looks five minutes into the future, while `up offset 5m - 10m` subtracts 600 from the values of five minutes ago,
# and so does `up offset +(5m) - 10m`. Only a duration may follow, so `up offset (5m) - up` is refused, which
# `up offset 5m - up` is not. The documentation asks for parentheses around a computed offset. The whole selector in
# parentheses, `(up offset (5m)) - up`, is read as one expects.
#
# Source: `offset_duration_expr` in promql/parser/generated_parser.y, whose last alternative is any `duration_expr`.
#
# Seen on 2026-11-30:
#   up offset 5m - 10m      an operation
#   up offset (5m) - 10m    a selector
#   up offset +(5m) - 10m   an operation
#   up offset 5m - up       an operation
#   up offset (5m) - up     1:18: parse error: unexpected identifier "up" in offset, expected number, duration, step(), or range()
#   (up offset (5m)) - up   an operation
set -euo pipefail
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
cat > go.mod <<'MOD'
module example.com/offsets

go 1.26

require github.com/prometheus/prometheus v0.316.0
MOD
cat > main.go <<'GO'
package main

import (
	"fmt"

	"github.com/prometheus/prometheus/promql/parser"
)

func kindOf(query string) string {
	expression, err := parser.NewParser(parser.Options{}).ParseExpr(query)
	if err != nil {
		return err.Error()
	}
	switch expression.(type) {
	case *parser.VectorSelector:
		return "a selector"
	case *parser.BinaryExpr:
		return "an operation"
	}
	return fmt.Sprintf("%T", expression)
}

func main() {
	for _, query := range []string{
		"up offset 5m - 10m", "up offset (5m) - 10m", "up offset +(5m) - 10m",
		"up offset 5m - up", "up offset (5m) - up", "(up offset (5m)) - up",
	} {
		fmt.Printf("%-23s %s\n", query, kindOf(query))
	}
}
GO
go mod tidy 2>/dev/null
go run . | tee seen.txt
diff seen.txt - <<'EXPECTED'
up offset 5m - 10m      an operation
up offset (5m) - 10m    a selector
up offset +(5m) - 10m   an operation
up offset 5m - up       an operation
up offset (5m) - up     1:18: parse error: unexpected identifier "up" in offset, expected number, duration, step(), or range()
(up offset (5m)) - up   an operation
EXPECTED
