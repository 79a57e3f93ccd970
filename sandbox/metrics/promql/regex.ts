/**
 * Regular expressions of label matchers: RE2 syntax, anchored at both ends, matched in linear time. Prometheus uses
 * Go's RE2, and `re2js` is a port of it with the same syntax, limits and error messages. So a hostile pattern
 * cannot block the process, and every pattern matches the same as in Prometheus.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js'

/** Compiles a pattern to a test of whole values. Throws an Error with RE2's message. */
export function compileAnchored(pattern: string): (value: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL)
    return (value) => compiled.testExact(value)
  } catch (cause) {
    if (!(cause instanceof RE2JSSyntaxException)) throw cause
    // The exception quotes the pattern with the flags that were added to it.
    const part = cause.input?.replace(/^\(\?s\)/, '')
    throw new Error(`error parsing regexp: ${cause.error}${part === undefined ? '' : `: \`${part}\``}`)
  }
}
