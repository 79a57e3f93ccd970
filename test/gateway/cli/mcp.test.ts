/** The bridge between standard input and a running gateway, as a desktop client starts it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { linesOf } from '../../../gateway/cli/mcp.ts'
import { raw, startFaultyServer } from '../../support/faulty-server.ts'
import { allScopes, startGraph } from '../../support/graph.ts'
import { lastingPort } from '../../support/port.ts'
import { command, environment } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Starts the command of docs/agents.md in a folder that has no packages. */
function bridgeTo(url: string, token: string): StdioClientTransport {
  const page = readFileSync(join(root, 'docs/agents.md'), 'utf8')
  const [block = ''] = /^\{ "mcpServers"[\s\S]*?(?=\n```$)/m.exec(page) ?? []
  const { command, args } = (JSON.parse(block) as { mcpServers: { tessera: Command } }).mcpServers.tessera
  return new StdioClientTransport({
    command,
    args: args.map((arg) =>
      arg.replace('/path/to/node_modules/tessera-graph/', root).replace('http://127.0.0.1:4000/mcp', url),
    ),
    cwd: temporaryFolder(),
    env: { PATH: dirname(process.execPath), MCP_TOKEN: token },
  })
}

interface Command {
  readonly command: string
  readonly args: readonly string[]
}

const bridge = (url: string) =>
  spawn(process.execPath, [...command, 'mcp', '--url', url], { env: environment() })

test.each(['2026-07-28', '2025-11-25'])('a client of %s lists and calls tools', async (revision) => {
  await using graph = await startGraph()
  const client = new Client(
    { name: 'desktop', version: '1' },
    revision === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  )
  await client.connect(bridgeTo(`${graph.gateway.url}/mcp`, await graph.token(allScopes)))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('messagesById')
  const result = await client.callTool({ name: 'messagesById', arguments: { messageIds: ['20'] } })
  expect(JSON.stringify(result.content)).toContain('just setting up my tiles')
  await client.close()
})

test('a line over the bound is answered, and holds nothing', async () => {
  const parts = async function* (texts: readonly string[]) {
    yield* texts
  }
  const linesIn = async (...texts: string[]): Promise<string[]> => {
    const lines: string[] = []
    for await (const line of linesOf(parts(texts), 5)) lines.push(typeof line === 'string' ? line : '!')
    return lines
  }
  expect(await linesIn('a\nb', 'c\r\nd')).toEqual(['a', 'bc\r', 'd'])
  expect(await linesIn('123456\n1')).toEqual(['!', '1'])
  // A line that is too long is reported once, and the line after it is read.
  expect(await linesIn('123', '456', '789', '0\nnext\n')).toEqual(['!', 'next'])
  expect(await linesIn('123', '456')).toEqual(['!'])
})

test('a long line at the bridge is an error of the protocol', async () => {
  const child = bridge('http://127.0.0.1:9/mcp')
  child.stdin.end(`${'x'.repeat(4_000_001)}\n`)
  const [answer = ''] = (await text(child.stdout)).split('\n')
  expect(JSON.parse(answer)).toMatchObject({ id: null, error: { code: -32600 } })
})

/** What the bridge prints for these lines. */
async function printed(url: string, ...lines: readonly string[]): Promise<string[]> {
  const child = bridge(url)
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  return (await text(child.stdout)).trimEnd().split('\n')
}

const answersTo = async (url: string, ...lines: readonly string[]): Promise<Answer[]> =>
  (await printed(url, ...lines)).map((line) => JSON.parse(line))

interface Answer {
  readonly id: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

test('a line that is JSON and no message is answered, and those after it are sent', async () => {
  const url = `http://127.0.0.1:${await lastingPort()}/mcp`
  expect(await answersTo(url, 'null', '7', '{"id":1,"method":"ping"}')).toMatchObject([
    { id: null, error: { code: -32600 } },
    { id: null, error: { code: -32600 } },
    { id: 1, error: { message: expect.stringContaining('nothing listens there') } },
  ])
})

test('messages keep the digits of their numbers, each in a line', async () => {
  const result = '{"id":1,\r\n"result":12345678901234567890.10}'
  await using server = await startFaultyServer(raw(result, {}))
  expect(await printed(server.url, '{"id":1,"method":"ping"}')).toEqual([result.replace('\r\n', '  ')])
})

const events = { 'content-type': 'text/event-stream' }

test('a response that ends before its answer is an error for the message', async () => {
  const progress = '{"method":"notifications/progress","params":{"progress":12345678901234567890}}'
  await using server = await startFaultyServer(raw(`data: ${progress}\n\n`, events))
  const [event, answer = ''] = await printed(server.url, '{"id":1,"method":"tools/call"}')
  expect(event).toBe(progress)
  expect(JSON.parse(answer)).toMatchObject({ id: 1, error: { code: -32603 } })
})

test('a message that a proxy has cut into several lines of an event is one line', async () => {
  await using server = await startFaultyServer(
    raw(': kept alive\r\rdata: {"id":1,\rdata: "result":{}}\r\r', events),
  )
  expect(await printed(server.url, '{"id":1,"method":"ping"}')).toEqual(['{"id":1, "result":{}}'])
})

test('an address of something else than /mcp is an error for the message', async () => {
  await using server = await startFaultyServer(raw('{"errors":[{"message":"no query"}]}', {}, 400))
  expect(await answersTo(server.url, '{"jsonrpc":"2.0","id":1,"method":"initialize"}')).toMatchObject([
    { id: 1, error: { code: -32603, message: expect.stringContaining('is /mcp open there?') } },
  ])
})

test('a refusal that came before the message was read is the answer to it', async () => {
  await using graph = await startGraph({ env: { TESSERA_MAX_BODY_BYTES: '1000' } })
  const message = { jsonrpc: '2.0', id: 'a', method: 'ping', params: { text: 'x'.repeat(2_000) } }
  const answers = await answersTo(`${graph.gateway.url}/mcp`, JSON.stringify(message))
  expect(answers).toMatchObject([{ id: 'a', error: { code: -31000 } }])
})

test('a client that asks for a revision of the future goes on with the one that it is given', async () => {
  await using graph = await startGraph()
  const child = bridge(`${graph.gateway.url}/mcp`)
  child.stdin.write(
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2030-01-01","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n',
  )
  const [first] = await once(child.stdout, 'data')
  expect(JSON.parse(first)).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } })
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  child.stdin.end('{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
  expect(JSON.parse(await text(child.stdout))).toMatchObject({ id: 2, result: {} })
})

test('names of tasks and names that are no plain text reach the gateway', async () => {
  await using graph = await startGraph()
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  }
  const lineOf = (id: number, method: string, params: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })
  const answers = await answersTo(
    `${graph.gateway.url}/mcp`,
    lineOf(1, 'tasks/get', { taskId: 'none' }),
    lineOf(2, 'tools/call', { name: 'schneien ☃', arguments: {} }),
  )
  const messages = answers
    .toSorted((one, other) => Number(one.id) - Number(other.id))
    .map(({ error }) => error?.message)
  expect(messages).toEqual([
    expect.stringContaining('There is no such task'),
    expect.stringContaining('There is no tool'),
  ])
})

test('a gateway that is not there is an error with its address', async () => {
  const client = new Client({ name: 'desktop', version: '1' })
  await expect(client.connect(bridgeTo('http://127.0.0.1:9/mcp', 'no'))).rejects.toThrow(
    'The gateway at http://127.0.0.1:9/mcp does not respond',
  )
  await client.close()
})
