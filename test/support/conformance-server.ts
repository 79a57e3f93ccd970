/**
 * A server with the tools, resources and prompts that the protocol's conformance suite asks for, behind the gate, the
 * check of tokens and the handler of the MCP server.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GetPromptResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import type { McpGraph } from '../../gateway/mcp/agent-request.ts'
import { createEndpoint } from '../../gateway/mcp/endpoint.ts'
import { openProtocol, type Protocol, type Sdk, type Serve } from '../../gateway/mcp/protocol/sdk.ts'
import { createLogger } from '../../gateway/telemetry/log.ts'
import { anonymous } from '../../shared/identity.ts'
import { bytesOfJson } from '../../shared/json/raw.ts'
import { fixtureTools, pixel } from './conformance-tools.ts'

export interface ConformanceServer extends AsyncDisposable {
  readonly url: string
}

const lists = { ttlMs: 300_000, cacheScope: 'public' } as const
const inputSchema = { type: 'object' as const }

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
}

export async function startConformanceServer(): Promise<ConformanceServer> {
  let protocol: Promise<Protocol> | undefined
  const changed = (what: 'tools' | 'prompts'): void =>
    void protocol?.then(({ notify }) => (what === 'tools' ? notify.toolsChanged() : notify.promptsChanged()))
  const respond = createEndpoint({
    version: '1.0.0',
    listen: async (uris) => ({ uris, begin() {}, close() {} }),
    origins: [],
    names: [],
    authenticator: { authenticate: async () => anonymous },
    challengeHead: () => [],
    log: createLogger({ level: 'silent' }),
    graph: () => ({ hold: () => () => {} }) as McpGraph,
    protocol() {
      const streams = { most: 10, mostOfCaller: 10 }
      protocol ??= openProtocol({ serve: serveFixtures(changed), streams, failed() {} })
      return protocol
    },
  })
  const server = createServer(async (request, response) => {
    const body: Buffer[] = []
    for await (const part of request) body.push(part as Buffer)
    const { method = 'GET', url = '/', headers, socket } = request
    const http = { id: 'test', method, url, headers, socket, body: Buffer.concat(body) }
    const { status, head, body: text, stream } = await respond(http, () => {})
    if (stream !== undefined) await stream(response, head)
    else response.writeHead(status, [...head]).end(bytesOfJson(text))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      await (await protocol)?.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const serveFixtures =
  (changed: (what: 'tools' | 'prompts') => void): Serve =>
  (library) => {
    const cacheHints = Object.fromEntries(
      [
        'tools/list',
        'prompts/list',
        'resources/list',
        'resources/templates/list',
        'resources/read',
        'server/discover',
      ].map((method) => [method, lists]),
    )
    const server = new library.Server({ name: 'conformance', version: '1.0.0' }, { capabilities, cacheHints })
    server.setRequestHandler('tools/list', async () => ({
      tools: Object.keys(fixtureTools)
        .sort()
        .map((name) => ({ name, description: `The tool ${name} of the suite.`, inputSchema })),
    }))
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = fixtureTools[params.name]
      if (tool === undefined) throw invalid(library, `There is no tool ${params.name}.`)
      return tool({ library, context, changed })
    })
    server.setRequestHandler('completion/complete', async () => ({
      completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
    }))
    server.setRequestHandler('logging/setLevel', async () => ({}))
    serveResources(library, server)
    servePrompts(library, server)
    return server
  }

type FixtureServer = ReturnType<Serve>

const invalid = (library: Sdk, message: string, data?: unknown): Error =>
  new library.ProtocolError(library.ProtocolErrorCode.InvalidParams, message, data)

const resources = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: pixel },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched' },
}

function serveResources(library: Sdk, server: FixtureServer): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({
      uri,
      mimeType,
      name: uri,
      description: `The resource ${uri} of the suite.`,
    })),
  }))
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = resources[uri as keyof typeof resources]
    if (found !== undefined) return { contents: [{ uri, ...found }] }
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
    if (id === undefined) throw invalid(library, 'Resource not found', { uri })
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return { contents: [{ uri, mimeType: 'application/json', text }] }
  })
  server.setRequestHandler('resources/subscribe', async () => ({}))
  server.setRequestHandler('resources/unsubscribe', async () => ({}))
}

type Prompt = (
  args: Readonly<Record<string, string>>,
  context: ServerContext,
  library: Sdk,
) => GetPromptResult | InputRequiredResult

const said = (...contents: GetPromptResult['messages'][number]['content'][]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})

const prompts: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: () => said({ type: 'text', text: 'This is a simple prompt for testing.' }),
  test_prompt_with_arguments: ({ arg1, arg2 }) =>
    said({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) =>
    said(
      {
        type: 'resource',
        resource: {
          uri: resourceUri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      },
      { type: 'text', text: 'Please process the embedded resource above.' },
    ),
  test_prompt_with_image: () =>
    said(
      { type: 'image', data: pixel, mimeType: 'image/png' },
      { type: 'text', text: 'Please analyze the image above.' },
    ),
  test_input_required_result_prompt(_args, { mcpReq }, library) {
    const found = library.acceptedContent(mcpReq.inputResponses, 'user_context')
    if (found !== undefined) return said({ type: 'text', text: `In the context of ${String(found.context)}` })
    const requestedSchema = {
      type: 'object' as const,
      properties: { context: { type: 'string' as const } },
      required: ['context'],
    }
    const message = 'What context should the prompt use?'
    return library.inputRequired({
      inputRequests: { user_context: library.inputRequired.elicit({ message, requestedSchema }) },
    })
  },
}

const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
}

function servePrompts(library: Sdk, server: FixtureServer): void {
  server.setRequestHandler('prompts/list', async () => ({
    prompts: Object.keys(prompts).map((name) => ({
      name,
      description: `The prompt ${name} of the suite.`,
      arguments: (argumentsOf[name] ?? []).map((argument) => ({ name: argument, required: true })),
    })),
  }))
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const prompt = prompts[params.name]
    if (prompt === undefined) throw invalid(library, `There is no prompt ${params.name}.`)
    return prompt(params.arguments ?? {}, context, library)
  })
}
