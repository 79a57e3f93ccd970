/**
 * Starts all of this example on free ports: the catalogue, our subgraphs over the sandbox, and a gateway over the
 * supergraph of both. Ctrl-C ends it.
 *
 *   npx node examples/existing-graph/start.ts --port 4000
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startCatalogue } from './catalogue.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const tessera = fileURLToPath(new URL('../../bin/tessera.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'existing-graph-'))
const supergraph = join(folder, 'supergraph.graphql')
const running: ChildProcess[] = []

/** Starts `tessera …`; resolves to the address that it prints behind a word, or once it has ended well. */
function start(word: string | undefined, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [tessera, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  running.push(child)
  let said = ''
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (text) => {
      said += text
      const [, url] = new RegExp(`^${word} +(http\\S+)`, 'm').exec(said) ?? []
      if (word !== undefined && url !== undefined) resolve(url)
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      word === undefined && code === 0
        ? resolve('')
        : reject(new Error(`tessera ${args.join(' ')} ended with ${code}`)),
    )
  })
}

const catalogue = await startCatalogue(0)
const stop = async (): Promise<void> => {
  // Their output is read until they have ended: what they still log must find a reader.
  const ended = running.map((child) =>
    child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined,
  )
  for (const child of running) child.kill()
  await Promise.all(ended)
  await catalogue.close()
  rmSync(folder, { recursive: true, force: true })
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)

try {
  const names = ['videos', 'agents', 'messages', 'metrics', 'nodes']
  const urls = await Promise.all(
    names.map(async (name) => [name, await start(name, 'subgraph', name, '--port', '0')] as const),
  )
  for (const [name, url] of [['catalogue', catalogue.url], ...urls]) console.log(`${name?.padEnd(10)}${url}`)
  const ours = urls.flatMap(([name, url]) => ['--url', `${name}=${url}`])
  await start(undefined, 'compose', '--with', `catalogue=${catalogue.url}`, ...ours, '--out', supergraph)
  const graph = await start('graph', 'serve', '--supergraph', supergraph, '--port', values.port)
  console.log(`graph     ${graph}`)
} catch (error) {
  await stop()
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
