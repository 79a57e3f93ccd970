/**
 * A link that opens an operation: what is shared stands compressed in the fragment of the address, which browsers do
 * not send to servers. It holds the operation, its variables and the tab that is shown. Headers and tokens are not in
 * it, and what a link opens is not run by itself. Needs nothing of a browser but `CompressionStream`.
 */
export interface Shared {
  readonly query: string
  /** JSON text, as written. */
  readonly variables: string
  /** Which view of the result is shown, such as `table`. */
  readonly tab: string
}

const prefix = '#operation='
/** Characters of a link, and of what is in it: a link comes from anybody. */
const mostPacked = 200_000
const mostCharacters = 1_000_000

async function through(bytes: Uint8Array<ArrayBuffer>, stream: ReadableWritablePair, most: number) {
  const parts: Uint8Array[] = []
  let length = 0
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  for (;;) {
    const { done, value } = (await reader.read()) as { done: boolean; value: Uint8Array }
    if (done) break
    length += value.length
    if (length > most) {
      reader.cancel().catch(() => {})
      throw new Error('too long')
    }
    parts.push(value)
  }
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}

function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** The fragment, from `#` on; undefined if it would be longer than a link may be. */
export async function fragmentOf({ query, variables, tab }: Shared): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify({ query, variables, tab }))
  if (bytes.length > mostCharacters) return undefined
  const packed = toBase64Url(await through(bytes, new CompressionStream('deflate-raw'), mostCharacters))
  return packed.length > mostPacked ? undefined : `${prefix}${packed}`
}

export const isShared = (fragment: string): boolean => fragment.startsWith(prefix)

/** Undefined if the fragment holds no operation, whatever it is. */
export async function sharedFrom(fragment: string): Promise<Shared | undefined> {
  if (!isShared(fragment) || fragment.length > mostPacked + prefix.length) return undefined
  try {
    const bytes = fromBase64Url(fragment.slice(prefix.length))
    const unpacked = await through(bytes, new DecompressionStream('deflate-raw'), mostCharacters)
    const { query, variables, tab } = JSON.parse(new TextDecoder().decode(unpacked)) as Record<
      string,
      unknown
    >
    if (typeof query !== 'string') return undefined
    return {
      query,
      variables: typeof variables === 'string' ? variables : '',
      tab: typeof tab === 'string' ? tab : '',
    }
  } catch {
    return undefined
  }
}
