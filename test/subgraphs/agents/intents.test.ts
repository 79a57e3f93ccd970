/** Lists and lookups of intents: paging, training phrases, batches by name, references by either key. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toGlobalId } from '../../../shared/graphql/global-id.ts'
import type { Arrived, Scripted } from '../../support/scripted-service.ts'
import type { ScriptedSubgraph } from '../../support/scripted-subgraph.ts'
import { faults } from '../../support/subgraph.ts'
import { agentsOver, failed, lines } from './kit.ts'

const nameOf = (project: string, n: number): string => `projects/${project}/agent/intents/i${n}`

/** An agent service with so many intents a project. Phrases come only if they are asked for. */
function holding(counts: Readonly<Record<string, number>>): (arrived: Arrived) => Scripted {
  return ({ path, query }) => {
    const project = path.split('/')[3] ?? ''
    const count = counts[project]
    if (count === undefined) return failed(404, 'NOT_FOUND', 'No DesignTimeAgent found')
    if (!path.endsWith('/intents')) return { body: { displayName: `Agent ${project}` } }
    const start = Number(query.pageToken ?? 0)
    const end = Math.min(start + Number(query.pageSize), count)
    const phrases = query.intentView === 'INTENT_VIEW_FULL' ? { trainingPhrases: [{ type: 'EXAMPLE' }] } : {}
    const intents = Array.from({ length: end - start }, (_, i) => ({
      name: nameOf(project, start + i),
      displayName: `Intent ${start + i}`,
      ...phrases,
    }))
    return {
      body: {
        ...(intents.length > 0 ? { intents } : {}),
        ...(end < count ? { nextPageToken: String(end) } : {}),
      },
    }
  }
}

const entities = (selection: string): string =>
  `query ($r: [_Any!]!) { _entities(representations: $r) { __typename ${selection} } }`

async function walk(agents: ScriptedSubgraph, first: number): Promise<string[]> {
  const seen: string[] = []
  let after: string | null = null
  do {
    const { data, errors } = await agents.run(
      `query ($first: Int, $after: String) { agent(project: "demo") {
         intents(first: $first, after: $after) { nodes { displayName } pageInfo { hasNextPage endCursor } } } }`,
      { first, after },
    )
    expect(errors).toEqual([])
    const { nodes, pageInfo } = data.agent.intents
    seen.push(...nodes.map((node: { displayName: string }) => node.displayName))
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after !== null)
  return seen
}

