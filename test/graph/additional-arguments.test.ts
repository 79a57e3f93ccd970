/** Arguments and fields beside those of the first services' contracts, through the gateway and with their calls. */
import { describe, expect, test } from 'vitest'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { startGraph } from '../support/graph.ts'
import { graphForFile } from '../support/graph-for-file.ts'
import { startScripted } from '../support/scripted-service.ts'

const graph = await graphForFile()

interface Rule {
  readonly name: string
  readonly labels: readonly { readonly name: string; readonly value: string }[]
  readonly alerts?: readonly unknown[]
}

describe('rule groups', () => {
  const rules = 'rules { name labels { name value } ... on MetricsAlertingRule { alerts { name } } }'

  test('are chosen by label selectors, and may come without their alerts', async () => {
    const ask = async (args: string) => {
      const { data, errors } = await graph.ask(`{ metrics { ruleGroups${args} { name ${rules} } } }`)
      expect(errors).toEqual([])
      return (data.metrics.ruleGroups as { rules: Rule[] }[]).flatMap((group) => group.rules)
    }
    const severityOf = ({ labels }: Rule) => labels.find(({ name }) => name === 'severity')?.value
    const all = await ask('')
    const pages = await ask('(match: ["{severity=\\"page\\"}"])')
    expect(pages.map(({ name }) => name)).toEqual(
      all.filter((rule) => severityOf(rule) === 'page').map(({ name }) => name),
    )
    expect(pages.length).toBeGreaterThan(0)
    expect(pages.length).toBeLessThan(all.length)
    const quiet = await ask('(excludeAlerts: true)')
    expect(quiet.map(({ name }) => name)).toEqual(all.map(({ name }) => name))
    expect(quiet.flatMap(({ alerts = [] }) => alerts)).toEqual([])
    expect(String(graph.sandbox.calls('metrics.rules').at(-1)?.query)).toBe('exclude_alerts=true')
  })

  test('come in pages, each for one call, in the order of the whole list', async () => {
    const whole = await graph.ask('{ metrics { ruleGroups { file name } } }')
    const before = graph.sandbox.calls('metrics.rules').length
    const seen: unknown[] = []
    let after: string | null = null
    do {
      const { data, errors } = await graph.ask(
        `query ($after: String) { metrics { ruleGroupsConnection(first: 1, after: $after) {
           nodes { file name } edges { cursor } pageInfo { hasNextPage endCursor } } } }`,
        { after },
      )
      expect(errors).toEqual([])
      const { nodes, pageInfo } = data.metrics.ruleGroupsConnection
      seen.push(...nodes)
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    } while (after !== null)
    expect(seen).toEqual(whole.data.metrics.ruleGroups)
    expect(seen.length).toBeGreaterThan(1)
    expect(graph.sandbox.calls('metrics.rules').length - before).toBe(seen.length)
  })

  test('of a server without pages are there as well, and an expired token is reported', async () => {
    const group = (name: string) => ({ name, file: 'f', rules: [{ name: 'r', type: 'recording' }] })
    await using service = await startScripted(({ query }) =>
      query.group_next_token === 'gone'
        ? { status: 400, body: { status: 'error', errorType: 'bad_data', error: 'invalid group_next_token' } }
        : {
            body: {
              status: 'success',
              data: {
                groups: [group('a'), group('b'), group('c')],
                ...(query.type === undefined ? {} : { groupNextToken: 'gone' }),
              },
            },
          },
    )
    await using graph = await startGraph({ urls: { metrics: service.url } })
    const ask = (args: string) =>
      graph.ask(
        `{ metrics { ruleGroupsConnection(${args}) { nodes { name } pageInfo { hasNextPage endCursor } } } }`,
      )
    const first = (await ask('first: 2')).data.metrics.ruleGroupsConnection
    expect(first.nodes).toEqual([{ name: 'a' }, { name: 'b' }])
    const second = await ask(`first: 2, after: "${first.pageInfo.endCursor}"`)
    expect(second.data.metrics.ruleGroupsConnection).toMatchObject({
      nodes: [{ name: 'c' }],
      pageInfo: { hasNextPage: false },
    })
    const { errors } = await ask('first: 1000, type: RECORD')
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
  })

  test.each([
    ['too many selectors', Array.from({ length: 51 }, (_, at) => `{a="${at}"}`)],
    ['too many characters', [`{a="${'x'.repeat(10_000)}"}`]],
  ])('with %s are refused without a call', async (_, match) => {
    const { errors } = await graph.ask(
      'query ($match: [String!]) { metrics { ruleGroups(match: $match) { name } } }',
      { match },
    )
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect(graph.sandbox.calls('metrics.rules')).toEqual([])
  })
})

