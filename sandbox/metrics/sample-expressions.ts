/** Expressions over the sample series, named after what is special about their responses. */
export const sampleExpressions = {
  vector: 'up',
  scalar: '1 + 2',
  string: '"text"',
  matrix: 'up[1m]',
  empty: 'no_such_metric',
  specialFloats: 'special_value',
  nativeHistogram: 'rpc_latency_seconds',
  classicHistogram: 'http_request_duration_seconds_bucket{instance="api-1:8080"}',
  rate: 'sum by (job) (rate(http_requests_total[5m]))',
  /** The response has a warning. */
  warned: 'quantile(2, up)',
  /** The response has an info, because the metric is not named like a counter. */
  annotated: 'rate(queue_length[5m])',
  /** It does not parse. */
  malformed: 'up{',
  /** It parses, but fails in evaluation. */
  ambiguous: 'up * on (job) group_left () {__name__=~"up|scrape_duration_seconds"}',
  /** It parses, but this evaluator does not implement it. */
  unsupported: 'max_over_time(up[1h:1m])',
  unusualLabels: 'text_labels',
} as const
