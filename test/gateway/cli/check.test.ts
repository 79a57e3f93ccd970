/** `tessera check` against real things: what each line says when it is well, and when it is not. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { raw, startFaultyServer } from '../../support/faulty-server.ts'
import { runInProcess, startInProcess } from '../../support/in-process-command.ts'
import { listen } from '../../support/listen.ts'
import { startTessera } from '../../support/process.ts'
import { startRedis, withRedis } from '../../support/redis.ts'
import { temporaryFile, temporaryFiles } from '../../support/temporary.ts'
import { standInFolder } from './command-line.ts'

standInFolder()

interface Checked {
  readonly code: number | null
  readonly out: string
  /** The lines about a subject, with what is to be done. */
  about(subject: string): string
}

async function check(env: Record<string, string>, ...argv: string[]): Promise<Checked> {
  const { code, out: said, err } = await runInProcess(['check', ...argv], env)
  const out = said + err
  const looks = out.split(/^(?=ok |FAILED|WARN)/m)
  return {
    code,
    out,
    about: (subject) => looks.filter((look) => look.slice(8).startsWith(`${subject} `)).join(''),
  }
}

/** A server that gives one answer to everything, and records what it was sent. */
const answering = (status: number, body: string) => startFaultyServer(raw(body, undefined, status))

const nowhere = 'http://127.0.0.1:1'

describe('services', () => {
  test('are asked, with what came back', async () => {
    const { code, about } = await check({})
    expect(code).toBe(0)
    expect(about('metrics')).toMatch(/^ok +metrics +sandbox +\d+ ms {2}asked for its version: version \S+\n$/)
  })

  test('that cannot be reached fail, with what to do', async () => {
    const { code, about } = await check({ TESSERA_MESSAGES_URL: 'http://127.0.0.1:1/hunter2' })
    expect(code).toBe(1)
    expect(about('messages')).toMatch(
      /^FAILED +messages +http:\/\/127\.0\.0\.1:1 .*\n +to do: .*TESSERA_MESSAGES_URL\n$/,
    )
    expect(about('videos')).toMatch(/^ok/)
  })

  test('that refuse the credential, or are something else, fail; a credential of callers cannot be tried', async () => {
    await using refusing = await answering(403, '{"error":{"code":403,"message":"no"}}')
    await using unknowing = await answering(401, '{"title":"Unauthorized","status":401}')
    await using other = await answering(200, '<html>')
    const { code, out, about } = await check({
      TESSERA_MESSAGES_URL: unknowing.url,
      TESSERA_MESSAGES_CREDENTIAL: 'bearer:hunter2',
      TESSERA_AGENTS_URL: refusing.url,
      TESSERA_AGENTS_CREDENTIAL: 'bearer:hunter2',
      TESSERA_VIDEOS_URL: refusing.url,
      TESSERA_VIDEOS_CREDENTIAL: 'forward',
      TESSERA_METRICS_URL: other.url,
    })
    expect(code).toBe(1)
    expect(about('agents')).toMatch(/^FAILED[\s\S]*TESSERA_AGENTS_CREDENTIAL/)
    expect(about('messages')).toMatch(/^FAILED[\s\S]*TESSERA_MESSAGES_CREDENTIAL/)
    expect(about('videos')).toMatch(/^ok .*its credential comes from callers/)
    expect(about('metrics')).toMatch(/^FAILED[\s\S]*TESSERA_METRICS_URL/)
    expect(out).not.toContain('hunter2')
  })

  test.each(['', '{}', '{"error":"Not Found"}'])('that have no such address (404 %s) fail', async (body) => {
    await using other = await answering(404, body)
    const { about } = await check({ TESSERA_VIDEOS_URL: other.url, TESSERA_AGENTS_URL: other.url })
    expect(about('videos')).toMatch(/^FAILED[\s\S]*another server[\s\S]*TESSERA_VIDEOS_URL/)
    expect(about('agents')).toMatch(/^FAILED[\s\S]*another server[\s\S]*TESSERA_AGENTS_URL/)
  })

  test('are well if they have no such chart and no such agent', async () => {
    await using videos = await answering(404, '{"error":{"errors":[{"reason":"videoChartNotFound"}]}}')
    for (const error of ['{"error":{"code":404,"status":"NOT_FOUND"}}', '{"error":{"code":404}}']) {
      await using agents = await answering(404, error)
      const { about } = await check({ TESSERA_VIDEOS_URL: videos.url, TESSERA_AGENTS_URL: agents.url })
      expect(about('videos') + about('agents')).toMatch(/^ok [^\n]*\nok [^\n]*\n$/)
    }
  })
})

