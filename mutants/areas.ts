/**
 * What is mutated, and what must notice it: for each area the source, and the tests that are run against each mutant.
 * The tests are those that are quick and stand for the area's behaviour; random campaigns of many minutes and tests
 * that start processes are left out.
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
    source: ['gateway/access/authorize/**/*.ts', 'gateway/engine/supergraph/{directives,features}.ts'],
    tests: [
      'test/gateway/access/authorize/{requirement,grant,refusal,step-up,rules,selection,weight}.test.ts',
      'test/gateway/access/authorize/{leaks,paths,holes,router-semantics,abstract-types,authorize}.test.ts',
      'test/gateway/access/authorize/{positions,same-key,random}.test.ts',
      'test/gateway/engine/supergraph/*.test.ts',
    ],
  },
  quota: {
    source: ['gateway/budget/quota/*.ts'],
    tests: ['test/gateway/budget/quota/{ledger,quota}.test.ts'],
  },
  'redis-ledger': {
    source: ['gateway/budget/quota/redis-ledger/*.ts'],
    // Not the tests beside them, of what is lost with gateways and primaries: each takes as long as all of these.
    tests: ['test/gateway/budget/quota/redis-ledger/{debts,restoring,steps}.test.ts'],
  },
  errors: {
    source: ['gateway/http/mask.ts', 'subgraphs/kit/service-message.ts', 'subgraphs/kit/upstream/failure.ts'],
    tests: [
      'test/gateway/http/mask.test.ts',
      'test/subgraphs/kit/service-message.test.ts',
      'test/subgraphs/kit/upstream/failure.test.ts',
    ],
  },
  compiled: {
    source: ['fast/compiled/*.ts'],
    tests: ['test/fast/compiled/{code,execute}.test.ts'],
  },
  writer: {
    source: ['fast/writer/*.ts'],
    tests: ['test/fast/writer/{generator,writer}.test.ts'],
  },
  planner: {
    source: ['gateway/engine/plan/**/*.ts'],
    tests: [
      'test/gateway/engine/plan/{conditions,required,cost,stages,type-sets,clock}.test.ts',
      'test/gateway/engine/plan/{groups,merge-groups,draft,join,graph,assemble,estimate,attempt}.test.ts',
      'test/gateway/engine/plan/{serial-order,selected,reach,requirements,parts,split-groups,write,planner,search,tree,options}.test.ts',
      'test/gateway/engine/plan/drawn-plans.test.ts',
      'test/gateway/engine/plan/{cases,plan}.test.ts',
      'test/gateway/engine/labels.test.ts',
      'test/gateway/engine/incremental/{directives,cases}.test.ts',
      'test/gateway/engine/federation/{lost-requirements,exact-answers}.test.ts',
      'test/gateway/engine/federation/{entities,operations,planning,directives}.test.ts',
      'test/gateway/engine/plan/{bounds,turns}.test.ts',
    ],
  },
}
