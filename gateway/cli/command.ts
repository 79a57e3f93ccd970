/**
 * The interface of a command of the CLI, and what it may use: its arguments, the environment and two streams. Exit
 * codes: 0 success, 1 failure, 2 wrong usage or wrong configuration.
 */
import { parseArgs } from 'node:util'
import { textsOf } from '../../shared/json/is-object.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { didYouMean } from '../settings/did-you-mean.ts'
import type { LogOptions } from '../telemetry/log.ts'
import { createPrettyLog } from '../telemetry/pretty-log.ts'

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
  /** The destination of log lines as JSON. The default is standard output, which a terminal shows in words. */
  readonly log?: LogOptions['destination']
  /** Whether `out` is a terminal. Progress is shown only there. */
  readonly terminal: boolean
  /** Whether `out` may be coloured: it is a terminal that supports colours, and `NO_COLOR` is not set. */
  readonly colour: boolean
  /** Resolves when the process gets a signal to stop (SIGTERM, SIGINT, SIGHUP). */
  stopped(): Promise<NodeJS.Signals>
  /**
   * From now on SIGHUP calls `listener` instead of stopping the command. At a terminal it still stops it, because
   * there SIGHUP means that the terminal was closed.
   */
  onHangUp(listener: () => void): void
}

/** The destination of a command's log: words on a terminal, JSON otherwise (undefined means standard output). */
export function logDestination(io: Io): LogOptions['destination'] {
  return io.log ?? (io.terminal ? createPrettyLog(io.out, io.colour) : undefined)
}

export const exitCodes = { done: 0, failed: 1, usage: 2 } as const

export const exitCodesInWords = 'Exit codes: 0 success, 1 failure, 2 wrong usage or wrong configuration.'

export interface Command {
  /** Arguments after the name, for the usage line. */
  readonly synopsis: string
  /** How many positional arguments it accepts. The default is none. */
  readonly operands?: number
  readonly options: Readonly<Record<string, OptionHelp>>
  readonly example: string
  run(args: Arguments, io: Io): Promise<number>
}

interface OptionHelp {
  /** Stands for the value in the help text. An option without it is a flag. */
  readonly value?: string
  readonly multiple?: true
  readonly help: string
}

export interface Arguments {
  readonly positionals: readonly string[]
  string(name: string): string | undefined
  strings(name: string): readonly string[]
  flag(name: string): boolean
}

/** Wrong usage. The message is printed with the command's usage line, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something that the user named cannot be used. The message is printed in one line, and the exit code is 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** What `run` returns; if it throws, a CommandError (or `Fault`) says why. */
export function orFail<Value>(
  run: () => Value,
  inWords: (error: unknown) => string,
  Fault: new (message: string) => Error = CommandError,
): Value {
  try {
    return run()
  } catch (error) {
    throw new Fault(inWords(error))
  }
}

/** The configuration is wrong. Each fault is printed in a line of its own, and the exit code is 2. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('; '))
    this.faults = faults
  }
}

/** The host in the URL by which this machine reaches a server that listens at `host`. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** The first line of an error's message up to a bound, because a parser may quote a whole file. */
export const firstLineOf = (error: unknown): string =>
  (messageOf(error).split('\n', 1)[0] ?? '').slice(0, 500)

export function readArguments(command: Command, argv: readonly string[]): Arguments {
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(command.options).map(([name, { value, multiple = false }]) => [
          name,
          { type: value === undefined ? 'boolean' : 'string', multiple },
        ]),
      ),
    })
  } catch (error) {
    throw new UsageError(argumentFault(command, error))
  }
  const { values, positionals } = parsed
  const detail = Object.keys(values).find((name) => name.startsWith('oauth-'))
  if (detail !== undefined && values.oauth !== true) throw new UsageError(`--${detail} needs --oauth`)
  const { operands = 0 } = command
  // In most cases this is a value without quotes: `--title A long walk`.
  if (positionals.length > operands) throw new UsageError(`unexpected argument: ${positionals[operands]}`)
  return {
    positionals,
    string(name) {
      const value = values[name]
      return typeof value === 'string' ? value : undefined
    },
    strings: (name) => textsOf(values[name]),
    flag: (name) => values[name] === true,
  }
}

/** The fault that `parseArgs` reports, without its advice about `--`, and with the option that was probably meant. */
function argumentFault(command: Command, error: unknown): string {
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(messageOf(error)) ?? []
  if (unknown === undefined) return messageOf(error)
  const known = [...Object.keys(command.options), ...globalOptions].map((name) => `--${name}`)
  return `unknown option ${unknown}${didYouMean(unknown, known)}`
}

export const globalOptions = ['config', 'help'] as const

export function helpOf(name: string, command: Command, summary: string): string {
  const options = Object.entries(command.options).map(([name, { value, help }]) => [
    `  --${name}${value === undefined ? '' : ` ${value}`}`,
    help,
  ])
  const width = Math.max(0, ...options.map(([left]) => left?.length ?? 0))
  return [
    // What is in brackets stays together.
    wrapped(`tessera ${name} `, command.synopsis.split(/ (?=\[)/)),
    '',
    wrapped('', summary.split(' ')),
    ...(options.length === 0 ? [] : ['', 'Options:']),
    ...options.map(([left, right]) => wrapped(`${left?.padEnd(width)}  `, right?.split(' ') ?? [])),
    '',
    'Example:',
    `  ${command.example}`,
    '',
    exitCodesInWords,
    '',
  ].join('\n')
}

/** How wide help may be. */
const columns = 80

/** As many words in a line as there is room for. Further lines begin below the first word. */
export function wrapped(head: string, words: readonly string[]): string {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length === 0 || head.length + longer.length > columns) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return `${head}${lines.join(`\n${' '.repeat(head.length)}`)}`.trimEnd()
}

export function readPort(args: Arguments, name = 'port'): number | undefined {
  const text = args.string(name)
  if (text === undefined) return undefined
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UsageError(`--${name} expects a number from 0 to 65535, not ${text}`)
  return port
}
