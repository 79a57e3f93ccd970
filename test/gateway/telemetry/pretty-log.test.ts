/** The log at a terminal: people's lines from the same events, and nothing in them that a terminal would obey. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogger } from '../../../gateway/telemetry/log.ts'
import { createPrettyLog } from '../../../gateway/telemetry/pretty-log.ts'
import { startInProcess } from '../../support/in-process-command.ts'

function logged(log: (logger: ReturnType<typeof createLogger>) => void, colour = false): string {
  let said = ''
  const hear = (text: string): void => {
    said += text
  }
  const destination = createPrettyLog(hear, colour)
  log(createLogger({ level: 'debug', destination }))
  return said
}

test('an event is one line: time, level, message, and what else it knows', () => {
  const said = logged((log) =>
    log.warn({ status: 503, operation: 'Two words', calls: { videos: 2 } }, 'request'),
  )
  expect(said).toMatch(
    /^\d\d:\d\d:\d\d warn {2}request status=503 operation="Two words" calls=\{"videos":2\}\n$/,
  )
})

test('an error follows its line, with its causes', () => {
  const error = new TypeError('outer', { cause: new Error('inner') })
  const lines = logged((log) => log.error({ err: error }, 'unexpected error')).split('\n')
  expect(lines[0]).toMatch(/error unexpected error$/)
  expect(lines).toContain('  TypeError: outer')
  expect(lines).toContain('  Error: inner')
  expect(lines.some((line) => /^ {4}at /.test(line))).toBe(true)
})

test('nothing that is logged can move the cursor, colour the screen or turn the line round', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, key) => {
      const said = logged((log) => log.info({ [`x${key}`]: text, err: new Error(text) }, text))
      expect(said.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }),
    { numRuns: 30 },
  )
})

test('serve writes words at a terminal, and JSON elsewhere', async () => {
  const settings = { PORT: '0', TESSERA_LOG_LEVEL: 'info' }
  const query = '?query={__typename}'
  for (const [terminal, line] of [
    [true, /^\d\d:\d\d:\d\d info {2}request .*status=200/m],
    [false, /^\{"level":30,.*"msg":"request"/m],
  ] as const) {
    await using server = startInProcess(['serve'], settings, { terminal })
    const url = await server.said('graph')
    await (await fetch(url + query, { headers: { 'apollo-require-preflight': 'true' } })).text()
    await expect.poll(() => server.output()).toMatch(line)
  }
})

test('a subgraph that starts says its name, its address and our warning, and nothing of others', async () => {
  await using service = startInProcess(['subgraph', 'videos', '--port', '0'], {})
  await service.said('videos')
  expect(service.output().replace(/^WARNING .*\n/m, '')).toMatch(
    /^videos {2}http:\/\/127\.0\.0\.1:\d+\/?\S*\n$/,
  )
})
