/**
 * Regular expressions of label matchers: RE2 syntax, anchored at both ends, matched in linear time. Prometheus uses
 * Go's RE2; `re2js` is a port of it with the same syntax, limits and error messages, so that a hostile pattern
 * cannot hang the process, and a pattern never matches something else than it does there.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js'

/** Compiles a pattern to a test of whole values; throws an Error whose message is RE2's. */
export function compileAnchored(pattern: string): (value: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL)
    return (value) => compiled.testExact(value)
  } catch (cause) {
    if (!(cause instanceof RE2JSSyntaxException)) throw cause
    // The exception names the pattern with the flag group that the option adds to it.
    const part = cause.input?.replace(/^\(\?s\)/, '')
    throw new Error(`error parsing regexp: ${cause.error}${part === undefined ? '' : `: \`${part}\``}`)
  }
}