describe("the issuer's keys", () => {
  const key = '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'
  test.each([
    ['are fetched and counted', 200, `{"keys":[${key}]}`, /^ok .*: 1 key\n$/],
    ['are counted beside entries that are none', 200, `{"keys":[null,7,${key}]}`, /^ok .*: 1 key\n$/],
    ['are counted also if they are of FIPS 204', 200, '{"keys":[{"kty":"AKP"}]}', /^ok .*: 1 key\n$/],
    ['fail if the address has none', 404, '{}', /^FAILED .*returned status 404\n.*TESSERA_JWT_JWKS_URL/],
    ['fail if they are not JSON', 200, '<html>', /^FAILED .*not JSON/],
    ['fail if none of them checks signatures', 200, '{"keys":[{"kty":"oct","k":"aGk"}]}', /^FAILED .*no key/],
    ['fail if the answer is no key set', 200, '[]', /^FAILED .*no key set/],
  ])('%s', async (_what, status, body, expected) => {
    await using issuer = await answering(status, body)
    const { about, code } = await check({ TESSERA_JWT_JWKS_URL: `${issuer.url}/keys` })
    expect(about('keys')).toMatch(expected)
    expect(code).toBe(about('keys').startsWith('ok') ? 0 : 1)
  })

  test('fail if nothing listens', async () => {
    const { about } = await check({ TESSERA_JWT_JWKS_URL: `${nowhere}/keys` })
    expect(about('keys')).toMatch(/^FAILED .*nothing listens there/)
  })
})

describe("the issuer's introspection", () => {
  const env = (url: string) => ({
    TESSERA_INTROSPECTION_URL: url,
    TESSERA_INTROSPECTION_CLIENT_ID: 'us',
    TESSERA_INTROSPECTION_CLIENT_SECRET: 'hunter2',
  })
  test('is asked about an invalid token', async () => {
    await using issuer = await answering(200, '{"active":false}')
    const { code, about } = await check(env(issuer.url))
    expect([code, about('tokens')]).toEqual([0, expect.stringMatching(/^ok/)])
    expect(issuer.arrived).toMatchObject([{ headers: { authorization: expect.stringMatching(/^Basic /) } }])
  })

  test.each([
    [401, '{}', /returned status 401\n.*CLIENT_ID/],
    [200, '{"active":true}', /says that an invented token is active/],
    [200, '<html>', /malformed response/],
  ])('fails if it answers %d %s', async (status, body, expected) => {
    await using issuer = await answering(status, body)
    const { code, out, about } = await check(env(issuer.url))
    expect([code, about('tokens')]).toEqual([1, expect.stringMatching(expected)])
    expect(out).not.toContain('hunter2')
  })
})

