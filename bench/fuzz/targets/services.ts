/**
 * Responses of the four services, through the whole gateway. An input is the status, the operation and the body.
 * Whatever it is, a client gets data and errors with codes.
 */
import { readFileSync } from 'node:fs'
import type { GraphQLOutputType } from 'graphql'
import { checkResponse, type FuzzedGateway, startFuzzedGateway } from '../gateway.ts'
import { type ScriptedServer, startScriptedServer } from '../scripted-server.ts'
import { Broken, targetsOf } from '../target.ts'
import { fieldsOf, wholeSelection } from '../whole-selection.ts'

/** In each of them `*` stands for all fields that can be selected. */
const operations: Readonly<Record<string, readonly string[]>> = {
  videos: [
    '{ video(videoId: "u62wyH56M7e") * }',
    '{ chartVideos(chart: MOST_POPULAR, first: 2) * }',
    '{ channel(channelId: "UCx") { commentThreads(first: 2, order: TIME) * } }',
    'mutation { insertCommentThread(input: { videoId: "u62wyH56M7e", textOriginal: "Hello" }) * }',
    'mutation { updateVideo(input: { videoId: "u62wyH56M7e", snippet: { title: "New" } }) * }',
    'mutation { insertVideo(input: { snippet: { title: "T" }, contentType: "video/mp4", contentLength: "9" }) * }',
  ],
  agents: [
    '{ agent(project: "demo") * }',
    '{ agent(project: "demo") { intents(first: 2) * } }',
    'mutation { detectIntent(input: { project: "demo", session: "s1", queryInput: { text: { text: "hello", languageCode: "en" } } }) * }',
    'mutation { exportAgent(input: { project: "demo" }) * }',
    'mutation { createIntent(input: { project: "demo", displayName: "new" }) * }',
    'mutation { setAgent(input: { project: "demo", displayName: "Pat" }) * }',
  ],
  messages: [
    '{ message(messageId: "1234567890123456789") * }',
    '{ message(messageId: "1234567890123456789") { likingUsers(first: 2) * } }',
    'mutation { likeMessage(input: { userId: "20", messageId: "1234567890123456789" }) * }',
  ],
  metrics: [
    '{ metrics { query(query: "up", time: "1795206067") * } }',
    '{ metrics { queryRange(query: "up", start: "100", end: "130", step: "15s") * } }',
    '{ metrics { queryRange(query: "up", start: "100", end: "130", step: "15s") { raw } query(query: "up") { raw } } }',
    '{ metrics { ruleGroups * } }',
    '{ metrics { alerts * } }',
    '{ metrics { buildInfo * } }',
  ],
}
const depth = 4

/** For each service, responses of the sandbox to these operations. */
const recorded = JSON.parse(
  readFileSync(new URL('service-answers.json', import.meta.url), 'utf8'),
) as Readonly<
  Record<string, readonly { readonly operation: number; readonly status: number; readonly body: unknown }[]>
>

interface FuzzedServices {
  readonly service: ScriptedServer
  readonly graph: FuzzedGateway
}
let running: Promise<FuzzedServices> | undefined

async function start(): Promise<FuzzedServices> {
  const service = await startScriptedServer()
  return { service, graph: await startFuzzedGateway(service.url) }
}
async function close(): Promise<void> {
  const { service, graph } = (await running) ?? {}
  running = undefined
  await graph?.close()
  await service?.close()
}

/** The text of an operation with all fields instead of its star. */
function whole({ gateway }: FuzzedGateway, text: string): string {
  const { apiSchema } = gateway.supergraph
  let type = (
    text.startsWith('mutation') ? apiSchema.getMutationType() : apiSchema.getQueryType()
  ) as GraphQLOutputType
  const plain = text.replace(/^mutation/, '').replaceAll(/\((?:[^()"]|"[^"]*")*\)/g, '')
  for (const [name] of plain.matchAll(/[a-zA-Z]+(?= *[{*])/g)) {
    const field = fieldsOf(type)?.[name]
    if (field === undefined) throw new Error(`there is no field ${name}`)
    type = field.type
  }
  return text.replaceAll('*', wholeSelection(type, depth))
}

const texts = new Map<string, string>()

async function run(service: string, input: Buffer): Promise<void> {
  const own = operations[service] ?? []
  const end = input.indexOf(10)
  const [status = 0, number = 0] = input.toString('latin1', 0, Math.max(0, end)).split(' ').map(Number)
  const operation = own[number % own.length] ?? own[0] ?? ''
  running ??= start()
  const { service: answering, graph } = await running
  let query = texts.get(operation)
  if (query === undefined) {
    query = operation.includes('*') ? whole(graph, operation) : operation
    texts.set(operation, query)
  }
  const known = Number.isInteger(status) && status >= 200 && status < 600 ? status : 200
  answering.answer(known, input.subarray(end + 1))
  const response = await fetch(`${graph.gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query }),
  })
  const text = await response.text()
  graph.checkLog()
  checkResponse(text)
  if (answering.asked === 0) throw new Broken('the service was not asked', text)
}

export const targets = targetsOf(
  import.meta.url,
  Object.keys(operations).map((service) => ({
    name: `${service}-answers`,
    smoke: 32,
    covers: [`subgraphs/${service}`, 'subgraphs/kit', 'shared/http/dispatch-request.ts', 'shared/json'],
    seeds: (recorded[service] ?? []).map(
      ({ operation, status, body }) => `${status} ${operation}\n${JSON.stringify(body)}`,
    ),
    run: (input: Buffer) => run(service, input),
    close,
  })),
)
