/** The kit is public: each of its exports has a doc comment if it is declared. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../support/deploy.ts'

interface Exported {
  readonly name: string
  readonly file: string
}

/** What an index file exports, by the files that it names. */
function exportsOf(file: string): Exported[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', path = '']) =>
      names
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter((name) => name !== '')
        .map((name) => ({ name, file: join(file, '..', path) })),
  )
}

/** Where it is declared: in the file that is named, or in the one from which that file has it. */
function declarationOf({ name, file }: Exported): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const at = lines.findIndex((line) =>
    new RegExp(`^export (?:declare )?(?:const|function|async function|interface|type|class) ${name}\\b`).test(
      line,
    ),
  )
  if (at >= 0) return lines.slice(0, at + 1)
  const passed = exportsOf(file).find((each) => each.name === name)
  if (passed === undefined || !existsSync(passed.file)) throw new Error(`${name} is not declared in ${file}`)
  return declarationOf(passed)
}

const all = exportsOf(join(root, 'subgraphs/kit/index.ts'))

test('every export of the kit says what it means', () => {
  expect(all.length).toBeGreaterThan(50)
  const silent = all.filter((exported) => !declarationOf(exported).at(-2)?.trimEnd().endsWith('*/'))
  expect(silent.map(({ name }) => name)).toEqual([])
})
