import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { type SandboxOptions, startSandbox } from '../../sandbox/index.ts'
import { appOnlyToken, sampleMessages } from '../../sandbox/messages/index.ts'
import { keepForFile } from '../support/keep.ts'

interface Body {
  data?: unknown
  includes?: Record<string, Record<string, unknown>[]>
  errors?: Record<string, unknown>[]
  meta?: { result_count: number; next_token?: string; previous_token?: string }
  title?: string
  type?: string
}

async function startMessages(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options)
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${sandbox.url}/2/${path}`, init)
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
  }
  return {
    sandbox,
    ask,
    like: (user: string, body: unknown) =>
      ask(`users/${user}/likes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}

const listOf = (body: Body) => (body.data ?? []) as Record<string, unknown>[]
const idsOf = (body: Body) => listOf(body).map(({ id }) => id as string)

const messages = keepForFile(await startMessages())
beforeEach(() => messages.sandbox.reset())

describe('lookup', () => {
  const { ordinary, long, escaped, photo, shortId, unknown, protected: hidden, malformed } = sampleMessages

  test('messages come in another order than requested, with the default fields only', async () => {
    const asked = [ordinary, long, escaped, photo, shortId]
    const { body } = await messages.ask(`tweets?ids=${asked.join(',')}`)
    expect(idsOf(body)).not.toEqual(asked)
    expect(idsOf(body).sort()).toEqual([...asked].sort())
    expect(
      listOf(body).every((message) => Object.keys(message).join() === 'id,text,edit_history_tweet_ids'),
    ).toBe(true)
  })

  test('each requested id is answered once, in data or in errors', async () => {
    const id = fc.constantFrom(ordinary, long, escaped, photo, shortId, unknown, hidden, '1', '2')
    await fc.assert(
      fc.asyncProperty(fc.array(id, { minLength: 1, maxLength: 100 }), async (ids) => {
        const { status, body } = await messages.ask(`tweets?ids=${ids.join(',')}`)
        expect(status).toBe(200)
        const failed = (body.errors ?? []).map(({ resource_id }) => resource_id as string)
        expect([...idsOf(body), ...failed].sort()).toEqual([...new Set(ids)].sort())
      }),
      { numRuns: 30 },
    )
  })

  test('unknown and protected ids are problems in an answer that succeeded; with nothing found data is missing', async () => {
    const { status, body } = await messages.ask(`tweets?ids=${unknown},${hidden}`)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('data')
    const of = { parameter: 'ids', resource_type: 'tweet' }
    expect(body.errors).toMatchObject([
      { ...of, value: unknown, title: 'Not Found Error' },
      { ...of, value: hidden, title: 'Authorization Error' },
    ])
  })

  test.each([
    ['tweets', 'no ids'],
    ['tweets?ids=', 'empty ids'],
    [`tweets?ids=${ordinary},${malformed}`, 'one malformed id among good ones'],
    [`tweets?ids=${ordinary},`, 'an empty id at the end'],
    ['tweets?ids=12345678901234567890', 'an id of twenty digits'],
    [`tweets?ids=${Array.from({ length: 101 }, (_, i) => i + 1).join(',')}`, '101 ids'],
    [`tweets?ids=${ordinary}&tweet.fields=nonsense`, 'an unknown field'],
    [`tweets?ids=${ordinary}&expansions=nonsense`, 'an unknown expansion'],
    [`tweets?ids=${ordinary}&colour=red`, 'an unknown parameter'],
    [`tweets?ids=${ordinary}&tweet.fields=lang&post.fields=lang`, 'both vocabularies'],
    [
      `tweets?ids=${ordinary}&post.fields=lang&expansions=referenced_tweets.id`,
      'an expansion of the other vocabulary',
    ],
  ])('%s fails as a whole: %s', async (path) => {
    const { status, body } = await messages.ask(path)
    expect(status).toBe(400)
    expect(body.title).toBe('Invalid Request')
    expect(body.errors?.length).toBeGreaterThan(0)
    expect(body).not.toHaveProperty('data')
  })

  test('a hundred ids are allowed', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => i + 1000)
    expect((await messages.ask(`tweets?ids=${ids.join(',')}`)).status).toBe(200)
  })

  test('fields and expansions add what they name, each included object once', async () => {
    const fields =
      'tweet.fields=entities,public_metrics,note_tweet,attachments,geo&media.fields=url,variants&poll.fields=voting_status&place.fields=country&user.fields=public_metrics'
    const expansions =
      'author_id,attachments.media_keys,attachments.poll_ids,geo.place_id,referenced_tweets.id,referenced_tweets.id.author_id,entities.mentions.username'
    const { poll, place, quote } = sampleMessages
    const ids = [ordinary, long, photo, poll, place, quote]
    const { body } = await messages.ask(`tweets?ids=${ids.join(',')}&${fields}&expansions=${expansions}`)
    const byId = new Map(listOf(body).map((message) => [message.id, message]))
    expect(byId.get(long)).toMatchObject({ note_tweet: { text: expect.stringContaining('End of note') } })
    expect(String(byId.get(long)?.text).length).toBeLessThan(300)
    expect(body.includes?.media?.map(({ type }) => type).sort()).toEqual(['animated_gif', 'photo'])
    expect(body.includes?.polls?.[0]).toHaveProperty('voting_status')
    expect(body.includes?.places?.[0]).toMatchObject({ country: 'United States' })
    expect(body.includes?.tweets?.map(({ id }) => id)).toEqual([photo])
    const users = body.includes?.users?.map(({ id }) => id) ?? []
    expect(new Set(users).size).toBe(users.length)
    for (const { author_id } of listOf(body)) expect(users).toContain(author_id)
  })

  test('entities count code points', async () => {
    const { body } = await messages.ask(
      `tweets?ids=${ordinary},${sampleMessages.reply},${sampleMessages.repost}&tweet.fields=entities`,
    )
    for (const { text, entities } of listOf(body)) {
      const points = [...String(text)]
      const { hashtags = [] } = (entities ?? {}) as {
        hashtags?: { start: number; end: number; tag: string }[]
      }
      for (const { start, end, tag } of hashtags) expect(points.slice(start, end).join('')).toBe(`#${tag}`)
    }
  })

  test('the newer vocabulary renames keys at every depth and drops expansions that are asked for as fields', async () => {
    const { quote } = sampleMessages
    const { body } = await messages.ask(
      `tweets?ids=${quote},${long}&post.fields=public_metrics,note_post,author_id&expansions=referenced_posts&user.fields=public_metrics`,
    )
    const byId = new Map(listOf(body).map((message) => [message.id, message]))
    expect(Object.keys(byId.get(quote) ?? {}).sort()).toEqual([
      'edit_history_post_ids',
      'id',
      'public_metrics',
      'referenced_posts',
      'text',
    ])
    expect(byId.get(quote)?.public_metrics).toHaveProperty('repost_count')
    expect(byId.get(long)).toHaveProperty('note_post')
    expect(body.includes).toHaveProperty('posts')
    expect(body.meta).toEqual({ result_count: 2 })
    expect(JSON.stringify(body)).not.toMatch(/tweet|retweet/)
  })

  test('an expanded object that may not be seen is an error that names the expansion', async () => {
    const { body } = await messages.ask(
      `tweets?ids=${sampleMessages.quotesProtected}&expansions=referenced_tweets.id`,
    )
    expect(listOf(body)).toHaveLength(1)
    expect(body).not.toHaveProperty('includes')
    expect(body.errors).toMatchObject([
      { parameter: 'referenced_tweets.id', value: hidden, title: 'Authorization Error' },
    ])
  })

  test('private metrics are for the author only', async () => {
    const { own } = sampleMessages
    const { body } = await messages.ask(`tweets?ids=${own},${ordinary}&tweet.fields=non_public_metrics`)
    const byId = new Map(listOf(body).map((message) => [message.id, message]))
    expect(byId.get(own)).toHaveProperty('non_public_metrics')
    expect(byId.get(ordinary)).not.toHaveProperty('non_public_metrics')
    expect(body.errors).toMatchObject([{ resource_id: ordinary, field: 'non_public_metrics' }])
  })

  test('one message has its own endpoint', async () => {
    expect((await messages.ask(`tweets/${escaped}`)).body.data).toMatchObject({
      text: 'Tiles &amp; grout: if 1 &lt; 2 then 2 &gt; 1 #math',
    })
    expect((await messages.ask(`tweets/${unknown}`)).body).not.toHaveProperty('data')
    expect((await messages.ask(`tweets/${malformed}`)).status).toBe(400)
  })

  test('ids for benchmarks exist only if configured', async () => {
    const id = '7700000000000000123'
    expect((await messages.ask(`tweets?ids=${id}`)).body).not.toHaveProperty('data')
    await using synthetic = await startMessages({ synthetic: true })
    expect(idsOf((await synthetic.ask(`tweets?ids=${id}&expansions=author_id`)).body)).toEqual([id])
  })
})

