/** The bridge between standard input and a running gateway, as a desktop client starts it. */
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { allScopes, startGraph } from '../../support/graph.ts'

const main = fileURLToPath(new URL('../../../gateway/main.ts', import.meta.url))

function bridgeTo(url: string, token: string): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp', '--url', url],
    env: { PATH: process.env.PATH ?? '', MCP_TOKEN: token },
  })
}

test.each(['2026-07-28', '2025-11-25'])(
  'a client of %s lists and calls tools',
  { timeout: 60_000 },
  async (revision) => {
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
  },
)

test('a gateway that is not there is an error with its address', { timeout: 60_000 }, async () => {
  const client = new Client({ name: 'desktop', version: '1' })
  await expect(client.connect(bridgeTo('http://127.0.0.1:9/mcp', 'no'))).rejects.toThrow(
    'The gateway at http://127.0.0.1:9/mcp does not answer',
  )
  await client.close()
})
