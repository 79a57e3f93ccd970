/** Reads `Accept` headers (RFC 9110, section 12.5.1), and remembers what follows from them. */
import { LRUCache } from 'lru-cache'

export interface MediaRange {
  /** In lower case, as the parameters are. */
  readonly name: string
  readonly parameters: ReadonlyMap<string, string>
  readonly quality: number
}

/** Without those that the client refuses. */
export function mediaRangesIn(accept: string): readonly MediaRange[] {
  const ranges = accept
    .toLowerCase()
    .split(',')
    .map((range): MediaRange => {
      const [name = '', ...texts] = range.split(';').map((part) => part.trim())
      const parameters = new Map(texts.map(pairOf))
      return { name, parameters, quality: Number(parameters.get('q') ?? 1) }
    })
  return ranges.filter(({ quality }) => quality > 0)
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1).replaceAll('"', '')]
}

/** What `read` makes of the ranges, by the highest quality; of several with one quality, the first. */
export function preferredIn<Found>(
  accept: string,
  read: (range: MediaRange) => Found | undefined,
): { readonly found: Found; readonly quality: number } | undefined {
  let best: { readonly found: Found; readonly quality: number } | undefined
  for (const range of mediaRangesIn(accept)) {
    const found = best === undefined || range.quality > best.quality ? read(range) : undefined
    if (found !== undefined) best = { found, quality: range.quality }
  }
  return best
}

/** Longer headers are read each time: a client may send 64 KB, each time others. */
const longestKept = 512

/** The same function, which reads each header once. Usual clients have few different ones. */
export function readOnce<Found>(read: (accept: string) => Found): (accept: string) => Found {
  const known = new LRUCache<string, { readonly found: Found }>({ max: 500 })
  return (accept) => {
    if (accept.length > longestKept) return read(accept)
    let entry = known.get(accept)
    if (entry === undefined) {
      entry = { found: read(accept) }
      known.set(accept, entry)
    }
    return entry.found
  }
}
