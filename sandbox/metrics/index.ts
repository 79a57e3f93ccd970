/** The stand-in of the metrics service, with an evaluator of its language, rules and alerts. */
export { sandboxBuildInfo } from './api.ts'
export { sampleRuleFiles } from './rules/index.ts'
export { downTarget, sampleExpressions } from './samples.ts'
export { createMetricsStandIn, type MetricsStandInOptions } from './stand-in.ts'
