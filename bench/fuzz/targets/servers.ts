/** Our own servers and the sandbox, by the bytes of a connection: HTTP, WebSockets, frames. */
import { FrameWriter, framesProtocol } from '../../../fast/frames/format/index.ts'
import { readConfig } from '../../../gateway/config/index.ts'
import { startSubgraphService } from '../../../gateway/hosts/subgraph.ts'
import { createLogger } from '../../../gateway/index.ts'
import { Metrics } from '../../../gateway/telemetry/metrics/index.ts'
import { startSandbox } from '../../../sandbox/index.ts'
import { createNodesSubgraph } from '../../../subgraphs/nodes/index.ts'
import { startFuzzedGateway } from '../gateway.ts'
import { exchangeBytes } from '../raw-connection.ts'
import { startScriptedServer } from '../scripted-server.ts'
import { Broken, targetsOf } from '../target.ts'

/** A server that runs from the first input on. */
interface Server {
  readonly url: string
  /** Throws if it had an unexpected error. */
  check(): void
  close(): Promise<void>
}

function once(start: () => Promise<Server>): { server(): Promise<Server>; close(): Promise<void> } {
  let running: Promise<Server> | undefined
  return {
    server() {
      running ??= start()
      return running
    },
    async close() {
      const server = await running
      running = undefined
      await server?.close()
    },
  }
}

const gateway = once(async () => {
  const service = await startScriptedServer()
  service.answer(200, Buffer.from('{"items":[]}'))
  const graph = await startFuzzedGateway(service.url, {
    TESSERA_MAX_BATCH: '10',
    TESSERA_EXPLORER: 'built-in',
  })
  return {
    url: graph.gateway.url,
    check: graph.checkLog,
    async close() {
      await graph.close()
      await service.close()
    },
  }
})

const service = once(async () => {
  const { config } = readConfig({
    ...{ TESSERA_MAX_WAIT_MS: '0', TESSERA_REQUEST_TIMEOUT_MS: '5000', TESSERA_MAX_BODY_BYTES: '100000' },
    ...{ TESSERA_MAX_SUBSCRIPTIONS: '10', TESSERA_MAX_SUBSCRIPTIONS_PER_CONNECTION: '5' },
    ...{ TESSERA_SUBSCRIPTION_WAITING_EVENTS: '10', TESSERA_SUBSCRIPTION_WAITING_BYTES: '10000' },
  })
  if (config === undefined) throw new Error('the configuration is none')
  const logged: string[] = []
  const started = await startSubgraphService({
    subgraph: createNodesSubgraph({ keys: new Map([['Video', /^[a-z]{1,20}$/]]) }),
    ...{ config, port: 0 },
    metrics: new Metrics(),
    log: createLogger({ level: 'error', destination: { write: (line: string) => void logged.push(line) } }),
  })
  return {
    url: started.url,
    check() {
      const [line] = logged.splice(0)
      if (line !== undefined) throw new Broken('logged', line)
    },
    close: () => started.stop(0),
  }
})

const sandbox = once(async () => {
  const { url, close } = await startSandbox({ journal: false })
  return { url, check: () => {}, close }
})

/** Sends bytes of HTTP. The response must not be that of a defect. */
async function askRaw(given: Promise<Server>, pieces: readonly Buffer[]): Promise<void> {
  const server = await given
  const answer = (await exchangeBytes(server.url, pieces)).toString('latin1')
  server.check()
  if (answer !== '' && !answer.startsWith('HTTP/1.1 ')) throw new Broken('an answer that is no HTTP', answer)
  if (/^HTTP\/1\.1 500|INTERNAL_SERVER_ERROR|Internal server error/m.test(answer))
    throw new Broken('a fault of the server', answer)
}

const request = (line: string, headers: readonly string[], body = ''): string =>
  [
    `${line} HTTP/1.1`,
    'host: 127.0.0.1',
    ...headers,
    ...(body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n')

const upgrade = (path: string, protocol: string, headers: readonly string[]): Buffer =>
  Buffer.from(request(`GET ${path}`, ['connection: Upgrade', `upgrade: ${protocol}`, ...headers]))

const webSocket = upgrade('/graphql', 'websocket', [
  'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  'sec-websocket-version: 13',
  'sec-websocket-protocol: graphql-transport-ws',
])

/** A client's text frame, masked with zeros. */
function frameOf(line: string): Buffer {
  const text = Buffer.from(line)
  const length = text.length < 126 ? [0x80 | text.length] : [0x80 | 126, text.length >> 8, text.length & 255]
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), text])
}

/** Messages, one per line; after a zero byte, raw bytes of the connection. */
function framesOf(input: Buffer): readonly Buffer[] {
  if (input[0] === 0) return [input.subarray(1)]
  return input
    .toString('utf8')
    .split('\n')
    .map((line) => frameOf(line.slice(0, 60_000)))
}

function framed(): Buffer {
  const bytes: Buffer[] = []
  const write = (piece: Buffer): boolean => bytes.push(Buffer.from(piece)) > 0
  const writer = new FrameWriter({ writable: true, writableLength: 0, write })
  writer.document(0, undefined, 'query ($a: ID!) { node(id: $a) { id } }')
  writer.request(
    1,
    0,
    'x-request-id:1\ntraceparent:00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n',
    '{"a":"x"}',
  )
  writer.request(2, 0, '', '[]')
  writer.cancel(2)
  writer.flush()
  return Buffer.concat(bytes)
}

