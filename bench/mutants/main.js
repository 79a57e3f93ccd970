/**
 * `npm run mutants -- AREA [FILE...]`: Stryker makes small changes to the source of an area, one at a time, and
 * runs the area's tests against each. It prints the changes that no test noticed, and the score: the share of
 * changes that made a test fail or hang. Files of the source narrow the area. Stryker's own report is
 * `bench/mutants/out/AREA.json`.
 */
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Stryker } from '@stryker-mutator/core'
import { areas, leftOut } from './areas.ts'

const [name = '', ...files] = process.argv.slice(2)
const area = areas[name]
if (area === undefined) {
  console.error(`mutants: expected one of the areas ${Object.keys(areas).join(', ')}, not "${name}"`)
  process.exit(2)
}

// It uses a processor for minutes, which other work may need.
setPriority(10)
process.env.TESSERA_MUTANTS_AREA = name
const results = await new Stryker({
  mutate: files.length > 0 ? files : [...area.source],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', fileURLToPath(new URL('./unnoticed.js', import.meta.url))],
  vitest: { configFile: 'bench/mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // Stryker would rewrite tsconfig.json with the compiler API of TypeScript before 7. Nothing that runs here reads
  // the file.
  tsconfigFile: 'bench/mutants/no-tsconfig.json',
  tempDirName: 'bench/mutants/out/sandbox',
  cleanTempDir: 'always',
  ignorePatterns: [...leftOut],
  reporters: ['json', 'progress-append-only', 'unnoticed'],
  jsonReporter: { fileName: `bench/mutants/out/${name}.json` },
  allowConsoleColors: false,
}).runMutationTest()

const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length
const noticed = count('Killed', 'Timeout')
const all = noticed + count('Survived', 'NoCoverage')
console.log(
  `${name}: ${all} mutants, ${count('Killed')} killed, ${count('Timeout')} timed out, ` +
    `${count('Survived')} survived, ${count('NoCoverage')} not run by a test, ` +
    `${results.length - all} not valid: ${((100 * noticed) / all).toFixed(1)} %`,
)