describe('another supergraph instead of our own', () => {
  const text = readFileSync(new URL('../../../schema/supergraph.graphql', import.meta.url), 'utf8')

  test('is read, from an address with its key, and nothing else is asked', async () => {
    await using registry = await answering(200, text)
    const { code, out } = await check({
      TESSERA_SUPERGRAPH: `${registry.url}/hunter3`,
      TESSERA_SUPERGRAPH_KEY: 'hunter2',
    })
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^ok +supergraph .*: 5 subgraphs\nok +start .*\n$/),
    ])
    expect(out).not.toContain('hunter')
    expect(JSON.stringify(registry.arrived[0]?.headers)).toContain('hunter2')
  })

  test.each([
    [403, '', /answered 403[\s\S]*TESSERA_SUPERGRAPH_KEY/],
    [200, 'type Query { a: Int }', /not a supergraph/],
  ])('fails if the address answers %d %s', async (status, body, expected) => {
    await using registry = await answering(status, body)
    const { code, about } = await check({ TESSERA_SUPERGRAPH: registry.url })
    expect([code, about('supergraph')]).toEqual([1, expect.stringMatching(expected)])
  })

  test('warns of subgraphs that it does not have, which fails nothing', async () => {
    await using coprocessor = await answering(200, '{"version":1,"control":"continue"}')
    const { code, about, out } = await check({
      TESSERA_SUPERGRAPH: temporaryFile('supergraph.graphql', text),
      TESSERA_SUBGRAPH_TOKENS: 'metrics,elsewhere',
      TESSERA_CONFIG: temporaryFile(
        'tessera.yaml',
        [
          'traffic: { subgraphs: { video: { timeoutMs: 5 }, agents: { timeoutMs: 5 } } }',
          'errors: { subgraphs: { messages: { messages: true } } }',
          `coprocessor: { url: '${coprocessor.url}', stages: { subgraphRequest: { subgraphs: [mesages] } } }`,
        ].join('\n'),
      ),
    })
    expect(code).toBe(0)
    const warnings = about('configuration')
    expect(warnings.match(/^WARN/gm)).toHaveLength(3)
    expect(warnings).toMatch(
      /WARN +configuration +traffic\.subgraphs .*"video": the graph has no such subgraph.*\n +to do: .*did you mean videos\?/,
    )
    expect(warnings).toMatch(/coprocessor\.stages\.subgraphRequest .*"mesages"[\s\S]*did you mean messages\?/)
    expect(warnings).toMatch(/subgraph\.tokens .*"elsewhere"/)
    expect(out).not.toContain('"agents"')
  })

  test('loads the file of hooks', async () => {
    const hooks = temporaryFile('hooks.mjs', 'export default { onRequests() {} }')
    const { code, about } = await check({ TESSERA_SUPERGRAPH: 'nowhere.graphql', TESSERA_HOOKS: hooks })
    expect([code, about('hooks')]).toEqual([1, expect.stringMatching(/FAILED .*onRequests: no such hook/)])
  })

  test('fails if there is no file', async () => {
    const { code, about } = await check({ TESSERA_SUPERGRAPH: 'nowhere.graphql' })
    expect([code, about('supergraph')]).toEqual([
      1,
      expect.stringMatching(/cannot be read: nowhere\.graphql: there is no such file/),
    ])
  })
})

describe('the collector of traces', () => {
  test('gets an empty delivery with the headers for it', async () => {
    await using collector = await answering(200, '{}')
    const { code, out, about } = await check({
      TESSERA_TRACES_URL: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=hunter2',
    })
    expect([code, about('traces')]).toEqual([0, expect.stringMatching(/^ok/)])
    expect(collector.arrived).toMatchObject([
      { url: '/v1/traces', headers: { 'x-key': 'hunter2' }, body: '{"resourceSpans":[]}' },
    ])
    expect(out).not.toContain('hunter2')
  })

  test.each([
    [401, /OTEL_EXPORTER_OTLP_HEADERS/],
    [404, /\/v1\/traces/],
  ])('fails with %d', async (status, cure) => {
    await using collector = await answering(status, '')
    const { about } = await check({ TESSERA_TRACES_URL: collector.url })
    expect(about('traces')).toMatch(/^FAILED/)
    expect(about('traces')).toMatch(cure)
  })
})

