/**
 * Errors of a remote subgraph, which are somebody else's words. Every one has a code and names its subgraph; clients
 * see the rest only if that is allowed. What was written goes to the log, as the original error.
 */
import { isErrorCode } from '../../../shared/errors.ts'
import type { SubgraphError } from '../subgraph-fetch.ts'
import { loggedExtensions, withoutDebugKeys } from './debug-keys.ts'

export type ErrorReader = (error: unknown) => SubgraphError

/** Of what a subgraph wrote, at most so much is kept for the log. */
const loggedCharacters = 2000

/** What clients see of an error, beside its path, the code where it is one of ours, and the subgraph's name. */
export interface ErrorRules {
  /** The subgraph's own message. */
  readonly messages: boolean
  /** Its extensions: all, none, or those with these keys. */
  readonly extensions: boolean | readonly string[]
}

export const maskedErrors: ErrorRules = { messages: false, extensions: false }
export const shownErrors: ErrorRules = { messages: true, extensions: true }

export function readErrorsOf(service: string, rules: ErrorRules): ErrorReader {
  const { messages, extensions: shown } = rules
  const keys = typeof shown === 'boolean' ? undefined : new Set(shown)
  return (error) => {
    const { message, path, extensions } = isRecord(error) ? error : {}
    const { code, ...more } = isRecord(extensions) ? extensions : {}
    const text = typeof message === 'string' ? message : `The subgraph ${service} failed.`
    const at = isPath(path) ? { path } : {}
    const { extensions: passed, isShortened } = withoutDebugKeys(shown === false ? {} : more)
    // The HTTP status is not theirs to set.
    delete passed.http
    if (keys !== undefined) for (const key of Object.keys(passed)) if (!keys.has(key)) delete passed[key]
    const hidden = !messages || shown !== true || isShortened
    // A code that is not one of ours is as much of the subgraph's own as the rest.
    const ownCode = typeof code === 'string' && (shown === true || keys?.has('code') === true)
    return {
      message: messages ? text : `The subgraph ${service} reported an error.`,
      ...at,
      extensions: {
        ...passed,
        code: ownCode || isErrorCode(code) ? code : 'UPSTREAM_BAD_RESPONSE',
        service: typeof passed.service === 'string' ? passed.service : service,
      },
      ...(hidden
        ? {
            originalError: new Error(
              `${text} ${loggedExtensions({ code, ...more })}`.slice(0, loggedCharacters),
            ),
          }
        : {}),
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPath(path: unknown): path is (string | number)[] {
  return Array.isArray(path) && path.every((step) => typeof step === 'string' || Number.isSafeInteger(step))
}
