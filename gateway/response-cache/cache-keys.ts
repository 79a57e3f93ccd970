/**
 * The cache keys of a fetch. The shared key has the subgraph, the selection with its values, and those of the relevant scopes that
 * the caller has. If responses differ by caller, further keys have the caller's headers that the subgraph receives, or
 * the caller's identity.
 */
import { hash } from 'node:crypto'
import type { GatewayRequest } from '../../engine/request.ts'
import { callerName, rightsOf } from '../../shared/identity.ts'
import { isCredential } from '../headers/index.ts'
import type { Guard } from './schema-facts.ts'
import type { SelectionPolicy } from './selection.ts'
import type { VariantsBy } from './types.ts'

/** The headers that a subgraph receives of a caller, in lower case; undefined if it receives none. */
export type CallerPart = ((request: GatewayRequest) => Readonly<Record<string, string>>) | undefined

export class CacheKeys {
  /** The key for all callers. */
  readonly shared: string
  readonly #request: GatewayRequest
  readonly #callerPart: CallerPart

  constructor(
    material: string,
    guard: SelectionPolicy['guard'],
    request: GatewayRequest,
    callerPart: CallerPart,
  ) {
    this.#request = request
    this.#callerPart = callerPart
    this.shared = hash(
      'sha256',
      guard === undefined ? material : `${material}\n${relevantScopes(guard, request)}`,
      'base64url',
    )
  }

  /** The key for callers with equal values of these; undefined if nothing names the caller. */
  variant(by: VariantsBy): string | undefined {
    const sent = this.#callerPart?.(this.#request) ?? {}
    if (by === 'caller') {
      const caller = callerOf(this.#request)
      if (caller === undefined && !Object.keys(sent).some(tellsCaller)) return undefined
      return this.#with(['caller', caller ?? null, sorted(sent)])
    }
    if (by === 'all') return this.#with(['all', sorted(sent)])
    return this.#with(['by', [...by].sort().map((name) => [name, sent[name] ?? null])])
  }

  #with(part: unknown): string {
    return hash('sha256', `${this.shared}\n${JSON.stringify(part)}`, 'base64url')
  }
}

/** All visitors may have the same cookie, and other headers belong to many callers. */
const tellsCaller = (header: string): boolean => isCredential(header) && !header.endsWith('cookie')

const sorted = (record: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1))

function relevantScopes({ scopes }: Pick<Guard, 'scopes'>, { identity }: GatewayRequest): string {
  return JSON.stringify([
    identity?.authenticated === true,
    scopes.filter((scope) => identity?.scopes.has(scope)),
  ])
}

/** The caller with all rights; undefined if there is none. */
function callerOf(request: GatewayRequest): unknown {
  const { identity } = request
  if (identity?.authenticated !== true) return undefined
  // If it names nobody, only the token identifies the caller.
  const token = callerName(identity) === undefined ? (request.header('authorization') ?? '') : undefined
  return token === '' ? undefined : [token, ...rightsOf(identity)]
}
