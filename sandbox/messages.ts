/**
 * The stand-in of the short-message service: look-up, the users who liked a message, like and unlike, and who the
 * caller is. Strict about parameters, scopes and rate limits; what cannot be shown is a partial error in an answer
 * that succeeded, as in the real service.
 */
import {
  createSampleData,
  type Message,
  sampleMessages,
  syntheticMessage,
  type User,
} from './messages/data.ts'
import {
  forbidden,
  invalidRequest,
  notAuthorized,
  notFound,
  problemAnswer,
  tooManyRequests,
  unauthorized,
  unsupportedAuthentication,
} from './messages/problem.ts'
import { createRateLimiter, type Limit } from './messages/rate-limit.ts'
import {
  createRendering,
  type Fault,
  type Reader,
  type Selection,
  selectionFrom,
} from './messages/selection.ts'
import { callerFrom, type Route, type StandIn, type StandInAnswer, type StandInRequest } from './stand-in.ts'

export { sampleMessages } from './messages/data.ts'

export interface MessagesStandInOptions {
  readonly now?: () => number
  /** Whether every id of 19 digits that begins with 77 exists; also lifts the rate limits, for benchmarks. */
  readonly synthetic?: boolean
  /** Whether a call without a token is refused; else it is the demo user's, with every scope. */
  readonly requireAuth?: boolean
  /** Calls in a window, by endpoint; the real service's numbers unless said. */
  readonly rateLimits?: Partial<Record<Endpoint, number>> | undefined
  /** Of those windows: a quarter of an hour unless said. */
  readonly rateWindowMs?: number | undefined
}
export type Endpoint = 'lookup' | 'lookupOne' | 'likingUsers' | 'like' | 'me'

const perUser: Record<Endpoint, number> = { lookup: 5000, lookupOne: 900, likingUsers: 75, like: 50, me: 75 }
const perApp: Partial<Record<Endpoint, number>> = { lookup: 3500, lookupOne: 450 }
const quarterHour = 15 * 60_000
const likesADay: Limit = { calls: 1000, windowMs: 24 * 3_600_000 }

/** This token is an application's own: it has no user, and is refused where one is needed. */
export const appOnlyToken = 'app-only'

const scopesOf: Record<Endpoint, readonly string[]> = {
  lookup: ['tweet.read', 'users.read'],
  lookupOne: ['tweet.read', 'users.read'],
  likingUsers: ['tweet.read', 'users.read', 'like.read'],
  like: ['tweet.read', 'users.read', 'like.write'],
  me: ['tweet.read', 'users.read'],
}
const maxIds = 100
const idForm = /^[0-9]{1,19}$/

