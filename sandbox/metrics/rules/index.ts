/** The alerting and recording rules of the sample data. */
export { sampleRuleFiles } from './definitions.ts'
export { ruleFiltersFrom } from './filter.ts'
export { recordedSeries } from './recorded-series.ts'
export { RuleManager } from './rule-manager.ts'
