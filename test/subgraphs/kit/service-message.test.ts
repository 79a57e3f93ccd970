/** Which of a service's messages are passed on. Reading one takes linear time. */
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainMessage, publicMessage } from '../../../subgraphs/kit/service-message.ts'

test.each([
  ['Bad Request', ''],
  ['400 Bad Request\n', ''],
  ['HTTP/1.1 422 Unprocessable Entity', ''],
  ['invalid parameter "start"', 'invalid parameter "start"'],
  ['404 page not found', '404 page not found'],
  [undefined, ''],
])('of the plain text %j is left: %j', (text, left) => {
  expect(plainMessage(text)).toBe(left)
})

describe('a message of a service loses', () => {
  test.each([
    ['class names', 'com.google.apps.framework.request.NotFoundException: No agent', 'No agent'],
    ['exceptions', 'caught IllegalStateException: bad state', 'caught bad state'],
    ['a quoted project', "No agent for project 'my-project'.", 'No agent for project ….'],
    [
      'a project in a path',
      'Missing permission on projects/my-project/agent',
      'Missing permission on projects/…/agent',
    ],
    [
      'a numbered project',
      'API not enabled in project 1234567890 before',
      'API not enabled in project … before',
    ],
    ['a named project', 'The id of project secret-1234 is wrong', 'The id of project … is wrong'],
    ['a project number', "Quota for consumer 'project_number:1234567890'", "Quota for consumer 'project …"],
    ['URLs', 'see https://console.example/p?project=my-project now', 'see … now'],
    ['accounts', 'ask robot@my-project.iam.gserviceaccount.com', 'ask …'],
    ['the names that it is told to keep out', 'the my-project agent', 'the … agent'],
    [
      'markup',
      'The <code><a href="https://x.example/y">id</a></code> is <br/>wrong<!-- x -->',
      'The id is wrong',
    ],
    ['elements of no known name that have attributes', 'a <x onload="y()">b', 'a b'],
    ['control characters and line breaks', 'a\n\u0000b\tc\u0085d', 'a b c d'],
    [
      'IPv4 addresses',
      'dial tcp 10.0.0.3:9090: connect: connection refused',
      'dial tcp …: connect: connection refused',
    ],
    [
      'host names that were looked up',
      'lookup store-1.monitoring.svc on 10.96.0.10:53: no such host',
      'lookup … on …: no such host',
    ],
    [
      'IPv6 addresses',
      'dial tcp [2001:db8::1]:10901: i/o timeout, from fe80::1',
      'dial tcp …: i/o timeout, from …',
    ],
    [
      'hosts with ports',
      'rpc error from store-gateway.internal.example:10901 at localhost:9090',
      'rpc error from … at …',
    ],
    [
      'hosts with ports whose names have no dots',
      'cannot fetch from "vmstorage-1:8401", redis:6379 and (store_2:10901).',
      'cannot fetch from "…", … and (…).',
    ],
  ])('%s', (_, message, expected) => {
    expect(publicMessage(message, { names: ['my-project'] })).toBe(expected)
  })
})

test.each([
  'invalid parameter "query": 1:14: parse error: unexpected <by> in label matching, expected "}" sum:rate5m',
  'the project does not exist',
  'at 12:30:45 the value was 1.5e3',
  'the error is at line:1204, offset:5000 of job:rate5m, job:http:5000 and code:500',
  'a < b and c > d',
])('a message without a secret is unchanged: %s', (message) => {
  expect(publicMessage(message)).toBe(message)
})

test.each([42, null, undefined, {}, ['x']])('a value that is not a text is no message: %j', (value) => {
  expect(publicMessage(value)).toBe('')
})

test.each([
  ['an address in brackets', 'from [2001:db8::1]:9090 and [fe80::1%eth0]', 'from … and …'],
  ['brackets without an address', 'in [1:2] and [12.5]', 'in [1:2] and [12.5]'],
  ['blanks that are left', '  a   com.google.apps.FooException: b  ', 'a b'],
  ['addresses without a port', 'from 10.0.0.3 and 192.168.100.200', 'from … and …'],
  ['localhost without a port', 'at localhost now', 'at … now'],
  [
    'what was dialled',
    'dial tcp store-1: refused, dial unix /run/x.sock',
    'dial tcp …: refused, dial unix …',
  ],
  ['what was dialled over IPv6', 'dial tcp6 store-1 failed', 'dial tcp6 … failed'],
  ['what was looked up to be dialled', 'dial tcp lookup store-1: no', 'dial tcp lookup … no'],
  ['projects at the end of a path', 'on projects/secret-1234', 'on projects/…'],
  ['ids of projects', 'project_id: "secret-1" and project id secret-2', 'project … and project …'],
  ['classes within a sentence', 'by com.google.apps.FooBar in x', 'by in x'],
  ['exceptions within a sentence', 'an IOException in x', 'an in x'],
  ['elements in capital letters', 'a <B>b</B>', 'a b'],
])('a message loses %s', (_, message, expected) => {
  expect(publicMessage(message)).toBe(expected)
})

