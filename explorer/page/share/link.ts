/**
 * A link that opens an operation. The fragment of the address contains it in compressed form, and browsers do not
 * send fragments to servers. It contains the operation, its variables and the current view, but no headers and no
 * token. Opening a link runs nothing. This needs only `CompressionStream` from the browser.
 */
interface Shared {
  readonly query: string
  /** JSON text as it was typed. */
  readonly variables: string
  /** The current view of the result, such as `table`. */
  readonly tab: string
}

const prefix = '#operation='
/** The most characters of a link, and of its content, because anybody can make a link. */
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

/** The fragment, from `#` on; undefined if it would be too long. */
export async function fragmentOf({ query, variables, tab }: Shared): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify({ query, variables, tab }))
  if (bytes.length > mostCharacters) return undefined
  const packed = toBase64Url(await through(bytes, new CompressionStream('deflate-raw'), mostCharacters))
  return packed.length > mostPacked ? undefined : `${prefix}${packed}`
}

export const isShared = (fragment: string): boolean => fragment.startsWith(prefix)

/** Undefined if the fragment contains no operation. */
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