export function createMessagesStandIn(options: MessagesStandInOptions = {}): StandIn {
  const { now = Date.now, synthetic = false, requireAuth = false, rateWindowMs = quarterHour } = options
  let data = createSampleData()
  const limiter = createRateLimiter(now)
  let endlessPages = 0

  const reader: Reader = {
    messageOf: (id) => data.messages.get(id) ?? (synthetic ? syntheticMessage(id) : undefined),
    userOf: (id) => data.users.get(id),
    isVisible: (user) => data.users.get(user)?.protected !== true,
  }

  function limitOf(endpoint: Endpoint, isApp: boolean): Limit {
    const usual = synthetic
      ? Number.MAX_SAFE_INTEGER
      : ((isApp ? perApp[endpoint] : undefined) ?? perUser[endpoint])
    return { calls: options.rateLimits?.[endpoint] ?? usual, windowMs: rateWindowMs }
  }

  const guarded =
    (endpoint: Endpoint, handle: (request: StandInRequest) => StandInAnswer): Route['handler'] =>
    (request) => {
      const { authorization } = request.headers
      const caller = callerFrom(request.headers, requireAuth)
      if (caller.anonymous && requireAuth) return unauthorized
      const isApp = authorization?.toLowerCase() === `bearer ${appOnlyToken}`
      const daily = endpoint === 'like' && !synthetic ? likesADay : undefined
      const taken = limiter.take(authorization ?? '', endpoint, limitOf(endpoint, isApp), daily)
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

  function lookup({ query }: StandInRequest): StandInAnswer {
    const { selection, faults } = selectionFrom(query, 'message', ['ids'])
    const ids = query.getAll('ids').flatMap((text) => text.split(','))
    const problems = [...faults, ...faultsOfIds(ids)]
    if (problems.length > 0) return invalidRequest(problems)
    const rendering = createRendering(selection, data, reader)
    const found: Message[] = []
    for (const id of new Set(ids)) {
      const message = reader.messageOf(id)
      if (message !== undefined && reader.isVisible(message.author_id)) found.push(message)
      else {
        const problem = message === undefined ? notFound : notAuthorized
        rendering.problems.push(problem({ id, parameter: 'ids', resource: 'tweet' }))
      }
    }
    const messages = inOwnOrder(found).map((message) => rendering.message(message))
    const meta = selection.vocabulary === 'post' ? { result_count: messages.length } : undefined
    return { status: 200, body: rendering.body(messages, meta) }
  }

  function lookupOne({ params, query }: StandInRequest): StandInAnswer {
    const { selection, faults } = selectionFrom(query, 'message', [])
    return aboutMessage(params.id ?? '', faults, selection, (message, rendering) => ({
      status: 200,
      body: rendering.body(rendering.message(message)),
    }))
  }

  /** Checks the id in the path; a message that cannot be shown is an error in an answer without data. */
  function aboutMessage(
    id: string,
    faults: readonly Fault[],
    selection: Selection,
    answer: (message: Message, rendering: ReturnType<typeof createRendering>) => StandInAnswer,
  ): StandInAnswer {
    const problems = idForm.test(id) ? faults : [...faults, malformedId('id', id)]
    if (problems.length > 0) return invalidRequest(problems)
    const rendering = createRendering(selection, data, reader)
    const message = reader.messageOf(id)
    if (message !== undefined && reader.isVisible(message.author_id)) return answer(message, rendering)
    const problem = message === undefined ? notFound : notAuthorized
    rendering.problems.push(problem({ id, parameter: 'id', resource: 'tweet' }))
    return { status: 200, body: rendering.body(undefined) }
  }

  function likingUsers({ params, query }: StandInRequest): StandInAnswer {
    const { id = '' } = params
    const { selection, faults } = selectionFrom(query, 'user', ['max_results', 'pagination_token'])
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
    const place = token === null ? { offset: 0, backward: false } : placeFrom(token, id)
    if (place === undefined) {
      problems.push({
        parameters: { pagination_token: [token ?? ''] },
        message: `The \`pagination_token\` query parameter value [${token}] is not valid`,
      })
      return invalidRequest(problems)
    }
    return aboutMessage(id, problems, selection, (_, rendering) => {
      const all = data.likers.get(id) ?? []
      const start = place.backward ? Math.max(0, place.offset - size) : place.offset
      const end = place.backward ? place.offset : Math.min(all.length, start + size)
      // Hidden accounts leave their place in the page empty, so a page may be short and still have a next one.
      const users = all
        .slice(start, end)
        .map((user) => data.users.get(user))
        .filter((user): user is User => user?.protected === false)
      const shown = users.map((user) => rendering.user(user))
      const endless = id === sampleMessages.endlessLikes
      const next = endless
        ? tokenFor(id, { offset: all.length, backward: false, page: ++endlessPages })
        : end < all.length
          ? tokenFor(id, { offset: end, backward: false })
          : undefined
      const previous = start > 0 ? tokenFor(id, { offset: start, backward: true }) : undefined
      const meta = {
        result_count: shown.length,
        ...(next === undefined ? {} : { next_token: next }),
        ...(previous === undefined ? {} : { previous_token: previous }),
      }
      return { status: 200, body: rendering.body(shown, meta) }
    })
  }

  function like(request: StandInRequest): StandInAnswer {
    const { id: user = '' } = request.params
    const body = request.json()
    const message = messageIdFrom(body)
    const problems = [...(idForm.test(user) ? [] : [malformedId('id', user)]), ...message.faults]
    if (problems.length > 0) return invalidRequest(problems)
    return change(user, message.id, request, (likers) => [user, ...likers])
  }

  function unlike(request: StandInRequest): StandInAnswer {
    const { id: user = '', messageId = '' } = request.params
    const problems = [
      ...(idForm.test(user) ? [] : [malformedId('id', user)]),
      ...(idForm.test(messageId) ? [] : [malformedId('tweet_id', messageId)]),
    ]
    if (problems.length > 0) return invalidRequest(problems)
    return change(user, messageId, request, undefined)
  }

  /** Puts the caller among those who like the message, or takes it from there (`add` undefined). */
  function change(
    user: string,
    id: string,
    request: StandInRequest,
    add: ((likers: readonly string[]) => string[]) | undefined,
  ): StandInAnswer {
    if (user !== sampleMessages.demoUser) {
      return forbidden('You are not permitted to perform this action for another user.')
    }
    const message = reader.messageOf(id)
    if (message === undefined) {
      return problemAnswer(404, notFound({ id, parameter: 'tweet_id', resource: 'tweet' }))
    }
    if (!reader.isVisible(message.author_id)) {
      return problemAnswer(403, notAuthorized({ id, parameter: 'tweet_id', resource: 'tweet' }))
    }
    const others = (data.likers.get(id) ?? []).filter((liker) => liker !== user)
    const before = data.likers.get(id)?.length ?? 0
    const after = add === undefined ? others : add(others)
    data.likers.set(id, after)
    const metrics = message.public_metrics as { like_count: number }
    const like_count = metrics.like_count + after.length - before
    data.messages.set(id, { ...message, public_metrics: { ...metrics, like_count } })
    request.wrote(`${user}:${id}`)
    return { status: 200, body: { data: { liked: add !== undefined } } }
  }

  function me({ query }: StandInRequest): StandInAnswer {
    const { selection, faults } = selectionFrom(query, 'user', [])
    if (faults.length > 0) return invalidRequest(faults)
    const rendering = createRendering(selection, data, reader)
    const user = reader.userOf(sampleMessages.demoUser)
    return { status: 200, body: rendering.body(user === undefined ? undefined : rendering.user(user)) }
  }

  return {
    service: 'messages',
    routes: [
      { method: 'GET', path: '/2/tweets', operation: 'messages.lookup', handler: guarded('lookup', lookup) },
      {
        method: 'GET',
        path: '/2/tweets/:id/liking_users',
        operation: 'messages.likingUsers',
        handler: guarded('likingUsers', likingUsers),
      },
      {
        method: 'POST',
        path: '/2/users/:id/likes',
        operation: 'messages.like',
        handler: guarded('like', like),
      },
      {
        method: 'DELETE',
        path: '/2/users/:id/likes/:messageId',
        operation: 'messages.unlike',
        handler: guarded('like', unlike),
      },
      {
        method: 'GET',
        path: '/2/tweets/:id',
        operation: 'messages.lookupOne',
        handler: guarded('lookupOne', lookupOne),
      },
      { method: 'GET', path: '/2/users/me', operation: 'messages.me', handler: guarded('me', me) },
    ],
    reset() {
      data = createSampleData()
      limiter.reset()
      endlessPages = 0
    },
  }
}

function malformedId(name: string, value: string): Fault {
  return {
    parameters: { [name]: [value] },
    message: `The \`${name}\` query parameter value [${value}] is not valid`,
  }
}

function faultsOfIds(ids: readonly string[]): Fault[] {
  if (ids.length === 0 || (ids.length === 1 && ids[0] === '')) {
    return [{ parameters: { ids: [] }, message: 'The `ids` query parameter can not be empty' }]
  }
  const faults = ids.filter((id) => !idForm.test(id)).map((id) => malformedId('ids', id))
  if (ids.length > maxIds) {
    faults.push({
      parameters: { ids: [ids.join(',')] },
      message: `The number of values in the \`ids\` query parameter list [${ids.length}] is not between 1 and ${maxIds}`,
    })
  }
  return faults
}

/** By the ids' last digits first: an order of its own, and never the one that was asked for. */
function inOwnOrder(messages: readonly Message[]): Message[] {
  const key = ({ id }: Message) => [...id].reverse().join('')
  const sorted = [...messages].sort((a, b) => (key(a) < key(b) ? -1 : 1))
  const isAsAsked = sorted.every((message, index) => message === messages[index])
  return isAsAsked ? sorted.reverse() : sorted
}

interface Place {
  readonly offset: number
  readonly backward: boolean
  readonly page?: number
}

/** Opaque, and good for the list that it came from only. */
function tokenFor(list: string, { offset, backward, page = 0 }: Place): string {
  return Buffer.from(`${backward ? 'b' : 'f'}.${offset}.${page}.${list}`).toString('base64url')
}

function placeFrom(token: string, list: string): Place | undefined {
  const [, way, offset, , of] =
    /^([bf])\.([0-9]+)\.([0-9]+)\.([0-9]+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (way === undefined || of !== list) return undefined
  return { offset: Number(offset), backward: way === 'b' }
}

/** The body is exactly `{ tweet_id }`. */
function messageIdFrom(body: unknown): { id: string; faults: readonly Fault[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return {
      id: '',
      faults: [
        {
          parameters: {},
          message: 'Requests with bodies must have content-type of application/json and be an object.',
        },
      ],
    }
  }
  const faults: Fault[] = Object.keys(body)
    .filter((key) => key !== 'tweet_id')
    .map((key) => ({
      parameters: { [key]: [] },
      message: `$.${key}: is not defined in the schema and the schema does not allow additional properties`,
    }))
  const id: unknown = 'tweet_id' in body ? body.tweet_id : undefined
  if (typeof id === 'string' && idForm.test(id)) return { id, faults }
  const problem =
    id === undefined
      ? '$.tweet_id: is missing but it is required'
      : '$.tweet_id: does not match the regex pattern ^[0-9]{1,19}$'
  return { id: '', faults: [...faults, { parameters: { tweet_id: [] }, message: problem }] }
}
