/** The commands by name. Each is in a file of its own, which is loaded only if the command is run. */
import { CredentialsFileError } from '../../subgraphs/kit/credentials/credentials-file.ts'
import { didYouMean } from '../settings/did-you-mean.ts'
import { printable } from '../telemetry/pretty-log.ts'
import { version } from '../telemetry/version.ts'
import {
  type Command,
  CommandError,
  ConfigurationError,
  exitCodes,
  exitCodesInWords,
  globalOptions,
  helpOf,
  type Io,
  readArguments,
  UsageError,
  wrapped,
} from './command.ts'

const summaries = {
  serve: 'Serves the graph; services that are not configured come from the sandbox.',
  subgraph: 'Serves one subgraph by itself, for a gateway or router elsewhere.',
  sandbox: 'Serves the stand-ins of the four services over HTTP, all on one port.',
  compose: 'Writes the supergraph of our own subgraphs, alone or with others.',
  check: 'Checks the configuration, and whether everything that it names responds.',
  health: 'Says whether the gateway or service that runs here is alive.',
  scopes: 'Lists the scopes of a graph, and the fields that each opens.',
  token: 'Makes a token: for the sandbox, or signed with your secret or private key.',
  upload: 'Uploads a video through the graph; the same command continues after an interruption.',
  mcp: "Connects an agent's client by standard input and output to a running gateway.",
  persist: 'Makes the manifest of trusted operations from a folder of .graphql files.',
  plan: 'Prints how an operation is fetched from the subgraphs of a supergraph.',
  diff: 'Lists the changes between two schemas that break clients.',
  init: 'Writes the first files of a gateway: configuration, Compose file, hooks, operations.',
  new: 'Writes a subgraph over a REST service, with types and tests.',
  completion: 'Prints the completion of commands and options for bash, zsh or fish.',
  contract: 'Writes a supergraph for clients who see only what its tags select.',
  usage: 'Lists which client selects which field, as gateways have counted it.',
  supergraph: 'Pushes a supergraph to a registry of OCI artifacts, or fetches one.',
} as const

const loaders: Readonly<Record<keyof typeof summaries, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  subgraph: async () => (await import('./subgraph.ts')).subgraphCommand,
  sandbox: async () => (await import('./sandbox.ts')).sandboxCommand,
  compose: async () => (await import('./compose.ts')).composeCommand,
  check: async () => (await import('./check/index.ts')).checkCommand,
  health: async () => (await import('./health.ts')).healthCommand,
  scopes: async () => (await import('./scopes.ts')).scopesCommand,
  token: async () => (await import('./token.ts')).tokenCommand,
  upload: async () => (await import('./upload.ts')).uploadCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  persist: async () => (await import('./persist.ts')).persistCommand,
  plan: async () => (await import('./plan.ts')).planCommand,
  diff: async () => (await import('./diff.ts')).diffCommand,
  init: async () => (await import('./init.ts')).initCommand,
  new: async () => (await import('./new-subgraph/index.ts')).newCommand,
  completion: async () => (await import('./completion.ts')).completionCommand(commandOptions),
  contract: async () => (await import('./contract.ts')).contractCommand,
  usage: async () => (await import('./usage.ts')).usageCommand,
  supergraph: async () => (await import('./supergraph.ts')).supergraphCommand,
}

function overview(): string {
  const lines = ['tessera: one GraphQL graph over four REST services', '', 'Commands:']
  for (const [name, summary] of Object.entries(summaries))
    lines.push(wrapped(`  ${name.padEnd(12)}`, summary.split(' ')))
  lines.push(
    '',
    'tessera help COMMAND describes a command, tessera --version prints the version.',
    '--config FILE, with every command, names its configuration (TESSERA_CONFIG).',
    '',
    exitCodesInWords,
    '',
  )
  return lines.join('\n')
}

/** Runs the command that the arguments name. Resolves to its exit code. Rejects if it ended because of a defect. */
export async function runCommand(argv: readonly string[], io: Io): Promise<number> {
  if (argv[0] === 'help' && argv[1] !== undefined) return runCommand([argv[1], '--help'], io)
  const { file, others } = takeConfig(argv)
  if (file === '') {
    io.err('tessera: --config expects the path of a YAML file\n')
    return exitCodes.usage
  }
  const [name, ...rest] = others
  const withFile = {
    ...io,
    err: (text: string) => io.err(printableLines(text)),
    ...(file === undefined ? {} : { env: { ...io.env, TESSERA_CONFIG: file } }),
  }
  return runNamed(name, rest, withFile)
}

/** `--config FILE`, before or after the command, has the same meaning as TESSERA_CONFIG in every command. */
function takeConfig(argv: readonly string[]): { file?: string; others: readonly string[] } {
  const at = argv.findIndex((each) => each === '--config' || each.startsWith('--config='))
  if (at === -1 || argv.slice(0, at).includes('--')) return { others: argv }
  const [option = ''] = argv.slice(at, at + 1)
  const isJoined = option.startsWith('--config=')
  return {
    file: isJoined ? option.slice('--config='.length) : (argv[at + 1] ?? ''),
    others: argv.toSpliced(at, isJoined ? 1 : 2),
  }
}

async function runNamed(name: string | undefined, rest: readonly string[], io: Io): Promise<number> {
  if (name === '--version' || name === '-v') {
    io.out(`${version}\n`)
    return exitCodes.done
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.out(overview())
    return name === undefined ? exitCodes.usage : exitCodes.done
  }
  if (!isCommand(name) && name.startsWith('-')) {
    const known = ['--version', '--help', '--config']
    io.err(
      `tessera: unknown option ${name}${didYouMean(name, known) || `; expected ${known.join(', ')} or a command`}\n`,
    )
    return exitCodes.usage
  }
  if (!isCommand(name)) {
    const names = Object.keys(summaries)
    io.err(
      `tessera: no such command: ${name}${didYouMean(name, names) || `. Expected one of: ${names.join(', ')}`}\n`,
    )
    return exitCodes.usage
  }
  const command = await loaders[name]()
  if (rest.includes('--help') || rest.includes('-h')) {
    io.out(helpOf(name, command, summaries[name]))
    return exitCodes.done
  }
  try {
    return await command.run(readArguments(command, rest), io)
  } catch (error) {
    if (error instanceof ConfigurationError) {
      for (const fault of error.faults) io.err(`tessera ${name}: ${fault}\n`)
      return exitCodes.usage
    }
    if (error instanceof CommandError || error instanceof CredentialsFileError) {
      io.err(`tessera ${name}: ${error.message}\n`)
      return exitCodes.failed
    }
    if (!(error instanceof UsageError)) throw error
    io.err(`tessera ${name}: ${error.message}\nUsage: ${`tessera ${name} ${command.synopsis}`.trim()}\n`)
    return exitCodes.usage
  }
}

/** A fault may quote a server, which must not write to the terminal. */
const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

const isCommand = (name: string): name is keyof typeof summaries => Object.hasOwn(summaries, name)

/** The command of this name, so that its arguments can be read without running it; undefined if there is none. */
export async function commandNamed(name: string): Promise<Command | undefined> {
  return isCommand(name) ? loaders[name]() : undefined
}

async function commandOptions(): Promise<ReadonlyMap<string, readonly string[]>> {
  const loaded = await Promise.all(
    Object.entries(loaders).map(async ([name, load]) => {
      const { options } = await load()
      return [name, [...Object.keys(options), ...globalOptions].map((option) => `--${option}`)] as const
    }),
  )
  return new Map(loaded)
}
