/**
 * Open arrivals, in a process of their own: a request is due at fixed times, whatever became of those before it, and
 * its latency is counted from when it was due. A closed loop of clients hides overload, because it asks less as soon
 * as answers take longer.
 *
 * A request takes a connection that is free, the one that was used last first, else a new one up to a bound. If
 * all are taken it waits for one, and its time runs. Told what to ask over the process channel, it answers one
 * `ArrivalsResult`; requests that were sent later than they were due although a connection was free are the
 * generator's own delay, which is printed for each phase.
 */
import { connect, type Socket } from 'node:net'
import { bodyOf, operationNamed } from '../operations.ts'
import { AnswerReader } from './answer-reader.ts'
import { type ArrivalsResult, type ArrivalsTask, createTally } from './tally.ts'

/** What any socket reads. */
const received = Buffer.alloc(64 * 1024)

/** Requests that are made before the clock starts, and then sent again and again. */
const madeRequests = 400

interface Connection {
  readonly socket: Socket
  /** When the request on it was due; undefined if it has none. */
  due: number | undefined
  /** It has answered none yet. */
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
  /** Due times of requests for which there was no connection; a ring would save nothing here. */
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
