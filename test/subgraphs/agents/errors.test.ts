/** The codes for the service's failures, and which of their words are passed on. */
import { describe, expect, test } from 'vitest'
import { statusNameOf } from '../../../subgraphs/agents/failure.ts'
import { faults } from '../../support/subgraph.ts'
import { agentsOver, failed } from './kit.ts'

const create =
  'mutation { createIntent(input: { project: "secret-project", displayName: "a" }) { intent { id } } }'
const detect = `mutation { detectIntent(input: { project: "demo", session: "s",
  queryInput: { text: { text: "a", languageCode: "en" } } }) { responseId webhookStatus { code status message } } }`
const type = (name: string): string => `type.googleapis.com/google.rpc.${name}`

describe('a failure of the service', () => {
  test.for([
    [400, 'INVALID_ARGUMENT', 'BAD_USER_INPUT'],
    [400, 'FAILED_PRECONDITION', 'CONFLICT'],
    [400, 'OUT_OF_RANGE', 'BAD_USER_INPUT'],
    [403, 'PERMISSION_DENIED', 'FORBIDDEN'],
    [404, 'NOT_FOUND', 'NOT_FOUND'],
    [409, 'ALREADY_EXISTS', 'CONFLICT'],
    [409, 'ABORTED', 'CONFLICT'],
    [429, 'RESOURCE_EXHAUSTED', 'RATE_LIMITED'],
    [499, 'CANCELLED', 'UPSTREAM_UNAVAILABLE'],
    [500, 'INTERNAL', 'UPSTREAM_UNAVAILABLE'],
    [500, 'UNKNOWN', 'UPSTREAM_UNAVAILABLE'],
    [501, 'UNIMPLEMENTED', 'UPSTREAM_UNAVAILABLE'],
    [503, 'UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED', 'UPSTREAM_TIMEOUT'],
  ] as const)('%d %s is %s', async ([status, name, code]) => {
    await using agents = await agentsOver(failed(status, name, 'words'))
    const { errors } = await agents.run(create)
    expect(faults(errors)).toEqual([`createIntent: ${code}`])
    expect(errors[0]?.extensions).toMatchObject({ service: 'agents', upstream: { status, reason: name } })
  })

  test('of a credential depends on whose it was', async () => {
    await using own = await agentsOver(failed(401, 'UNAUTHENTICATED', 'bad token'))
    expect(faults((await own.run(create)).errors)).toEqual(['createIntent: UPSTREAM_UNAVAILABLE'])
    await using forwarded = await agentsOver(failed(401, 'UNAUTHENTICATED', 'bad token'), {
      credential: { kind: 'forward', header: 'x-agents-authorization' },
    })
    expect(faults((await forwarded.run(create)).errors)).toEqual(['createIntent: UNAUTHENTICATED'])
  })

  test('of an API key is one of the credential, although the service calls it a wrong argument', async () => {
    const details = [{ '@type': type('ErrorInfo'), reason: 'API_KEY_INVALID', domain: 'googleapis.com' }]
    await using agents = await agentsOver(failed(400, 'INVALID_ARGUMENT', 'API key not valid.', details), {
      credential: { kind: 'key', key: 'k' },
    })
    const { errors } = await agents.run(create)
    expect(faults(errors)).toEqual(['createIntent: UPSTREAM_UNAVAILABLE'])
    expect(errors[0]?.extensions).toMatchObject({ upstream: { status: 400, reason: 'credentialRefused' } })
  })

  test('keeps its details: violated fields, the reason, the time to wait', async () => {
    await using agents = await agentsOver(
      failed(400, 'INVALID_ARGUMENT', 'Invalid.', [
        {
          '@type': type('BadRequest'),
          fieldViolations: [{ field: 'intent.events', description: 'Too long.' }],
        },
        {
          '@type': type('ErrorInfo'),
          reason: 'FIELD_INVALID',
          domain: 'x',
          metadata: { consumer: 'projects/1' },
        },
        { '@type': type('DebugInfo'), stackEntries: ['at com.google.Secret'] },
      ]),
    )
    const { errors } = await agents.run(create)
    expect(errors[0]?.extensions).toMatchObject({
      upstream: { status: 400, reason: 'FIELD_INVALID' },
      fieldViolations: [{ field: 'intent.events', description: 'Too long.' }],
    })
    expect(JSON.stringify(errors)).not.toMatch(/Secret|consumer/)
  })

  test('says how long to wait if the service does', async () => {
    await using agents = await agentsOver(
      failed(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for quota metric x of service y', [
        { '@type': type('RetryInfo'), retryDelay: '31.2s' },
      ]),
    )
    const { errors } = await agents.run(create)
    expect(errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 32 })
    expect(agents.arrived.length).toBe(1)
  })

  test.for([
    failed(429, 'RESOURCE_EXHAUSTED', '', [{ '@type': type('RetryInfo'), retryDelay: '0s' }]),
    { ...failed(429, 'RESOURCE_EXHAUSTED', ''), headers: { 'retry-after': '0' } },
  ])('is repeated in a read if the service says when (%#)', async (refusal) => {
    await using agents = await agentsOver(() =>
      agents.arrived.length === 1 ? refusal : { body: { displayName: 'D' } },
    )
    const { data, errors } = await agents.run('{ agent(project: "demo") { displayName } }')
    expect([data, errors]).toEqual([{ agent: { displayName: 'D' } }, []])
    expect(agents.arrived.length).toBe(2)
  })

  test('is not repeated in a read if the service does not say when', async () => {
    await using agents = await agentsOver(failed(429, 'RESOURCE_EXHAUSTED', ''))
    const { errors } = await agents.run('{ agent(project: "demo") { displayName } }')
    expect(faults(errors)).toEqual(['agent: RATE_LIMITED'])
    expect(agents.arrived.length).toBe(1)
  })

  test("is a used-up quota if the day's is meant", async () => {
    await using agents = await agentsOver(
      failed(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', [
        {
          '@type': type('ErrorInfo'),
          reason: 'RATE_LIMIT_EXCEEDED',
          metadata: { quota_limit: 'RequestsPerDayPerProject' },
        },
      ]),
    )
    expect(faults((await agents.run(create)).errors)).toEqual(['createIntent: QUOTA_EXCEEDED'])
  })

  test("that is a duplicate name is the caller's fault, in the service's words", async () => {
    const words =
      "com.google.apps.framework.request.BadRequestException: Intent with the display name 'a' already exists in projects/secret-project/agent."
    await using agents = await agentsOver(failed(400, 'INVALID_ARGUMENT', words))
    const { errors } = await agents.run(create)
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect(errors[0]?.message).toContain("'a' already exists")
    expect(errors[0]?.message).not.toMatch(/secret-project|com\.google|Exception/)
  })

  test("that is not the caller's own does not pass the service's words on", async () => {
    await using agents = await agentsOver(
      failed(403, 'PERMISSION_DENIED', 'IAM permission on projects/1 denied'),
    )
    expect(JSON.stringify((await agents.run(create)).errors)).not.toContain('IAM')
  })
})

