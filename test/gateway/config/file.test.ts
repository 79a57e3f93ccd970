/** The configuration file: its sections, its faults with line and column, and its JSON schema. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { configJsonSchema, readConfig, sections, settings } from '../../../gateway/config/index.ts'
import { bare, readAs, type Setting } from '../../../gateway/settings/index.ts'
import { root } from '../../support/deploy.ts'
import { startTessera } from '../../support/process.ts'
import { temporaryFile } from '../../support/temporary.ts'

const fileWith = (text: string): string => temporaryFile('tessera.yaml', text)
/** With FILE for the path of the file. */
function faultsOf(text: string, env: Record<string, string> = {}): readonly string[] {
  const path = fileWith(text)
  return (readConfig({ ...env, TESSERA_CONFIG: path }).faults ?? []).map((fault) =>
    fault.replace(path, 'FILE'),
  )
}

/** Takes a text as it is, whatever is in it. */
const isOneText = ({ schema }: Setting): boolean =>
  bare(schema) instanceof z.ZodString || bare(schema) instanceof z.ZodUnion

test('settings stand in sections, or as keys by the names of their variables', () => {
  const { config, faults } = readConfig({
    TESSERA_CONFIG: fileWith(
      'PORT: 4001\nTESSERA_CORS_ORIGINS: [https://a.example, https://b.example]\ntraffic:\n  subgraphs:\n    products: { timeoutMs: 5 }\n',
    ),
  })
  expect(faults).toBeUndefined()
  expect(config?.traffic.subgraphs?.products?.timeoutMs).toBe(5)
  expect(config?.server.corsOrigins).toEqual(['https://a.example', 'https://b.example'])
})

test('an empty file is refused, as it is while another one is written; one with comments alone is not', () => {
  expect(faultsOf(' \n')).toEqual([
    'TESSERA_CONFIG: FILE is empty; expected a YAML mapping of sections and variable names',
  ])
  expect(faultsOf('# server: {}\n')).toEqual([])
})

test.each(['', 'env.', 'env:'])(
  'a variable of the environment that a file would have inserted is refused: %s',
  (prefix) => {
    const written = `\${${prefix}JWT_SECRET_OF_THE_WHOLE_COMPANY}`
    expect(faultsOf(`server: { port: 4001 }\njwt:\n  secret: ${written}\n`)).toEqual([
      'TESSERA_CONFIG: no variable of the environment is inserted here; give the setting by its own variable (FILE:3:11)',
    ])
  },
)

test('file and environment are one: every setting has a variable, and what it says wins', () => {
  const TESSERA_CONFIG = fileWith(
    [
      'server: { port: 4001, corsOrigins: [https://a.example] }',
      'traffic: { all: { timeoutMs: 5, retries: { most: 1 } } }',
      'TESSERA_MAX_DEPTH: 7',
      'mcp: { maxTokens: 900 }',
      'http: { profile: 2026 }',
    ].join('\n'),
  )
  const { config, faults } = readConfig({
    TESSERA_CONFIG,
    PORT: '4002',
    TESSERA_TRAFFIC_ALL_RETRIES_BUDGET: '0.5',
    TESSERA_MCP_CHANGES: 'confirm',
    TESSERA_DEMAND_MODE: 'measure',
    TESSERA_RATE_LIMITS: '[{"name":"all","limit":5,"windowSeconds":60}]',
  })
  expect(faults).toBeUndefined()
  expect(config).toMatchObject({
    server: { port: 4002, corsOrigins: ['https://a.example'] },
    traffic: { all: { timeoutMs: 5, retries: { most: 1, budget: 0.5 } } },
    limits: { depth: 7, tokens: 5000 },
    mcp: { maxTokens: 900, changes: 'confirm' },
    http: { profile: '2026' },
    demand: { mode: 'measure', listSize: 10 },
    rateLimits: [{ name: 'all', by: ['caller'] }],
  })
})

