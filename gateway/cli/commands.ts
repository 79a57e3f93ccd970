/** The commands by their names, one file each and loaded only when asked for, and how one is run from its arguments. */
import { version } from '../observe/version.ts'
import {
  type Command,
  CommandError,
  exitCodes,
  exitCodesInWords,
  helpOf,
  type Io,
  readArguments,
  UsageError,
} from './command.ts'

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  subgraph: async () => (await import('./subgraph.ts')).subgraphCommand,
  sandbox: async () => (await import('./sandbox.ts')).sandboxCommand,
  compose: async () => (await import('./compose.ts')).composeCommand,
  check: async () => (await import('./check/index.ts')).checkCommand,
  token: async () => (await import('./token.ts')).tokenCommand,
  upload: async () => (await import('./upload.ts')).uploadCommand,
  persist: async () => (await import('./persist.ts')).persistCommand,
  plan: async () => (await import('./plan.ts')).planCommand,
  diff: async () => (await import('./diff.ts')).diffCommand,
  contract: async () => (await import('./contract.ts')).contractCommand,
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

/** Runs the command that the arguments name, and resolves to its exit code. Rejects where a fault of ours ends it. */
export async function runCommand(argv: readonly string[], io: Io): Promise<number> {
  if (argv[0] === 'help' && argv[1] !== undefined) return runCommand([argv[1], '--help'], io)
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
