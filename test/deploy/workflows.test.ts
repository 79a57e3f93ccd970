/** The workflow files call scripts that there are, on the Nodes that the package is for, with no more rights than needed. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { root } from '../support/deploy.ts'
import { temporaryFolder } from '../support/temporary.ts'

interface Step {
  readonly run?: string
  readonly uses?: string
}

interface Job {
  readonly steps?: readonly Step[]
  readonly uses?: string
  readonly needs?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly strategy?: { readonly matrix: { readonly node: readonly string[] } }
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  engines: { node: string }
  version: string
}
const folder = '.github/workflows'
const workflows = readdirSync(join(root, folder)).map(
  (name) => [name, parseYaml(read(join(folder, name))) as Workflow] as const,
)

test.each(workflows)('%s calls only scripts that there are', (_name, { jobs }) => {
  for (const { steps = [] } of Object.values(jobs)) {
    const runs = steps.map(({ run = '' }) => run).join('\n')
    for (const [, script = ''] of runs.matchAll(/npm run ([\w:]+)/g))
      expect(manifest.scripts).toHaveProperty(script)
    for (const [path] of runs.matchAll(/\.ci\/\w+/g))
      expect(statSync(join(root, path)).mode & 0o111).not.toBe(0)
    for (const [path] of runs.matchAll(/\b(?:test|deploy)\/[\w./-]+/g))
      expect(statSync(join(root, path)).isFile()).toBe(true)
  }
})

test.each(workflows)(
  '%s has no more permissions than it needs, and ends by itself',
  (_name, { permissions, jobs }) => {
    expect(permissions).toEqual({ contents: 'read' })
    for (const [name, job] of Object.entries(jobs)) {
      if (job.uses === undefined) expect(job['timeout-minutes'], name).toBeLessThanOrEqual(60)
      if (job.permissions !== undefined)
        expect([name, job.permissions]).toEqual(['publish', { contents: 'read', 'id-token': 'write' }])
    }
  },
)

test('the tests run on the oldest Node that is supported, on ours and on the newest', () => {
  const [, ci] = workflows.find(([name]) => name === 'ci.yml') ?? []
  expect(ci?.jobs.test?.strategy?.matrix.node).toEqual([
    /\d+/.exec(manifest.engines.node)?.[0],
    read('.nvmrc').trim(),
    'current',
  ])
})

test('nothing is published before everything was checked', () => {
  const [, release] = workflows.find(([name]) => name === 'release.yml') ?? []
  expect(release?.jobs.publish?.needs).toBe('check')
  expect(release?.jobs.check?.uses).toBe('./.github/workflows/ci.yml')
})

test('a release is refused until the tag, the version, the changelog and the repository fit', () => {
  const place = temporaryFolder()
  mkdirSync(join(place, '.ci'))
  writeFileSync(join(place, '.ci/release'), read('.ci/release'), { mode: 0o755 })
  const tried = (tag: string, changelog: string, more: object): string => {
    writeFileSync(join(place, 'package.json'), JSON.stringify({ version: '1.2.0', type: 'module', ...more }))
    writeFileSync(join(place, 'CHANGELOG.md'), changelog)
    const { status, stderr } = spawnSync(join(place, '.ci/release'), [tag], { encoding: 'utf8' })
    return status === 0 ? 'fine' : stderr
  }
  const changelog = '# Changelog\n\n## [1.2.0] - 2026-12-01\n'
  const repository = { repository: 'somewhere' }
  expect(tried('v1.2.0', changelog, repository)).toBe('fine')
  expect(tried('v1.3.0', changelog, repository)).toMatch(/the tag is v1\.3\.0/)
  expect(tried('v1.2.0', '## [Unreleased]\n', repository)).toMatch(/CHANGELOG\.md has no section/)
  expect(tried('v1.2.0', changelog, {})).toMatch(/names no repository/)
})