describe('a write', () => {
  test.for([503, 500, 429, 504])('is sent once, whatever comes back (%d)', async (status) => {
    await using agents = await agentsOver({ status, headers: { 'retry-after': '0' } })
    expect((await agents.run(detect)).errors.length).toBe(1)
    expect(agents.arrived.length).toBe(1)
  })

  test.for([{ text: '' }, { text: 'OK' }, { body: [] }, { body: null }])(
    'may have been made if it is answered with %j',
    async (answer) => {
      await using agents = await agentsOver({ status: 200, ...answer })
      for (const change of [detect, create]) {
        const { errors } = await agents.run(change)
        expect(errors[0]?.extensions).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', outcome: 'unknown' })
      }
      const { errors } = await agents.run('{ agent(project: "demo") { displayName } }')
      expect(errors[0]?.extensions.outcome).toBeUndefined()
    },
  )
})

describe('a failed webhook', () => {
  test('is data and no error', async () => {
    await using agents = await agentsOver({
      body: {
        responseId: 'r',
        webhookStatus: { code: 14, message: 'Webhook call failed at https://hooks.example/x.' },
      },
    })
    const { data, errors } = await agents.run(detect)
    expect(errors).toEqual([])
    expect(data.detectIntent).toEqual({
      responseId: 'r',
      webhookStatus: { code: 14, status: 'UNAVAILABLE', message: 'Webhook call failed at …' },
    })
  })

  test('is distinguished from one that went well, which has no code at all', async () => {
    await using agents = await agentsOver({ body: { webhookStatus: {} } })
    const { data } = await agents.run(detect)
    expect(data.detectIntent.webhookStatus).toEqual({ code: 0, status: 'OK', message: null })
  })
})

test('every number of a status has a name, known or not', () => {
  expect([0, 5, 16, 99, -1, '5'].map(statusNameOf)).toEqual([
    'OK',
    'NOT_FOUND',
    'UNAUTHENTICATED',
    'UNKNOWN',
    'UNKNOWN',
    'UNKNOWN',
  ])
})