describe('Agent.intents', () => {
  test('walked with any page size yields every intent once, for one call a page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 25 }),
        fc.integer({ min: 1, max: 30 }),
        async (count, first) => {
          await using agents = await agentsOver(holding({ demo: count }))
          expect(await walk(agents, first)).toEqual(Array.from({ length: count }, (_, i) => `Intent ${i}`))
          const pages = agents.arrived.filter(({ path }) => path.endsWith('/intents'))
          expect(pages.length).toBe(Math.max(1, Math.ceil(count / first)))
        },
      ),
      { numRuns: 25 },
    )
  })

  test('is an empty list if the service leaves the list out', async () => {
    await using agents = await agentsOver(holding({ demo: 0 }))
    const { data } = await agents.run(
      '{ agent(project: "demo") { intents { nodes { id } totalCount pageInfo { hasNextPage } } } }',
    )
    expect(data.agent.intents).toEqual({ nodes: [], totalCount: 0, pageInfo: { hasNextPage: false } })
  })

  test('reads more than the service gives at once in several calls of its largest page', async () => {
    await using agents = await agentsOver(holding({ demo: 2300 }))
    const { data } = await agents.run(
      '{ agent(project: "demo") { intents(first: 2300) { nodes { name } totalCount } } }',
    )
    expect(data.agent.intents.nodes.length).toBe(2300)
    expect(data.agent.intents.totalCount).toBeNull()
    expect(agents.arrived.slice(1).map(({ query }) => query.pageSize)).toEqual(['1000', '1000', '300'])
  })

  test('takes an empty token for the end', async () => {
    await using agents = await agentsOver(({ path }) => ({
      body: path.endsWith('/intents') ? { intents: [{ name: nameOf('demo', 1) }], nextPageToken: '' } : {},
    }))
    const { data } = await agents.run('{ agent(project: "demo") { intents { pageInfo { hasNextPage } } } }')
    expect(data.agent.intents.pageInfo.hasNextPage).toBe(false)
  })

  test('asks for training phrases only if they are selected, in either place', async () => {
    await using agents = await agentsOver(holding({ demo: 1 }))
    await agents.run('{ agent(project: "demo") { intents { nodes { displayName } } } }')
    await agents.run('{ agent(project: "demo") { intents { nodes { trainingPhrases { type } } } } }')
    await agents.run(
      '{ agent(project: "demo") { intents { edges { node { ...P } } } } } fragment P on Intent { trainingPhrases { type } }',
    )
    const views = agents.arrived
      .filter(({ path }) => path.endsWith('/intents'))
      .map(({ query }) => query.intentView)
    expect(views).toEqual([undefined, 'INTENT_VIEW_FULL', 'INTENT_VIEW_FULL'])
  })

  test('reads in the language that is asked for', async () => {
    await using agents = await agentsOver(holding({ demo: 1 }))
    await agents.run(
      '{ agent(project: "demo") { intents(first: 5, languageCode: "pt-BR") { nodes { id } } } }',
    )
    expect(lines(agents.arrived)[1]).toBe(
      'GET /v2beta1/projects/demo/agent/intents?pageSize=5&languageCode=pt-BR',
    )
  })

  test('refuses a cursor of another agent without a call', async () => {
    await using agents = await agentsOver(holding({ demo: 9, other: 9 }))
    const { data } = await agents.run(
      '{ agent(project: "demo") { intents(first: 2) { pageInfo { endCursor } } } }',
    )
    agents.arrived.length = 0
    const { errors } = await agents.run(
      'query ($after: String) { agent(project: "other") { intents(after: $after) { nodes { id } } } }',
      { after: data.agent.intents.pageInfo.endCursor },
    )
    expect(faults(errors)).toEqual(['agent.intents: BAD_USER_INPUT'])
    expect(lines(agents.arrived)).toEqual(['GET /v2beta1/projects/other/agent'])
  })

  test('fails alone, without the agent', async () => {
    await using agents = await agentsOver(({ path }) =>
      path.endsWith('/intents')
        ? failed(429, 'RESOURCE_EXHAUSTED', 'too many')
        : { body: { displayName: 'D' } },
    )
    const { data, errors } = await agents.run(
      '{ agent(project: "demo") { displayName intents { nodes { id } } } }',
    )
    expect(data.agent).toEqual({ displayName: 'D', intents: null })
    expect(faults(errors)).toEqual(['agent.intents: RATE_LIMITED'])
  })

  test('names the service if it breaks its promise', async () => {
    await using agents = await agentsOver(({ path }) => ({
      body: path.endsWith('/intents') ? { intents: [{ displayName: 'nameless' }] } : {},
    }))
    const { errors } = await agents.run('{ agent(project: "demo") { intents { nodes { id } } } }')
    expect(faults(errors)).toEqual(['agent.intents: UPSTREAM_BAD_RESPONSE'])
  })
})

