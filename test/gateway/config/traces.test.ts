/** Which of the variables about traces wins, ours and OpenTelemetry's, and what a wrong one comes to. */
import { describe, expect, test } from 'vitest'
import { type Config, readConfig } from '../../../gateway/config/index.ts'
import type { TracesSettings } from '../../../gateway/telemetry/settings.ts'

function configOf(env: Readonly<Record<string, string>>): Config {
  const { config, faults } = readConfig(env)
  expect(faults).toBeUndefined()
  return config!
}

const tracesOf = (env: Readonly<Record<string, string>>): TracesSettings => configOf(env).traces

const ours = 'http://ours:4318/v1/traces'
const base = { TESSERA_TRACES_URL: ours }

test('without an address no traces are sent', () => {
  expect(tracesOf({}).url).toBeUndefined()
  expect(tracesOf({ OTEL_SERVICE_NAME: 'a', OTEL_TRACES_SAMPLER: 'always_on' }).url).toBeUndefined()
})

describe('the address', () => {
  const exact = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://exact:4318/there' }
  const common = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://common:4318' }

  test.each([
    ['ours before the standard ones', { ...base, ...exact, ...common }, ours],
    ['that for traces, as it stands', { ...exact, ...common }, 'http://exact:4318/there'],
    ['below that for all signals', common, 'http://common:4318/v1/traces'],
    ['below a path', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c/otlp' }, 'http://c/otlp/v1/traces'],
    [
      'below a path with a slash',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c/otlp/' },
      'http://c/otlp/v1/traces',
    ],
    [
      'the next one, where one is empty',
      { ...common, TESSERA_TRACES_URL: '' },
      'http://common:4318/v1/traces',
    ],
  ])('is %s', (_what, env, url) => {
    expect(tracesOf(env)).toMatchObject({ url, warnings: [] })
  })

  test('is none if the standard switches say so, whatever else is set', () => {
    for (const off of [
      { OTEL_SDK_DISABLED: 'true' },
      { OTEL_SDK_DISABLED: 'TRUE' },
      { OTEL_TRACES_EXPORTER: 'none' },
    ]) {
      expect(tracesOf({ ...base, ...exact, ...off }).url).toBeUndefined()
    }
    for (const on of [
      { OTEL_SDK_DISABLED: 'false' },
      { OTEL_SDK_DISABLED: '1' },
      { OTEL_TRACES_EXPORTER: 'otlp' },
    ]) {
      expect(tracesOf({ ...base, ...on }).url).toBe(ours)
    }
  })
})

describe('the sampler', () => {
  test.each([
    [{}, { parentBased: true, ratio: 1 }],
    [{ TESSERA_TRACES_RATIO: '0.25' }, { parentBased: true, ratio: 0.25 }],
    [
      { TESSERA_TRACES_RATIO: '0.25', OTEL_TRACES_SAMPLER: 'always_off' },
      { parentBased: true, ratio: 0.25 },
    ],
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, { parentBased: false, ratio: 1 }],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, { parentBased: false, ratio: 0 }],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, { parentBased: true, ratio: 0 }],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
      { parentBased: false, ratio: 0.1 },
    ],
    [
      { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
      { parentBased: true, ratio: 0.1 },
    ],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, { parentBased: true, ratio: 1 }],
  ])('of %j is %j', (env, sampler) => {
    expect(tracesOf({ ...base, ...env })).toMatchObject({ sampler, warnings: [] })
  })
})

test('attributes and headers are decoded, and the narrower variable wins', () => {
  expect(
    tracesOf({
      ...base,
      OTEL_RESOURCE_ATTRIBUTES: ' service.name = a , k8s.pod.name=p%2C1,empty=, url=a=b ',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-a=1,x-b=2',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-b=3',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
      OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip',
    }),
  ).toMatchObject({
    attributes: { 'service.name': 'a', 'k8s.pod.name': 'p,1', empty: '', url: 'a=b' },
    headers: { 'x-a': '1', 'x-b': '3' },
    compression: 'gzip',
    warnings: [],
  })
  expect(
    tracesOf({ ...base, OTEL_RESOURCE_ATTRIBUTES: 'service.name=a', OTEL_SERVICE_NAME: 'b' }).attributes,
  ).toEqual({ 'service.name': 'b' })
  expect(tracesOf(base).attributes).toEqual({ 'service.name': 'tessera' })
})

test.each([
  ['OTEL_TRACES_SAMPLER', 'hunter2', { sampler: { parentBased: true, ratio: 1 } }],
  ['OTEL_RESOURCE_ATTRIBUTES', 'a=1,hunter2', { attributes: { 'service.name': 'tessera' } }],
  ['OTEL_RESOURCE_ATTRIBUTES', 'a=%E0%A4%A', { attributes: { 'service.name': 'tessera' } }],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a:hunter2', { headers: {} }],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'hunter2', { compression: undefined }],
  ['OTEL_EXPORTER_OTLP_TRACES_COMPRESSION', 'hunter2', { compression: 'gzip' }],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', { url: ours }],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc', { url: ours }],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '0', { timeoutMs: undefined }],
])('a wrong %s (%s) is left out with a warning that names it, without its value', (name, value, rest) => {
  const { traces, metrics } = configOf({ ...base, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip', [name]: value })
  expect(traces).toMatchObject(rest)
  expect(traces.warnings).toEqual([expect.stringContaining(name)])
  expect(traces.warnings.join()).not.toMatch(/hunter2|grpc|%E0/)
  expect(metrics.warnings).toEqual([])
})

test('each signal has its own timeout and protocol, or else those of all', () => {
  const { traces, metrics } = configOf({
    ...base,
    OTEL_EXPORTER_OTLP_TIMEOUT: '10000',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '3000',
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc',
  })
  expect(traces).toMatchObject({ timeoutMs: 3000, warnings: [] })
  expect(metrics).toMatchObject({
    timeoutMs: 10_000,
    warnings: ['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: http/json is sent, which collectors take on port 4318'],
  })
})

test('a protocol of all signals is named if one of them uses it', () => {
  const json = 'http/json'
  const all = { ...base, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: json }
  expect(configOf(all).traces.warnings).toEqual([expect.stringContaining('OTEL_EXPORTER_OTLP_PROTOCOL')])
  expect(configOf({ ...all, OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: json }).traces.warnings).toEqual([])
})

test('an invalid ratio and an invalid address are left out with a warning', () => {
  for (const argument of ['2', '-0.1', 'half', ' ', 'NaN']) {
    const env = { ...base, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: argument }
    expect(tracesOf(env)).toMatchObject({
      sampler: { parentBased: false, ratio: 1 },
      warnings: [expect.stringContaining('OTEL_TRACES_SAMPLER_ARG')],
    })
  }
  const env = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector:4317',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318',
  }
  expect(tracesOf(env)).toMatchObject({
    url: 'http://c:4318/v1/traces',
    warnings: [expect.stringContaining('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')],
  })
  expect(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' })).toMatchObject({
    url: undefined,
    warnings: [expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT')],
  })
})
