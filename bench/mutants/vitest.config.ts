/**
 * The tests of one area, run as `npm test` runs them: Node itself runs the TypeScript, which is the mutated source
 * here.
 */
import { matchesGlob, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longestWaitMs } from '../../test/support/wait.ts'
import { areas } from './areas.ts'
import { keptPool } from './kept-pool.ts'

const area = areas[process.env.TESSERA_MUTANTS_AREA ?? '']
if (area === undefined)
  throw new Error('TESSERA_MUTANTS_AREA: expected the name of an area, which `npm run mutants` sets')
const { tests } = area

/** The order of the area. Quick tests come first, because the first failing test decides about a mutant. */
class AsListed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      tests.findIndex((glob) => matchesGlob(relative('.', moduleId), glob))
    return files.toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  plugins: [
    {
      name: 'kept-pool',
      // It is here because Stryker's runner overrides the pools of the configuration.
      configureVitest({ project }) {
        project.config.pool = keptPool.name
        project.config.poolRunner = keptPool
      },
    },
  ],
  test: {
    include: [...tests],
    globalSetup: ['test/support/run-folder.ts'],
    setupFiles: ['test/support/seed.ts', 'bench/mutants/setup.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    isolate: false,
    sequence: { sequencer: AsListed },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: longestWaitMs, interval: 25 } },
  },
})
