/** docs/scaling.md is held to what it speaks of: variables, files, metrics. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../../gateway/config/index.ts'
import { routerHeader } from '../../shared/http/signature.ts'
import { root } from '../support/deploy.ts'
import { startGraph } from '../support/graph.ts'

const text = readFileSync(join(root, 'docs/scaling.md'), 'utf8')

test('it names no variable and no file that there is not', () => {
  const names = [...text.matchAll(/`(TESSERA_[A-Z_]+)/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) expect(settings.map(({ env }) => env)).toContain(name)
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  for (const link of links)
    expect([link, existsSync(join(root, 'docs', link.replace(/#.*/, '')))]).toEqual([link, true])
  for (const [path] of text.matchAll(/deploy\/kubernetes\/[\w./-]+/g)) {
    expect([path, existsSync(join(root, path))]).toEqual([path, true])
  }
  expect(text.toLowerCase()).toContain(`\`${routerHeader}\``)
})

test('it tells metrics that a gateway has, with labels that they have', async () => {
  await using graph = await startGraph()
  await graph.ask('{ chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } }')
  const served = await (await fetch(new URL('/metrics', graph.url))).text()
  const named = new Set(
    [...text.matchAll(/\b((?:tessera|process|nodejs)_[a-z0-9_]+)/g)].map(([, name = '']) => name),
  )
  expect(named.size).toBeGreaterThan(5)
  // Some have no series before something happens that this process alone never does.
  for (const name of named) expect(served).toMatch(new RegExp(`^(# TYPE ${name} |${name}(_count)?[{ ])`, 'm'))
  expect(served).toMatch(
    /^tessera_upstream_duration_seconds_count\{service="videos",operation="[^"]+",outcome="[^"]+"\}/m,
  )
  expect(served).toMatch(/^tessera_operation_cache_total\{result="miss"\}/m)
})
