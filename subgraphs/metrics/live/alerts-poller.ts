/** Reports alerts when they start and stop firing. They are identified by the fingerprints of their labels. */
import { hash } from 'node:crypto'
import type { LiveClock, LiveEvent } from '../../../shared/polling.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import {
  LiveQueue,
  type Pace,
  type PollStrategy,
  readListPosition,
  Topic,
  type TopicOptions,
  writeListPosition,
} from '../../kit/polling/index.ts'
import { wrongArgument } from '../../kit/wrong-argument.ts'
import type { MetricsClient } from '../client.ts'
import type { AlertChangeModel, AlertModel } from '../model.ts'
import { alertsFrom, oddAlerts, ruleGroupsFrom } from '../rules.ts'
import { sortedPairs } from '../values.ts'
import type { LabelTest } from './matchers.ts'

/** How many firing alerts a position names. If there are more, the others are sent again after reconnecting. */
const namedAlerts = 200
/** How many alerts that stopped firing are remembered for clients that reconnect. */
const remembered = 1000
/** How often the interval of the rule groups is read. */
const groupsMs = 600_000

interface Listener {
  readonly name: string
  readonly passes: LabelTest
  /** The firing alerts that this subscriber was told of, at first those at its position. */
  readonly known: Set<string>
  /** Whether it was told what fires at its beginning. */
  isTold: boolean
}

/** All firing alerts. */
interface News {
  readonly firing: readonly AlertModel[]
}

/** What a subscriber asks for. Equal names of filters mean equal tests. */
interface AlertsArguments {
  readonly filter: { readonly name: string; readonly passes: LabelTest }
  readonly after: string | null | undefined
}

/** The shortest interval. Polls are rarer if the service evaluates its rule groups more rarely. */
const pace: Pace = { defaultMs: 1000, leastMs: 1000, idleMs: 1000 }

export class AlertsPoller {
  readonly #clock: LiveClock
  readonly #client: MetricsClient
  readonly #unknownMs: number
  readonly #listeners = new Map<LiveQueue<AlertChangeModel>, Listener>()
  #firing: ReadonlyMap<string, AlertModel> | undefined
  /** Alerts that stopped firing, the most recent last. */
  readonly #resolved = createGrowingCache<AlertModel>(remembered)
  #groupsAt = Number.NEGATIVE_INFINITY
  #groupMs
  readonly topic

