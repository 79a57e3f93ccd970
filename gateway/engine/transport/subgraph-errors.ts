/**
 * Errors of a remote subgraph, which are somebody else's words. Every one has a code and names its subgraph; clients
 * see the rest only where that is allowed. What was written goes to the log, as the original error.
 */
import { isErrorCode } from '../../../contract/errors.ts'
import type { SubgraphError } from './subgraph-fetch.ts'

export type ErrorReader = (error: unknown) => SubgraphError

/** Of what a subgraph wrote, at most so much is kept for the log. */
const loggedCharacters = 2000

/** `pass`: clients see message and extensions. Otherwise only the path, and the code where it is one of ours. */
export function readErrorsOf(service: string, pass: boolean): ErrorReader {
  return (error) => {
    const { message, path, extensions } = isRecord(error) ? error : {}
    const { code, ...more } = isRecord(extensions) ? extensions : {}
    const text = typeof message === 'string' ? message : `The subgraph ${service} failed.`
    const at = isPath(path) ? { path } : {}
    if (!pass) {
      return {
        message: `The subgraph ${service} reported an error.`,
        ...at,
        extensions: { code: isErrorCode(code) ? code : 'UPSTREAM_BAD_RESPONSE', service },
        originalError: new Error(`${text} ${JSON.stringify({ code, ...more })}`.slice(0, loggedCharacters)),
      }
    }
    // Servers in their development mode send stacks along; the HTTP status is not theirs to set.
    for (const key of ['stacktrace', 'exception', 'http']) delete more[key]
    return {
      message: text,
      ...at,
      extensions: {
        ...more,
        code: typeof code === 'string' ? code : 'UPSTREAM_BAD_RESPONSE',
        service: typeof more.service === 'string' ? more.service : service,
      },
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPath(path: unknown): path is (string | number)[] {
  return Array.isArray(path) && path.every((step) => typeof step === 'string' || Number.isSafeInteger(step))
}
