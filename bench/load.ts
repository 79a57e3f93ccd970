/**
 * The clients, in their own process: raw sockets with kept-alive connections, one request at a time on each,
 * bounded in number and time. It gets its task over the process channel, and returns one `LoadResult`.
 */
import { connect } from 'node:net'
import { federatedOperations } from './federated/operations.ts'
import { bodyOf, operationNamed, operations } from './operations.ts'
import { createParser } from './response-parser.ts'

export interface LoadTask {
  readonly url: string
  readonly operation: string
  readonly headers: Readonly<Record<string, string>>
  readonly seconds: number
  /** The most requests. By default only the time ends it. */
  readonly requests?: number | undefined
  readonly connections?: number | undefined
  /** Further addresses, which get connections in turn with the first. */
  readonly beside?: readonly string[] | undefined
  /** The number of the first request, from which the variables follow. */
  readonly from: number
}

export interface LoadResult {
  readonly requests: number
  /** Responses with another status than 200, or with errors. */
  readonly failures: number
  readonly firstFailure: string | undefined
  readonly seconds: number
  readonly p50: number
  readonly p99: number
  /** Some of the responses, for comparison with the ceiling's. */
  readonly samples: readonly { readonly index: number; readonly text: string }[]
}

const keptSamples = 3
/** A response is searched for errors only up to here, because errors come first, or the sample shows them. */
const searched = 4096

function run(task: LoadTask): Promise<LoadResult> {
  const operation = operationNamed(task.operation, [...operations, ...federatedOperations])
  const urls = [task.url, ...(task.beside ?? [])].map((url) => new URL(url))
  // Made before the clock starts, so that the clients cost little.
  const made = Math.min(task.requests ?? 2000, operation.name === 'Q2' ? 400 : 2000)
  const requestsFor = (url: URL): readonly Buffer[] => {
    const head = headOf(url, task.headers)
    return Array.from({ length: made }, (_, at) => {
      const body = bodyOf(operation, task.from + at)
      return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    })
  }
  const targets = urls.map((url) => ({ url, requests: requestsFor(url) }))
  const times: number[] = []
  const samples: { index: number; text: string }[] = []
  let failures = 0
  let firstFailure: string | undefined
  let sent = 0
  let open = 0
  const started = performance.now()
  const until = started + task.seconds * 1000
  const most = task.requests ?? Number.POSITIVE_INFINITY
  const { promise, resolve } = Promise.withResolvers<LoadResult>()

  const fail = (text: string): void => {
    failures += 1
    firstFailure ??= text.slice(0, 600)
  }
  const finish = (): void => {
    const seconds = (performance.now() - started) / 1000
    times.sort((a, b) => a - b)
    const at = (share: number): number =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
    const { length } = times
    resolve({ requests: length, failures, firstFailure, seconds, p50: at(0.5), p99: at(0.99), samples })
  }
  const client = ({ url, requests }: (typeof targets)[number]): void => {
    open += 1
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
    const parser = createParser()
    let asked = 0
    let index = 0
    const ask = (): void => {
      if (sent >= most || performance.now() >= until) {
        socket.end()
        return
      }
      index = sent % made
      sent += 1
      asked = performance.now()
      socket.write(requests[index] as Buffer)
    }
    socket.on('connect', ask)
    socket.on('data', (chunk: Buffer) => {
      const answer = parser.push(chunk)
      if (answer === undefined) return
      times.push(performance.now() - asked)
      const { status, body } = answer
      const bad = status !== 200 || body.subarray(0, searched).includes('"errors":[{')
      if (bad) fail(`${status} ${body.toString('utf8', 0, 600)}`)
      else if (samples.length < keptSamples && times.length % 37 === 1) {
        samples.push({ index: task.from + index, text: body.toString() })
      }
      ask()
    })
    socket.on('error', (error) => fail(String(error)))
    socket.on('close', () => {
      open -= 1
      if (open === 0) finish()
    })
  }
  for (let at = 0; at < (task.connections ?? operation.connections); at++)
    client(targets[at % targets.length] as (typeof targets)[number])
  return promise
}

function headOf({ pathname, host }: URL, headers: LoadTask['headers']): string {
  const own = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  return `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\naccept: application/json\r\n${own}`
}

process.on('message', (task: LoadTask) => {
  run(task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`the clients failed: ${String(error)}\n`)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
