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

interface Entry {
  /** What it does, in one line. */
  readonly summary: string
  load(): Promise<Command>
}

const commands: Readonly<Record<string, Entry>> = {
  serve: {
    summary: 'Serves the graph; services that are not configured come from the sandbox.',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  subgraph: {
    summary: 'Serves one subgraph by itself, for a gateway or router elsewhere.',
    load: async () => (await import('./subgraph.ts')).subgraphCommand,
  },
  sandbox: {
    summary: 'Serves the stand-ins of the four services over HTTP, all on one port.',
    load: async () => (await import('./sandbox.ts')).sandboxCommand,
  },
  compose: {
    summary: 'Writes the supergraph of our subgraphs, or of ours with others.',
    load: async () => (await import('./compose.ts')).composeCommand,
  },
  check: {
    summary: 'Checks the configuration, and whether everything that it names answers.',
    load: async () => (await import('./check/index.ts')).checkCommand,
  },
  health: {
    summary: 'Tells whether the gateway or service that runs here is alive.',
    load: async () => (await import('./health.ts')).healthCommand,
  },
  token: {
    summary: 'Makes a token: for the sandbox, or signed with a secret or a private key of yours.',
    load: async () => (await import('./token.ts')).tokenCommand,
  },
  upload: {
    summary: 'Uploads a video through the graph; the same command goes on after an interruption.',
    load: async () => (await import('./upload.ts')).uploadCommand,
  },
  mcp: {
    summary: 'Connects a client of agents, by standard input and output, to a running gateway.',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  persist: {
    summary: 'Makes the manifest of trusted operations from a folder of .graphql files.',
    load: async () => (await import('./persist.ts')).persistCommand,
  },
  plan: {
    summary: 'Prints how an operation is fetched from the subgraphs of a supergraph.',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  diff: {
    summary: 'Tells which changes between two schemas break clients.',
    load: async () => (await import('./diff.ts')).diffCommand,
  },
  contract: {
    summary: 'Writes a supergraph of which clients see only what its tags choose.',
    load: async () => (await import('./contract.ts')).contractCommand,
  },
  usage: {
    summary: 'Tells which client asks for which field, as gateways have counted it.',
    load: async () => (await import('./usage.ts')).usageCommand,
  },
  supergraph: {
    summary: 'Pushes a supergraph to a registry of OCI artifacts, or fetches one.',
    load: async () => (await import('./supergraph.ts')).supergraphCommand,
  },
}

function overview(): string {
  const lines = ['tessera: one GraphQL graph over four REST services', '', 'Commands:']
  for (const [name, { summary }] of Object.entries(commands)) lines.push(`  ${name.padEnd(12)}${summary}`)
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
    io.out(overview())
    return name === undefined ? exitCodes.usage : exitCodes.done
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (entry === undefined) {
    io.err(`tessera: no such command: ${name}. Expected one of: ${Object.keys(commands).join(', ')}\n`)
    return exitCodes.usage
  }
  const command = await entry.load()
  if (rest.includes('--help') || rest.includes('-h')) {
    io.out(helpOf(command, entry.summary))
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
