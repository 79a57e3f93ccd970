/** Errors that nobody threw on purpose, on their way to a client of the protocol. */
import { expect, test } from 'vitest'
import type { AgentRequest } from '../../../../gateway/mcp/agent-request.ts'
import { openProtocol } from '../../../../gateway/mcp/protocol/sdk.ts'
import { type ServerOptions, serverFor } from '../../../../gateway/mcp/protocol/server.ts'
import type { Tasks } from '../../../../gateway/mcp/tasks.ts'

const fails = (): Promise<never> => Promise.reject(new Error('redis://user:secret@store is away'))

const options: ServerOptions = {
  version: '1',
  instructions: '',
  listMs: 1,
  tools: fails,
  call: fails,
  resources: fails,
  read: fails,
  tasks: { begin: fails, get: fails, check: fails } satisfies Tasks,
  unexpected: (error) => `Internal error of ${(error as Error).message.length} characters.`,
}

test.each([
  ['tools/list', {}],
  ['tools/call', { name: 'budget' }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'tessera://quota' }],
])('what fails within %s is not told to clients', async (method, params) => {
  const protocol = await openProtocol({
    serve: serverFor(options),
    streams: { most: 1, mostOfCaller: 1 },
    failed() {},
  })
  const request = new Request('http://mcp.invalid/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
  })
  const answer = await protocol.answer({ jsonrpc: '2.0', id: 1, method, params }, { request } as AgentRequest)
  const text = await answer.text()
  expect(text).toContain('"code":-32603')
  expect(text).toContain('Internal error of 33 characters.')
  expect(text).not.toContain('secret')
  await protocol.close()
})
