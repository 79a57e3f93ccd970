/**
 * A connection to Redis for features that can do without it: commands fail at once while it is away and are never
 * queued, and reconnecting goes on for the lifetime of the process. The client is loaded only if Redis is configured.
 */
import { createRequire } from 'node:module'
import type { Cluster, Redis } from 'ioredis'
import { startResponseTimeout } from '../../../shared/runtime/response-timeout.ts'
import { isRefusedDatabase } from './cause.ts'

export type { Redis }

/** One server, or a cluster: callers use commands of one key each. */
export type RedisOrCluster = Redis | Cluster

const require = createRequire(import.meta.url)

interface RedisOptions {
  /**
   * The timeout of a command, in milliseconds, without the time in which this process was held up itself. 1000 by
   * default.
   */
  readonly commandMs?: number | undefined
  /** The timeout of making a connection, in milliseconds. 1000 by default. */
  readonly connectMs?: number
  /** Sends the commands of one moment together. Only for commands whose first argument is their key. */
  readonly pipelined?: boolean
}

/** A primary that became a replica keeps its connections, although the address may lead elsewhere by now. */
const isDemoted = ({ message }: Error): boolean => message.startsWith('READONLY')

/** The address may also lead to the same replica again: for a while, or because it is the wrong one. */
const demotedMs = 1000

function leaveDemoted(): (error: Error) => boolean {
  let leftAt = Number.NEGATIVE_INFINITY
  return (error) => {
    const now = performance.now()
    if (!isDemoted(error) || now - leftAt < demotedMs) return false
    leftAt = now
    return true
  }
}

const patience = (times: number): number => Math.min(100 * 2 ** Math.min(times, 5), 3000)

/** After this many times the timeout of a command without a reply in time, the connection is left. */
const mostLate = 5

/**
 * Rejects commands without a reply in time. The client's own `commandTimeout` would also reject those whose replies
 * arrived while this process was held up.
 *
 * The client keeps each command until it is answered, and the socket what a server does not read. At a server that
 * hangs both would grow with each request, so its connection is closed, and another one made.
 */
function limitCommands(redis: Redis, ms: number): void {
  const send = redis.sendCommand.bind(redis)
  /** When a command was late first, since one was answered in time. */
  let lateSince: number | undefined
  redis.sendCommand = (command, stream) => {
    let isLate = false
    const stop = startResponseTimeout(ms, () => {
      isLate = true
      command.reject(new Error('Command timed out'))
      const now = performance.now()
      lateSince ??= now
      if (now - lateSince < mostLate * ms) return
      lateSince = undefined
      redis.disconnect(true)
    })
    const settled = (): void => {
      // Being rejected as late is no answer.
      if (isLate) return
      stop()
      lateSince = undefined
    }
    command.promise.then(settled, settled)
    return send(command, stream)
  }
}

/** `ready` and `error` are emitted as events; the caller begins the first connection. */
export function createRedis(
  url: string,
  { commandMs = 1000, connectMs = 1000, pipelined = false }: RedisOptions = {},
): Redis {
  const { Redis: Client } = require('ioredis') as typeof import('ioredis')
  const redis = new Client(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    enableAutoPipelining: pipelined,
    maxRetriesPerRequest: 0,
    connectTimeout: connectMs,
    retryStrategy: patience,
    reconnectOnError: leaveDemoted(),
  })
  limitCommands(redis, commandMs)
  redis.on('error', (error) => {
    // The client would continue in database 0, whose keys may belong to others. It tries again later, as after any
    // failed connection. Each command reports any other failure itself.
    if (isRefusedDatabase(error)) redis.disconnect(true)
  })
  return redis
}

/** Rejects after a second, and if the connection that is being made is closed. */
export function untilReady(redis: Redis): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error): void => {
      stop()
      // While Redis is away each new attempt may be waited for, so no listener stays behind.
      redis.off('ready', onReady).off('close', onClose)
      if (error === undefined) resolve()
      else reject(error)
    }
    const onReady = (): void => end()
    const onClose = (): void => end(new Error('Redis closed the connection'))
    const stop = startResponseTimeout(1000, () => end(new Error('Redis does not answer')))
    redis.on('ready', onReady).on('close', onClose)
  })
}

/** The same for one address, or for the cluster of several addresses. */
export function createRedisOrCluster(urls: readonly string[], options: RedisOptions = {}): RedisOrCluster {
  const [only = ''] = urls
  if (urls.length < 2) return createRedis(only, options)
  const { commandMs = 1000, connectMs = 1000, pipelined = false } = options
  const { Cluster: Client } = require('ioredis') as typeof import('ioredis')
  const { username, password, protocol } = new URL(only)
  const cluster = new Client(
    urls.map((url) => {
      const { hostname, port } = new URL(url)
      // An address of IPv6 is in brackets in a URL alone.
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) }
    }),
    {
      lazyConnect: true,
      enableOfflineQueue: false,
      enableAutoPipelining: pipelined,
      clusterRetryStrategy: patience,
      // A command on a connection that is closed may have been executed, so it is not sent again.
      retryDelayOnFailover: 0,
      redisOptions: {
        connectTimeout: connectMs,
        maxRetriesPerRequest: 0,
        reconnectOnError: isDemoted,
        ...(username === '' ? {} : { username: decodeURIComponent(username) }),
        ...(password === '' ? {} : { password: decodeURIComponent(password) }),
        ...(protocol === 'rediss:' ? { tls: {} } : {}),
      },
    },
  )
  cluster.on('+node', (node: Redis) => limitCommands(node, commandMs))
  cluster.on('error', () => {
    // As above.
  })
  return cluster
}
