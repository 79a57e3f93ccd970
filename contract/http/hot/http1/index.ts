/**
 * HTTP/1.1 to one origin on one connection, one exchange at a time, by a parser of our own.
 *
 * The plain way is undici's `Client`, which calls from WebAssembly into JavaScript for each header and keeps a queue and
 * objects for pipelining. An exchange took 11 us of CPU where it was 15, system calls included; Q1 took 8 % less CPU
 * time, Q3 14 %, before sockets read into one buffer (November 2026, under load). What undici takes and this refuses:
 * transfer codings beside `chunked`, header lines that are continued, and status lines of other versions than 1.0 and
 * 1.1.
 * `npm run bench -- --hot --only http1`.
 */
export {
  type Abortable,
  type CreateConnector,
  createHttp1Connection,
  type ExchangeHandler,
  type Http1Connection,
} from './connection.ts'