describe.skipIf(!withRedis('tessera check with Redis'))('Redis', () => {
  test('takes a write', async () => {
    await using redis = await startRedis()
    const { code, about } = await check({ TESSERA_REDIS_URL: redis.url })
    expect([code, about('redis')]).toEqual([0, expect.stringMatching(/^ok/)])
  })

  test('that wants another password, or is unavailable, fails without showing the password', async () => {
    await using redis = await startRedis()
    const url = redis.url.replace('//', '//:hunter2@')
    const wrong = await check({ TESSERA_REDIS_URL: url.replace('//:', '//nobody:') })
    expect([wrong.code, wrong.about('redis')]).toEqual([1, expect.stringMatching(/user and password/)])
    await redis.stop()
    const away = await check({ TESSERA_REDIS_URL: url })
    expect([away.code, away.about('redis')]).toEqual([1, expect.stringMatching(/nothing listens there/)])
    expect(wrong.out + away.out).not.toContain('hunter2')
  })

  test('that accepts connections and answers nothing fails with a message', async () => {
    await using silent = await listen(createTcpServer(), 'redis')
    const { code, about } = await check({ TESSERA_REDIS_URL: silent.url })
    expect([code, about('redis')]).toEqual([1, expect.stringMatching(/does not answer in time/)])
  })
})

describe('subgraph services', () => {
  const secret = { TESSERA_SUBGRAPH_SECRET: 'hunter2 and hunter3' }
  const service = async (name: string, env: Record<string, string>) => {
    const running = startInProcess(['subgraph', name, '--port', '0'], env)
    return { running, url: await running.said(name) }
  }

  test('are asked for their schema, for proof, and for a scoped field if they check scopes', async () => {
    const open = await service('metrics', secret)
    const guarded = await service('messages', {
      ...secret,
      TESSERA_SUBGRAPH_SCOPES: 'true',
      TESSERA_JWT_SECRET: 'a secret of the issuer and this service',
    })
    await using _running = open.running
    await using _other = guarded.running
    const env = {
      ...secret,
      TESSERA_METRICS_SUBGRAPH_URL: open.url,
      TESSERA_MESSAGES_SUBGRAPH_URL: guarded.url,
    }
    const checked = await check(env)
    expect(checked.code).toBe(0)
    expect(checked.about('metrics subgraph').match(/^ok/gm)).toHaveLength(2)
    // A service whose subgraph is elsewhere is that subgraph's to call.
    expect(checked.out).not.toMatch(/^\S+ +metrics +sandbox/m)

    const left = await check(env, '--scopes', 'services')
    expect(left.code).toBe(1)
    expect(left.about('messages subgraph')).toMatch(/scoped field without a token.*refused, as it should be/)
    expect(left.about('metrics subgraph')).toMatch(
      /FAILED .*scoped field without a token.*opens the field to everybody\n.*TESSERA_SUBGRAPH_SCOPES=true/,
    )
    expect((await check({ ...env, TESSERA_SUBGRAPH_SCOPES: 'true' })).out).toContain('opens the field')

    const other = await check({ ...env, TESSERA_SUBGRAPH_SECRET: 'another secret of mine' })
    expect([other.code, other.about('metrics subgraph')]).toEqual([
      1,
      expect.stringMatching(/does not accept the signature\n.*TESSERA_SUBGRAPH_SECRET/),
    ])
    const without = await check({}, '--url', `metrics=${open.url}`)
    expect(without.about('metrics subgraph')).toMatch(/requires proof\n.*TESSERA_SUBGRAPH_SECRET/)
    const swapped = await check({ ...secret, TESSERA_VIDEOS_SUBGRAPH_URL: open.url })
    expect(swapped.about('videos subgraph')).toMatch(/^FAILED .*signature\n.*address/)
    expect(checked.out + left.out + other.out + without.out).not.toContain('hunter')
  })

  test('without their secret, of another kind, or unavailable fail', async () => {
    const open = await service('metrics', {})
    await using _running = open.running
    await using other = await answering(200, '{"data":{}}')
    const { code, about } = await check({
      ...secret,
      TESSERA_METRICS_SUBGRAPH_URL: open.url,
      TESSERA_VIDEOS_SUBGRAPH_URL: other.url,
      TESSERA_AGENTS_SUBGRAPH_URL: `${nowhere}/graphql`,
    })
    expect(code).toBe(1)
    expect(about('metrics subgraph')).toMatch(/FAILED .*without proof: it responds to everybody/)
    expect(about('videos subgraph')).toMatch(/FAILED .*not the response of a subgraph\n.*\/graphql/)
    expect(about('agents subgraph')).toMatch(/FAILED .*nothing listens there\n.*tessera subgraph agents/)
    const swapped = await check({}, '--url', `videos=${open.url}`)
    expect(swapped.about('videos subgraph')).toMatch(/FAILED .*lacks Query\.\w+ and \d+ other fields/)
  })

  test('that are not named cannot be asked for scopes', async () => {
    expect(await check({}, '--scopes', 'services')).toMatchObject({
      code: 2,
      out: expect.stringMatching(/--url NAME=URL/),
    })
    expect(await check({}, '--scopes', 'router')).toMatchObject({
      code: 2,
      out: expect.stringMatching(/gateway.*services/),
    })
  })
})

