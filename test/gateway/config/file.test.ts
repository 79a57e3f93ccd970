/** The configuration file: its sections, its faults with line and column, and its JSON schema. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { configJsonSchema, readConfig, reloadable } from '../../../gateway/config/index.ts'
import { root } from '../../support/deploy.ts'
import { startTessera } from '../../support/process.ts'

const fileWith = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'tessera-')), 'tessera.yaml')
  writeFileSync(path, text)
  return path
}
const faultsOf = (text: string, env: Record<string, string> = {}): readonly string[] =>
  readConfig({ ...env, TESSERA_CONFIG: fileWith(text) }).faults ?? []

test('sections stand beside the variables', () => {
  const { config, faults } = readConfig({
    TESSERA_CONFIG: fileWith(
      'PORT: 4001\nTESSERA_CORS_ORIGINS: [https://a.example, https://b.example]\ntraffic:\n  subgraphs:\n    products: { timeoutMs: 5 }\n',
    ),
  })
  expect(faults).toBeUndefined()
  expect(config?.sections.traffic.subgraphs?.products?.timeoutMs).toBe(5)
  expect(config?.values.TESSERA_CORS_ORIGINS).toEqual(['https://a.example', 'https://b.example'])
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
    'trafic: no such key (line 1, column 1 of the file in TESSERA_CONFIG); did you mean traffic?',
    'traffic.all.timeoutMs: expected milliseconds from 1 to 600000 (line 4, column 16 of the file in TESSERA_CONFIG)',
    expect.stringMatching(
      /^traffic\.subgraphs\.products\.url: expected an http or https address .* \(line 8, column 12 of the file/,
    ),
    'traffic.subgraphs.products.timeoutMS: no such key; did you mean timeoutMs? (line 7, column 7 of the file in TESSERA_CONFIG)',
    expect.stringMatching(/^traffic\.subgraphs\.reviews: expected object.* \(line 9, column 14 of the file/),
  ])
  expect(faults.join('\n')).not.toContain('hunter2')
})

test('`tessera check` tells all faults of variables and sections, and ends with 2', async () => {
  const TESSERA_CONFIG = fileWith('PORT: many\ntraffic:\n  al: {}\n')
  await using process = startTessera(['check'], { TESSERA_CONFIG })
  expect(await process.ended).toBe(2)
  expect(process.output().trim().split('\n')).toEqual([
    'tessera check: traffic.al: no such key; did you mean all? (line 3, column 3 of the file in TESSERA_CONFIG)',
    'tessera check: PORT: expected a whole number from 0 to 65535 (line 1, column 7 of the file in TESSERA_CONFIG)',
  ])
})

const ajv = new Ajv2020({ strict: false, allErrors: true })
const committed = JSON.parse(readFileSync(join(root, 'schema/config.schema.json'), 'utf8')) as object

test('the JSON schema that is shipped is current (npm run generate)', () => {
  expect(committed).toEqual(JSON.parse(JSON.stringify(configJsonSchema())))
})

test('the example is right by the configuration and by the JSON schema, which it names', () => {
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

test('docs/configuration.md lists what changes without a restart', () => {
  const section =
    readFileSync(join(root, 'docs/configuration.md'), 'utf8')
      .split('## What changes without a restart')[1]
      ?.split('\n## ')[0]
      ?.split('\n\n')
      .at(2) ?? ''
  expect([...section.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name)).toEqual([...reloadable])
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
    [bomb, /^traffic: the value cannot be read \(line 1, column 1 /],
    [`traffic: ${'['.repeat(20_000)}`, /^TESSERA_CONFIG: the file is not YAML/],
    [`traffic: ${'{a: '.repeat(10_000)}`, /^TESSERA_CONFIG: the file is not YAML/],
    ['traffic: !!binary aGk=', /^traffic: expected object, received string \(line 1, column \d+ /],
    ['x'.repeat(5_000_000), /^TESSERA_CONFIG: the file cannot be read \(it is larger than 4000000 bytes\)/],
  ] as const) {
    const faults = faultsOf(text)
    expect(faults[0]).toMatch(reason)
    expect(faults.length).toBeLessThan(30)
    expect(faults.join('\n')).not.toContain('hunter2')
  }
  expect(readConfig({ TESSERA_CONFIG: '/dev/zero' }).faults).toEqual([
    'TESSERA_CONFIG: the file cannot be read (it is a device; expected a regular file); expected the path of a YAML file',
  ])
})

test('the admin port is not opened without a token', () => {
  expect(readConfig({ TESSERA_ADMIN_PORT: '4090' }).faults).toEqual([
    'TESSERA_ADMIN_TOKEN: required beside TESSERA_ADMIN_PORT',
  ])
})