test('a name is kept out if it is a separate word', () => {
  const message = 'the my-project agent of my-project-2'
  expect(publicMessage(message, { names: ['my-project'] })).toBe('the … agent of my-project-2')
})

test('names are taken as they are written, and those of two letters are not looked for', () => {
  expect(publicMessage('at b.c* and bxcc in de, ok', { names: ['b.c*', 'de'] })).toBe(
    'at … and bxcc in de, ok',
  )
  expect(publicMessage('Stryker was here', { names: [] })).toBe('Stryker was here')
  expect(publicMessage('in abc', { names: ['abc'] })).toBe('in …')
})

test('a message that is too long is cut, and says so', () => {
  const long = 'x'.repeat(501)
  expect(publicMessage(long)).toBe(`${'x'.repeat(500)}…`)
  expect(publicMessage('x'.repeat(500))).toBe('x'.repeat(500))
  expect(publicMessage('abcdef', { maxLength: 3 })).toBe('abc…')
  // What is not read is four times as far away, and no word is cut in two there, of which a part could be a secret.
  expect(publicMessage('<b></b><b>ab cdefg', { maxLength: 4 })).toBe('ab')
  expect(publicMessage('<b></b><b>abcdefg', { maxLength: 4 })).toBe('abcd…')
  expect(publicMessage('<b></b><b>ab cde', { maxLength: 4 })).toBe('ab c…')
  expect(publicMessage(' abcdefgh', { maxLength: 2 })).toBe('ab…')
})

test('a message has at most the length that it may have, whatever it holds', () => {
  fc.assert(
    fc.property(
      fc.string({
        maxLength: 3000,
        unit: fc.constantFrom('a', ' ', '<', '.', ':', '/', '\n', '1', '[', 'project '),
      }),
      fc.integer({ min: 1, max: 400 }),
      (message, maxLength) => {
        const text = publicMessage(message, { maxLength })
        expect(text.length).toBeLessThanOrEqual(maxLength + 1)
        expect(text).not.toMatch(/[\n\t]| {2}/)
      },
    ),
  )
})

/** Each is what an expression of the sanitizer matches for long and then not. */
const hostile: readonly (readonly [string, string])[] = [
  ['open brackets', '<'],
  ['an endless tag', '<a '],
  ['labels', 'a.'],
  ['labels and dashes', 'a-.-'],
  ['a bracket of colons', ':'],
  ['digits', '1'],
  ['numbers with points', '1.1'],
  ['at signs', 'a@'],
  ['dollars', '$a.'],
  ['schemes', 'a+:'],
  ['slashes', ':/'],
  ['blanks', ' \n'],
  ['projects', 'project '],
  ['paths of projects', 'projects/'],
  ['quotes', "project '"],
  ['lookups', 'lookup '],
  ['dials', 'dial tcp '],
  ['exceptions', 'Exceptio'],
]

test('60 kB of any repetition are read in a moment, as the main thread of a server must', async () => {
  const source = new URL('../../../subgraphs/kit/service-message.ts', import.meta.url).href
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
     import(workerData.source).then(({ publicMessage }) => {
       for (const [name, piece] of workerData.hostile) {
         for (const head of ['', '[', '<', 'a'])
           publicMessage(head + piece.repeat(60_000 / piece.length), { maxLength: 15_000 })
         parentPort.postMessage(name)
       }
     })`,
    { eval: true, workerData: { source, hostile } },
  )
  const done: string[] = []
  await new Promise<void>((resolve, reject) => {
    // Far above what a linear reading takes, far below what a quadratic one does.
    const limit = setTimeout(() => void worker.terminate().then(() => resolve()), 90_000)
    worker.on('message', (name: string) => {
      done.push(name)
      if (done.length < hostile.length) return
      clearTimeout(limit)
      void worker.terminate().then(() => resolve())
    })
    worker.on('error', reject)
  })
  expect(done).toEqual(hostile.map(([name]) => name))
})