test('digits are taken as they are written: ids of projects are longer than a number is exact', () => {
  const { config, faults } = readConfig({
    TESSERA_CONFIG: fileWith(
      [
        'TESSERA_JWT_AUDIENCE: 312345678901234567',
        'TESSERA_JWT_SECRET: 00112233445566778899001122334455',
        'server: { port: 04001 }',
      ].join('\n'),
    ),
  })
  expect(faults).toBeUndefined()
  expect(config?.jwt).toMatchObject({
    audience: '312345678901234567',
    secret: '00112233445566778899001122334455',
  })
  expect(config?.server.port).toBe(4001)
})

test('no two settings have one variable, and none has the name of a section', () => {
  const names = settings.map(({ env }) => env)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => Object.hasOwn(sections, name))).toEqual([])
})

test('a fault is named as the value was given: by the variable, by the key, or by the path', () => {
  expect(readConfig({ TESSERA_TRAFFIC_ALL_RETRIES_BUDGET: '0.5' }).faults).toEqual([
    expect.stringMatching(/^TESSERA_TRAFFIC_ALL_RETRIES_MOST: expected a whole number from 0 to 10$/),
  ])
  expect(readConfig({ TESSERA_RATE_LIMITS: '[{"name":"a","limit":0,"windowSeconds":60}]' }).faults).toEqual([
    'TESSERA_RATE_LIMITS[0].limit: expected a whole number from 1 to 1000000000',
  ])
  expect(faultsOf('server: { tls: { cert: a.pem } }')).toEqual([
    'server.tls.cert, server.tls.key: give both or neither',
  ])
  expect(faultsOf('admin: { port: 4090 }\n')).toEqual([
    expect.stringMatching(/^admin\.token: required with admin\.port/),
  ])
  expect(faultsOf('server: { port: 1 }\nPORT: 2')).toEqual([
    'PORT: given twice: as server.port, too (FILE:2:1)',
  ])
  expect(faultsOf('server: 5', { PORT: '1' })).toEqual([
    expect.stringMatching(/^server: expected a mapping with host, port, .* \(FILE:1:9\)$/),
  ])
})

test.each(['app.example.com', 'https://app.example.com/', 'https://*.example.com', 'localhost:3000'])(
  'an origin that no browser sends is refused: %s',
  (origin) => {
    expect(readConfig({ TESSERA_CORS_ORIGINS: `https://a.example ${origin}` }).faults).toEqual([
      expect.stringMatching(/^TESSERA_CORS_ORIGINS\[1\]: expected \*, or origins with their scheme/),
    ])
  },
)

