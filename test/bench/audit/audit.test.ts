/**
 * The authorization audit (`bench/audit/`) on this gateway, as anybody would run it: all cases pass. If everything is
 * checked (`campaign-size.ts`), also on this gateway with its authorization off, so that it is seen to find what it is
 * for.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { cases } from '../../../bench/audit/cases/index.ts'
import { graphs } from '../../../bench/audit/graphs/index.ts'
import { audit } from '../../../bench/audit/lib/audit.ts'
import { failuresOf } from '../../../bench/audit/lib/report.ts'
import { holes, roads } from '../../../bench/audit/lib/types.ts'
import { isFull } from '../../support/campaign-size.ts'
import { commandsVariable } from '../../support/compile-cache.ts'
import { main } from '../../support/process.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** In a shell, with this Node, and what the audit tells in its variables. */
const command = (more = ''): string =>
  `TESSERA_JWT_SECRET="$AUDIT_JWT_SECRET" TESSERA_JWT_ISSUER="$AUDIT_JWT_ISSUER" TESSERA_JWT_AUDIENCE="$AUDIT_JWT_AUDIENCE" TESSERA_LOG_LEVEL=error TESSERA_MAX_WAIT_MS=0 NODE_COMPILE_CACHE="$${commandsVariable}" ${more} exec '${process.execPath}' '${main}' serve --port {port} --supergraph {supergraph}`

const run = (more?: string, chosen = cases) =>
  audit({ command: command(more), path: '/graphql', startMs: 120_000, graphs, cases: chosen })

describe('the authorization audit', () => {
  test('has a case of every hole, on every road, each with its own name', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
    expect(new Set(cases.map(({ hole }) => hole))).toEqual(new Set(holes))
    expect(new Set(cases.map(({ road }) => road))).toEqual(new Set(roads))
  })

  test('is passed by this gateway', async () => {
    const outcomes = await run()
    expect(failuresOf(outcomes)).toBe('')
    expect(outcomes.length).toBe(cases.length)
  })

  test.skipIf(!isFull)('fails, in every hole, if nothing is refused', async () => {
    const some = cases.filter((one, at) => at % 6 === 0 || cases[at - 1]?.hole !== one.hole)
    const outcomes = await run('TESSERA_AUTHORIZATION=dry-run', some)
    const failed = outcomes.filter(({ verdict }) => verdict !== 'pass')
    expect(new Set(failed.map(({ hole }) => hole))).toEqual(new Set(holes))
    expect(failed.map(({ road }) => road)).toEqual(expect.arrayContaining(['deferred', 'live']))
    // What is not about rules passes: inaccessible fields, introspection, what is open to everybody.
    expect(failed.length).toBeGreaterThan(some.length * 0.7)
  })

  test('is independent: it imports only its own files and packages', () => {
    const folder = join(root, 'bench/audit')
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.includes('node_modules'),
    )
    for (const file of files)
      for (const [, from = ''] of readFileSync(join(folder, file), 'utf8').matchAll(/from '([^']+)'/g)) {
        if (from.startsWith('node:') || Object.hasOwn(dependencies, from)) continue
        expect(join(folder, file, '..', from).startsWith(folder), `${file} imports ${from}`).toBe(true)
      }
  })
})
