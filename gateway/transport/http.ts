/**
 * A subgraph over HTTP: one POST for each fetch on pooled connections, within the request's deadline and
 * cancelled with it. Whatever goes wrong is a result with errors, in our codes; the subgraph's own errors
 * pass.
 */
import { type Dispatcher, Pool } from 'undici'
import { type ErrorCode, tesseraError } from '../../subgraphs/lib/errors.ts'
import type { GatewayRequest } from '../request.ts'
import type { SubgraphError, SubgraphResult, Transport } from '../transport.ts'

export interface HttpTransportOptions {
  readonly name: string
  readonly url: string
  /** More headers for each fetch: what is forwarded, and what proves the gateway. */
  readonly headers?: ((request: GatewayRequest, body: string) => Readonly<Record<string, string>>) | undefined
  readonly connections?: number | undefined
  /** Of one answer, in bytes. 64 MiB. */
  readonly maxResponseBytes?: number | undefined
  readonly dispatcher?: Dispatcher | undefined
}

const accepted = 'application/graphql-response+json, application/json;q=0.9'

export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { name, headers, connections = 64, maxResponseBytes = 64 * 1024 * 1024 } = options
  const url = new URL(options.url)
  const path = `${url.pathname}${url.search}`
  const pool = options.dispatcher ?? new Pool(url.origin, { connections, pipelining: 1 })

  const failure = (code: ErrorCode, message: string, cause?: unknown, status?: number): SubgraphResult => ({
    errors: [
      tesseraError(code, message, {
        service: name,
        cause,
        ...(status === undefined ? {} : { upstream: { status } }),
      }),
    ],
  })

  async function send(body: string, request: GatewayRequest): Promise<SubgraphResult> {
    const left = request.deadline - performance.now()
    if (left <= 0)
      return failure('UPSTREAM_TIMEOUT', `The ${name} subgraph was not asked: the request's time is up.`)
    const controller = new AbortController()
    let late = false
    const timer = setTimeout(() => {
      late = true
      controller.abort()
    }, left)
    const stop = request.onCancel(() => controller.abort())
    try {
      const answer = await pool.request({
        origin: url.origin,
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: accepted, ...headers?.(request, body) },
        body,
        signal: controller.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      const text = await readText(answer, maxResponseBytes)
      if (text === undefined) {
        return failure(
          'UPSTREAM_BAD_RESPONSE',
          `The ${name} subgraph answered more than ${maxResponseBytes} bytes.`,
        )
      }
      return resultFrom(text, answer.statusCode)
    } catch (error) {
      if (late) return failure('UPSTREAM_TIMEOUT', `The ${name} subgraph did not answer in time.`, error)
      if (request.cancelled) return failure('UPSTREAM_UNAVAILABLE', 'The request was cancelled.', error)
      return failure('UPSTREAM_UNAVAILABLE', `The ${name} subgraph cannot be reached.`, error)
    } finally {
      clearTimeout(timer)
      stop()
    }
  }

  function resultFrom(text: string, status: number): SubgraphResult {
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      parsed = undefined
    }
    const { data, errors } = (isRecord(parsed) ? parsed : {}) as { data?: unknown; errors?: unknown }
    const hasData = data === null || isRecord(data)
    if (!hasData && !Array.isArray(errors)) {
      return status >= 500
        ? failure('UPSTREAM_UNAVAILABLE', `The ${name} subgraph is failing.`, undefined, status)
        : failure(
            'UPSTREAM_BAD_RESPONSE',
            `The ${name} subgraph answered something that is not GraphQL.`,
            undefined,
            status,
          )
    }
    return {
      data: hasData ? (data as Record<string, unknown> | null) : undefined,
      errors: Array.isArray(errors) ? errors.map(errorFrom) : undefined,
    }
  }

  return {
    name,
    trusted: false,
    prepare({ text, name: operationName }) {
      const head = `{"query":${JSON.stringify(text)}${operationName === undefined ? '' : `,"operationName":${JSON.stringify(operationName)}`},"variables":`
      return (variables, request) => send(`${head}${JSON.stringify(variables)}}`, request)
    },
    async close() {
      if (options.dispatcher === undefined) await pool.destroy()
    },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function errorFrom(value: unknown): SubgraphError {
  if (!isRecord(value)) return { message: 'The subgraph gave an error without words.' }
  const { message, path, extensions } = value
  return {
    message: typeof message === 'string' ? message : 'The subgraph gave an error without words.',
    ...(Array.isArray(path) && path.every((key) => typeof key === 'string' || typeof key === 'number')
      ? { path }
      : {}),
    ...(isRecord(extensions) ? { extensions } : {}),
  }
}

async function readText(answer: Dispatcher.ResponseData, limit: number): Promise<string | undefined> {
  const declared = Number(answer.headers['content-length'])
  if (declared <= 65_536) return answer.body.text()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) {
      answer.body.destroy()
      return undefined
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
