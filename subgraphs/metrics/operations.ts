/**
 * The operations of the metrics service, and which of them each field needs. The client sends them, and the gateway
 * estimates operations from them.
 */
import type { ServiceCalls, ServiceOperation } from '../../shared/service-calls.ts'
import { listCalls, plainCalls } from '../kit/calls.ts'

const read = { method: 'GET', safe: true } as const

export const operations = {
  query: { ...read, name: 'metrics.query', path: '/api/v1/query' },
  queryRange: { ...read, name: 'metrics.queryRange', path: '/api/v1/query_range' },
  rules: {
    ...read,
    name: 'metrics.rules',
    path: '/api/v1/rules',
    pages: { maxPageSize: 500, defaultPageSize: 100 },
  },
  alerts: { ...read, name: 'metrics.alerts', path: '/api/v1/alerts' },
  buildInfo: { ...read, name: 'metrics.buildInfo', path: '/api/v1/status/buildinfo' },
} as const satisfies Readonly<Record<string, ServiceOperation>>

export const metricsCalls: ServiceCalls = {
  service: 'metrics',
  fields: {
    'Metrics.query': plainCalls(operations.query),
    'Metrics.queryRange': plainCalls(operations.queryRange),
    'Metrics.ruleGroups': plainCalls(operations.rules),
    'Metrics.ruleGroupsConnection': listCalls(operations.rules),
    'Metrics.alerts': plainCalls(operations.alerts),
    'Metrics.buildInfo': plainCalls(operations.buildInfo),
  },
  polls: {
    metricsQuery: { calls: plainCalls(operations.query), everySeconds: 15 },
    metricsRange: { calls: plainCalls(operations.queryRange), everySeconds: 15 },
    alertChanged: { calls: plainCalls(operations.alerts, operations.rules), everySeconds: 15 },
  },
  entities: {},
}
