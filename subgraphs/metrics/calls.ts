/** What the fields of the metrics subgraph cost in calls: one each. */
import type { PlainCalls, ServiceCalls } from '../lib/calls.ts'

const plain = (operation: string): PlainCalls => ({ kind: 'plain', calls: () => [operation] })

export const metricsCalls: ServiceCalls = {
  service: 'metrics',
  prices: {},
  fields: {
    'Metrics.query': plain('metrics.query'),
    'Metrics.queryRange': plain('metrics.queryRange'),
    'Metrics.ruleGroups': plain('metrics.rules'),
    'Metrics.alerts': plain('metrics.alerts'),
    'Metrics.buildInfo': plain('metrics.buildInfo'),
  },
  entities: {},
  apart: {},
}