describe('unlikeMessage', () => {
  const unlike = `mutation ($input: UnlikeMessageInput!) { unlikeMessage(input: $input) {
    liked message { messageId publicMetrics { likeCount } } } }`

  test('takes a like back, and reads the message as it is then', async () => {
    const input = { userId: sampleMessages.demoUser, messageId: '20' }
    const liked = await graph.ask(
      `mutation ($input: LikeMessageInput!) { likeMessage(input: $input) { liked message { publicMetrics { likeCount } } } }`,
      { input },
    )
    const { data, errors } = await graph.ask(unlike, { input })
    expect(errors).toEqual([])
    expect(data.unlikeMessage).toEqual({
      liked: false,
      message: {
        messageId: '20',
        publicMetrics: { likeCount: liked.data.likeMessage.message.publicMetrics.likeCount - 1 },
      },
    })
    expect(graph.sandbox.calls('messages.unlike')).toMatchObject([
      { method: 'DELETE', path: `/2/users/${sampleMessages.demoUser}/likes/20` },
    ])
    const again = await graph.ask(unlike, { input })
    expect(again.data.unlikeMessage.liked).toBe(false)
  })

  test('is refused for a wrong id without a call, and without its scope', async () => {
    const wrong = await graph.ask(unlike, { input: { userId: 'me', messageId: '20' } })
    expect(wrong.errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    const input = { userId: sampleMessages.demoUser, messageId: '20' }
    const closed = await graph.ask(unlike, { input }, { scope: 'tweet.read users.read like.read' })
    expect(closed.errors[0]?.extensions.code).toBe('UNAUTHORIZED_FIELD_OR_TYPE')
    expect(graph.sandbox.journal).toEqual([])
  })

  test('of another user is FORBIDDEN, and sent once', async () => {
    const { errors } = await graph.ask(unlike, { input: { userId: '12', messageId: '20' } })
    expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
    expect(graph.sandbox.calls('messages.unlike')).toHaveLength(1)
  })
})

describe('intent', () => {
  const intent = `query ($name: ID!, $languageCode: String) { intent(name: $name, languageCode: $languageCode) {
    id name displayName trainingPhrases { type } } }`

  test('is found by its name, in the language that is asked for, with one call for several', async () => {
    const list = await graph.ask(
      '{ agent(project: "demo") { intents(first: 2) { nodes { id name displayName } } } }',
    )
    const [first, second] = list.data.agent.intents.nodes
    const before = graph.sandbox.calls('agents.intents.list').length
    const both = await graph.ask(
      'query ($a: ID!, $b: ID!) { a: intent(name: $a) { id displayName } b: intent(name: $b) { id displayName } }',
      { a: first.name, b: second.name },
    )
    expect(both.errors).toEqual([])
    expect([both.data.a, both.data.b]).toEqual(
      [first, second].map(({ id, displayName }: { id: string; displayName: string }) => ({
        id,
        displayName,
      })),
    )
    expect(graph.sandbox.calls('agents.intents.list').length - before).toBe(1)
    const { data } = await graph.ask(intent, { name: first.name, languageCode: 'de' })
    expect(data.intent).toMatchObject({ name: first.name, trainingPhrases: expect.any(Array) })
    const asked = new URLSearchParams(graph.sandbox.calls('agents.intents.list').at(-1)?.query)
    expect([asked.get('languageCode'), asked.get('intentView')]).toEqual(['de', 'INTENT_VIEW_FULL'])
  })

  test('is null if there is none, and an error for an invalid name', async () => {
    const none = await graph.ask(intent, { name: 'projects/demo/agent/intents/none' })
    expect(none).toMatchObject({ data: { intent: null }, errors: [] })
    const wrong = await graph.ask(intent, { name: 'projects/demo' })
    expect(wrong.errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    const closed = await graph.ask(intent, { name: 'projects/demo/agent/intents/none' }, { scope: null })
    expect(closed.errors[0]?.extensions.code).toBe('UNAUTHORIZED_FIELD_OR_TYPE')
  })
})
