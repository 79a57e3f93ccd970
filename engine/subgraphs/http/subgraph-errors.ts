/**
 * Reads errors of a remote subgraph. Each gets a code and the name of the subgraph. Clients see the rest only if that
 * is allowed. The log has the original error.
 */
import { type ErrorCode, isErrorCode } from '../../../shared/errors.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import type { SubgraphError } from '../subgraph-fetch.ts'
import { loggedExtensions, withoutDebugKeys } from './debug-keys.ts'
import { canHaveUncheckedValues } from './unchecked-values.ts'

export type ErrorReader = (error: unknown) => SubgraphError

/** The most characters of the original error in the log. */
const loggedCharacters = 2000

/**
 * Codes about a document. The gateway has written the one that the subgraph refuses: its schema is another than the
 * supergraph has, and the client's document is without fault.
 */
const aboutDocuments: ReadonlySet<unknown> = new Set<ErrorCode>([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'PERSISTED_QUERY_ONLY',
])

/** A wrong value of a custom scalar has this code as well, and is the client's fault. */
const alsoAboutValues = 'GRAPHQL_VALIDATION_FAILED' satisfies ErrorCode

/** What clients see of an error, in addition to its path, a code of this gateway, and the subgraph's name. */
export interface ErrorRules {
  /** The subgraph's own message. */
  readonly messages: boolean
  /** Its extensions: all, none, or those with these keys. */
  readonly extensions: boolean | readonly string[]
}

export const maskedErrors: ErrorRules = { messages: false, extensions: false }
export const shownErrors: ErrorRules = { messages: true, extensions: true }

/** Makes the reader for each operation from its text. Without the text, its values can be wrong. */
export function readErrorsOf(service: string, rules: ErrorRules): (text?: string) => ErrorReader {
  const { messages, extensions: shown } = rules
  const keys = typeof shown === 'boolean' ? undefined : new Set(shown)
  const readFor = (error: unknown, canHaveWrongValues: () => boolean): SubgraphError => {
    const { message, path, extensions } = isObject(error) ? error : {}
    const { code, ...more } = isObject(extensions) ? extensions : {}
    const text = typeof message === 'string' ? message : `The subgraph ${service} failed.`
    const at = isPath(path) ? { path: path.map(stepOf) } : {}
    const { extensions: passed, isShortened } = withoutDebugKeys(shown === false ? {} : more)
    // A subgraph must not set the HTTP status.
    delete passed.http
    if (keys !== undefined) for (const key of Object.keys(passed)) if (!keys.has(key)) delete passed[key]
    const isAboutDocument = aboutDocuments.has(code) && (code !== alsoAboutValues || !canHaveWrongValues())
    const hidden = !messages || shown !== true || isShortened || isAboutDocument
    // An unknown code is treated like the other extensions.
    const ownCode = typeof code === 'string' && (shown === true || keys?.has('code') === true)
    const passes = (ownCode || isErrorCode(code)) && !isAboutDocument
    return {
      message: messages ? text : `The subgraph ${service} reported an error.`,
      ...at,
      extensions: {
        ...passed,
        code: passes ? code : 'UPSTREAM_BAD_RESPONSE',
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
  return (text) => {
    let known: boolean | undefined
    // Hardly any error needs it.
    const canHaveWrongValues = (): boolean => {
      known ??= text === undefined || canHaveUncheckedValues(text)
      return known
    }
    return (error) => readFor(error, canHaveWrongValues)
  }
}

function isPath(path: unknown): path is (string | number)[] {
  return Array.isArray(path) && path.every((step) => typeof step === 'string' || Number.isSafeInteger(step))
}

/** Mercurius writes positions in lists as strings. No name begins with a digit. */
const stepOf = (step: string | number): string | number =>
  typeof step === 'string' && /^\d+$/.test(step) ? Number(step) : step
