#!/usr/bin/env node
/**
 * The edge of the process: the only module that reads the environment, listens to signals and exits.
 * Commands live in cli/, one file each, and are loaded only when asked for.
 */
import { readPlain, runPlainly, runsPlainly } from '../contract/hot/switch.ts'
import {
  type Command,
  CommandError,
  exitCodes,
  exitCodesInWords,
  helpOf,
  type Io,
  readArguments,
  UsageError,
} from './cli/command.ts'
import { prepareForServing } from './cli/hot/serving.ts'
import { giveMemoryBackWhenIdle } from './cli/idle-memory.ts'
import { version } from './observe/version.ts'

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.ts')).serveCommand,
  subgraph: async () => (await import('./cli/subgraph.ts')).subgraphCommand,
  sandbox: async () => (await import('./cli/sandbox.ts')).sandboxCommand,
  compose: async () => (await import('./cli/compose.ts')).composeCommand,
  check: async () => (await import('./cli/check/index.ts')).checkCommand,
  token: async () => (await import('./cli/token.ts')).tokenCommand,
  upload: async () => (await import('./cli/upload.ts')).uploadCommand,
  persist: async () => (await import('./cli/persist.ts')).persistCommand,
  plan: async () => (await import('./cli/plan.ts')).planCommand,
  diff: async () => (await import('./cli/diff.ts')).diffCommand,
  contract: async () => (await import('./cli/contract.ts')).contractCommand,
}

async function overview(): Promise<string> {
  const lines = ['tessera: one GraphQL graph over four REST services', '', 'Commands:']
  for (const [name, load] of Object.entries(commands))
    lines.push(`  ${name.padEnd(10)}${(await load()).summary}`)
  lines.push(
    '',
    'tessera help COMMAND describes a command, tessera --version prints the version.',
    '',
    exitCodesInWords,
    '',
  )
  return lines.join('\n')
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  if (argv[0] === 'help' && argv[1] !== undefined) return run([argv[1], '--help'], io)
  const [name, ...rest] = argv
  if (name === '--version' || name === '-v') {
    io.out(`${version}\n`)
    return exitCodes.done
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.out(await overview())
    return name === undefined ? exitCodes.usage : exitCodes.done
  }
  if (!Object.hasOwn(commands, name)) {
    io.err(`tessera: no such command: ${name}. Expected one of: ${Object.keys(commands).join(', ')}\n`)
    return exitCodes.usage
  }
  const command = await commands[name]?.()
  if (command === undefined) return exitCodes.usage
  if (rest.includes('--help') || rest.includes('-h')) {
    io.out(helpOf(command))
    return exitCodes.done
  }
  try {
    return await command.run(readArguments(command, rest), io)
  } catch (error) {
    if (error instanceof CommandError) {
      io.err(`tessera ${name}: ${error.message}\n`)
      return exitCodes.failed
    }
    if (!(error instanceof UsageError)) throw error
    io.err(`tessera ${name}: ${error.message}\nUsage: ${`tessera ${name} ${command.synopsis}`.trim()}\n`)
    return exitCodes.usage
  }
}

runPlainly(readPlain(process.env.TESSERA_PLAIN))
if (!runsPlainly('serving')) prepareForServing()

const stop = Promise.withResolvers<NodeJS.Signals>()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.resolve(signal))
// SIGHUP too, unless a command has another use for it: a terminal that closes must not cut running requests.
let hungUp: (() => void) | undefined
process.on('SIGHUP', () => (hungUp === undefined ? stop.resolve('SIGHUP') : hungUp()))

try {
  const terminal = process.stdout.isTTY === true
  process.exitCode = await run(process.argv.slice(2), {
    env: process.env,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    terminal,
    colour: terminal && process.stdout.hasColors() && !process.env.NO_COLOR,
    stopped() {
      giveMemoryBackWhenIdle()
      return stop.promise
    },
    onHangUp(listener) {
      if (!terminal) hungUp = listener
    },
  })
} catch (error) {
  process.stderr.write(
    `tessera: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  // Whatever the command had opened would keep a process alive that has nothing left to do.
  process.exit(exitCodes.failed)
}
