/** The step of the recipes in `examples/ci` that checks operations, in a repository of its own. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { compose } from '../../engine/supergraph/compose/index.ts'
import { root } from '../support/deploy.ts'
import { command, environment } from '../support/process.ts'
import { temporaryFolder } from '../support/temporary.ts'

const read = (name: string) => parse(readFileSync(join(root, 'examples/ci', name), 'utf8'))
const steps: readonly { readonly run?: string }[] = read('github.yml').jobs.graph.steps
const recipes: readonly (readonly [string, string])[] = [
  ['github', steps.find(({ run }) => run?.includes('tessera persist'))?.run ?? ''],
  ['gitlab', read('gitlab.yml').persist.script.join('\n')],
]

const typeDefs = 'type Query { shelf: String }'
const { supergraph = '' } = compose([{ name: 'shelves', url: 'http://127.0.0.1:1/', typeDefs }])

test.each(recipes)(
  '%s checks operations by the supergraph of the repository, and its manifest',
  (_, script) => {
    const folder = temporaryFolder()
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
    const run = () => {
      const npx = `npx() { shift; ${[process.execPath, ...command].map((word) => `'${word}'`).join(' ')} "$@"; }`
      return spawnSync('bash', ['-e', '-c', `${npx}\n${script}`], {
        cwd: folder,
        encoding: 'utf8',
        env: environment(),
      })
    }
    git('init', '--quiet')
    mkdirSync(join(folder, 'operations'))
    writeFileSync(join(folder, 'supergraph.graphql'), supergraph)
    writeFileSync(join(folder, 'operations/shelf.graphql'), 'query Shelf { shelf }')

    const withoutManifest = run()
    expect([withoutManifest.status, withoutManifest.stdout]).toEqual([
      1,
      expect.stringContaining('"name": "Shelf"'),
    ])
    git('add', 'persisted.json')
    const committed = run()
    expect([committed.status, committed.stderr]).toEqual([0, expect.any(String)])
    writeFileSync(join(folder, 'operations/more.graphql'), 'query More { __typename }')
    const outdated = run()
    expect([outdated.status, outdated.stdout]).toEqual([1, expect.stringContaining('"name": "More"')])
  },
)
