/** The routes of the short-message service: scopes, rate limits and parameters of each endpoint. */
import { callerFrom } from '../caller.ts'
import type { Route, StandIn, StandInAnswer, StandInRequest } from '../stand-in.ts'
import {
  type Fault,
  forbidden,
  invalidRequest,
  notAuthorized,
  notFound,
  problemAnswer,
  tooManyRequests,
  unauthorized,
  unsupportedAuthentication,
} from './errors.ts'
import { changeMessages, type Message, type SampleData, type User } from './model.ts'
import { faultsOfId, faultsOfIds, inOwnOrder, messageIdFrom, positionFrom, tokenFor } from './parameters.ts'
import { type Limit, RateLimiter } from './rate-limit.ts'
import { sampleMessages } from './sample-ids.ts'
import { createSampleData, syntheticMessage } from './samples.ts'
import { type Reader, Rendering, type Selection, selectionFrom } from './selection.ts'

export interface MessagesStandInOptions {
  readonly now?: () => number
  /** For benchmarks: every id of 19 digits that begins with 77 exists, and there are no rate limits. */
  readonly synthetic?: boolean
  /** Whether a call without a token is refused. Otherwise its caller is the demo user with all scopes. */
  readonly requireAuth?: boolean
  /** The most calls in a window, by endpoint. The default is those of the real service. */
  readonly rateLimits?: Partial<Record<Endpoint, number>> | undefined
}
type Endpoint = 'lookup' | 'lookupOne' | 'likingUsers' | 'like' | 'me'

const perUser: Record<Endpoint, number> = { lookup: 5000, lookupOne: 900, likingUsers: 75, like: 50, me: 75 }
const perApp: Partial<Record<Endpoint, number>> = { lookup: 3500, lookupOne: 450 }
const quarterHour = 15 * 60_000
const likesADay: Limit = { calls: 1000, windowMs: 24 * 3_600_000 }

/** The token of an application without a user. Endpoints that need a user refuse it. */
export const appOnlyToken = 'app-only'

const scopesOf: Record<Endpoint, readonly string[]> = {
  lookup: ['tweet.read', 'users.read'],
  lookupOne: ['tweet.read', 'users.read'],
  likingUsers: ['tweet.read', 'users.read', 'like.read'],
  like: ['tweet.read', 'users.read', 'like.write'],
  me: ['tweet.read', 'users.read'],
}

export class MessagesStandIn implements StandIn {
  readonly service = 'messages'
  readonly routes: readonly Route[]
  readonly #options: MessagesStandInOptions
  /** Undefined until it is used. */
  #made: SampleData | undefined
  readonly #limiter
  #endlessPages = 0
  readonly #reader: Reader