describe('liking users', () => {
  const { popular, unliked, endlessLikes, ordinary } = sampleMessages

  async function walk(size: number): Promise<string[]> {
    const ids: string[] = []
    let at: string | undefined
    do {
      const from: string = at === undefined ? '' : `&pagination_token=${at}`
      const { body } = await messages.ask(`tweets/${popular}/liking_users?max_results=${size}${from}`)
      ids.push(...idsOf(body))
      expect(body.meta?.result_count).toBe(idsOf(body).length)
      at = body.meta?.next_token
    } while (at !== undefined)
    return ids
  }

  test('every page size lists the same users, without the protected ones', async () => {
    const whole = await walk(100)
    expect(whole.length).toBeGreaterThan(200)
    expect(whole).not.toContain(sampleMessages.protectedUser)
    expect(new Set(whole).size).toBe(whole.length)
    for (const size of [7, 99]) expect(await walk(size)).toEqual(whole)
  })

  test('a previous token leads back to the earlier pages', async () => {
    const first = await messages.ask(`tweets/${popular}/liking_users?max_results=50`)
    expect(first.body.meta).not.toHaveProperty('previous_token')
    const second = await messages.ask(
      `tweets/${popular}/liking_users?max_results=50&pagination_token=${first.body.meta?.next_token}`,
    )
    const back = await messages.ask(
      `tweets/${popular}/liking_users?max_results=50&pagination_token=${second.body.meta?.previous_token}`,
    )
    expect(idsOf(back.body)).toEqual(idsOf(first.body))
  })

  test('an empty page has no data', async () => {
    const { status, body } = await messages.ask(`tweets/${unliked}/liking_users`)
    expect(status).toBe(200)
    expect(body).toEqual({ meta: { result_count: 0 } })
  })

  test('the likes of one message always have another page, which is empty', async () => {
    const tokens = new Set<string>()
    let token: string | undefined
    for (let page = 0; page < 5; page++) {
      const from: string = token === undefined ? '' : `?pagination_token=${token}`
      const { body } = await messages.ask(`tweets/${endlessLikes}/liking_users${from}`)
      if (page > 0) expect(body).not.toHaveProperty('data')
      token = body.meta?.next_token
      tokens.add(token ?? 'none')
    }
    expect(tokens.size).toBe(5)
    expect(tokens).not.toContain('none')
  })

  test.each([
    'max_results=0',
    'max_results=101',
    'max_results=ten',
    'pagination_token=',
    'pagination_token=stale',
    `pagination_token=${Buffer.from('f.3.0.20').toString('base64url')}`,
    'expansions=author_id',
  ])('%s is refused', async (query) => {
    expect((await messages.ask(`tweets/${ordinary}/liking_users?${query}`)).status).toBe(400)
  })

  test('users can be expanded with the message that they pinned', async () => {
    const { body } = await messages.ask(
      `tweets/${popular}/liking_users?max_results=2&expansions=pinned_tweet_id&user.fields=protected`,
    )
    const pinned = listOf(body).map(({ pinned_tweet_id }) => pinned_tweet_id)
    expect(body.includes?.tweets?.map(({ id }) => id).sort()).toEqual([...new Set(pinned)].sort())
    expect(listOf(body).every((user) => user.protected === false)).toBe(true)
  })
})

