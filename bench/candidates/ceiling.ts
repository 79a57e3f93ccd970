/**
 * The ceiling: a handler that somebody would write by hand who needs only these responses. It makes the same calls
 * by undici and returns the same JSON, without a query language, checks, limits or metrics.
 *
 * It also serves `Q5typed` by graphql-js over the same data at `/graphql-js`, with which typed samples are
 * compared.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buildSchema, type DocumentNode, execute, parse } from 'graphql'
import { Pool } from 'undici'

// biome-ignore lint/suspicious/noExplicitAny: what a hand-written handler knows of its JSON, it knows
type Json = any
type Variables = Readonly<Record<string, Json>>

const upstream = new Pool(process.env.UPSTREAM ?? '', { connections: 64 })

async function bytes(path: string): Promise<Buffer> {
  const { statusCode, body } = await upstream.request({ method: 'GET', path })
  if (statusCode !== 200) throw new Error(`the service answered ${statusCode}`)
  return Buffer.from(await body.arrayBuffer())
}

async function get(path: string): Promise<Json> {
  const { statusCode, body } = await upstream.request({ method: 'GET', path })
  if (statusCode !== 200) throw new Error(`the service answered ${statusCode}`)
  return body.json()
}

const videos = async (ids: readonly string[], parts: string): Promise<Json[]> =>
  (await get(`/media/v3/videos?part=${parts}&id=${ids.join(',')}&prettyPrint=false`)).items

const rangePath = ({ start, end, step }: Variables): string =>
  `/api/v1/query_range?query=bench_series&start=${start}&end=${end}&step=${step}`

const or = <T>(value: T | undefined): T | null => value ?? null

const handlers: Readonly<Record<string, (variables: Variables) => Promise<Json>>> = {
  async Q1({ id }) {
    const [video] = await videos([id], 'snippet,statistics')
    const { snippet, statistics } = video
    return {
      video: {
        videoId: video.id,
        snippet: { title: snippet.title, channelTitle: snippet.channelTitle },
        statistics: { viewCount: statistics.viewCount },
      },
    }
  },

  async Q2({ ids }) {
    const found = new Map<string, Json>()
    for (const video of await videos(ids, 'snippet,contentDetails,status,statistics'))
      found.set(video.id, video)
    return {
      videos: ids.map((id: string) => {
        const { etag, snippet, statistics, contentDetails, status } = found.get(id)
        return {
          videoId: id,
          etag,
          snippet: {
            publishedAt: snippet.publishedAt,
            channelId: snippet.channelId,
            title: snippet.title,
            description: snippet.description,
            channelTitle: snippet.channelTitle,
            categoryId: snippet.categoryId,
            defaultLanguage: or(snippet.defaultLanguage),
          },
          statistics: {
            viewCount: statistics.viewCount,
            likeCount: or(statistics.likeCount),
            commentCount: or(statistics.commentCount),
          },
          contentDetails: { duration: contentDetails.duration, definition: contentDetails.definition },
          status: { privacyStatus: status.privacyStatus },
        }
      }),
    }
  },

  async Q3({ id, messages }) {
    const [[video], threads, found] = await Promise.all([
      videos([id], 'snippet'),
      get(`/media/v3/commentThreads?part=snippet&videoId=${id}&maxResults=20&prettyPrint=false`),
      get(`/2/tweets?ids=${messages.join(',')}&tweet.fields=author_id,created_at,public_metrics`),
    ])
    const { title } = video.snippet
    const byId = new Map<string, Json>(found.data.map((message: Json) => [message.id, message]))
    return {
      video: {
        videoId: id,
        snippet: { title },
        commentThreads: {
          nodes: threads.items.map((thread: Json) => {
            const { snippet } = thread.snippet.topLevelComment
            return {
              threadId: thread.id,
              topLevelComment: {
                authorDisplayName: snippet.authorDisplayName,
                textDisplay: snippet.textDisplay,
                likeCount: snippet.likeCount,
                publishedAt: snippet.publishedAt,
              },
              video: { videoId: id, snippet: { title } },
            }
          }),
        },
      },
      messages: messages.map((one: string) => {
        const message = byId.get(one)
        return {
          messageId: one,
          text: message.text,
          authorId: message.author_id,
          createdAt: message.created_at,
          publicMetrics: { likeCount: message.public_metrics.like_count },
        }
      }),
    }
  },

  async Q4({ id, message, project, time }) {
    const [[video], messages, agent, up] = await Promise.all([
      videos([id], 'snippet'),
      get(`/2/tweets?ids=${message}&tweet.fields=author_id`),
      get(`/v2beta1/projects/${project}/agent`),
      get(`/api/v1/query?query=up&time=${time}`),
    ])
    const [{ text, author_id: authorId }] = messages.data
    return {
      video: { videoId: video.id, snippet: { title: video.snippet.title } },
      message: { messageId: message, text, authorId },
      agent: { parent: agent.parent, displayName: agent.displayName, timeZone: agent.timeZone },
      metrics: { query: { resultType: up.data.resultType, raw: up.data } },
    }
  },

  async Q5typed(variables) {
    const { data } = await get(rangePath(variables))
    return {
      metrics: {
        queryRange: {
          series: data.result.map(({ metric, values }: Json) => ({
            label: metric.series,
            samples: values.map(([time, value]: [number, string]) => ({ time, value })),
          })),
        },
      },
    }
  },

  async Q6({ user, message }) {
    const { statusCode, body } = await upstream.request({
      method: 'POST',
      path: `/2/users/${user}/likes`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tweet_id: message }),
    })
    if (statusCode !== 200) throw new Error(`the service answered ${statusCode}`)
    const { data } = (await body.json()) as Json
    return { likeMessage: { liked: data.liked } }
  },
}

const rawHead = Buffer.from('{"data":{"metrics":{"queryRange":{"raw":')
const rawTail = Buffer.from('}}}}')
const dataMark = Buffer.from('"data":')

/** The bytes of `data`, which is the last member of the service's response. */
async function passThrough(variables: Variables): Promise<Buffer> {
  const answer = await bytes(rangePath(variables))
  const from = answer.indexOf(dataMark) + dataMark.length
  return Buffer.concat([rawHead, answer.subarray(from, answer.lastIndexOf('}')), rawTail])
}

