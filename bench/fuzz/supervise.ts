/**
 * Watches the process of a target. An input that is not read within a bound ends the process, and so does one that
 * takes more memory than allowed. The search then continues in another process with the next seed.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Done, type Message, readLastInput, type Work } from './child-messages.ts'
import type { Found } from './explore.ts'
import type { Target } from './target.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly milliseconds: number
  readonly mostExecutions?: number
  /**
   * An input that is not read after this time hangs. The time is so long that a busy processor cannot be the
   * reason.
   */
  readonly hangMs?: number
  /** The memory that the process may use. */
  readonly heapMb?: number
  readonly signal?: AbortSignal | undefined
}

export interface FuzzResult {
  readonly executions: number
  /** The results of the last process: inputs that reached something new, and functions that were called. */
  readonly corpus: number
  readonly functions: number
  readonly minutes: number
  readonly found: readonly Found[]
}

/** Otherwise a target that ends its process at once would restart for ever. */
const mostProcesses = 10

export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, milliseconds, mostExecutions = Number.MAX_SAFE_INTEGER, signal } = options
  const began = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'tessera-fuzz-'))
  const faults = new Map<string, Found>()
  let executions = 0
  let last = { corpus: 0, functions: 0 }
  try {
    for (let process = 0; process < mostProcesses; process += 1) {
      const leftMs = milliseconds - (performance.now() - began)
      const left = mostExecutions - executions
      if (leftMs <= 0 || left <= 0 || signal?.aborted === true) break
      const { name, module, covers } = target
      const file = join(folder, `${process}`)
      const work: Work = {
        ...{ name, module, covers, file },
        ...{ seed: seed + process, milliseconds: leftMs, mostExecutions: left },
      }
      const ended = await runProcess(work, options)
      executions += ended.executions
      for (const each of ended.found) if (!faults.has(each.signature)) faults.set(each.signature, each)
      if (ended.done !== undefined) {
        last = ended.done
        break
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { executions, ...last, minutes: (performance.now() - began) / 60_000, found: [...faults.values()] }
}

interface Ended {
  readonly executions: number
  readonly found: readonly Found[]
  /** Undefined if the process did not finish. */
  readonly done: Done | undefined
}

async function runProcess(work: Work, options: FuzzOptions): Promise<Ended> {
  const { hangMs = 60_000, heapMb = 512, signal } = options
  const { file } = work
  writeFileSync(file, '')
  const found: Found[] = []
  let done: Done | undefined
  let isKilled = false
  const child = fork(new URL('child.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${heapMb}`, '--expose-gc'],
    serialization: 'advanced',
    // The last words of V8, and messages of libraries about their input, are of no use here.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const kill = (): void => {
    isKilled = true
    child.kill('SIGKILL')
  }
  signal?.addEventListener('abort', kill)
  const watch = watchProgress(file, hangMs, () => {
    found.push({
      signature: 'hang',
      details: `not read within ${hangMs} ms`,
      input: readLastInput(file).input,
    })
    kill()
  })
  child.on('message', (message: Message) => {
    if ('found' in message) found.push({ ...message.found, input: Buffer.from(message.found.input) })
    else done = message.done
  })
  child.send(work)
  const ending = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, ended) => resolve(ended ?? String(code)))
  })
  clearInterval(watch)
  signal?.removeEventListener('abort', kill)
  const { executions, input } = readLastInput(file)
  if (executions === 0 && done === undefined && !isKilled)
    throw new Error(`${work.name} did not begin: ${found[0]?.details ?? ending}`)
  if (done === undefined && found.length === 0 && !isKilled)
    found.push({ signature: `end of the process (${ending})`, details: `with ${heapMb} MiB`, input })
  return { executions, found, done }
}

/** Calls `hung` if no execution began for this long after another one. */
function watchProgress(file: string, hangMs: number, hung: () => void): NodeJS.Timeout {
  let seen = 0
  let since = performance.now()
  return setInterval(
    () => {
      const { executions } = readLastInput(file)
      if (executions !== seen) [seen, since] = [executions, performance.now()]
      else if (seen > 0 && performance.now() - since > hangMs) hung()
    },
    Math.min(1000, hangMs / 4),
  )
}