const json = 'content-type: application/json'
const video = '{"snippet":{"title":"T"}}'
const part = (boundary: string): string =>
  `--${boundary}\r\ncontent-type: application/json\r\n\r\n${video}\r\n--${boundary}\r\ncontent-type: video/mp4\r\n\r\nbytes\r\n--${boundary}--\r\n`
const smoke = 24

export const targets = targetsOf(import.meta.url, [
  {
    name: 'gateway-http',
    smoke,
    covers: ['gateway/server', 'gateway/graphql-http', 'gateway/pipeline', 'explorer', 'gateway/telemetry'],
    seeds: [
      request('POST /graphql', [json, 'connection: close'], '{"query":"{ __typename }"}'),
      request(
        'POST /graphql',
        [json, 'accept: multipart/mixed', 'idempotency-key: "k"'],
        '[{"query":"{ __typename }"}]',
      ),
      request('GET /graphql?query=%7B__typename%7D&extensions=%7B%7D', [
        'tessera-explain: 1',
        'if-none-match: W/"a"',
      ]),
      request('PUT /upload/a.b.c.d.e', ['content-range: bytes 0-4/5', 'content-type: video/mp4'], 'bytes'),
      request('GET /health/ready?verbose', ['accept: text/html', 'accept-encoding: gzip']),
      request('PUT /graphql/stream', ['x-graphql-event-stream-token: a']),
      'POST /graphql HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\n5\r\n{"que\r\n0\r\n\r\n',
    ],
    run: (input) => askRaw(gateway.server(), [input]),
    close: gateway.close,
  },
  {
    name: 'gateway-websocket',
    smoke,
    covers: ['gateway/subscriptions', 'gateway/pipeline'],
    seeds: [
      '{"type":"connection_init","payload":{"authorization":"Bearer x","headers":{"a":"b"}}}\n{"id":"1","type":"subscribe","payload":{"query":"{ __typename }","extensions":{"lastEventId":"1"}}}\n{"type":"ping","payload":{"authorization":"x"}}\n{"id":"1","type":"complete"}',
      '{"type":"connection_init"}\n{"id":"1","type":"subscribe","payload":{"query":"subscription { videoChanged(videoId: \\"a\\") { videoId } }"}}\n{"type":"pong"}',
      Buffer.concat([
        Buffer.from([0]),
        frameOf('{"type":"connection_init"}'),
        Buffer.from([0x89, 0x80, 0, 0, 0, 0, 0x88, 0x80, 0, 0, 0, 0]),
      ]),
    ],
    run: (input) => askRaw(gateway.server(), [webSocket, ...framesOf(input)]),
    close: gateway.close,
  },
  {
    name: 'service-http',
    smoke,
    covers: ['gateway/subgraph-service', 'subgraphs/nodes', 'subgraphs/kit/representations.ts'],
    seeds: [
      request('POST /graphql', [json, 'connection: close'], '{"query":"{ _service { sdl } }"}'),
      request(
        'POST /graphql',
        [json],
        '{"query":"query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }","variables":{"r":[{"__typename":"Video","id":"x"}]}}',
      ),
      request('GET /graphql?query=%7B__typename%7D', [
        'tessera-signature: t=1,n=a.1,v2=a',
        'router-authorization: Bearer x',
      ]),
    ],
    run: (input) => askRaw(service.server(), [input]),
    close: service.close,
  },
  {
    name: 'service-frames',
    smoke,
    covers: ['gateway/subgraph-service', 'fast/frames/service'],
    seeds: [framed()],
    run: (input) => askRaw(service.server(), [upgrade('/graphql', framesProtocol, []), input]),
    close: service.close,
  },
  {
    name: 'sandbox-http',
    smoke,
    covers: ['sandbox'],
    seeds: [
      request('GET /media/v3/videos?part=snippet&chart=mostPopular&maxResults=2&pageToken=x', [
        'authorization: Bearer x',
      ]),
      request(
        'POST /upload/media/v3/videos?uploadType=multipart&part=snippet',
        ['authorization: Bearer x', 'content-type: multipart/related; boundary=b'],
        part('b'),
      ),
      request(
        'POST /upload/media/v3/videos?uploadType=resumable&part=snippet',
        ['authorization: Bearer x', json, 'x-upload-content-length: 5', 'x-upload-content-type: video/mp4'],
        video,
      ),
      request('PUT /upload/media/v3/videos?upload_id=x', ['content-range: bytes 0-4/5'], 'bytes'),
      request(
        'POST /v2beta1/projects/demo/agent/sessions/s:detectIntent',
        ['authorization: Bearer x', json],
        '{"queryInput":{"text":{"text":"hello","languageCode":"en"}}}',
      ),
      request('GET /2/tweets?ids=20,21&tweet.fields=lang&expansions=author_id', ['authorization: Bearer x']),
      request('GET /api/v1/query?query=up&time=1795206067', []),
    ],
    run: (input) => askRaw(sandbox.server(), [input]),
    close: sandbox.close,
  },
])