describe('like', () => {
  const { demoUser, unliked, unknown } = sampleMessages

  test('a like is visible, has an effect once, and can be removed', async () => {
    const liking = async () => idsOf((await messages.ask(`tweets/${unliked}/liking_users`)).body)
    const count = async () => {
      const { body } = await messages.ask(`tweets?ids=${unliked}&tweet.fields=public_metrics`)
      return listOf(body).map(({ public_metrics }) => (public_metrics as { like_count: number }).like_count)
    }
    for (let time = 0; time < 2; time++) {
      const { status, body } = await messages.like(demoUser, { tweet_id: unliked })
      expect([status, body]).toEqual([200, { data: { liked: true } }])
    }
    expect([await liking(), await count()]).toEqual([[demoUser], [1]])
    const undone = await messages.ask(`users/${demoUser}/likes/${unliked}`, { method: 'DELETE' })
    expect(undone.body).toEqual({ data: { liked: false } })
    expect([await liking(), await count()]).toEqual([[], [0]])
    await messages.like(demoUser, { tweet_id: unliked })
    messages.sandbox.reset()
    expect(await liking()).toEqual([])
  })

  test.each([
    [{}, 400],
    [{ tweet_id: 5 }, 400],
    [{ tweet_id: 'abc' }, 400],
    [{ tweet_id: unliked, more: 1 }, 400],
    [[], 400],
    [{ tweet_id: unknown }, 404],
    [{ tweet_id: sampleMessages.protected }, 403],
  ])('the body %o is answered with %i', async (body, status) => {
    expect((await messages.like(demoUser, body)).status).toBe(status)
    expect(messages.sandbox.writes).toEqual([])
  })

  test('a like for another user is refused', async () => {
    expect((await messages.like('12', { tweet_id: unliked })).status).toBe(403)
    expect((await messages.ask('users/me')).body.data).toMatchObject({
      id: demoUser,
      username: 'tessera_demo',
    })
  })
})