describe('the coprocessor', () => {
  const section = (url: string): string => {
    const file = temporaryFile(
      'tessera.yaml',
      `coprocessor: { url: '${url}', send: [{ name: x-secret, value: hunter2 }], stages: { request: {} } }\n`,
    )
    return file
  }

  test('is called at its own stage', async () => {
    await using well = await answering(200, '{"version":1,"control":"continue"}')
    const { code, about, out } = await check({ TESSERA_CONFIG: section(well.url) })
    expect(about('coprocessor')).toMatch(/^ok +coprocessor +http:\/\/127\.0\.0\.1:\d+ .*called it/)
    expect(JSON.parse(well.arrived[0]?.body ?? '')).toEqual({
      version: 1,
      stage: 'check',
      id: 'check',
      stages: ['request'],
    })
    expect(well.arrived[0]?.headers['x-secret']).toBe('hunter2')
    expect(code).toBe(0)
    expect(out).not.toContain('hunter2')
  })

  test.each([
    ['does not take the secret', 403, '{}', /^FAILED[\s\S]*coprocessor\.send/, 1],
    ['is something else', 200, '<html>', /^FAILED[\s\S]*coprocessor\.url/, 1],
    ['speaks another version', 200, '{"version":2,"control":"continue"}', /^FAILED[\s\S]*version 1/, 1],
    ['does not know the stage', 400, '{}', /^WARN[\s\S]*stage check/, 0],
  ])('is reported if it %s', async (_what, status, body, expected, exit) => {
    await using other = await answering(status, body)
    const { code, about } = await check({ TESSERA_CONFIG: section(other.url) })
    expect(about('coprocessor')).toMatch(expected)
    expect(code).toBe(exit)
  })

  test('fails if it is unavailable', async () => {
    expect((await check({ TESSERA_CONFIG: section(nowhere) })).about('coprocessor')).toMatch(
      /^FAILED .*nothing listens there\n.*coprocessor\.url/,
    )
  })
})

test('rules for headers that no service would be called by fail, with what to do', async () => {
  const path = temporaryFile('tessera.json')
  const rules = {
    metrics: { request: [{ insert: { name: 'X-Scope-OrgID', value: 'a' } }] },
    videos: { answer: [{ propagate: { named: 'X-A' } }] },
    nodes: { request: [{ insert: { name: 'X-A', value: 'a' } }] },
  }
  writeFileSync(path, JSON.stringify({ headers: { subgraphs: rules } }))
  const { code, about } = await check({ TESSERA_CONFIG: path })
  expect(code).toBe(1)
  expect(about('configuration')).toMatch(/FAILED.*headers\.subgraphs\.videos\.answer/)
  expect(about('configuration')).toMatch(/FAILED.*headers\.subgraphs\.nodes/)
  expect(about('configuration')).not.toContain('metrics')
  expect(about('configuration')).toContain('to do: remove this rule')
})

