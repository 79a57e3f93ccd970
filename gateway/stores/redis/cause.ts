/**
 * Why Redis did not execute a command, in our own words: its own messages may repeat what was sent, which with `AUTH`
 * is a password.
 */
import { reasonOf } from '../../../shared/http/failure-reason.ts'
import { systemCodeOf } from '../../../shared/runtime/thrown.ts'

export interface Cause {
  /** Failures of one kind are reported once. */
  readonly kind: string
  readonly said: string
  /** What an operator should do. */
  readonly cure: string
  /** The command that was refused on a healthy connection; undefined if the connection failed. */
  readonly refused?: string | undefined
}

/** Too few replicas have the write. */
export class NotReplicated extends Error {}

/** A key holds what no gateway has written. */
export class ForeignValue extends Error {}

const reach = 'see that it runs and is reached from here by the configured address'

const foreign = [
  'a key holds what no gateway has written',
  'see that nobody else writes keys with "tessera:" in their names, and delete those of this feature',
] as const

const refusals: Readonly<Record<string, readonly [said: string, cure: string]>> = {
  NOAUTH: ['it requires a password', 'put one into the address: redis://:PASSWORD@HOST:PORT'],
  WRONGPASS: ['it does not take the user and password', 'correct them in the address'],
  NOPERM: ['the user may not do that', 'allow the user the commands, keys and channels of docs/scaling.md'],
  READONLY: ['it is a replica that takes no writes', 'let the address name the primary'],
  OOM: ['it has no memory left', 'give it more, with the policy volatile-ttl'],
  MOVED: [
    'it is a node of a cluster',
    'name a Redis that is no cluster in TESSERA_REDIS_URL; in TESSERA_RESPONSE_CACHE_REDIS_URL name at least two nodes',
  ],
  ASK: ['it is a cluster that moves its slots', 'wait until they are moved'],
  CROSSSLOT: ['it is a node of a cluster', 'name a Redis that is no cluster'],
  CLUSTERDOWN: ['its cluster is down', 'see that all nodes of the cluster run'],
  MISCONF: ['it cannot write to its disk, and takes no writes', 'look at its log'],
  MASTERDOWN: ['it is a replica without its primary', 'see that the primary runs'],
  NOREPLICAS: ['it has too few replicas to take writes', 'see that its replicas run'],
  LOADING: ['it reads its data from disk', 'wait until it has read them'],
  WRONGTYPE: foreign,
  BUSY: ['a script keeps it busy', 'wait, or end the script by SCRIPT KILL'],
}

/** An error of a client that did not send the command or lost its connection, whose failure has the reason. */
const lost =
  /^(?:Connection is closed|Stream isn't writeable|Command aborted|Cluster isn't ready|Redis closed the connection|Redis does not answer|Reached the max retries)/

/** Whether it says only that there is no connection, and not why. */
export const isLoss = (error: unknown): boolean => error instanceof Error && lost.test(error.message)

function unreachable(said: string): Cause {
  return { kind: 'unreachable', said, cure: reach }
}

/** `connection` is the last failure of the connection, if there was one. */
export function causeOf(error: unknown, connection?: unknown): Cause {
  if (error instanceof NotReplicated)
    return {
      kind: 'replicas',
      said: 'fewer replicas have it than TESSERA_REDIS_REPLICAS says',
      cure: 'see that the replicas run, and that TESSERA_REDIS_REPLICAS is not more than there are',
    }
  if (error instanceof ForeignValue) return { kind: 'foreign value', said: foreign[0], cure: foreign[1] }
  if (!(error instanceof Error)) return connection === undefined ? unreachable(closed) : causeOf(connection)
  const { message } = error
  if (isLoss(error)) {
    if (connection !== undefined && connection !== error) return causeOf(connection)
    return unreachable(closed)
  }
  // A cluster without a reachable node names the failure of the last one.
  if ('lastNodeError' in error && error.lastNodeError instanceof Error) return causeOf(error.lastNodeError)
  if (message.startsWith('Command timed out')) return unreachable('it does not answer in time')
  if (error.name === 'ReplyError') return refusalOf(error)
  if (message.startsWith('Unknown RESP type'))
    return { ...unreachable('what answers there is no Redis'), cure: 'correct the address' }
  // A server whose clients are too many closes the connection, often before it can be read why.
  if (['EPIPE', 'ECONNRESET'].includes(systemCodeOf(error) ?? ''))
    return {
      ...unreachable('it closes connections at once'),
      cure: 'see that `maxclients` has room for this gateway, and that the address says rediss:// if it requires TLS',
    }
  return unreachable(reasonOf(error))
}

const closed = 'the connection was closed'

function refusalOf(error: Error): Cause {
  const { message } = error
  const command = commandOf(error)
  if (isRefusedDatabase(error))
    return {
      kind: 'database',
      said: 'it does not have the database that the address names, or does not let this user choose it',
      cure: 'correct the number behind the last slash of the address; a cluster has database 0 alone',
      refused: command,
    }
  if (/unknown (?:redis )?command/i.test(message))
    return {
      kind: `unknown command ${command}`,
      said: `it does not know ${/script/.test(message) ? `a command in a script (${command})` : `the command ${command}`}`,
      cure: 'use Redis 6.2 or newer, or a server that has all of its commands (a Sentinel has not: name the primary), and rename none of them',
      refused: command,
    }
  // Redis 7.0 reports a forbidden command in a script without the word that it has for commands.
  const word = /user executing the script|ACL failure/.test(message)
    ? 'NOPERM'
    : (/^[A-Z]+/.exec(message)?.[0] ?? 'ERR')
  // A script that fails by itself could not use what a key holds.
  const isForeign = word === 'ERR' && / on @user_script:\d+\.?$/.test(message)
  const [said, cure] = isForeign ? foreign : (refusals[word] ?? [`it answers ${word}`, reach])
  return { kind: `${word} ${command}`, said: `${said} (${command}: ${word})`, cure, refused: command }
}

/** In capitals, as in Redis; the client keeps it with the refusal of a command. */
function commandOf(error: Error): string {
  const command = 'command' in error ? error.command : undefined
  const name = typeof command === 'object' && command !== null && 'name' in command ? command.name : undefined
  return typeof name === 'string' ? name.toUpperCase() : 'the handshake'
}

/** Whether the server does not give this connection the database of its address. */
export function isRefusedDatabase(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && commandOf(error) === 'SELECT'
}
