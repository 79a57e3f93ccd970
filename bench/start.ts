/**
 * What a start takes: CPU time from the start of the process to its first answer, and resident memory two seconds later,
 * in turns, with medians. This checkout and each further one that is named serve the sandbox, a supergraph of four
 * subgraphs, and one of 500; other gateways serve the second. Then it is measured what clients notice of a reload of the
 * last. Each process keeps what Node compiles of it.
 *
 * `npm run bench -- --start [--against FOLDER]… [--rounds N] [--only sandbox|small|large|reload]`
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { messageOf } from '../shared/runtime/thrown.ts'
import { subgraphsAt, supergraphAt } from './federated/graph.ts'
import { largeSupergraph } from './large-supergraph.ts'
import { median } from './median.ts'
import { cpuOf, endAll, endAllWithUs, residentOf, type Started, start, startWorker } from './processes.ts'
import { startRouter } from './routers.ts'
import { measureReload, type ReloadFigures } from './start-reload.ts'

const { values } = parseArgs({
  options: {
    start: { type: 'boolean' },
    against: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '9' },
    only: { type: 'string', multiple: true, default: ['sandbox', 'small', 'large', 'reload'] },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-start-'))
const checkouts = [fileURLToPath(new URL('..', import.meta.url)), ...values.against]
/** A supergraph of 500 subgraphs and 5,000 types. */
const large = (): string => write('large.graphql', largeSupergraph())
const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') }

interface Candidate {
  readonly name: string
  start(): Promise<Started>
}

interface Case {
  readonly title: string
  readonly query: string
  readonly candidates: readonly Candidate[]
}

/** A checkout runs its bundle, or its sources if it has none. */
const tessera = (args: readonly string[]): Candidate[] =>
  checkouts.map((checkout) => ({
    name: checkout,
    start: () =>
      start(
        [join(checkout, 'bin/tessera.js'), 'serve', '--port', '0', ...args],
        { ...compiled, TESSERA_LOG_LEVEL: 'error', TESSERA_MAX_WAIT_MS: '0', TESSERA_WATCH_MS: '0' },
        /^graph +(\S+)/m,
      ),
  }))

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** `origin`: of the four subgraphs. */
function others(origin: string, file: string): Candidate[] {
  const script = (name: string, env: Readonly<Record<string, string>>): Candidate => ({
    name,
    start: () => start([`bench/candidates/${name}.ts`], { ...compiled, ...env }, /^ready (\S+)/m),
  })
  const subgraphs = subgraphsAt(origin)
  return [
    script('hive-gateway', { SUPERGRAPH: file }),
    script('apollo-gateway', { SUPERGRAPH: file }),
    script('mercurius', { SERVICES: JSON.stringify(subgraphs.map(({ name, url }) => ({ name, url }))) }),
    {
      name: 'hive-router',
      start: () => startRouter('hive-router', { supergraph: supergraphAt(origin), subgraphs, shares: true }),
    },
  ]
}

async function cases(): Promise<Record<string, Case>> {
  const subgraphs = startWorker('./federated/services.ts')
  const { url: origin } = await subgraphs.hear<{ url: string }>()
  const small = write('small.graphql', supergraphAt(origin))
  return {
    sandbox: {
      title: 'The sandbox',
      query: '{ chartVideos(chart: MOST_POPULAR, first: 2) { totalCount nodes { id snippet { title } } } }',
      candidates: tessera([]),
    },
    small: {
      title: 'A supergraph file of four subgraphs',
      query: '{ users { id username reviews { id body } } }',
      candidates: [...tessera(['--supergraph', small]), ...others(origin, small)],
    },
    large: {
      title: 'A supergraph of 500 subgraphs and 5,000 types',
      query: '{ __typename }',
      candidates: tessera(['--supergraph', large()]),
    },
  }
}

interface Figures {
  readonly cpuMs: number
  readonly residentMb: number
}

async function measure({ start: begin, name }: Candidate, query: string): Promise<Figures> {
  const started = await begin()
  try {
    const response = await fetch(started.found, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const text = await response.text()
    if (!text.startsWith('{"data":{')) throw new Error(`${name} answers ${text.slice(0, 300)}`)
    const cpuMs = cpuOf([started.pid]) / 1000
    await delay(2000)
    return { cpuMs, residentMb: residentOf([started.pid]) }
  } finally {
    await started.stop()
  }
}

async function compare({ title, query, candidates }: Case): Promise<void> {
  const found = new Map<Candidate, Figures[]>()
  for (const candidate of candidates) {
    try {
      // The first start keeps what Node compiles.
      await measure(candidate, query)
      found.set(candidate, [])
    } catch (error) {
      console.log(`${candidate.name} takes no part: ${messageOf(error).split('\n', 1)[0]}`)
    }
  }
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [candidate, figures] of found) figures.push(await measure(candidate, query))
  console.log(`\n${title}\n\n| candidate | CPU time to the first answer | resident memory |\n|---|---|---|`)
  for (const [{ name }, figures] of found) {
    const cpuMs = Math.round(median(figures.map((each) => each.cpuMs)))
    const residentMb = Math.round(median(figures.map((each) => each.residentMb)))
    console.log(`| ${name} | ${cpuMs} ms | ${residentMb} MB |`)
  }
}

async function compareReloads(): Promise<void> {
  console.log(
    '\nThe reload of a supergraph of 500 subgraphs\n\n| candidate | p99 before | p99 while |\n|---|---|---|',
  )
  const file = large()
  for (const candidate of tessera(['--supergraph', file])) {
    const figures: ReloadFigures[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      const started = await candidate.start()
      figures.push(await measureReload(started, file))
      await started.stop()
    }
    const quiet = median(figures.map(({ quietP99 }) => quietP99)).toFixed(1)
    const reload = median(figures.map(({ reloadP99 }) => reloadP99)).toFixed(1)
    console.log(`| ${candidate.name} | ${quiet} ms | ${reload} ms |`)
  }
}

endAllWithUs()
try {
  for (const [name, each] of Object.entries(await cases()))
    if (values.only.includes(name)) await compare(each)
  if (values.only.includes('reload')) await compareReloads()
} finally {
  endAll()
}
process.exit()
