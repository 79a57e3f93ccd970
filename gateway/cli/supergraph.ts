/**
 * `tessera supergraph`: pushes a supergraph to a registry, and fetches one from any source that a gateway can read.
 */
import { messageOf } from '../../shared/runtime/thrown.ts'
import { settingsOf } from '../reload/text-sources.ts'
import {
  createSources,
  largestText,
  parseOciReference,
  parsePlaces,
  pushSupergraph,
} from '../sources/index.ts'
import { servedSupergraph } from '../sources/served-supergraph.ts'
import {
  type Arguments,
  type Command,
  CommandError,
  exitCodes,
  firstLineOf,
  type Io,
  orFail,
  UsageError,
} from './command.ts'
import { configurationFrom } from './configuration.ts'
import { readText, writeOut } from './files.ts'

/** The timeout of one exchange. It is long, because a person waits for a push. */
const timeoutMs = 60_000

const checkText = (name: string, text: string): unknown =>
  orFail(
    () => servedSupergraph(text, {}),
    (error) => `${name}: ${firstLineOf(error)}`,
  )

async function push(file: string, to: string, io: Io): Promise<number> {
  const reference = orFail(() => parseOciReference(to), messageOf, UsageError)
  const text = readText(file)
  checkText(file, text)
  const { ociCredentials: credentials } = settingsOf.supergraph(configurationFrom(io.env))
  const { signal } = new AbortController()
  try {
    const options = { reference, text, credentials, timeoutMs, maxBytes: largestText, signal }
    const digest = await pushSupergraph(options)
    io.out(`${reference.name}\n${digest}\n`)
  } catch (error) {
    throw new CommandError(`${reference.name}: ${messageOf(error)}`)
  }
  return exitCodes.done
}

async function fetchTo(from: string | undefined, args: Arguments, io: Io): Promise<number> {
  const { place: configured, copy: _copy, ...settings } = settingsOf.supergraph(configurationFrom(io.env))
  const place = from ?? configured
  if (place === undefined)
    throw new UsageError('name the supergraph, or set TESSERA_SUPERGRAPH: a file or addresses')
  const places = orFail(() => parsePlaces(place), messageOf, UsageError)
  const sources = createSources({
    ...settings,
    what: 'supergraph',
    places,
    sentence: (source, reason) => `${source}: ${reason}`,
    signal: new AbortController().signal,
    timeoutMs,
    check: (text) => checkText('it', text),
  })
  let text: string
  try {
    text = (await sources.read()).text
  } catch (error) {
    throw new CommandError(messageOf(error))
  }
  checkText(places.map(({ name }) => name).join(', '), text)
  writeOut(text, args, io)
  return exitCodes.done
}

export const supergraphCommand: Command = {
  synopsis: 'push FILE oci://REGISTRY/NAME:TAG | fetch [SUPERGRAPH] [--out FILE]',
  operands: 3,
  options: {
    out: { value: 'FILE', help: 'the output of fetch; the terminal by default' },
  },
  example: 'tessera supergraph push supergraph.graphql oci://registry.example.com/graphs/shop:production',

  async run(args, io) {
    const [what, first, second] = args.positionals
    if (what === 'push') {
      if (first === undefined || second === undefined)
        throw new UsageError('push expects a file, and the artifact that it becomes: oci://REGISTRY/NAME:TAG')
      return push(first, second, io)
    }
    if (what === 'fetch') {
      if (second !== undefined) throw new UsageError(`unexpected argument: ${second}`)
      return fetchTo(first, args, io)
    }
    throw new UsageError('expected push or fetch')
  },
}
