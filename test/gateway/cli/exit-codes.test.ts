/** Exit codes, with what is said beside them: 2 for wrong usage and configuration, 1 for what did not work out. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../support/deploy.ts'
import { json, startFaultyServer } from '../../support/faulty-server.ts'
import { runInProcess } from '../../support/in-process-command.ts'
import { lastingPort } from '../../support/port.ts'
import { postJson } from '../../support/post-json.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary.ts'
import { until } from '../../support/wait.ts'
import { runApart, standInFolder, start } from './command-line.ts'

standInFolder()

describe('exit codes', () => {
  test.each([
    [],
    ['serve', 'extra'],
    ['subgraph'],
    ['subgraph', 'nobody'],
    ['sandbox', '--port', '65536'],
    ['compose', '--with'],
    ['check', '--colour'],
    ['token'],
    ['token', '--scope', 'a', '--expires', 'soon'],
    ['upload', 'walk.mp4'],
    ['upload', 'walk.mp4', '--title', 'A', 'long', 'walk'],
    ['persist'],
    ['upload', join(root, 'package.json'), '--title', 'a', '--url=nowhere'],
    ['serve', '--sandbox', 'http://services.example'],
    ['serve', '--supergraph', ''],
    ['sandbox', '--namespace', 'a/b'],
  ])('2 for wrong usage, with the usage: %s %s %s %s %s', async (...args) => {
    const { code, out, err } = await runInProcess(args.filter((arg) => arg !== undefined))
    expect(code).toBe(2)
    if (args[0] === undefined) expect(out).toContain('Commands:')
    else
      expect([out, err]).toEqual([
        '',
        expect.stringMatching(`^tessera ${args[0]}: .+\nUsage: tessera ${args[0]}`),
      ])
  })

  test.each(['serve', 'subgraph', 'check', 'token'])('2 for a wrong configuration: %s', async (name) => {
    const args = { serve: [], subgraph: ['videos'], check: [], token: ['--scope', 'a'] }[name] ?? []
    const wrong = { TESSERA_MAX_DEPTH: 'deep', TESSERA_VIDEOS_URL: 'nowhere', TESSERA_TYPO: '1' }
    const { code, out, err } = await runInProcess([name, ...args], wrong)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^tessera/)
    expect(err).toMatch(/TESSERA_MAX_DEPTH: expected a whole number/)
    for (const key of Object.keys(wrong)) expect(err).toContain(`${key}: `)
  })

  // A process ends by itself if nothing is left open in it: those have one that may have opened something.
  test.each<[typeof runInProcess, ...string[]]>([
    [runApart, 'serve', '--supergraph', 'nowhere.graphql', '--port', '0'],
    [runInProcess, 'compose', '--with', 'nowhere.graphql'],
    [runApart, 'upload', 'nowhere.mp4', '--title', 'a'],
    [runInProcess, 'persist', 'nowhere'],
    [runInProcess, 'compose', '--out', 'nowhere/x.graphql'],
    [runInProcess, 'persist', join(root, 'examples/fetch/operations'), '--out', 'nowhere/x.json'],
    [runInProcess, 'plan', 'nowhere.graphql', '--supergraph', join(root, 'schema/supergraph.graphql')],
    [runInProcess, 'plan', join(root, 'examples/first-query.graphql'), '--supergraph', 'nowhere.graphql'],
    [runApart, 'compose', '--with', 'nowhere=http://127.0.0.1:1/graphql'],
    [runInProcess, 'token', '--scope', 'a', '--key', 'nowhere.pem'],
    [runApart, 'sandbox', '--host', 'nowhere.invalid'],
    [runInProcess, 'init', join(root, 'package.json/nowhere')],
    [runInProcess, 'new', 'subgraph', 'books', '--folder', join(root, 'package.json/nowhere')],
  ])('1 for a failure, with the reason in one line: $1 $2', async (run, ...args) => {
    const { code, out, err } = await run(args)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(new RegExp(`^tessera ${args[0]}: .*nowhere.*\n$`))
  })

  // Connections to Redis are made again and again for as long as they are open.
  test.each<[string, string, Record<string, string>]>([
    ['hooks cannot be loaded', 'serve', { TESSERA_HOOKS: 'nowhere.mjs' }],
    ['a credential cannot be read', 'serve', { TESSERA_MESSAGES_CREDENTIAL: 'google:nowhere.json' }],
    ['a credential cannot be read', 'subgraph videos', { TESSERA_VIDEOS_CREDENTIAL: 'google:nowhere.json' }],
  ])('1, and the process ends, if %s after something was opened: %s', async (_, words, wrong) => {
    const redis = { TESSERA_REDIS_URL: `redis://127.0.0.1:${await lastingPort()}` }
    const { code, err } = await runApart([...words.split(' '), '--port', '0'], { ...redis, ...wrong })
    expect(code).toBe(1)
    expect(err).toMatch(new RegExp(`^tessera ${words.split(' ')[0]}: .*nowhere.*\n$`))
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'that of the command, if something keeps the process after its end, until %s',
    async (signal) => {
      const keeps = 'data:text/javascript,setInterval(()=>{},60000)'
      const { child, ended, said } = start(['persist', 'nowhere'], { NODE_OPTIONS: `--import=${keeps}` })
      await said('tessera persist:')
      await until(() => {
        // The first one may come before the end of the command.
        child.kill(signal)
        return child.exitCode !== null || child.signalCode !== null
      }, 'the end of the process')
      expect((await ended).code).toBe(1)
    },
  )

  test('1 for a supergraph that is none, with the name of its file, or its origin alone', async () => {
    const none = temporaryFile('none.graphql', '')
    await using server = await startFaultyServer(json({}))
    for (const [place, name] of [
      [none, none],
      [`${server.url}/none?signature=secret`, server.url],
    ] as const) {
      const { code, out, err } = await runInProcess(['supergraph', 'fetch', place])
      expect([code, out, err]).toEqual([1, '', expect.stringContaining(`tessera supergraph: ${name}: `)])
    }
  })

  test('1 for a refusal, whose words cannot write to the terminal', async () => {
    const message = '\u001b]0;title\u0007 \u009b2J'
    await using server = await startFaultyServer(json({ errors: [{ message }] }))
    const url = `${server.url}/graphql`
    const { code, err } = await runInProcess([
      'upload',
      join(root, 'package.json'),
      '--title',
      'a',
      '--url',
      url,
    ])
    expect([code, err]).toEqual([1, 'tessera upload: \\u{1b}]0;title\\u{7} \\u{9b}2J\n'])
  })

  test('1 for operations that do not fit the schema, each named with its file', async () => {
    const operations = temporaryFolder()
    writeFileSync(join(operations, 'a.graphql'), 'query A { vdeo { id } }')
    writeFileSync(join(operations, 'b.graphql'), 'query B {')
    const { code, out, err } = await runInProcess(['persist', operations])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/a\.graphql:1:11: A: .*vdeo/)
    expect(err).toMatch(/b\.graphql:1:10: Syntax Error/)
  })

  const chart = '{ chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } }'
  const asks: Readonly<Record<string, (url: string) => Promise<Response>>> = {
    serve: (url) => postJson(url, { query: chart }),
    subgraph: (url) => postJson(url, '{"query":"{ metrics { buildInfo { version } } }"}'),
    sandbox: (url) => fetch(new URL('/api/v1/status/buildinfo', url)),
  }

  test.each([
    [['serve'], 'graph', '{"data":{"chartVideos":{"totalCount":120}}}'],
    [['subgraph', 'metrics'], 'metrics', '"version":"'],
    [['sandbox'], 'sandbox', '"version":"'],
  ])(
    '0 for %s that answers until a signal, 1 in one line if its port is in use',
    async (args, word, text) => {
      // A second server, which is to be closed as well.
      const admin = { TESSERA_ADMIN_PORT: '0', TESSERA_ADMIN_TOKEN: 'the token of operators' }
      const { child, said, ended } = start([...args, '--port', '0'], admin)
      const url = await said(word)
      expect(await (await asks[args[0] ?? '']?.(url))?.text()).toContain(text)
      const { port } = new URL(url)
      const second = await runApart([...args, '--port', port], admin)
      expect(second.code).toBe(1)
      expect(second.err.replace(/\(node.*\n/g, '')).toMatch(new RegExp(`^.*port ${port}.* in use.*\n$`))
      child.kill('SIGTERM')
      expect((await ended).code).toBe(0)
    },
  )
})
