/**
 * The command line as a process of its own, for tests that need a real process: one that can be killed,
 * that has its own memory, that gets signals.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const main = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url))

export interface RunningProcess extends AsyncDisposable {
  readonly child: ChildProcess
  /** What it says behind a word at the start of a line; fails with its output where it ends before. */
  said(word: string): Promise<string>
  /** All output so far. */
  output(): string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

export interface ProcessOptions extends Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> {
  /** All that it finds in its environment beside PATH, and beside where files that are gone after a run are. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** The test's PATH, its temporary folder, and what Node keeps of compiled modules. */
export function environment(): Record<string, string> {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const all = Object.entries({ PATH, TMPDIR, NODE_COMPILE_CACHE })
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

export function startProcess(
  file: string,
  args: readonly string[],
  { env = {}, ...options }: ProcessOptions = {},
): RunningProcess {
  const child = spawn(file, [...args], {
    ...options,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listeners = new Set<() => void>()
  const heard = (text: unknown): void => {
    output += String(text)
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', heard)
  child.stderr.on('data', heard)
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  return {
    child,
    ended,
    output: () => output,
    said: (word) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = new RegExp(`^${word}\\s+(\\S+)`, 'm').exec(output)?.[1]
          if (found === undefined) return
          listeners.delete(look)
          resolve(found)
        }
        listeners.add(look)
        void ended.then(() => reject(new Error(`it ended without saying ${word}:\n${output}`)))
        look()
      }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    },
  }
}

/** `tessera …` from the sources, in a folder of its own. */
export function startTessera(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningProcess {
  const cwd = mkdtempSync(join(tmpdir(), 'tessera-process-'))
  // How long requests wait on a machine that runs tests says nothing: what is about overload sets it itself.
  const usual = { NO_COLOR: '1', TESSERA_MAX_WAIT_MS: '0' }
  return startProcess(process.execPath, [main, ...args], { cwd, env: { ...usual, ...env } })
}