const samplesSchema = buildSchema(`
  type Query { metrics: Metrics! }
  type Metrics { queryRange(query: String!, start: String!, end: String!, step: String!): Result }
  type Result { series: [Series!]! }
  type Series { label(name: String!): String samples: [Sample!]! }
  type Sample { time: Float! value: String! }`)
const samplesDocuments = new Map<string, DocumentNode>()

async function byGraphqlJs(query: string, variables: Variables): Promise<Json> {
  const text = query.replaceAll(/MetricsTime|MetricsDuration/g, 'String')
  let document = samplesDocuments.get(text)
  if (document === undefined) {
    document = parse(text)
    samplesDocuments.set(text, document)
  }
  const rootValue = {
    metrics: {
      async queryRange() {
        const { data } = await get(rangePath(variables))
        return {
          series: data.result.map(({ metric, values }: Json) => ({
            label: ({ name }: { name: string }) => metric[name],
            samples: () => values.map(([time, value]: [number, string]) => ({ time, value })),
          })),
        }
      },
    },
  }
  return execute({ schema: samplesSchema, document, rootValue, variableValues: variables })
}

async function answer(request: IncomingMessage, text: string): Promise<string | Buffer> {
  const { query, variables, operationName } = JSON.parse(text)
  if (request.url === '/graphql-js') return JSON.stringify(await byGraphqlJs(query, variables))
  if (operationName === 'Q5raw') return passThrough(variables)
  const handler = handlers[operationName]
  if (handler === undefined) throw new Error(`there is no handler for ${operationName}`)
  return JSON.stringify({ data: await handler(variables) })
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = (
      chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
    ).toString()
    answer(request, text).then(
      (body) => {
        const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': length,
        })
        response.end(body)
      },
      (error: unknown) => {
        response.writeHead(500)
        response.end(String(error))
      },
    )
  })
}

const server = createServer(serve)
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null)
    console.log(`ready http://127.0.0.1:${address.port}/graphql`)
})
