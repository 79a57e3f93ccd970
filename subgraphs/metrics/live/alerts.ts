/** Alerts as they begin and cease to fire, by the fingerprints of their labels. */
import { hash } from 'node:crypto'
import { badInput } from '../../../shared/errors.ts'
import type { LiveEvent } from '../../../shared/polling.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import {
  createTopic,
  LiveQueue,
  type Pace,
  type Question,
  readPosition,
  type TopicHost,
  writePosition,
} from '../../kit/polling/index.ts'
import type { MetricsClient } from '../client.ts'
import type { AlertChangeModel, AlertModel } from '../model.ts'
import { alertsFrom, oddAlerts, ruleGroupsFrom } from '../rules.ts'
import type { LabelTest } from './matchers.ts'

/** How many alerts that fire a position names; of more, those that come after them are sent again. */
const namedAlerts = 200
/** How many alerts that ceased to fire are remembered, for those who come back. */
const remembered = 1000
/** How often the interval of the rule groups is asked for. */
const groupsMs = 600_000

export interface AlertsPoller {
  hold(): () => void
  close(): void
  readonly price: (units: number, wishMs: undefined) => ReturnType<ReturnType<typeof createTopic>['price']>
  subscribe(
    /** Equal names = equal tests. */
    filter: { readonly name: string; readonly passes: LabelTest },
    after: string | null | undefined,
    request: SubgraphRequest,
    first: Readonly<Record<string, unknown>>,
  ): LiveQueue<AlertChangeModel>
}

interface Listener {
  readonly name: string
  readonly passes: LabelTest
  /** The alerts that fire as far as this subscriber knows; undefined until it got what fires. */
  firing: Set<string> | undefined
  /** What fired at its position. */
  readonly resumed: readonly string[]
}

/** All alerts that fire. */
interface News {
  readonly firing: readonly AlertModel[]
}

export function createAlertsPoller(
  host: TopicHost,
  client: MetricsClient,
  {
    credentialKey,
    pace,
    unknownMs,
  }: {
    readonly credentialKey: string
    readonly pace: Pace
    /** The interval if the service does not say that of its rule groups. */
    readonly unknownMs: number
  },
  ended: () => void,
): AlertsPoller {
  const listeners = new Map<LiveQueue<AlertChangeModel>, Listener>()
  let firing: ReadonlyMap<string, AlertModel> | undefined
  /** Alerts that ceased to fire, those that did so last. */
  const resolved = createGrowingCache<AlertModel>(remembered)
  let groupsAt = Number.NEGATIVE_INFINITY
  let groupMs = unknownMs

  /** The shortest interval of a group with alerting rules; what the configuration says where the service does not. */
  async function readGroups(request: SubgraphRequest): Promise<void> {
    if (host.clock.now() - groupsAt < groupsMs) return
    groupsAt = host.clock.now()
    const { envelope } = await client.rules([['type', 'alert']], request)
    const intervals = ruleGroupsFrom(envelope.data).flatMap(({ interval, rules }) =>
      interval !== null && rules.some((rule) => rule.__typename === 'MetricsAlertingRule') ? [interval] : [],
    )
    groupMs = intervals.length === 0 ? unknownMs : Math.min(...intervals) * 1000
  }

  function send(
    queue: LiveQueue<AlertChangeModel>,
    listener: Listener,
    change: 'FIRING' | 'RESOLVED',
    fingerprint: string,
    alert: AlertModel | null,
  ): void {
    const known = listener.firing ?? new Set()
    listener.firing = known
    if (change === 'FIRING') known.add(fingerprint)
    else known.delete(fingerprint)
    const after = writePosition(positions(listener.name), [...known].slice(0, namedAlerts))
    const event: LiveEvent<AlertChangeModel> = { value: { change, fingerprint, alert, after }, id: after }
    queue.push(event)
  }

  /** These, and what is known to fire beside them. */
  function withKnown(found: readonly AlertModel[]): readonly AlertModel[] {
    const names = new Set(found.map(({ labels }) => fingerprintOf(labels)))
    return [...found, ...[...(firing ?? [])].flatMap(([name, alert]) => (names.has(name) ? [] : [alert]))]
  }

  /** Tells one subscriber what differs from what it knows. */
  function tell(queue: LiveQueue<AlertChangeModel>, listener: Listener): void {
    if (firing === undefined) return
    const known = listener.firing ?? new Set(listener.resumed)
    listener.firing = known
    for (const fingerprint of [...known]) {
      if (!firing.has(fingerprint))
        send(queue, listener, 'RESOLVED', fingerprint, resolved.peek(fingerprint) ?? null)
    }
    for (const [fingerprint, alert] of firing) {
      if (!known.has(fingerprint) && listener.passes(alert.labels))
        send(queue, listener, 'FIRING', fingerprint, alert)
    }
  }

  const question: Question<{ readonly lacks: boolean }, News> = {
    key: 'alerts',
    field: 'alertChanged',
    credentialKey,
    pace,
    want: () => ({ lacks: firing === undefined }),
    units: () => 0,
    async poll(_, { whole }, request) {
      await readGroups(request).catch(() => {
        // The interval of the configuration holds.
      })
      const { envelope, error } = await client.alerts(request)
      if (error !== undefined) throw error
      const found = alertsFrom(envelope.data).filter(({ state }) => state === 'FIRING')
      // In a part of the list what is missing may fire still.
      const isWhole = envelope.warnings.length === 0 && oddAlerts(envelope.data) === 0
      const now = isWhole ? found : withKnown(found)
      const isSame =
        firing !== undefined &&
        now.length === firing.size &&
        now.every(({ labels }) => firing?.has(fingerprintOf(labels)))
      return { news: isSame && !whole ? undefined : { firing: now }, unchanged: isSame, hintMs: groupMs }
    },
    take({ firing: now }, older) {
      if (older && firing !== undefined) return
      const next = new Map(
        [...now]
          .sort((a, b) => ((a.activeAt ?? '') < (b.activeAt ?? '') ? -1 : 1))
          .map((alert) => [fingerprintOf(alert.labels), alert]),
      )
      for (const [fingerprint, alert] of firing ?? []) {
        if (next.has(fingerprint)) continue
        resolved.set(fingerprint, alert)
      }
      firing = next
      for (const [queue, listener] of listeners) tell(queue, listener)
    },
    lacking: ({ lacks }) => (lacks && firing !== undefined ? { firing: [...firing.values()] } : undefined),
    isMissing: () => firing === undefined,
  }
  const topic = createTopic<AlertChangeModel, { readonly lacks: boolean }, News>(host, question, ended)

  return {
    hold: () => topic.hold(),
    close: () => topic.close(),
    price: (units, wishMs) => topic.price(units, wishMs),

    subscribe({ name, passes }, after, request, first) {
      const resumed = after == null || after === '' ? [] : readPosition(positions(name), after)
      if (resumed === undefined)
        throw badInput('`after` is not the position of an event of this field with the same labels.', {
          argument: 'after',
        })
      const queue: LiveQueue<AlertChangeModel> = new LiveQueue((left) => {
        listeners.delete(left)
        topic.remove(left)
      }, first)
      const listener: Listener = { name, passes, firing: undefined, resumed }
      listeners.set(queue, listener)
      tell(queue, listener)
      topic.add(queue, request, undefined)
      return queue
    },
  }
}

const positions = (filter: string): string => `alerts ${filter}`

/** The same for as long as names and values of the labels are the same. */
function fingerprintOf(labels: AlertModel['labels']): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify(pairs), 'base64url').slice(0, 11)
}
