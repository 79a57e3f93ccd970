/**
 * The command line as a process of its own, for tests that need a real process: one that can be killed,
 * that has its own memory, that gets signals.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandsVariable } from './compile-cache.ts'
import { temporaryFolder } from './temporary.ts'

/** The variable in which tests find the path of the bundled command line; not set if they start the sources. */
export const bundleVariable = 'TESSERA_TEST_BUNDLE'

export const sources = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url))
/** The command line, from the sources or from what `bundled-commands.ts` made of them. */
export const main = process.env[bundleVariable] ?? sources
/**
 * What Node is started with for it. Most processes of tests end soon after their start, which takes 13 % less CPU time
 * with a young space that has its size from the beginning, and without threads that help to collect it.
 */
export const command: readonly string[] =
  main === sources ? [sources] : ['--min-semi-space-size=16', '--single-threaded-gc', main]

/** A command that runs: in a process of its own, or in that of the test (`in-process-command.ts`). */
export interface RunningCommand extends AsyncDisposable {
  /** What it says behind a word at the start of a line; fails with its output if it ends before. */
  said(word: string): Promise<string>
  /** All output so far. */
  output(): string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  /** As SIGHUP does. */
  hangUp(): void
}

export interface RunningProcess extends RunningCommand {
  readonly child: ChildProcess
}

export interface ProcessOptions extends Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> {
  /** All that it finds in its environment beside PATH, and beside the folder of files that are gone after a run. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** The test's PATH, its temporary folder, and the folder in which Node keeps what it compiles of the command line. */
export function environment(): Record<string, string> {
  const { PATH, TMPDIR, [commandsVariable]: NODE_COMPILE_CACHE } = process.env
  const all = Object.entries({ PATH, TMPDIR, NODE_COMPILE_CACHE })
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

export function startProcess(
  file: string,
  args: readonly string[],
  { env = {}, ...options }: ProcessOptions = {},
): RunningProcess {
  // No later run has the modules of a folder of this one: what is compiled of them goes with it.
  const isOfRun = [file, ...args].some((argument) => argument.startsWith(tmpdir()))
  const compiled = isOfRun ? { NODE_COMPILE_CACHE: join(tmpdir(), 'compiled') } : {}
  const child = spawn(file, [...args], {
    ...options,
    env: { ...environment(), ...compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = readSaid()
  child.stdout.on('data', said.hear)
  child.stderr.on('data', said.hear)
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  return {
    child,
    ended,
    output: said.output,
    said: (word) => said.word(word, ended),
    hangUp: () => void child.kill('SIGHUP'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    },
  }
}

interface Said {
  hear(this: void, text: unknown): void
  output(this: void): string
  /** What stands behind a word at the start of a line, as soon as it does; rejects if it ends before. */
  word(word: string, ended: Promise<unknown>): Promise<string>
}

/** What a command prints, and waiting for it. */
export function readSaid(): Said {
  let output = ''
  const listeners = new Set<() => void>()
  return {
    hear(text) {
      output += String(text)
      for (const listener of listeners) listener()
    },
    output: () => output,
    word: (word, ended) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = new RegExp(`^${word}\\s+(\\S+)`, 'm').exec(output)?.[1]
          if (found === undefined) return
          listeners.delete(look)
          resolve(found)
        }
        listeners.add(look)
        ended.then(() => reject(new Error(`it ended without saying ${word}:\n${output}`)), reject)
        look()
      }),
  }
}

/** How long requests wait on a machine that runs tests says nothing: what is about overload sets it itself. */
export const usualSettings = { NO_COLOR: '1', TESSERA_MAX_WAIT_MS: '0' } as const

/** `tessera …`, in a folder of its own. */
export function startTessera(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningProcess {
  const cwd = temporaryFolder()
  return startProcess(process.execPath, [...command, ...args], { cwd, env: { ...usualSettings, ...env } })
}
