/**
 * The command line within the test's own process, from its arguments to its exit code and all that it prints. What a
 * command does is the same as in a process of its own (`process.ts`), without the second of CPU time that Node takes to
 * load one. What is about a process has one: its end, its signals, its memory, several that share something.
 */
import { runCommand } from '../../gateway/cli/commands.ts'
import { environment, type RunningCommand, readSaid, usualSettings } from './process.ts'

/** Starts `tessera …`; what it reads of the environment is in `env` alone. */
export function startHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { terminal = false }: { readonly terminal?: boolean } = {},
): RunningCommand {
  const said = readSaid()
  const stopped = Promise.withResolvers<NodeJS.Signals>()
  let hungUp: (() => void) | undefined
  const ended = runCommand(args, {
    // What the test no longer waits for need not finish.
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
  // Who waits for it meets the error; it need not be awaited.
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
export async function runHere(
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
