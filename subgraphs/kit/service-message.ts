/**
 * Sanitizes all messages that a service wrote. A message is passed on only if it explains the caller's own fault.
 * It then becomes one line of bounded length without markup, addresses, accounts, projects and class names.
 *
 * The text is foreign and may be hostile, so it is cut before it is read. Each expression below takes linear time,
 * because a match can begin only at the start of a run of letters.
 */
import { isIP } from 'node:net'
import { STATUS_CODES } from '../../shared/http/node-http.ts'

interface ServiceMessageOptions {
  /** The most characters of the result. The default is 500. */
  readonly maxLength?: number | undefined
  /** Names to remove, such as the project that the call is about. */
  readonly names?: readonly string[] | undefined
}

const gap = '…'

/** How much of the text is read, as a multiple of `maxLength`. */
const readShare = 4

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const blanks = /[\u0000-\u001f\u007f-\u009f\s]+/g

const tag = /<[!/?a-z][^<>]*>/gi
const elements: ReadonlySet<string> = new Set(
  'a abbr b blockquote body br center code dd div dl dt em font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input kbd label li link main meta nav object ol option p pre q s samp script section select small span strong style sub sup svg table tbody td th thead title tr tt u ul var video'.split(
    ' ',
  ),
)

/** Removes HTML. A name in angle brackets that is no HTML element stays, because PromQL writes its tokens so. */
function withoutMarkup(text: string): string {
  return text.replace(tag, (found) => {
    const name = /^<[a-z][a-z0-9-]*/i.exec(found)?.[0].slice(1).toLowerCase()
    return name === undefined || elements.has(name) || found.includes('=') ? '' : found
  })
}

const replacements: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  // URLs.
  [/(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/[^\s"'<>\\)\]}]+/gi, gap],
  // Accounts.
  [/(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/g, gap],
  // Java classes and exceptions.
  [/(?<![\w$.])(?:[a-z_$][\w$]*\.){2,}[A-Z][\w$]*(?:: ?)?/g, ''],
  [/\b[A-Za-z]\w*Exception\b:? ?/g, ''],
  // Projects: as paths, ids and numbers, in quotes, and by name.
  [/\bprojects\/[^\s/'"`,;:)\]]+/g, `projects/${gap}`],
  [/\bproject[_ ](?:number|id) ?[:=]? ?['"`]?[\w.:-]+['"`]?/gi, `project ${gap}`],
  [/\bproject (['"`])[^'"`]*\1/gi, `project ${gap}`],
  [
    /\bproject (?!(?:agent|and|cannot|does|for|has|in|is|must|not|of|or|that|the|to|was|which|with|…)\b|…)[^\s'"`,;)\]]*[^\s'"`,;.:)\]]/gi,
    `project ${gap}`,
  ],
  // What Go's network errors name: `lookup HOST`, `dial tcp ADDRESS`.
  [/(?<=\blookup )[^\s:]\S*/g, gap],
  [/(?<=\bdial (?:tcp|udp|unix)[46]? )(?!lookup )[^\s:]\S*?(?=:? |$)/g, gap],
  // Addresses: [::1]:9090, 2001:db8::1, 10.0.0.3:9090, store-1.internal:10901, localhost.
  [
    /\[([0-9a-f:.]{2,45})(?:%\w{1,20})?\](?::\d{1,5})?/gi,
    (found) => (isIP(found.slice(1).split(/[%\]]/, 1)[0] ?? '') === 6 ? gap : found),
  ],
  [/(?<![\w:.])[0-9a-f:]{3,45}(?![\w:])/gi, (found) => (isIP(found) === 6 ? gap : found)],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, gap],
  [/(?<![\w-]|[\w-]\.)(?:[a-z0-9_-]+\.)+[a-z0-9-]+:\d{2,5}\b/gi, gap],
  // A name without dots: vmstorage-1:8401, redis:6379. A shorter number is a position in a text or a time, and no
  // port.
  [
    /(?<![\w.:@/-])(?!(?:at|bytes|char|character|code|col|column|count|length|limit|line|offset|pos|position|size|status|step|time|timestamp)s?:)[a-z][a-z0-9_-]*:\d{4,5}(?![\w.:-])/gi,
    gap,
  ],
  // Names that resolve only inside a network: store-1.monitoring.svc, db.internal.
  [
    /(?<![\w-]|[\w-]\.)(?:[a-z0-9_-]+\.)+(?:internal|local|localdomain|lan|svc|corp|intranet|private)(?![\w-]|\.[\w-])/gi,
    gap,
  ],
  [/\blocalhost(?::\d{1,5})?\b/gi, gap],
]

/** The first characters of a text, without the word that the cut would split. */
function beginning(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length)
  const end = cut.lastIndexOf(' ')
  return end > 0 ? cut.slice(0, end) : cut
}

/** The message that may be shown; empty if nothing is left. */
export function publicMessage(message: unknown, options: ServiceMessageOptions = {}): string {
  if (typeof message !== 'string') return ''
  const { maxLength = 500, names = [] } = options
  let text = beginning(message, readShare * maxLength).replace(blanks, ' ')
  text = withoutMarkup(text)
  // `replace` accepts a string or a function, but its types list them as separate overloads.
  for (const [pattern, replacement] of replacements) text = text.replace(pattern, replacement as string)
  for (const name of names) if (name.length > 2) text = withoutName(text, name)
  text = text.replace(/ {2,}/g, ' ').trim()
  return text.length > maxLength ? `${text.slice(0, maxLength)}${gap}` : text
}

const statusPhrases: ReadonlySet<string> = new Set(
  Object.values(STATUS_CODES).map((phrase) => phrase?.toLowerCase() ?? ''),
)

/**
 * The same for a plain-text body. The result is also empty if the text says no more than the status ("400 Bad
 * Request"), which is what proxies and servers write by default.
 */
export function plainMessage(text: unknown, options: ServiceMessageOptions = {}): string {
  const message = publicMessage(text, options)
  const phrase = message.replace(/^(?:HTTP\/[\d.]+ )?\d{3}:? /i, '').replace(/[.!]$/, '')
  return statusPhrases.has(phrase.toLowerCase()) ? '' : message
}

/** Removes a name if it stands as a whole word. */
function withoutName(text: string, name: string): string {
  // Escaped by hand: RegExp.escape is not in every Node that this runs on.
  const literal = name.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&')
  return text.replace(new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, 'g'), gap)
}

/** A service's own name of a fault; undefined if it is not a single word. */
export const wordOf = (name: string | undefined): string | undefined =>
  name !== undefined && /^[\w-]{1,64}$/.test(name) ? name : undefined
