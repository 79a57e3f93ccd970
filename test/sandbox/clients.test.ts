/**
 * Clients that others wrote for the real services call every operation of the sandbox: what they send is accepted, and
 * what they read has the values of the sample data. The client of the video service is in `videos.test.ts`.
 */
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { dialogflow_v2beta1 as dialogflow } from 'googleapis/build/src/apis/dialogflow/v2beta1.js'
import { PrometheusDriver } from 'prometheus-query'
import { ApiResponseError, TwitterApi } from 'twitter-api-v2'
import { expect, test } from 'vitest'
import { sampleAgents } from '../../sandbox/agents/index.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { downTarget, sampleRuleFiles, sandboxBuildInfo } from '../../sandbox/metrics/index.ts'

function operationsOf({ journal }: Sandbox): string[] {
  return [...new Set(journal.map(({ operation }) => operation ?? 'unknown'))].sort()
}

test('googleapis calls every operation of the agent service', async () => {
  await using sandbox = await startSandbox()
  const client = new dialogflow.Dialogflow({ rootUrl: `${sandbox.url}/`, auth: 'a-key' })
  const parent = `projects/${sampleAgents.project}`
  const agentParent = `${parent}/agent`

  const { data: agent } = await client.projects.getAgent({ parent })
  expect(agent).toMatchObject({ displayName: 'Demo agent', defaultLanguageCode: 'en' })
  const description = 'changed by a client'
  const changed = await client.projects.setAgent({
    parent,
    updateMask: 'description',
    requestBody: { parent, description },
  })
  expect(changed.data).toEqual({ ...agent, description })

  const { intents } = client.projects.agent
  const listed: string[] = []
  let pageToken: string | undefined
  do {
    const { data } = await intents.list({
      parent: agentParent,
      pageSize: 100,
      ...(pageToken === undefined ? {} : { pageToken }),
    })
    listed.push(...(data.intents ?? []).map(({ name }) => String(name)))
    pageToken = data.nextPageToken ?? undefined
  } while (pageToken !== undefined)
  expect(new Set(listed).size).toBe(sampleAgents.intentCount)

  const created = await intents.create({
    parent: agentParent,
    intentView: 'INTENT_VIEW_FULL',
    requestBody: {
      displayName: 'opening hours',
      trainingPhrases: [{ type: 'EXAMPLE', parts: [{ text: 'when do you open' }] }],
      messages: [{ text: { text: ['At nine.'] } }],
    },
  })
  const name = String(created.data.name)
  expect(created.data.trainingPhrases).toHaveLength(1)
  const patched = await intents.patch({
    name,
    updateMask: 'messages',
    requestBody: { name, messages: [{ text: { text: ['At ten.'] } }] },
  })
  expect(patched.data.messages).toEqual([{ text: { text: ['At ten.'] } }])
  expect((await intents.get({ name })).data).toEqual(patched.data)

  const { sessions } = client.projects.agent.environments.users
  const session = `${agentParent}/environments/draft/users/-/sessions/a-client`
  const detected = await sessions.detectIntent({
    session,
    requestBody: { queryInput: { text: { text: 'When do you open?', languageCode: 'en' } } },
  })
  expect(detected.data.queryResult).toMatchObject({ fulfillmentText: 'At ten.', intent: { name } })
  expect((await sessions.deleteContexts({ parent: session })).data).toEqual({})

  const exported = await client.projects.agent.export({ parent, requestBody: {} })
  expect(exported.data.done).toBe(true)
  const agentContent = String(exported.data.response?.agentContent)
  expect((await intents.delete({ name })).data).toEqual({})
  await expect(intents.get({ name })).rejects.toMatchObject({ status: 404 })
  const started = await client.projects.agent.import({ parent, requestBody: { agentContent } })
  const finished = await client.projects.operations.get({ name: String(started.data.name) })
  expect(finished.data).toMatchObject({ done: true, response: {} })
  const restored = await intents.list({ parent: agentParent, pageSize: 1000 })
  expect(restored.data.intents?.map(({ displayName }) => displayName)).toContain('opening hours')

  expect((await client.projects.deleteAgent({ parent })).data).toEqual({})
  await expect(client.projects.getAgent({ parent })).rejects.toMatchObject({ status: 404 })

  expect(operationsOf(sandbox)).toEqual([
    'agents.deleteAgent',
    'agents.deleteContexts',
    'agents.detectIntent',
    'agents.export',
    'agents.getAgent',
    'agents.import',
    'agents.intents.create',
    'agents.intents.delete',
    'agents.intents.get',
    'agents.intents.list',
    'agents.intents.patch',
    'agents.operations.get',
    'agents.setAgent',
  ])
})