describe('references', () => {
  test('by either key are found, a missing one is null, a broken one fails alone', async () => {
    await using agents = await agentsOver(holding({ demo: 3 }))
    const { data, errors } = await agents.run(
      entities('... on Agent { project displayName } ... on Intent { displayName }'),
      {
        r: [
          { __typename: 'Agent', project: 'demo' },
          { __typename: 'Agent', id: toGlobalId('Agent', 'demo') },
          { __typename: 'Agent', project: 'gone' },
          { __typename: 'Intent', name: nameOf('demo', 2) },
          { __typename: 'Intent', id: toGlobalId('Intent', nameOf('demo', 0)) },
          { __typename: 'Intent', name: nameOf('demo', 99) },
          { __typename: 'Intent', name: nameOf('gone', 0) },
          { __typename: 'Agent', id: 'broken' },
          { __typename: 'Intent', id: toGlobalId('Agent', 'demo') },
        ],
      },
    )
    expect(data._entities).toEqual([
      { __typename: 'Agent', project: 'demo', displayName: 'Agent demo' },
      { __typename: 'Agent', project: 'demo', displayName: 'Agent demo' },
      null,
      { __typename: 'Intent', displayName: 'Intent 2' },
      { __typename: 'Intent', displayName: 'Intent 0' },
      null,
      null,
      null,
      null,
    ])
    expect(faults(errors)).toEqual(['_entities.7: BAD_USER_INPUT', '_entities.8: BAD_USER_INPUT'])
  })

  test('with only ids selected cost no call', async () => {
    await using agents = await agentsOver(holding({}))
    const { data } = await agents.run(
      entities('... on Agent { id project parent } ... on Intent { id name }'),
      {
        r: [
          { __typename: 'Agent', id: toGlobalId('Agent', 'demo') },
          { __typename: 'Intent', name: nameOf('demo', 1) },
        ],
      },
    )
    expect(data._entities).toMatchObject([{ parent: 'projects/demo' }, { name: nameOf('demo', 1) }])
    expect(agents.arrived).toEqual([])
  })

  test('to a hundred intents of one agent cost one call, and no page beyond the last that is needed', async () => {
    await using agents = await agentsOver(holding({ demo: 2000 }))
    const r = Array.from({ length: 100 }, (_, n) => ({ __typename: 'Intent', name: nameOf('demo', n * 9) }))
    const { data } = await agents.run(entities('... on Intent { displayName }'), { r })
    expect(data._entities.map((intent: { displayName: string }) => intent.displayName)).toEqual(
      r.map((_, n) => `Intent ${n * 9}`),
    )
    expect(lines(agents.arrived)).toEqual(['GET /v2beta1/projects/demo/agent/intents?pageSize=1000'])
  })

  test('of different requests at the same moment share a call, unless sharing is off', async () => {
    for (const share of [true, false]) {
      await using agents = await agentsOver(holding({ demo: 5 }), { share })
      const ask = (n: number) =>
        agents.run(entities('... on Intent { displayName }'), {
          r: [{ __typename: 'Intent', name: nameOf('demo', n) }],
        })
      await Promise.all([ask(1), ask(2)])
      expect(agents.arrived.length).toBe(share ? 1 : 2)
    }
  })

  test('to intents of several agents fail apart', async () => {
    const good = holding({ demo: 1 })
    await using agents = await agentsOver((arrived) =>
      arrived.path.includes('broken') ? failed(403, 'PERMISSION_DENIED', '') : good(arrived),
    )
    const { data, errors } = await agents.run(
      entities('... on Intent { displayName agent { displayName } }'),
      {
        r: [
          { __typename: 'Intent', name: nameOf('broken', 0) },
          { __typename: 'Intent', name: nameOf('demo', 0) },
        ],
      },
    )
    expect(data._entities[1]).toEqual({
      __typename: 'Intent',
      displayName: 'Intent 0',
      agent: { displayName: 'Agent demo' },
    })
    expect(faults(errors)).toEqual(['_entities.0: FORBIDDEN'])
  })
})

describe('the intent that was matched', () => {
  test('is looked up only if more than its name is selected, and null if it does not exist any more', async () => {
    const list = holding({ demo: 1 })
    await using agents = await agentsOver((arrived) =>
      arrived.method === 'POST'
        ? { body: { queryResult: { intent: { name: nameOf('demo', 7) } } } }
        : list(arrived),
    )
    const { data, errors } = await agents.run(
      `mutation { detectIntent(input: { project: "demo", session: "s", queryInput: { event: { name: "E" } } }) {
         queryResult { intent { name intent { displayName } } } } }`,
    )
    expect(errors).toEqual([])
    expect(data.detectIntent.queryResult.intent).toEqual({ name: nameOf('demo', 7), intent: null })
    expect(lines(agents.arrived)[1]).toBe('GET /v2beta1/projects/demo/agent/intents?pageSize=1000')
  })
})
