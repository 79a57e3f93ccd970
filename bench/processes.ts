/**
 * Starts the processes of a run, talks to them over their channels, measures them by the kernel's figures, and ends
 * them.
 */
import { type ChildProcess, execFileSync, fork, type Serializable, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

const root = new URL('..', import.meta.url)
const running = new Set<ChildProcess>()

export interface Started {
  readonly pid: number
  /** The match of the pattern in its output. */
  readonly found: string
  readonly milliseconds: number
  /** The address of Node's inspector, if it was started with one. */
  readonly inspector?: string | undefined
  stop(): Promise<void>
}

function stopper(child: ChildProcess): () => Promise<void> {
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
    await gone
    clearTimeout(timer)
  }
}

/**
 * Starts a script of the repository, and waits for a line in its output whose first group is returned. If `args`
 * ask for the inspector, it also waits for the line with its address.
 */
export function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
  seconds = 60,
): Promise<Started> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let output = ''
    let complaints = ''
    let found: string | undefined
    let inspector: string | undefined
    const inspected = args.some((arg) => arg.startsWith('--inspect'))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`${args.join(' ')} was not ready in ${seconds} s: ${complaints.slice(-800)}`))
    }, seconds * 1000)
    child.stderr.on('data', (chunk: Buffer) => {
      complaints = (complaints + chunk.toString()).slice(-4000)
      inspector ??= /Debugger listening on (ws:\S+)/.exec(complaints)?.[1]
      answer()
    })
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      found ??= ready.exec(output)?.[1]
      // It is cut after the search, because more may come with the line than is kept.
      output = output.slice(-4000)
      answer()
    })
    const answer = (): void => {
      if (found === undefined || (inspected && inspector === undefined)) return
      clearTimeout(timer)
      const milliseconds = performance.now() - began
      resolve({ pid: child.pid ?? 0, found, milliseconds, inspector, stop: stopper(child) })
    }
    child.on('error', reject)
    child.on('exit', (code) => {
      running.delete(child)
      clearTimeout(timer)
      reject(new Error(`${args.join(' ')} ended with ${String(code)}: ${complaints.slice(-800)}`))
    })
  })
}

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** The address that is asked for `__typename` until it responds. */
  readonly url: string
}

/** Starts a program that prints nothing when it is ready, and waits until it responds. */
export async function startProgram(
  { command, args, env, cwd, url }: Program,
  seconds = 30,
): Promise<Started> {
  const began = performance.now()
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  let complaints = ''
  let ended: string | undefined
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4000)
  })
  child.on('error', (error) => {
    ended = String(error)
  })
  child.on('exit', (code) => {
    running.delete(child)
    ended ??= `it ended with ${String(code)}: ${complaints.slice(-800)}`
  })
  while (ended === undefined && performance.now() - began < seconds * 1000) {
    if (await answers(url))
      return {
        pid: child.pid ?? 0,
        found: url,
        milliseconds: performance.now() - began,
        stop: stopper(child),
      }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error(ended ?? `${command} was not ready in ${seconds} s: ${complaints.slice(-800)}`)
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
      signal: AbortSignal.timeout(1000),
    })
    return response.ok
  } catch {
    return false
  }
}

export interface Worker {
  readonly pid: number
  ask<Answer>(message: Serializable): Promise<Answer>
  /** What it sends without being asked. */
  hear<Answer>(): Promise<Answer>
  stop(): Promise<void>
}

/** Starts a script of the benchmark that is used over its channel. */
export function startWorker(
  script: string,
  {
    args = [],
    env = {},
  }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Worker {
  const child = fork(new URL(script, import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, ...args],
    env: { ...process.env, ...env },
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const hear = <Answer>(): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error(`${script} ended`))
      child.once('exit', ended)
      child.once('message', (answer) => {
        child.off('exit', ended)
        resolve(answer as Answer)
      })
    })
  return {
    pid: child.pid ?? 0,
    hear,
    ask(message) {
      child.send(message)
      return hear()
    },
    stop: stopper(child),
  }
}

export function isRunning(pid: number): boolean {
  return [...running].some((child) => child.pid === pid)
}

/** Resolves when they have ended. */
export async function end(pids: readonly number[]): Promise<void> {
  const ending = [...running].filter((child) => pids.some((pid) => pid === child.pid))
  await Promise.all(
    ending.map((child) => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      return ended
    }),
  )
}

export function endAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** An interrupted run leaves no process behind. */
export function endAllWithUs(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      endAll()
      process.kill(process.pid, signal)
    })
  }
}

const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/**
 * Pins every thread of these processes to one core, or to all. Returns false if the machine has one core or no
 * `taskset`.
 */
export function pin(pids: readonly number[], core: number | 'all'): boolean {
  const count = cpus().length
  if (count < 2) return false
  const list = core === 'all' ? `0-${count - 1}` : String(core)
  try {
    for (const pid of pids)
      execFileSync('taskset', ['-a', '-c', '-p', list, String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** User and system time so far, in microseconds. */
export function cpuOf(pids: readonly number[]): number {
  let sum = 0
  for (const pid of pids) {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    sum += ((Number(fields[11]) + Number(fields[12])) * 1e6) / ticks
  }
  return sum
}

function statusOf(pid: number, name: string): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024
}

/** Resident memory, in mebibytes. */
export function residentOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + statusOf(pid, 'VmRSS'), 0)
}

/** The maximum of resident memory so far, in mebibytes. */
export function peakOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + statusOf(pid, 'VmHWM'), 0)
}
