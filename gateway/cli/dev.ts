/**
 * `npm run dev`, only in a checkout: runs the sandbox and the gateway as two processes, and restarts the gateway
 * whenever the source changes. Data that were written to the sandbox stay, and its tokens stay valid, because their
 * key is kept in `.tessera`. A gateway that fails to start is tried again at the next change.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const main = join(root, 'gateway/main.ts')

/** The folders of the gateway. A change of the sandbox restarts both. */
const watched = ['shared', 'engine', 'explorer', 'fast', 'gateway', 'schema', 'subgraphs', 'sandbox'] as const
/** The page of the explorer is bundled by `npm run prepare`. */
const isSource = (path: string): boolean => /\.(ts|graphql)$/.test(path) && !path.startsWith('explorer/page/')

/** Editors write a file in several steps, and several files at the same time. */
const settleMs = 80

/** Compiled code is kept between starts, which halves the time of a start. */
const childEnv = { NODE_COMPILE_CACHE: join(tmpdir(), 'tessera-dev-cache'), ...env }

const say = (text: string): boolean => process.stdout.write(`dev       ${text}\n`)

function start(args: readonly string[], stdout: 'inherit' | 'pipe'): ChildProcess {
  return spawn(execPath, [main, ...args], { stdio: ['inherit', stdout, 'inherit'], env: childEnv })
}

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || isOver(child)) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function startSandbox(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = start(['sandbox', '--port', '0'], 'pipe')
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (text) => {
      said += text
      const found = /^sandbox\s+(\S+)/m.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error('the sandbox did not start')))
  })
  return { child, url }
}

const options = argv.slice(2)
let sandbox = await startSandbox()
let gateway: ChildProcess | undefined
let changed = new Set<string>()
let restarting = false
let stopping = false

function startGateway(): void {
  const child = start(['serve', '--sandbox', sandbox.url, ...options], 'inherit')
  gateway = child
  child.once('exit', (code) => {
    if (child === gateway && !stopping && code !== 0) say('the gateway ended; waiting for a change')
  })
}

async function restart(): Promise<void> {
  restarting = true
  while (changed.size > 0 && !stopping) {
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    const files = [...changed].sort()
    changed = new Set()
    const anew = isOver(sandbox.child) || files.some((file) => file.startsWith('sandbox/'))
    say(
      `${files.slice(0, 3).join(', ')} changed: starting ${anew ? 'the sandbox and ' : ''}the gateway again`,
    )
    const old = gateway
    gateway = undefined
    await end(old)
    try {
      if (anew) {
        await end(sandbox.child)
        sandbox = await startSandbox()
      }
      startGateway()
    } catch {
      say('the sandbox ended; waiting for a change')
    }
  }
  restarting = false
}

for (const folder of watched) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (name === null || !isSource(name)) return
    changed.add(`${folder}/${name}`)
    if (!restarting) void restart()
  })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    if (stopping) return
    stopping = true
    await Promise.all([end(gateway), end(sandbox.child)])
    exit(0)
  })
}

startGateway()
