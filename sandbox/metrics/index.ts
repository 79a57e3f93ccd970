/**
 * The stand-in of the metrics service: five endpoints over sample series, with an evaluator of the expression
 * language, rules and alerts. An expression has the same result as in Prometheus, or is refused with the same
 * error.
 */
export { sandboxBuildInfo } from './api.ts'
export { sampleRuleFiles } from './rules/index.ts'
export { downTarget, sampleExpressions } from './samples.ts'
export { createMetricsStandIn, type MetricsStandInOptions } from './stand-in.ts'
