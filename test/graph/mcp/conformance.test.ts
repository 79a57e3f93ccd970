/**
 * The protocol's own conformance suite: all that it requires of a server in either revision, over the tools, resources and
 * prompts that it asks for, behind our gate and handler; and over a running gateway what needs none of them.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { doorOf } from '../../support/agent.ts'
import { startConformanceServer } from '../../support/conformance-server.ts'
import { startGraph } from '../../support/graph.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { longestWaitMs, until } from '../../support/wait.ts'

const suite = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
)

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** What the suite says if nothing came in the second or two that it waits, as on a busy machine. */
const tooLate =
  /^(Failed to (open|receive)|Strict subscription filtering line failed|Capability checking call sequence timed out)|did not complete within|carried no notification frames/

/** The checks of each scenario that was run; again while an answer was too late for the suite. */
async function run(
  href: string,
  ...options: readonly string[]
): Promise<ReadonlyMap<string, readonly Check[]>> {
  let ran: ReadonlyMap<string, readonly Check[]> = new Map()
  await until(
    async () => {
      ran = await runOnce(href, options)
      return ![...ran.values()].flat().some(({ errorMessage = '' }) => tooLate.test(errorMessage))
    },
    () => `no answer that is too late: ${JSON.stringify([...ran.values()].flat())}`,
  )
  return ran
}

async function runOnce(
  href: string,
  options: readonly string[],
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const folder = temporaryFolder()
  const args = [join(suite, 'dist/index.js'), 'server', '--url', href, '-o', folder, ...options]
  // It exits with 1 if a check failed: the checks say more.
  await new Promise<void>((resolve) =>
    execFile(process.execPath, args, { timeout: longestWaitMs }, () => resolve()),
  )
  return new Map(
    readdirSync(folder).map((name) => [
      name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, ''),
      JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
    ]),
  )
}

const failuresIn = (checks: readonly Check[]): readonly Check[] =>
  checks.filter(({ status }) => status === 'FAILURE')

/**
 * What asks the client in the midst of a call, by a request of the server's own. The client says in its first message
 * whether it can be asked, and the MCP server keeps nothing of a message; in 2026-07-28 a result asks instead.
 */
const needSessions: ReadonlySet<string> = new Set([
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
])

test.each([
  ['2026-07-28', 37, 0],
  ['2025-11-25', 30, needSessions.size],
])('all that %s requires of a server is passed', async (revision, count, sessions) => {
  await using server = await startConformanceServer()
  const path = join(suite, 'requirements', `${revision}.yaml`)
  const { server: required } = parse(readFileSync(path, 'utf8')) as { server: string[] }
  expect(required).toHaveLength(count)
  const ran = await run(server.url, '--requirements', revision)
  const wanted = required.filter((scenario) => sessions === 0 || !needSessions.has(scenario))
  expect(wanted).toHaveLength(count - sessions)
  for (const scenario of wanted) {
    const checks = ran.get(scenario) ?? []
    expect({ scenario, failures: failuresIn(checks), ran: checks.length > 0 }).toEqual({
      scenario,
      failures: [],
      ran: true,
    })
  }
})

/** Checks that call a tool which only the suite's own server has. */
const ofItsTools: ReadonlySet<string> = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
])

test('a running gateway passes what needs no tools of the suite', async () => {
  await using graph = await startGraph()
  const { href } = doorOf(graph)
  const [modern, legacy] = await Promise.all([
    run(href, '--scenario', 'server-stateless', '--spec-version', '2026-07-28'),
    run(href, '--scenario', 'tools-list', '--spec-version', '2025-11-25'),
  ])
  const checks = [...modern.values(), ...legacy.values()].flat()
  expect(failuresIn(checks).filter(({ id }) => !ofItsTools.has(id))).toEqual([])
  expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(23)
})
