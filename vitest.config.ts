/**
 * The files of tests run as Node runs the product: TypeScript by Node itself, packages as Node finds them. A worker
 * loads each module once for all of its files, as loading takes longer than most tests do; files that look at the
 * memory or the flags of the whole process have a process of their own. What is compiled is kept for later runs.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { filesInNeed } from './test/peers/needs.ts'
import { drawsAll } from './test/support/campaign-size.ts'
import { keepCompiled } from './test/support/compile-cache.ts'
import { longestWaitMs } from './test/support/wait.ts'

/** What these ask and answer passes every way that exists only for speed: CONTRIBUTING.md says why these. */
const bothWays = [
  'estimates',
  'existing-graph',
  'faults',
  'metrics-results',
  'operations',
  'paging-and-batching',
  'partial-failures',
  'scopes',
  'statuses',
].map((name) => `test/graph/${name}.test.ts`)

/**
 * A worker makes short-lived objects from its first test on; a young space that starts at its usual 1 MB is collected all
 * the time until it has grown. An old space that starts small is collected whole whenever it has doubled, although nearly
 * all of it are modules. Threads that help to collect have no core of their own here. Code that runs a few times is
 * faster if it records types from its first call on. TurboFan takes more time than its code saves, except if all random
 * cases are drawn.
 */
const execArgv = [
  '--initial-old-space-size=512',
  '--min-semi-space-size=32',
  '--max-semi-space-size=64',
  '--single-threaded-gc',
  '--no-lazy-feedback-allocation',
  ...(drawsAll ? [] : ['--no-turbofan']),
]

/** What looks at a whole process: its memory, its flags, how objects are laid out in it. */
const alone = [
  'test/runtime/**/*.test.ts',
  // All waiters of a process share one timer, which is a fake one here.
  'test/shared/runtime/deadlines.test.ts',
]

/** Files that take longest, so that none of them begins last, when the other workers have nothing left to do. */
const longest = [
  'test/graph/repeated-operations.test.ts',
  'test/package/',
  'test/graph/explorer-access.test.ts',
  'test/gateway/cluster/',
  'test/graph/federation/random-graphs.test.ts',
  'test/graph/federation/random-faults.test.ts',
  'test/graph/faults.test.ts',
  'test/bench/live.test.ts',
  'test/gateway/costs/quota/redis-ledger/steps.test.ts',
  'test/graph/live/events.test.ts',
  'test/graph/explorer-page/',
  'test/graph/idempotency-redis.test.ts',
  'test/gateway/cli/',
  'test/examples/live-dashboard.test.ts',
  'test/graph/resilience.test.ts',
  'test/contributing.test.ts',
  'test/graph/live/',
  'test/subgraphs/kit/rest-client/',
  'test/graph/replicas.test.ts',
  'test/deploy/',
  'test/gateway/stores/polls/',
  'test/bench/',
  'test/graph/telemetry.test.ts',
  'test/subgraphs/metrics/live-prometheus.test.ts',
  'test/bench/audit/',
  'test/sandbox/agents.test.ts',
  'test/graph/router/',
  'test/gateway/response-cache/',
  'test/graph/idempotency.test.ts',
  'test/examples/',
  'test/graph/query-deduplication.test.ts',
  'test/graph/fifth-service.test.ts',
  'test/graph/quota.test.ts',
  'test/graph/upload.test.ts',
  'test/engine/executor/incremental/random.test.ts',
  'test/graph/federation/split-schema.test.ts',
  'test/graph/federation/random.test.ts',
  'test/graph/scopes.test.ts',
  'test/gateway/costs/',
  'test/graph/federation/planning.test.ts',
  'test/support/random-federation/',
  'test/gateway/server/connections.test.ts',
  'test/subgraphs/videos/live-cost.test.ts',
  'test/engine/subgraphs/events/',
  'test/subgraphs/metrics/',
  'test/graph/oauth.test.ts',
  'test/graph/first-steps.test.ts',
  'test/schema/',
]

/** Tests that need packages that are not installed are left out with a warning, except if everything is checked. */
const inNeed = process.env.CI === 'true' ? [] : [...leftOut()]

function leftOut(): Iterable<string> {
  const files = filesInNeed(['test'], 'at run time', (path) => path.endsWith('.test.ts'))
  if (files.size > 0)
    console.info(
      `skipped: ${files.size} files that need packages which \`npm run setup:peers\` installs: ${[...files.keys()].join(', ')}`,
    )
  return files.keys()
}

keepCompiled(fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)))

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification): number => {
      const found = longest.findIndex((path) => file.moduleId.includes(`/${path}`))
      return found === -1 ? longest.length : found
    }
    const sorted = await super.sort(files)
    // A worker stays with one project, so projects must stay together.
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).sort((a, b) => rank(a) - rank(b)),
    )
  }
}

export default defineConfig({
  test: {
    globalSetup: [
      'test/support/environment.ts',
      'test/support/run-folder.ts',
      'test/support/campaign-size.ts',
      'test/support/bundled-commands.ts',
    ],
    setupFiles: ['test/support/worker.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    isolate: false,
    // So long that it is passed only by what hangs: how fast things are is for bench/ to say.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: longestWaitMs, interval: 25 } },
    // More than the two cores of the usual machine: half of the time of the tests is waiting for processes and timers.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'alone', include: alone, exclude: inNeed, isolate: true } },
      {
        extends: true,
        test: { name: 'tessera', include: ['test/**/*.test.ts'], exclude: [...alone, ...inNeed], execArgv },
      },
      ...(process.env.CI === 'true'
        ? [
            {
              extends: true as const,
              test: { name: 'plain', include: bothWays, env: { TESSERA_TEST_PLAIN: 'true' }, execArgv },
            },
          ]
        : []),
    ],
  },
})
