/** The commands of the benchmarks, the fuzzer and the mutation tests on the pages have options and names that exist. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { readFuzzOptions } from '../../bench/fuzz/options.ts'
import { targets } from '../../bench/fuzz/targets/index.ts'
import { readHistoriesOptions } from '../../bench/histories/options.ts'
import { areas, leftOut } from '../../bench/mutants/areas.ts'
import { readOptions } from '../../bench/options.ts'
import { readSoakOptions } from '../../bench/soak/options.ts'
import { root } from '../support/deploy.ts'

const readers: Readonly<Record<string, (args: readonly string[]) => unknown>> = {
  bench: readOptions,
  soak: readSoakOptions,
  histories: readHistoriesOptions,
  fuzz: (args) =>
    readFuzzOptions(
      args,
      targets.map(({ name }) => name),
    ),
  mutants([area = '', ...files]) {
    const missing = files.filter((file) => !existsSync(join(root, file)))
    if (!(area in areas) || missing.length > 0) throw new Error(`no area ${area}, or no ${missing}`)
  },
}

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((page) => page !== '' && page !== 'CHANGELOG.md')

/** Those with a word in capitals are forms to fill in, and those of `--start` are read by `bench/start.ts`. */
const commands = pages.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/npm run (\w+) -- ([^`\n]+)/g)]
    .map(([text, name = '', args = '']) => ({
      place: `${page}: ${text}`,
      name,
      args: args.trim().split(/ +/),
    }))
    .filter(({ name, args }) => name in readers && !args.some((arg) => /^(?:[A-Z]+|--start)$/.test(arg))),
)

test.each(commands)('$place', ({ name, args }) => {
  expect(() => readers[name]?.(args)).not.toThrow()
})

test('they are found', () => {
  expect(new Set(commands.map(({ name }) => name))).toEqual(new Set(Object.keys(readers)))
})

test.each(['mutants/vitest.config.ts', 'mutants/setup.ts', 'operations.ts'])(
  'the copy of the tree for mutation tests has bench/%s',
  (file) => {
    const last = leftOut.findLast((pattern) => matchesGlob(join('/bench', file), pattern.replace('!', '')))
    expect(last).toMatch(/^!/)
  },
)