test('a setting says the same as a text of the environment and as a value of the file', () => {
  const value = fc.oneof(
    fc.integer({ min: -10, max: 10 ** 6 }),
    fc.boolean(),
    fc.constantFrom('auto', 'on', 'off', 'info', '2026', '200'),
    fc.array(fc.constantFrom('https://a.example', 'read', '10.0.0.1'), { maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.constantFrom(...settings), value, (setting, given) => {
      const asText = Array.isArray(given) ? given.join(' ') : String(given)
      const read = (each: unknown) => {
        const { success, data } = z.safeParse(setting.schema, readAs(setting.schema, each))
        return { success, data }
      }
      // An empty text is no value at all.
      if (asText !== '' && !isOneText(setting)) expect(read(asText)).toEqual(read(given))
    }),
    { numRuns: 300 },
  )
})

test('every fault of a section names its line, its column and what was expected, and repeats no value', () => {
  const faults = faultsOf(
    [
      'trafic: {}',
      'traffic:',
      '  all:',
      '    timeoutMs: hunter2',
      '  subgraphs:',
      '    products:',
      '      timeoutMS: 5',
      '      url: https://user:hunter2@products.example.com/graphql',
      '    reviews: 7',
    ].join('\n'),
  )
  expect(faults).toEqual([
    'trafic: no such key; did you mean traffic? (FILE:1:1)',
    'traffic.all.timeoutMs: expected milliseconds from 1 to 600000 (FILE:4:16)',
    expect.stringMatching(
      /^traffic\.subgraphs\.products\.url: expected an http or https address .* \(FILE:8:12\)/,
    ),
    'traffic.subgraphs.products.timeoutMS: no such key; did you mean timeoutMs? (FILE:7:7)',
    expect.stringMatching(/^traffic\.subgraphs\.reviews: expected a mapping with .* \(FILE:9:14\)/),
  ])
  expect(faults.join('\n')).not.toContain('hunter2')
})

test('a key without its section is told where it belongs, if that is clear', () => {
  const faults = faultsOf('port: 4000\nredisUrl: x\ntessera_log_level: info\nissuer: x\nurl: x')
  expect(faults).toEqual([
    'port: no such key; did you mean server.port (PORT)? (FILE:1:1)',
    'redisUrl: no such key; did you mean redis.url (TESSERA_REDIS_URL)? (FILE:2:1)',
    'tessera_log_level: no such key; did you mean log.level (TESSERA_LOG_LEVEL)? (FILE:3:1)',
    'issuer: no such key; did you mean jwt.issuer (TESSERA_JWT_ISSUER)? (FILE:4:1)',
    'url: no such key (FILE:5:1)',
  ])
})

test('`tessera check` tells all faults of variables and sections, and ends with 2', async () => {
  const TESSERA_CONFIG = fileWith('PORT: many\ntraffic:\n  al: {}\n')
  await using process = startTessera(['check'], { TESSERA_CONFIG })
  expect(await process.ended).toBe(2)
  expect(process.output().replaceAll(TESSERA_CONFIG, 'FILE').trim().split('\n')).toEqual([
    'tessera check: PORT: expected a whole number from 0 to 65535 (FILE:1:7)',
    'tessera check: traffic.al: no such key; did you mean all? (FILE:3:3)',
  ])
})

const ajv = new Ajv2020({ strict: false, allErrors: true })
const committed = JSON.parse(readFileSync(join(root, 'schema/config.schema.json'), 'utf8')) as object

test('the JSON schema that is shipped is current (npm run generate)', () => {
  expect(committed).toEqual(JSON.parse(JSON.stringify(configJsonSchema())))
})

test('the example is valid by the configuration and by the JSON schema, which it names', () => {
  const path = join(root, 'examples/router/tessera.yaml')
  const text = readFileSync(path, 'utf8')
  expect(readConfig({ TESSERA_CONFIG: path }).faults).toBeUndefined()
  const validate = ajv.compile(committed)
  validate(parse(text))
  expect(validate.errors ?? []).toEqual([])
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../../schema/config.schema.json')
})

test('the JSON schema refuses what the configuration refuses', () => {
  const validate = ajv.compile(committed)
  for (const text of ['PORT: many', 'traffic: { al: {} }', 'traffic: { all: { timeoutMs: 0 } }', 'PROT: 1']) {
    expect(validate(parse(text)), text).toBe(false)
    expect(faultsOf(text), text).toHaveLength(1)
  }
})

test('the JSON schema accepts what the configuration accepts: lists as texts, and fractions of seconds', () => {
  const validate = ajv.compile(committed)
  for (const text of [
    'TESSERA_CORS_ORIGINS: https://a.example, https://b.example',
    'subgraph: { tokens: products reviews, errors: "*" }',
    'TESSERA_SHARE_EQUAL_EXCEPT: [products]',
    'live: { videos: { everySeconds: 1.25 } }',
  ]) {
    expect(faultsOf(text), text).toEqual([])
    expect(validate(parse(text)), text).toBe(true)
  }
})

test('an empty list names no source', () => {
  expect(faultsOf('TESSERA_SUPERGRAPH: []')).toEqual([
    expect.stringMatching(/^TESSERA_SUPERGRAPH: expected .*\(FILE:1:21\)$/),
  ])
})

test.each([
  [
    'a value above indented keys',
    'PORT: 4000\n  HOST: hunter2\n',
    'a key already has a value; a text with `: ` in it needs quotes (FILE:1:7)',
  ],
  [
    'a text with a colon',
    'HOST: hunter2: a\n',
    'a key already has a value; a text with `: ` in it needs quotes (FILE:1:7)',
  ],
  ['a tab', 'mcp:\n\tchanges: off\n', 'a tab indents this line, and YAML takes only spaces (FILE:2:1)'],
  [
    'no space behind the colon',
    'PORT:hunter2\nHOST: a\n',
    'a line has no `: ` between key and value (FILE:1:1)',
  ],
  ['a key twice', 'jwt: { issuer: a, issuer: b }\n', 'its mapping has this key twice (FILE:1:19)'],
  [
    'a key without a colon',
    'HOST: hunter2\nPORT\n',
    'a quote, bracket, comma, colon or space is missing (FILE:2:1)',
  ],
  [
    'other indentation',
    'mcp:\n   changes: off\n  reads: []\n',
    'the indentation does not fit the lines above, or a bracket is not closed (FILE:3:1)',
  ],
  [
    'a reserved character',
    'HOST: @hunter2\n',
    'text that begins with this character needs quotes (FILE:1:7)',
  ],
])('a file that is not YAML is refused once, in words for its author: %s', (_, text, words) => {
  expect(faultsOf(text)).toEqual([`TESSERA_CONFIG: the file is not YAML: ${words}`])
})

test('a value instead of a section is told with the keys of the section', () => {
  expect(
    faultsOf('redis: localhost:6379\ntraffic: { subgraphs: 5 }\nmcp: { budgets: { units: 5 } }\n'),
  ).toEqual([
    'redis: expected a mapping with url, replicas (FILE:1:8)',
    'mcp.budgets.units: expected a mapping with minute, day (FILE:3:26)',
    'traffic.subgraphs: expected a mapping (FILE:2:23)',
  ])
  // Two forms of a header have the same key.
  expect(faultsOf('coprocessor: { url: http://a.example, send: [5], stages: { request: {} } }\n')).toEqual([
    'coprocessor.send[0]: expected a mapping with name, value, environment (FILE:1:46)',
  ])
})

test('a file that was made to exhaust its reader is refused, with a reason and without its text', () => {
  const levels = Array.from({ length: 30 }, (_, level) => {
    const name = `a${level}`
    const below =
      level === 0 ? '["hunter2"]' : `[${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`
    return `- &${name} ${below}`
  })
  const bomb = `traffic:\n  all:\n    timeoutMs:\n${levels.map((line) => `      ${line}`).join('\n')}\n`
  for (const [text, reason] of [
    [bomb, /^traffic: the value cannot be read \(FILE:1:1\)/],
    [`traffic: ${'['.repeat(20_000)}`, /^TESSERA_CONFIG: the file is not YAML/],
    [`traffic: ${'{a: '.repeat(10_000)}`, /^TESSERA_CONFIG: the file is not YAML/],
    ['traffic: !!binary aGk=', /^traffic: expected a mapping with all, subgraphs \(FILE:1:\d+\)/],
    ['x'.repeat(5_000_000), /^TESSERA_CONFIG: FILE cannot be read \(it is larger than 4000000 bytes\)/],
  ] as const) {
    const faults = faultsOf(text)
    expect(faults[0]).toMatch(reason)
    expect(faults.length).toBeLessThan(30)
    expect(faults.join('\n')).not.toContain('hunter2')
  }
  expect(readConfig({ TESSERA_CONFIG: '/dev/zero' }).faults).toEqual([
    'TESSERA_CONFIG: /dev/zero cannot be read (it is a device; expected a regular file); expected the path of a YAML file',
  ])
})

test('the outcome of a change is kept longer than its confirmation lives', () => {
  expect(faultsOf('mcp: { changes: confirm }\nidempotency: { seconds: 1199 }')).toEqual([
    'idempotency.seconds: must be at least 1200 if mcp.changes is confirm: a confirmation could make its change twice',
  ])
  expect(faultsOf('mcp: { changes: confirm }\nidempotency: { seconds: 1200 }')).toEqual([])
  expect(faultsOf('mcp: { enabled: false, changes: confirm }\nidempotency: { seconds: 60 }')).toEqual([])
})

test('the admin port is not opened without a token', () => {
  expect(readConfig({ TESSERA_ADMIN_PORT: '4090' }).faults).toEqual([
    'TESSERA_ADMIN_TOKEN: required with TESSERA_ADMIN_PORT',
  ])
})
