/**
 * The areas of mutation: for each its source, and the tests that are run against each mutant. The tests are quick
 * ones that cover the area's behaviour. Random campaigns of many minutes, and tests that start processes, are left
 * out.
 */
export interface Area {
  readonly source: readonly string[]
  /** Quick ones first. */
  readonly tests: readonly string[]
}

export const areas: Readonly<Record<string, Area>> = {
  pagination: {
    source: ['subgraphs/kit/pagination/**/*.ts'],
    tests: ['test/subgraphs/kit/pagination/*.test.ts'],
  },
  batching: {
    source: ['subgraphs/kit/batching/**/*.ts'],
    tests: ['test/subgraphs/kit/batching/*.test.ts'],
  },
  authorize: {
    source: ['gateway/auth/authorize/**/*.ts', 'engine/supergraph/{directives,features}.ts'],
    tests: [
      'test/gateway/auth/authorize/{requirement,grant,refusal,step-up,access-rules,field-sites,field-use}.test.ts',
      'test/gateway/auth/authorize/{leaks,paths,holes,router-semantics,abstract-types,authorize}.test.ts',
      'test/gateway/auth/authorize/{response-positions,same-response-key,random}.test.ts',
      'test/engine/supergraph/*.test.ts',
    ],
  },
  quota: {
    source: ['gateway/costs/quota/{ledger,quota}.ts'],
    tests: ['test/gateway/costs/quota/{ledger,quota}.test.ts'],
  },
  'redis-ledger': {
    source: ['gateway/costs/quota/redis-ledger/*.ts'],
    // The tests about lost gateways and primaries are left out, because each takes as long as all of these.
    tests: ['test/gateway/costs/quota/redis-ledger/{pending-writes,restoring,steps}.test.ts'],
  },
  errors: {
    source: [
      'gateway/pipeline/mask.ts',
      'subgraphs/kit/service-message.ts',
      'subgraphs/kit/rest-client/failure.ts',
    ],
    tests: [
      'test/gateway/pipeline/mask.test.ts',
      'test/subgraphs/kit/service-message.test.ts',
      'test/subgraphs/kit/rest-client/failure.test.ts',
    ],
  },
  'response-cache': {
    source: ['gateway/response-cache/{freshness,storage-policy}.ts'],
    tests: ['test/gateway/response-cache/{freshness,storage-policy,stored-responses,callers}.test.ts'],
  },
  'in-process': {
    source: ['engine/subgraphs/in-process/executor/*.ts'],
    tests: ['test/engine/subgraphs/in-process.test.ts', 'test/engine/subgraphs/in-process/*.test.ts'],
  },
  writer: {
    source: ['engine/response/write.ts'],
    tests: ['test/engine/response/write.test.ts'],
  },
  planner: {
    source: ['engine/planner/**/*.ts'],
    tests: [
      'test/engine/planner/**/*.test.ts',
      'test/engine/operation/labels.test.ts',
      'test/engine/executor/incremental/{directives,cases}.test.ts',
      'test/graph/federation/{lost-requirements,exact-answers}.test.ts',
      'test/graph/federation/{entities,operations,planning,directives}.test.ts',
    ],
  },
}

/** What Stryker does not copy, as it writes patterns. The runs' own configuration and what it imports are copied. */
export const leftOut = [
  '/bench/**',
  '!/bench/*.ts',
  '!/bench/mutants/*.ts',
  '/deploy/**',
  '/dist/**',
  '/examples/**',
]
