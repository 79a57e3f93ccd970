/** What hooks share during one request: its id, its headers and whatever they remember. */
import type { HookEvent, HookHeaders } from './define.ts'

/** The part of a request that hooks see. */
export interface HookedRequest {
  readonly id: string
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly peer?: (() => string | undefined) | undefined
  header(name: string): string | undefined
  readonly headers?: Readonly<Record<string, unknown>> | undefined
}

export class HookState {
  readonly context = new Map<string, unknown>()
  /** When the request began; of a subscription, its event. */
  started = performance.now()
  request: HookedRequest
  /** Labels that were decided to hold. */
  labels: ReadonlySet<string> = noLabels
  #headers: HookHeaders | undefined

  constructor(request: HookedRequest) {
    this.request = request
  }

  get event(): HookEvent {
    this.#headers ??= textsOf(this.request.headers)
    return { id: this.request.id, context: this.context, headers: this.#headers }
  }

  /** The same request with other headers; undefined removes one. */
  changeHeaders(changes: ReadonlyMap<string, string | undefined>): HookedRequest {
    const { header } = this.request
    const headers = Object.fromEntries(
      Object.entries({ ...this.request.headers, ...Object.fromEntries(changes) }).filter(
        ([, value]) => value !== undefined,
      ),
    )
    this.#headers = undefined
    this.request = {
      ...this.request,
      headers,
      header: (name) => (changes.has(name) ? changes.get(name) : header(name)),
    }
    return this.request
  }
}

const noLabels: ReadonlySet<string> = new Set()

/** Those that came once, as nearly all do. */
function textsOf(headers: Readonly<Record<string, unknown>> = {}): HookHeaders {
  return Object.freeze(
    Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  )
}
