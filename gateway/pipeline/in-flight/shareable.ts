/**
 * Which operations are shared, and the keys by which equal ones are found. An operation is shared if the headers of its
 * caller on which its answers can depend are known for every subgraph of its plan.
 */
import { eachFetch } from '../../../engine/planner/index.ts'
import type { GatewayRequest } from '../../../engine/request.ts'
import { headerPart } from '../../../engine/subgraphs/index.ts'
import type { GrantedOperation } from '../../auth/operation.ts'

/**
 * The headers of the caller, in lower case, on which the answers of a subgraph can depend; undefined if its answers are
 * not to be shared.
 */
export type CallerHeaders = (subgraph: string) => readonly string[] | undefined

/** A granted operation whose results may be shared. */
export class Shareable {
  /** The headers of the caller on which its answers depend. */
  readonly headers: readonly string[]
  readonly #name: string

  constructor(headers: readonly string[], name: string) {
    this.headers = headers
    this.#name = name
  }

  /** Equal for equal queries. */
  keyOf(variables: Readonly<Record<string, unknown>>, request: GatewayRequest): string {
    const { onError } = request
    let key = this.#name + (onError === 'PROPAGATE' ? '' : onError) + JSON.stringify(variables)
    for (const header of this.headers) key += headerPart(request.header(header))
    return key
  }
}

/** Finds out once for each granted operation whether it is shareable. */
export class Shareables {
  readonly #callerHeaders: CallerHeaders
  /** Null for those that are not shared. */
  readonly #known = new WeakMap<GrantedOperation, Shareable | null>()
  #count = 0

  constructor(callerHeaders: CallerHeaders) {
    this.#callerHeaders = callerHeaders
  }

  of(granted: GrantedOperation): Shareable | null {
    let shareable = this.#known.get(granted)
    if (shareable === undefined) {
      const headers = this.#headersOf(granted)
      shareable = headers === undefined ? null : new Shareable(headers, `${++this.#count}`)
      this.#known.set(granted, shareable)
    }
    return shareable
  }

  #headersOf({ compiled }: GrantedOperation): readonly string[] | undefined {
    const headers = new Set<string>()
    let isKnown = true
    try {
      eachFetch(compiled.plan(), ({ operation }) => {
        const own = this.#callerHeaders(operation.service)
        if (own === undefined) isKnown = false
        else for (const header of own) headers.add(header)
      })
    } catch {
      // There is no plan: executing says why.
      return undefined
    }
    return isKnown ? [...headers] : undefined
  }
}