describe('the start', () => {
  const { folder, file } = temporaryFiles()
  const missing = join(folder, 'missing')
  const noKey = file('no-key.pem', 'hunter2')

  test.each([
    ['a certificate', { TESSERA_TLS_CERT: missing, TESSERA_TLS_KEY: missing }, 'TLS file'],
    ['a key that is none', { TESSERA_TLS_CERT: noKey, TESSERA_TLS_KEY: noKey }, 'do not match'],
    ['a manifest', { TESSERA_PERSISTED: 'trusted', TESSERA_PERSISTED_MANIFEST: missing }, 'no such file'],
    ['hooks', { TESSERA_HOOKS: missing }, 'missing'],
    [
      'a folder of operations',
      { TESSERA_MCP: 'true', TESSERA_MCP_OPERATIONS: missing },
      'mcp.operations: the folder',
    ],
    ['credentials', { TESSERA_AGENTS_CREDENTIAL: `google:${missing}` }, 'missing'],
    [
      'the authorities of subgraphs',
      {
        TESSERA_TRAFFIC_ALL_TLS_CA: missing,
        TESSERA_METRICS_SUBGRAPH_URL: `${nowhere}/graphql`,
        TESSERA_SUBGRAPH_SECRET: 'sixteen letters!',
      },
      'tls.ca cannot be read',
    ],
    ['fields of a step-up', { TESSERA_STEP_UP: '{"Query.nothing":{"maxAge":1}}' }, 'Query.nothing'],
  ])('fails without %s', async (_what, env, said) => {
    const checked = await check(env)
    expect([checked.code, checked.about('start')]).toEqual([1, expect.stringMatching(/^FAILED/)])
    expect(checked.about('start')).toContain(said)
    expect(checked.out).not.toContain('hunter2')
  })

  test('fails with the words of serve', async () => {
    const env = { TESSERA_TLS_CERT: missing, TESSERA_TLS_KEY: missing }
    const [, words = 'nothing'] = /serve does: (.*)/.exec((await check(env)).about('start')) ?? []
    await using served = startTessera(['serve', '--port', '0'], env)
    expect(await served.ended).toBe(1)
    expect(served.output()).toContain(words)
  })

  test('fails with several workers for what they share only through Redis', async () => {
    const { about } = await check({ TESSERA_WORKERS: '2', TESSERA_QUOTA_DAILY: '100' })
    expect(about('start')).toMatch(/^FAILED .*TESSERA_QUOTA_DAILY: each worker would spend/)
  })

  test('warns of a credential without a service', async () => {
    const env = { TESSERA_VIDEOS_CREDENTIAL: 'key:hunter2' }
    const { code, out, about } = await check(env)
    expect([code, about('configuration')]).toEqual([
      0,
      expect.stringMatching(/^WARN .*TESSERA_VIDEOS_CREDENTIAL .*\n.*set TESSERA_VIDEOS_URL/),
    ])
    await using served = startInProcess(['serve', '--port', '0'], env)
    await served.said('graph')
    expect(served.output()).toContain('warning: TESSERA_VIDEOS_CREDENTIAL: the sandbox gets it')
    expect(out + served.output()).not.toContain('hunter2')
  })

  test('fails if the sandbox at the given address cannot be reached', async () => {
    await using served = startTessera(['serve', '--port', '0', '--sandbox', nowhere])
    expect(await served.ended).toBe(1)
    expect(served.output()).toMatch(/--sandbox http:\/\/127\.0\.0\.1:1: nothing listens there/)
  })
})
