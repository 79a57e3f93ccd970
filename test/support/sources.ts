/** Sources of supergraphs for tests: made from places, with nothing configured beside them. */
import { type Chain, createSources, parsePlaces, type SourceNote } from '../../gateway/sources/index.ts'
import { longestWaitMs } from './wait.ts'

export const noSourceSettings = {
  key: undefined,
  ociCredentials: undefined,
  s3: { credentials: undefined, region: 'us-east-1', endpoint: undefined },
} as const

type Options = Parameters<typeof createSources>[0]

/** A chain of the places that the text names. */
export function testSources(
  text: string,
  options: Partial<Options> = {},
): { readonly chain: Chain; readonly notes: SourceNote[] } {
  const notes: SourceNote[] = []
  const chain = createSources({
    what: 'supergraph',
    places: parsePlaces(text),
    ...noSourceSettings,
    sentence: (source, reason) => `${source}: ${reason}`,
    note: (note) => notes.push(note),
    signal: new AbortController().signal,
    timeoutMs: longestWaitMs,
    maxBytes: 1_000_000,
    ...options,
  })
  return { chain, notes }
}

/** The text, or the message of why there is none. */
export async function textOrReason(chain: Chain): Promise<string> {
  try {
    return (await chain.read()).text
  } catch (error) {
    return String(error)
  }
}
