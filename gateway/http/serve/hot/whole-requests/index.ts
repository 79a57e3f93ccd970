/**
 * Answers plain requests without `node:http`. The plain way is its handler (`../../graphql.ts`): `node:http` makes two
 * streams for each request, and listens to several events of each. Without them Q1 took 15 to 17 % less CPU time, Q3 6 to
 * 8 %, and a refusal a third (November 2026). `npm run bench -- --hot --only whole-requests`;
 * `TESSERA_PLAIN=whole-requests npm run bench -- --overload --only tessera`.
 *
 * Where a response has left, what is read next of its connection comes here, if the request before was in the plainest
 * form (`whole-request.ts`) or the gate refuses requests. A request that comes whole and in that form is answered, or
 * waits at the gate, or is refused, without `node:http`. Everything else is handed on to that as it came, and so is all
 * that follows, until another response has left. The first request of a connection is always read by `node:http`, whose
 * limits hold for it.
 *
 * Only where `node:http` is between two requests can that begin: part of a body must not be taken for a request. Node
 * has no public way to ask for it; where the one that is used here is missing, `node:http` reads everything as before.
 * So it does where something observes its requests, as tools for tracing do.
 */
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { runsPlainly } from '../../../../../contract/hot/switch.ts'
import type { Ending } from '../../delivery.ts'
import { Connection, type ReadOptions } from './connection.ts'
import { createResponseText } from './response-text.ts'
import { createWholeRequests } from './whole-request.ts'

export interface RequestReader {
  /** To be told when the response to a request that `node:http` has read has left. */
  after(request: IncomingMessage): Ending
  /** Looks after the connections of this server that have no request. */
  watch(server: Server): void
  /** From now on `node:http` reads everything. */
  stop(): void
}

export interface RequestReaderOptions extends Omit<ReadOptions, 'wholeRequests' | 'textOf' | 'isOn'> {
  /** Of the requests that are answered here. */
  readonly paths: readonly string[]
  /** Whether what a page of a browser sends may need CORS. */
  readonly hasCors: boolean
  /** The longest body of a request. */
  readonly maxBodyBytes: number
  /** How long a connection without a request is kept. */
  readonly keepAliveMs: number
}

/** As in `body.ts`: longer bodies are counted while they arrive. */
const mostBodyBytes = 16 * 1024

export function createRequestReader(options: RequestReaderOptions): RequestReader {
  const { gate, maxBodyBytes, paths, hasCors, keepAliveMs } = options
  const wholeRequests = createWholeRequests({
    ...{ paths, hasCors },
    mostBodyBytes: Math.min(mostBodyBytes, maxBodyBytes),
  })
  const known = new WeakMap<Socket, Connection>()
  let server: Server | undefined
  let isOff = runsPlainly('whole-requests')
  const shared: ReadOptions = {
    ...options,
    wholeRequests,
    textOf: createResponseText(keepAliveMs),
    isOn: () => !isOff && !requestStart.hasSubscribers && (server === undefined || !isWrapped(server)),
  }
  const watch = (socket: Socket): void => {
    let connection = known.get(socket)
    if (connection === undefined) {
      connection = new Connection(socket, shared)
      known.set(socket, connection)
    }
    connection.watch()
  }
  const afterPlain: Ending = {
    ended(_whole, socket) {
      if (shared.isOn()) watch(socket)
    },
  }
  const afterOther: Ending = {
    ended(_whole, socket) {
      if (gate.sheds && shared.isOn()) watch(socket)
    },
  }
  return {
    after: (request) => (!isOff && wholeRequests.mayComeAgain(request) ? afterPlain : afterOther),
    watch(its) {
      server = its
      // `node:http` has set when that is, and knows of no request that is answered here.
      server.on('timeout', (socket: Socket) => {
        if (known.get(socket)?.isBusy !== true) socket.destroy()
      })
    },
    stop() {
      isOff = true
    },
  }
}

/** Where those subscribe that want to know of each request. */
const requestStart = channel('http.server.request.start')

/** Whether something stands between `node:http` and its listeners, as instrumentation of OpenTelemetry does. */
function isWrapped(server: Server): boolean {
  return Object.hasOwn(server, 'emit') || Object.hasOwn(Object.getPrototypeOf(server), 'emit')
}
