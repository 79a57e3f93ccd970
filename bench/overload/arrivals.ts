/**
 * Open arrivals, in their own process: a request is due at fixed times, whatever happened to those before it, and
 * its latency counts from when it was due. A closed loop of clients hides overload, because it sends fewer requests
 * when responses take longer.
 *
 * A request uses the free connection that was used last, or a new one up to a bound. If none is free it waits, and
 * its time runs. It gets its task over the process channel, and returns one `ArrivalsResult`. If a request is sent
 * later than it was due although a connection was free, that is the generator's own delay, which is printed for
 * each phase.
 */
import { connect, type Socket } from 'node:net'
import { bodyOf, operationNamed } from '../operations.ts'
import { AnswerReader } from './answer-reader.ts'
import { type ArrivalsResult, type ArrivalsTask, createTally } from './tally.ts'

/** Any socket reads into it. */
const received = Buffer.alloc(64 * 1024)

/** How many requests are made before the clock starts, and then sent repeatedly. */
const madeRequests = 400

interface Connection {
  readonly socket: Socket
  /** When its request was due; undefined if it has none. */
  due: number | undefined
  /** Whether it has not answered any request yet. */
  isNew: boolean
  closing: boolean
}

function run(task: ArrivalsTask): Promise<ArrivalsResult> {
  const operation = operationNamed(task.operation)
  const url = new URL(task.url)
  const head =
    `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\naccept: application/json\r\n` +
    Object.entries(task.headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  const requests = Array.from({ length: madeRequests }, (_, at) => {
    const body = bodyOf(operation, at)
    return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  })
  const tally = createTally(task)
  const free: Connection[] = []
  const all = new Set<Connection>()
  /** The due times of requests without a connection. A ring buffer would save nothing here. */
  let waiting: number[] = []
  let waitingFrom = 0
  let sent = 0
  const { promise, resolve } = Promise.withResolvers<ArrivalsResult>()

  const sendOn = (connection: Connection, due: number): void => {
    connection.due = due
    connection.socket.write(requests[sent % requests.length] as Buffer)
    sent += 1
  }
  const next = (connection: Connection): void => {
    connection.due = undefined
    if (connection.closing) {
      connection.socket.end()
      return
    }
    const due = waiting[waitingFrom]
    if (due === undefined) {
      free.push(connection)
      return
    }
    waitingFrom += 1
    if (waitingFrom > 10_000) {
      waiting = waiting.slice(waitingFrom)
      waitingFrom = 0
    }
    sendOn(connection, due)
  }
  const open = (due: number): void => {
    const reader = new AnswerReader()
    const read = (length: number): void => {
      const answer = reader.push(received, length)
      if (answer === undefined || connection.due === undefined) return
      connection.closing ||= answer.closes
      tally.answered(connection.due, performance.now(), answer, connection.isNew)
      connection.isNew = false
      next(connection)
    }
    const socket = connect({
      host: url.hostname,
      port: Number(url.port),
      noDelay: true,
      onread: {
        buffer: received,
        callback(length) {
          read(length)
          return true
        },
      },
    })
    const connection: Connection = { socket, due, isNew: true, closing: false }
    all.add(connection)
    tally.connections(all.size)
    socket.on('connect', () => sendOn(connection, due))
    const gone = (why: string): void => {
      if (!all.delete(connection)) return
      const at = free.indexOf(connection)
      if (at >= 0) free.splice(at, 1)
      if (connection.due !== undefined) tally.failed(connection.due, why)
      connection.due = undefined
    }
    socket.on('error', (error) => gone(String(error)))
    socket.on('close', () => gone('the connection was closed'))
  }
  const arrive = (due: number, now: number): void => {
    const connection = free.pop()
    if (connection !== undefined) {
      tally.sent(due, now)
      sendOn(connection, due)
    } else if (all.size < task.connections) {
      tally.sent(due, now)
      open(due)
    } else waiting.push(due)
  }

  const started = performance.now()
  tally.start(started)
  let phase = 0
  let due = started
  let phaseEnds = started + (task.phases[0]?.seconds ?? 0) * 1000
  let lookedAt = started
  const turn = (): void => {
    const now = performance.now()
    tally.looked(lookedAt, now)
    lookedAt = now
    while (due <= now) {
      const current = task.phases[phase]
      if (current === undefined) break
      if (due >= phaseEnds) {
        due = phaseEnds
        phase += 1
        phaseEnds += (task.phases[phase]?.seconds ?? 0) * 1000
        continue
      }
      arrive(due, now)
      due += 1000 / current.rate
    }
    if (phase < task.phases.length) {
      setTimeout(turn, 1)
      return
    }
    setTimeout(finish, task.patienceMs)
  }
  const finish = (): void => {
    for (const { socket } of all) socket.destroy()
    resolve(tally.result())
  }
  turn()
  return promise
}

process.on('message', (task: ArrivalsTask) => {
  run(task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`the arrivals failed: ${String(error)}\n`)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
