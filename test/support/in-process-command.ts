/**
 * Runs the command line within the test's own process, from its arguments to its exit code and its output. A command
 * does the same as in a process of its own (`process.ts`), without the second of CPU time that Node takes to load it.
 * Tests of the process itself use `process.ts`: its end, its signals, its memory, several that share something.
 */
import { runCommand } from '../../gateway/cli/commands.ts'
import { environment, type RunningCommand, readSaid, usualSettings } from './process.ts'

/** Starts `tessera …`. It reads no other environment than `env`. */
export function startInProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { terminal = false }: { readonly terminal?: boolean } = {},
): RunningCommand {
  const said = readSaid()
  const stopped = Promise.withResolvers<NodeJS.Signals>()
  let hungUp: (() => void) | undefined
  const ended = runCommand(args, {
    // The test does not wait for open requests.
    env: { ...environment(), ...usualSettings, TESSERA_SHUTDOWN_GRACE_MS: '0', ...env },
    out: said.hear,
    err: said.hear,
    ...(terminal ? {} : { log: { write: said.hear } }),
    terminal,
    colour: false,
    stopped: () => stopped.promise,
    onHangUp: (listener) => {
      hungUp = listener
    },
  })
  // A test that awaits it gets the error, and a test need not await it.
  ended.catch(() => {})
  return {
    ended,
    output: said.output,
    said: (word) => said.word(word, ended),
    hangUp: () => (hungUp === undefined ? stopped.resolve('SIGHUP') : hungUp()),
    async [Symbol.asyncDispose]() {
      stopped.resolve('SIGTERM')
      await ended
    },
  }
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs `tessera …` to its end. */
export async function runInProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  let out = ''
  let err = ''
  const print = (text: string): void => {
    out += text
  }
  const code = await runCommand(args, {
    env: { ...environment(), ...env },
    out: print,
    err: (text) => {
      err += text
    },
    log: { write: print },
    terminal: false,
    colour: false,
    stopped: () => new Promise(() => {}),
    onHangUp: () => {},
  })
  return { code, out, err }
}
