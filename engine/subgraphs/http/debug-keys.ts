/**
 * Removes debugging information that GraphQL servers in development mode add to `extensions`: stacks, exceptions and
 * their messages. None of it reaches a client, under whatever name and at whatever depth it is.
 */

/** Names in lower case, without `_` and `-`. */
const debugKeys: ReadonlySet<string> = new Set([
  // Apollo Server, Yoga, Ariadne, Strawberry, Mercurius
  'stack',
  'stacktrace',
  'exception',
  'originalerror',
  // Hot Chocolate, DGS, Spring, Absinthe
  'stacktraceelements',
  'debug',
  'debuginfo',
  // Lighthouse, API Platform and others in PHP; graphql-ruby and Django
  'debugmessage',
  'backtrace',
  'traceback',
])

/** A string named `trace` is a trace id. A list is a stack, as Lighthouse sends it. */
const isDebugKey = (name: string, value: unknown): boolean =>
  debugKeys.has(name) || (name === 'trace' && typeof value === 'object')

/** Values nested deeper than this are dropped: no client reads them, and recursion must not overflow the stack. */
const mostDepth = 16

interface Cleaned {
  readonly extensions: Record<string, unknown>
  /** Whether anything was removed. */
  readonly isShortened: boolean
}

export function withoutDebugKeys(extensions: Readonly<Record<string, unknown>>): Cleaned {
  return copyWithout(extensions, (key, value) => isDebugKey(key.replace(/[_-]/g, '').toLowerCase(), value))
}

/** As JSON for the log. Only values that are nested too deeply are dropped. */
export function loggedExtensions(extensions: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(copyWithout(extensions, () => false).extensions)
}

function copyWithout(
  extensions: Readonly<Record<string, unknown>>,
  isLeftOut: (key: string, value: unknown) => boolean,
): Cleaned {
  let isShortened = false
  const copyObject = (value: object, depth: number): Record<string, unknown> => {
    const members: [string, unknown][] = []
    for (const [key, member] of Object.entries(value)) {
      if (isLeftOut(key, member)) isShortened = true
      else members.push([key, copy(member, depth + 1)])
    }
    return Object.fromEntries(members)
  }
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const isList = Array.isArray(value)
    // An `ExactNumber` is an object, too.
    if (!isList && Object.getPrototypeOf(value) !== Object.prototype) return value
    if (depth > mostDepth) {
      isShortened = true
      return null
    }
    return isList ? value.map((item) => copy(item, depth + 1)) : copyObject(value, depth)
  }
  const members = copyObject(extensions, 0)
  return { extensions: members, isShortened }
}