describe('authorization and rate limits', () => {
  const { ordinary, demoUser } = sampleMessages
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  const endpoints: [path: string, method: string, scopes: string[]][] = [
    [`tweets?ids=${ordinary}`, 'GET', ['tweet.read', 'users.read']],
    [`tweets/${ordinary}/liking_users`, 'GET', ['tweet.read', 'users.read', 'like.read']],
    [`users/${demoUser}/likes`, 'POST', ['tweet.read', 'users.read', 'like.write']],
  ]

  test.each(endpoints)('%s (%s) needs each of %o', async (path, method, scopes) => {
    const init = method === 'GET' ? {} : { method, body: JSON.stringify({ tweet_id: ordinary }) }
    const ask = async (held: string[]) =>
      (await messages.ask(path, { ...init, ...bearer(`scopes:${held.join('+')}`) })).status
    expect(await ask(scopes)).toBe(200)
    for (const scope of scopes) expect(await ask(scopes.filter((one) => one !== scope))).toBe(403)
  })

  test('a call without a token comes from the demo user, unless authorization is required', async () => {
    expect((await messages.ask(`tweets?ids=${ordinary}`)).status).toBe(200)
    await using closed = await startMessages({ requireAuth: true })
    const { status, body } = await closed.ask(`tweets?ids=${ordinary}`)
    expect([status, body.title]).toEqual([401, 'Unauthorized'])
    expect((await closed.ask(`tweets?ids=${ordinary}`, bearer('any'))).status).toBe(200)
  })

  test('the token of an application can look up, and is refused for an endpoint of users', async () => {
    expect(
      (await messages.ask(`tweets?ids=${ordinary}`, bearer(appOnlyToken))).headers.get('x-rate-limit-limit'),
    ).toBe('3500')
    const { status, body } = await messages.ask(`tweets/${ordinary}/liking_users`, bearer(appOnlyToken))
    expect([status, body.type]).toEqual([403, 'https://api.x.com/2/problems/unsupported-authentication'])
  })

  test('every answer has the rest of its window; after the last call of a window comes 429 until it ends', async () => {
    let now = Date.UTC(2026, 5, 1)
    await using messages = await startMessages({ now: () => now, messages: { rateLimits: { lookup: 2 } } })
    const ask = async (ids: string, token = 'a') => {
      const { status, headers } = await messages.ask(`tweets?ids=${ids}`, bearer(token))
      return [
        status,
        headers.get('x-rate-limit-limit'),
        headers.get('x-rate-limit-remaining'),
        headers.get('x-rate-limit-reset'),
      ]
    }
    const reset = String(now / 1000 + 900)
    expect(await ask(ordinary)).toEqual([200, '2', '1', reset])
    now += 5000
    expect(await ask('malformed')).toEqual([400, '2', '0', reset])
    expect(await ask(ordinary)).toEqual([429, '2', '0', reset])
    expect((await ask(ordinary, 'another'))[0]).toBe(200)
    now += 895_000
    expect(await ask(ordinary)).toEqual([200, '2', '1', String(now / 1000 + 900)])
  })

  test('likes have a daily limit as well', async () => {
    const { headers } = await messages.like(demoUser, { tweet_id: ordinary })
    expect(headers.get('x-rate-limit-remaining')).toBe('49')
    expect(headers.get('x-user-limit-24hour-remaining')).toBe('999')
  })
})
