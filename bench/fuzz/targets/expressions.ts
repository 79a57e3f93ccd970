/** Input of the stand-in of the metrics service: expressions and their parameters. */
import { createMetricsApi } from '../../../sandbox/metrics/api.ts'
import { BadData, ExecutionFailure, QueryTimeout } from '../../../sandbox/metrics/errors.ts'
import { sampleExpressions } from '../../../sandbox/metrics/index.ts'
import { lineAndColumn, parseExpression, typeNameOf } from '../../../sandbox/metrics/promql/index.ts'
import { linesOf } from '../pieces.ts'
import { Broken, targetsOf } from '../target.ts'
import { ofClass } from '../typed.ts'

const now = Date.UTC(2026, 10, 20)
const api = createMetricsApi({ now: () => now, synthetic: false, maxTimeoutMs: 300 })
const at = `${now / 1000}`
const expressions = Object.values(sampleExpressions)

export const targets = targetsOf(import.meta.url, [
  {
    name: 'expression',
    covers: ['sandbox/metrics/promql'],
    seeds: expressions,
    allows: ofClass(BadData, ExecutionFailure),
    run(input) {
      const text = input.toString('utf8')
      typeNameOf(parseExpression(text))
      lineAndColumn(text, Math.min(3, text.length))
    },
  },
  {
    name: 'metrics-request',
    smoke: 32,
    covers: ['sandbox/metrics'],
    seeds: [
      ...expressions.map((each) => `query\nquery=${encodeURIComponent(each)}&time=${at}&stats=all&limit=2`),
      `range\nquery=up&start=2026-11-19T23:00:00Z&end=${at}&step=5m&timeout=1s&lookback_delta=1m`,
      'rules\ntype=alert&rule_name[]=HighErrorRate&exclude_alerts=true&match[]={severity="page"}',
      'alerts\n',
    ],
    allows: ofClass(QueryTimeout),
    run(input) {
      const [kind, ...rest] = linesOf(input)
      const parameters = new URLSearchParams(rest.join('\n'))
      const { status, body } =
        kind === 'range'
          ? api.queryRange(parameters)
          : kind === 'rules'
            ? api.rules(parameters)
            : kind === 'alerts'
              ? api.alerts()
              : api.query(parameters)
      const answer = JSON.parse(body) as { status?: unknown; errorType?: unknown; error?: unknown }
      if (status >= 500 && answer.errorType === 'internal')
        throw new Broken(`an internal error, ${String(answer.error)}`)
    },
  },
])