/** The client has no option for an address, so an agent takes its connections to the sandbox, without TLS. */
function agentTo(sandbox: Sandbox): Agent {
  const port = Number(new URL(sandbox.url).port)
  return Object.assign(new Agent({ keepAlive: false }), {
    protocol: 'https:',
    createConnection: () => connect(port, '127.0.0.1'),
  })
}

async function startForTwitter(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ allowedHosts: ['api.x.com'], ...options })
  const client = new TwitterApi('a-token', { httpAgent: agentTo(sandbox) })
  return { sandbox, client: client.v2, [Symbol.asyncDispose]: () => sandbox.close() }
}

test('twitter-api-v2 calls every operation of the message service', async () => {
  await using twitter = await startForTwitter()
  const { sandbox, client } = twitter
  const { ordinary, photo, popular, unliked, unknown, demoUser } = sampleMessages

  const me = await client.me({ 'user.fields': ['created_at', 'public_metrics'] })
  expect(me.data).toMatchObject({ id: demoUser, username: 'tessera_demo' })
  expect(me.data.verified).toBeUndefined()

  const found = await client.tweets([ordinary, photo, unknown], {
    expansions: ['author_id', 'attachments.media_keys'],
    'tweet.fields': ['created_at', 'entities', 'public_metrics'],
    'media.fields': ['url'],
  })
  expect(found.data.map(({ id }) => id).sort()).toEqual([ordinary, photo])
  expect(found.errors).toMatchObject([{ resource_id: unknown, title: 'Not Found Error' }])
  expect(found.includes?.media?.[0]?.url).toBe('https://pbs.example/media/row.jpg')
  const one = await client.singleTweet(ordinary, { 'tweet.fields': ['lang'] })
  expect(one.data).toMatchObject({ id: ordinary, lang: 'en' })

  const likers: string[] = []
  for await (const user of await client.tweetLikedBy(popular, { asPaginator: true, max_results: 100 })) {
    likers.push(user.id)
  }
  // 12 of the 250 accounts are protected and not shown.
  expect(new Set(likers).size).toBe(likers.length)
  expect(likers.length).toBe(250 - 12)

  expect((await client.like(demoUser, unliked)).data).toEqual({ liked: true })
  const liked = await client.tweetLikedBy(unliked)
  expect(liked.data.map(({ id }) => id)).toEqual([demoUser])
  expect((await client.unlike(demoUser, unliked)).data).toEqual({ liked: false })

  expect(operationsOf(sandbox)).toEqual([
    'messages.like',
    'messages.likingUsers',
    'messages.lookup',
    'messages.lookupOne',
    'messages.me',
    'messages.unlike',
  ])
})

test('twitter-api-v2 reads the rate limit and the problem of a refusal', async () => {
  await using twitter = await startForTwitter({ messages: { rateLimits: { me: 1 } } })
  await twitter.client.me()
  const error = await twitter.client.me().catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ApiResponseError)
  expect(error).toMatchObject({ code: 429, rateLimitError: true, rateLimit: { limit: 1, remaining: 0 } })
})

test('prometheus-query calls every operation of the metrics service', async () => {
  const now = Date.UTC(2026, 5, 1, 12)
  await using sandbox = await startSandbox({ now: () => now })
  const driver = new PrometheusDriver({ endpoint: sandbox.url })

  const instant = await driver.instantQuery('up == 0', new Date(now))
  expect(instant.resultType).toBe('vector')
  expect(instant.result.map(({ metric, value }) => [metric.name, metric.labels, value.value])).toContainEqual(
    ['up', downTarget, 0],
  )
  expect(instant.result[0]?.value.time).toEqual(new Date(now))
  const posting = new PrometheusDriver({ endpoint: sandbox.url, preferPost: true })
  const range = await posting.rangeQuery('sum by (job) (up)', now - 600_000, now, 60)
  expect(range.result.map(({ values }) => values.length)).toEqual(Array(range.result.length).fill(11))
  await expect(driver.instantQuery('up{')).rejects.toMatchObject({
    httpStatus: 400,
    prometheus: { status: 'error', errorType: 'bad_data' },
  })

  const groups = await driver.rules()
  expect(new Set(groups.map(({ file }) => file))).toEqual(new Set(sampleRuleFiles))
  const alerts = await driver.alerts()
  expect(alerts.map(({ labels }) => (labels as Record<string, string>).alertname)).toContain('Watchdog')
  expect(await driver.statusBuildinfo()).toEqual(sandboxBuildInfo)

  expect(operationsOf(sandbox)).toEqual([
    'metrics.alerts',
    'metrics.buildInfo',
    'metrics.query',
    'metrics.queryRange',
    'metrics.rules',
  ])
})
