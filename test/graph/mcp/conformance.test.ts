/**
 * The protocol's own conformance suite over a running gateway: the scenarios that need no tools, resources or prompts of
 * the suite's own. Four checks of `server-stateless` call such tools; they are left out here by name.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { doorOf } from '../../support/agent.ts'
import { type Graph, startGraph } from '../../support/graph.ts'

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
)

/** Checks that call a tool which only the suite's own server has. */
const ofItsTools: ReadonlySet<string> = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
])

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

async function checksOf(graph: Graph, scenario: string, revision: string): Promise<readonly Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-conformance-'))
  const { href } = doorOf(graph)
  const args = [
    suite,
    'server',
    '--url',
    href,
    '--scenario',
    scenario,
    '--spec-version',
    revision,
    '-o',
    folder,
  ]
  // It exits with 1 if a check failed: the checks say more.
  await new Promise<void>((resolve) => execFile(process.execPath, args, () => resolve()))
  return readdirSync(folder).flatMap(
    (name) => JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
  )
}

const scenarios: readonly [scenario: string, revision: string, least: number][] = [
  ['server-stateless', '2026-07-28', 20],
  ['tools-list', '2026-07-28', 4],
  ['dns-rebinding-protection', '2026-07-28', 2],
  ['server-initialize', '2025-11-25', 2],
  ['ping', '2025-11-25', 2],
  ['tools-list', '2025-11-25', 3],
  ['dns-rebinding-protection', '2025-11-25', 2],
]

test.each(scenarios)('%s of %s is passed', { timeout: 120_000 }, async (scenario, revision, least) => {
  await using graph = await startGraph()
  const checks = await checksOf(graph, scenario, revision)
  const failed = checks.filter(({ id, status }) => status === 'FAILURE' && !ofItsTools.has(id))
  expect(failed).toEqual([])
  expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(least)
})
