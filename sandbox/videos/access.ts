/** The quota of the video service, and the credentials of its callers. */
import { type Caller, callerFrom } from '../caller.ts'
import type { StandInRequest } from '../stand-in.ts'
import { refuse } from './errors.ts'

/** The units that each kind of call costs. */
export const prices = { insert: 1600, update: 50, delete: 50, insertThread: 50, list: 1 } as const

export interface AccessOptions {
  readonly namespace: string
  readonly requireAuth: boolean
  readonly dailyQuota: number | undefined
  readonly now: () => number
}

export class Access {
  /** The scopes that may read private data, and those that may write. */
  readonly readers: readonly string[]
  readonly writers: readonly string[]
  readonly #options: AccessOptions
  /** Created once, because creating it takes longer than a response. Without a quota nobody needs it. */
  #days: Intl.DateTimeFormat | undefined
  /** The day in the time zone in which the service counts its quota. */
  #day = ''
  #spent = 0

  constructor(options: AccessOptions) {
    this.#options = options
    this.writers = [options.namespace, `${options.namespace}.force-ssl`]
    this.readers = [...this.writers, `${options.namespace}.readonly`]
  }

  /** Charges units for a call, or refuses it if the day's quota is used up. */
  charge(request: StandInRequest, units: number): void {
    const { dailyQuota } = this.#options
    if (dailyQuota !== undefined) this.#spend(units, dailyQuota)
    request.charge(units)
  }

  #spend(units: number, dailyQuota: number): void {
    this.#days ??= new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' })
    const day = this.#days.format(this.#options.now())
    if (day !== this.#day) this.#spent = 0
    this.#day = day
    if (this.#spent + units > dailyQuota) {
      refuse(
        403,
        'quotaExceeded',
        'The request cannot be completed because you have exceeded your <a href="/quota">quota</a>.',
        { domain: 'quota' },
      )
    }
    this.#spent += units
  }

  /** The caller. A request with only an API key is anonymous. */
  callerOf(request: StandInRequest): Caller {
    const { requireAuth } = this.#options
    const caller = callerFrom(request.headers, requireAuth)
    const key = request.query.get('key') ?? request.headers['x-goog-api-key']
    if (key !== undefined && !/^[\w.:-]{1,200}$/.test(String(key))) {
      refuse(400, 'keyInvalid', 'Bad Request', { domain: 'usageLimits' })
    }
    if (requireAuth && caller.isAnonymous && key === undefined) {
      refuse(403, 'forbidden', 'The request is missing a valid API key.')
    }
    return caller
  }

  /** Refuses a caller that has none of the scopes. */
  requireScope(caller: Caller, ...names: readonly string[]): void {
    if (caller.isAnonymous && !caller.has('')) {
      refuse(401, 'required', 'Login Required.', { location: 'Authorization' })
    }
    if (!names.some((name) => caller.has(name) || caller.has(`https://www.googleapis.com/auth/${name}`))) {
      refuse(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
    }
  }
}