  /** `unknownMs` is the interval if the service does not say that of its rule groups. */
  constructor(topicOptions: TopicOptions, client: MetricsClient, unknownMs: number) {
    this.#clock = topicOptions.host.clock
    this.#client = client
    this.#unknownMs = unknownMs
    this.#groupMs = unknownMs
    const strategy: PollStrategy<{ readonly lacks: boolean }, News> = {
      field: 'alertChanged',
      pace,
      want: () => ({ lacks: this.#firing === undefined }),
      units: () => 0,
      poll: async (_, { whole }, request) => {
        await this.#readGroups(request).catch(() => {
          // If the groups cannot be read, the configured interval stays.
        })
        const { envelope, error } = await client.alerts(request)
        if (error !== undefined) throw error
        const found = alertsFrom(envelope.data).filter(({ state }) => state === 'FIRING')
        // If the list is incomplete, a missing alert may still be firing.
        const isWhole = envelope.warnings.length === 0 && oddAlerts(envelope.data) === 0
        const now = isWhole ? found : this.#withKnown(found)
        const isSame =
          this.#firing !== undefined &&
          now.length === this.#firing.size &&
          now.every(({ labels }) => this.#firing?.has(fingerprintOf(labels)))
        return {
          news: isSame && !whole ? undefined : { firing: now },
          unchanged: isSame,
          hintMs: this.#groupMs,
        }
      },
      take: ({ firing: now }, older) => {
        if (older && this.#firing !== undefined) return
        const next = new Map(
          [...now]
            .sort((a, b) => ((a.activeAt ?? '') < (b.activeAt ?? '') ? -1 : 1))
            .map((alert) => [fingerprintOf(alert.labels), alert]),
        )
        for (const [fingerprint, alert] of this.#firing ?? []) {
          if (next.has(fingerprint)) continue
          this.#resolved.set(fingerprint, alert)
        }
        this.#firing = next
        for (const [queue, listener] of this.#listeners) this.#tell(queue, listener)
      },
      lacking: ({ lacks }) =>
        lacks && this.#firing !== undefined ? { firing: [...this.#firing.values()] } : undefined,
      isMissing: () => this.#firing === undefined,
    }
    this.topic = new Topic<AlertChangeModel, { readonly lacks: boolean }, News>(topicOptions, strategy)
  }

  subscribe(
    { filter: { name, passes }, after }: AlertsArguments,
    request: SubgraphRequest,
    first: Readonly<Record<string, unknown>>,
  ): LiveQueue<AlertChangeModel> {
    const resumed = after == null || after === '' ? [] : readListPosition(positions(name), after)
    if (resumed === undefined)
      throw wrongArgument('after', 'is not the position of an event of this field with the same labels.')
    const queue = new LiveQueue<AlertChangeModel>(this, first, true)
    const listener: Listener = { name, passes, known: new Set(resumed), isTold: false }
    this.#listeners.set(queue, listener)
    this.#tell(queue, listener)
    this.topic.add(queue, request, undefined)
    return queue
  }

  left(queue: LiveQueue<AlertChangeModel>): void {
    this.#listeners.delete(queue)
    this.topic.remove(queue)
  }

  /**
   * Reads the shortest interval of a group with alerting rules. The configured interval stays if the service does
   * not say one.
   */
  async #readGroups(request: SubgraphRequest): Promise<void> {
    if (this.#clock.now() - this.#groupsAt < groupsMs) return
    this.#groupsAt = this.#clock.now()
    const { envelope } = await this.#client.rules([['type', 'alert']], request)
    const intervals = ruleGroupsFrom(envelope.data).flatMap(({ interval, rules }) =>
      interval !== null && rules.some((rule) => rule.__typename === 'MetricsAlertingRule') ? [interval] : [],
    )
    this.#groupMs = intervals.length === 0 ? this.#unknownMs : Math.min(...intervals) * 1000
  }

  /** These alerts, and the others that are known to fire. */
  #withKnown(found: readonly AlertModel[]): readonly AlertModel[] {
    const names = new Set(found.map(({ labels }) => fingerprintOf(labels)))
    return [
      ...found,
      ...[...(this.#firing ?? [])].flatMap(([name, alert]) => (names.has(name) ? [] : [alert])),
    ]
  }

  /** Tells one subscriber the changes since what it knows. The first ones may be thousands, so they wait to be read. */
  #tell(queue: LiveQueue<AlertChangeModel>, listener: Listener): void {
    if (this.#firing === undefined) return
    const { known, name } = listener
    const changes = this.#changesFor(listener, this.#firing)
    const events = eventsOf(changes, name, new Set(known))
    for (const { change, fingerprint } of changes) {
      if (change === 'FIRING') known.add(fingerprint)
      else known.delete(fingerprint)
    }
    if (listener.isTold) for (const event of events) queue.push(event)
    else queue.start(events)
    listener.isTold = true
  }

  #changesFor({ known, passes }: Listener, firing: ReadonlyMap<string, AlertModel>): readonly Change[] {
    const ended = [...known].filter((fingerprint) => !firing.has(fingerprint))
    const begun = [...firing].filter(([fingerprint, { labels }]) => !known.has(fingerprint) && passes(labels))
    return [
      ...ended.map((fingerprint) => {
        const alert = this.#resolved.peek(fingerprint) ?? null
        return { change: 'RESOLVED', fingerprint, alert } as const
      }),
      ...begun.map(([fingerprint, alert]) => ({ change: 'FIRING', fingerprint, alert }) as const),
    ]
  }
}

type Change = Omit<AlertChangeModel, 'after'>

/** The events of these changes, each with the position after it. `known` are the alerts before the first one. */
function* eventsOf(
  changes: readonly Change[],
  name: string,
  known: Set<string>,
): Generator<LiveEvent<AlertChangeModel>> {
  for (const each of changes) {
    if (each.change === 'FIRING') known.add(each.fingerprint)
    else known.delete(each.fingerprint)
    const named: string[] = []
    for (const fingerprint of known) if (named.push(fingerprint) === namedAlerts) break
    const after = writeListPosition(positions(name), named)
    yield { value: { ...each, after }, id: after }
  }
}

const positions = (filter: string): string => `alerts ${filter}`

/** Equal for alerts with the same label names and values. */
function fingerprintOf(labels: AlertModel['labels']): string {
  return hash('sha256', JSON.stringify(sortedPairs(labels)), 'base64url').slice(0, 11)
}