  constructor(options: MessagesStandInOptions = {}) {
    this.#options = options
    this.#limiter = new RateLimiter(options.now ?? Date.now)
    this.#reader = {
      messageOf: (id) =>
        this.#data.messages.get(id) ?? (this.#options.synthetic === true ? syntheticMessage(id) : undefined),
      userOf: (id) => this.#data.users.get(id),
      isVisible: ({ author_id }) => this.#data.users.get(author_id)?.protected !== true,
    }
    this.routes = [
      this.#route('GET', '/2/tweets', 'lookup', this.#lookup),
      this.#route('GET', '/2/tweets/:id/liking_users', 'likingUsers', this.#likingUsers),
      this.#route('POST', '/2/users/:id/likes', 'like', this.#like),
      {
        ...this.#route('DELETE', '/2/users/:id/likes/:messageId', 'like', this.#unlike),
        operation: 'messages.unlike',
      },
      this.#route('GET', '/2/tweets/:id', 'lookupOne', this.#lookupOne),
      this.#route('GET', '/2/users/me', 'me', this.#me),
    ]
  }

  get #data(): SampleData {
    this.#made ??= createSampleData()
    return this.#made
  }

  change(change: Readonly<Record<string, unknown>>): void {
    changeMessages(this.#data, change)
  }

  #limitOf(endpoint: Endpoint, isApp: boolean): Limit {
    const usual =
      this.#options.synthetic === true
        ? Number.MAX_SAFE_INTEGER
        : ((isApp ? perApp[endpoint] : undefined) ?? perUser[endpoint])
    return { calls: this.#options.rateLimits?.[endpoint] ?? usual, windowMs: quarterHour }
  }

  #route(
    method: string,
    path: string,
    endpoint: Endpoint,
    handle: (request: StandInRequest) => StandInAnswer,
  ): Route {
    const handler = (request: StandInRequest): StandInAnswer => {
      const { authorization } = request.headers
      const requireAuth = this.#options.requireAuth ?? false
      const caller = callerFrom(request.headers, requireAuth)
      if (caller.isAnonymous && requireAuth) return unauthorized
      const isApp = authorization?.toLowerCase() === `bearer ${appOnlyToken}`
      const daily = endpoint === 'like' && this.#options.synthetic !== true ? likesADay : undefined
      const taken = this.#limiter.take(authorization ?? '', endpoint, this.#limitOf(endpoint, isApp), daily)
      const answer = (): StandInAnswer => {
        if (!taken.allowed) return tooManyRequests
        if (isApp && perApp[endpoint] === undefined) return unsupportedAuthentication
        const missing = scopesOf[endpoint].filter((scope) => !caller.has(scope))
        if (missing.length > 0) return forbidden(`The token lacks the scopes: ${missing.join(' ')}.`)
        return handle(request)
      }
      const { status, headers, body } = answer()
      return { status, headers: { ...headers, ...taken.headers }, body }
    }
    return { method, path, operation: `messages.${endpoint}`, handler }
  }

  readonly #lookup = (request: StandInRequest): StandInAnswer => {
    const { selection, faults } = selectionFrom(request, 'message', ['ids'])
    const ids = request.query.getAll('ids').flatMap((text) => text.split(','))
    const problems = [...faults, ...faultsOfIds(ids)]
    if (problems.length > 0) return invalidRequest(problems)
    const rendering = new Rendering(selection, this.#data, this.#reader)
    const found = [...new Set(ids)].flatMap((id) => this.#shown(id, 'ids', rendering) ?? [])
    const messages = inOwnOrder(found).map((message) => rendering.message(message))
    const meta = selection.vocabulary === 'post' ? { result_count: messages.length } : undefined
    return { status: 200, body: rendering.body(messages, meta) }
  }

  readonly #lookupOne = (request: StandInRequest): StandInAnswer => {
    const { selection, faults } = selectionFrom(request, 'message', [])
    return this.#aboutMessage(request.params.id ?? '', faults, selection, (message, rendering) => ({
      status: 200,
      body: rendering.body(rendering.message(message)),
    }))
  }

  /** Checks the id in the path. If a message cannot be shown, the response has an error and no data. */
  #aboutMessage(
    id: string,
    faults: readonly Fault[],
    selection: Selection,
    answer: (message: Message, rendering: Rendering) => StandInAnswer,
  ): StandInAnswer {
    const problems = [...faults, ...faultsOfId('id', id)]
    if (problems.length > 0) return invalidRequest(problems)
    const rendering = new Rendering(selection, this.#data, this.#reader)
    const message = this.#shown(id, 'id', rendering)
    return message === undefined
      ? { status: 200, body: rendering.body(undefined) }
      : answer(message, rendering)
  }

  /** The message. If the caller may not see it, the response says why. */
  #shown(id: string, parameter: string, rendering: Rendering): Message | undefined {
    const message = this.#reader.messageOf(id)
    if (message !== undefined && this.#reader.isVisible(message)) return message
    const problem = message === undefined ? notFound : notAuthorized
    rendering.problems.push(problem({ id, parameter, resource: 'tweet' }))
    return undefined
  }

  readonly #likingUsers = (request: StandInRequest): StandInAnswer => {
    const { query } = request
    const { id = '' } = request.params
    const { selection, faults } = selectionFrom(request, 'user', ['max_results', 'pagination_token'])
    const problems = [...faults]
    const wanted = query.get('max_results') ?? '100'
    const size = /^[0-9]+$/.test(wanted) ? Number(wanted) : Number.NaN
    if (!(size >= 1 && size <= 100)) {
      problems.push({
        parameters: { max_results: [wanted] },
        message: `The \`max_results\` query parameter value [${wanted}] is not between 1 and 100`,
      })
    }
    const token = query.get('pagination_token')
    const position = token === null ? { offset: 0, backward: false } : positionFrom(token, id)
    if (position === undefined) {
      problems.push({
        parameters: { pagination_token: [token ?? ''] },
        message: `The \`pagination_token\` query parameter value [${token}] is not valid`,
      })
      return invalidRequest(problems)
    }
    return this.#aboutMessage(id, problems, selection, (_, rendering) => {
      const all = this.#data.likers.get(id) ?? []
      const start = position.backward ? Math.max(0, position.offset - size) : position.offset
      const end = position.backward ? position.offset : Math.min(all.length, start + size)
      // Protected accounts are left out of a page, so it may be short and still have a next one.
      const users = all
        .slice(start, end)
        .map((user) => this.#data.users.get(user))
        .filter((user): user is User => user?.protected === false)
      const shown = users.map((user) => rendering.user(user))
      const endless = id === sampleMessages.endlessLikes
      const next = endless
        ? tokenFor(id, { offset: all.length, backward: false, page: ++this.#endlessPages })
        : end < all.length
          ? tokenFor(id, { offset: end, backward: false })
          : undefined
      const previous = start > 0 ? tokenFor(id, { offset: start, backward: true }) : undefined
      const meta = { result_count: shown.length, next_token: next, previous_token: previous }
      return { status: 200, body: rendering.body(shown, meta) }
    })
  }

  readonly #like = (request: StandInRequest): StandInAnswer => {
    const { id: user = '' } = request.params
    const message = messageIdFrom(request.json())
    const problems = [...faultsOfId('id', user), ...message.faults]
    if (problems.length > 0) return invalidRequest(problems)
    return this.#change(user, message.id, request, true)
  }

  readonly #unlike = (request: StandInRequest): StandInAnswer => {
    const { id: user = '', messageId = '' } = request.params
    const problems = [...faultsOfId('id', user), ...faultsOfId('tweet_id', messageId)]
    if (problems.length > 0) return invalidRequest(problems)
    return this.#change(user, messageId, request, false)
  }

  #change(user: string, id: string, request: StandInRequest, liked: boolean): StandInAnswer {
    if (user !== sampleMessages.demoUser) {
      return forbidden('You are not permitted to perform this action for another user.')
    }
    const message = this.#reader.messageOf(id)
    if (message === undefined) {
      return problemAnswer(404, notFound({ id, parameter: 'tweet_id', resource: 'tweet' }))
    }
    if (!this.#reader.isVisible(message)) {
      return problemAnswer(403, notAuthorized({ id, parameter: 'tweet_id', resource: 'tweet' }))
    }
    const before = this.#data.likers.get(id) ?? []
    const others = before.filter((liker) => liker !== user)
    const after = liked ? [user, ...others] : others
    this.#data.likers.set(id, after)
    const metrics = message.public_metrics as { like_count: number }
    const like_count = metrics.like_count + after.length - before.length
    this.#data.messages.set(id, { ...message, public_metrics: { ...metrics, like_count } })
    request.recordWrite(`${user}:${id}`)
    return { status: 200, body: { data: { liked } } }
  }

  readonly #me = (request: StandInRequest): StandInAnswer => {
    const { selection, faults } = selectionFrom(request, 'user', [])
    if (faults.length > 0) return invalidRequest(faults)
    const rendering = new Rendering(selection, this.#data, this.#reader)
    const user = this.#reader.userOf(sampleMessages.demoUser)
    return { status: 200, body: rendering.body(user && rendering.user(user)) }
  }
}
