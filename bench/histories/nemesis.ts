/**
 * Faults by a seed: the next fault, its place and its duration. Each is healed before the next one at the same
 * place.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Condition, TcpProxy } from '../../test/support/tcp-proxy.ts'
import type { Random } from '../soak/random.ts'
import type { Cluster, GatewayNode } from './cluster.ts'
import type { FaultRecord } from './record.ts'

interface Place {
  readonly cluster: Cluster
  readonly node: GatewayNode
  readonly random: Random
}

interface FaultKind {
  readonly weight: number
  /** Whether it affects one gateway. Otherwise it affects all. */
  readonly ofGateway: boolean
  readonly ofRedis: boolean
  /** Causes the fault, and heals it. */
  run(place: Place): Promise<void>
}

async function conditioned(proxy: TcpProxy, condition: Condition, ms: number): Promise<void> {
  proxy.become(condition)
  await wait(ms)
  proxy.become({ kind: 'sound' })
  // Data that wait in a slow or deaf connection are not read any more.
  if (condition.kind === 'deaf') proxy.reset()
}

const day = 24 * 3_600_000

const lostOperations = [
  'commentThreads.insert',
  'commentThreads.list',
  'videos.list',
  'videos.insert',
  'videos.delete',
  'agents.intents.create',
  'agents.intents.list',
  'messages.like',
] as const

const quotaExceeded = JSON.stringify({
  error: {
    code: 403,
    message: 'The request cannot be completed because you have exceeded your quota.',
    errors: [{ message: 'exceeded', domain: 'quota', reason: 'quotaExceeded' }],
  },
})

export const faultKinds = {
  'kill-gateway': {
    weight: 2,
    ofGateway: true,
    ofRedis: false,
    async run({ node, random }) {
      await node.kill()
      await wait(random.between(0, 500))
      await node.start()
    },
  },
  'stop-gateway': {
    weight: 3,
    ofGateway: true,
    ofRedis: false,
    async run({ node, random }) {
      node.signal('SIGSTOP')
      await wait(random.between(100, 7000))
      node.signal('SIGCONT')
    },
  },
  'clock-jump': {
    weight: 3,
    ofGateway: true,
    ofRedis: false,
    async run({ node, random }) {
      node.setClock(random.pick([-day, -600_000, -130_000, -5000, 5000, 130_000, 600_000, day]))
      await wait(random.between(1000, 6000))
      node.setClock(0)
    },
  },
  'redis-failover': {
    weight: 2,
    ofGateway: false,
    ofRedis: true,
    run: ({ cluster, random }) => cluster.redis.failOver(random.between(0, 1500)),
  },
  'redis-change-places': {
    weight: 1,
    ofGateway: false,
    ofRedis: true,
    run: ({ cluster }) => cluster.redis.changePlaces(),
  },
  'redis-restart': {
    weight: 1,
    ofGateway: false,
    ofRedis: true,
    run: ({ cluster, random }) => cluster.redis.restart(random.between(200, 3000)),
  },
  'redis-cut': {
    weight: 2,
    ofGateway: true,
    ofRedis: true,
    run: ({ node, random }) => conditioned(node.toRedis, { kind: 'cut' }, random.between(100, 3000)),
  },
  'redis-silent': {
    weight: 1,
    ofGateway: true,
    ofRedis: true,
    run: ({ node, random }) => conditioned(node.toRedis, { kind: 'silent' }, random.between(300, 4000)),
  },
  'redis-lost-answers': {
    weight: 2,
    ofGateway: true,
    ofRedis: true,
    run: ({ node, random }) => conditioned(node.toRedis, { kind: 'deaf' }, random.between(50, 500)),
  },
  'service-cut': {
    weight: 2,
    ofGateway: true,
    ofRedis: false,
    run: ({ node, random }) => conditioned(node.toServices, { kind: 'cut' }, random.between(100, 1500)),
  },
  'service-silent': {
    weight: 1,
    ofGateway: true,
    ofRedis: false,
    run: ({ node, random }) => conditioned(node.toServices, { kind: 'silent' }, random.between(300, 1500)),
  },
  'service-slow': {
    weight: 1,
    ofGateway: true,
    ofRedis: false,
    run: ({ node, random }) =>
      conditioned(node.toServices, { kind: 'slow', ms: random.between(50, 700) }, random.between(500, 2000)),
  },
  'service-lost-answers': {
    weight: 6,
    ofGateway: false,
    ofRedis: false,
    async run({ cluster, random }) {
      cluster.sandbox.fail({
        kind: 'lost-answer',
        operation: random.pick(lostOperations),
        times: random.between(1, 4),
        withinMs: 1000,
      })
      await wait(300)
    },
  },
  'service-failures': {
    weight: 2,
    ofGateway: false,
    ofRedis: false,
    async run({ cluster, random }) {
      cluster.sandbox.fail({
        kind: 'status',
        status: random.pick([500, 502, 503]),
        operation: random.pick(lostOperations),
        times: random.between(1, 4),
        withinMs: 500,
      })
      await wait(300)
    },
  },
  'service-quota': {
    weight: 1,
    ofGateway: false,
    ofRedis: false,
    async run({ cluster }) {
      cluster.sandbox.fail({
        kind: 'status',
        status: 403,
        headers: { 'content-type': 'application/json' },
        body: quotaExceeded,
        operation: 'videos.list',
        withinMs: 1000,
      })
      await wait(300)
    },
  },
  'client-cut': {
    weight: 2,
    ofGateway: true,
    ofRedis: false,
    run: ({ node, random }) => conditioned(node.toClients, { kind: 'cut' }, random.between(100, 1500)),
  },
  'client-lost-answers': {
    weight: 3,
    ofGateway: true,
    ofRedis: false,
    run: ({ node, random }) => conditioned(node.toClients, { kind: 'deaf' }, random.between(50, 600)),
  },
} as const satisfies Readonly<Record<string, FaultKind>>

export type FaultName = keyof typeof faultKinds

export interface Nemesis {
  readonly faults: readonly FaultRecord[]
  /** Everything is healed when it resolves. */
  stop(): Promise<void>
}

export interface NemesisOptions {
  readonly cluster: Cluster
  readonly random: Random
  readonly now: () => number
  /** The possible kinds. The default is all of them. */
  readonly kinds?: readonly FaultName[] | undefined
  /** The mean time between two faults. */
  readonly everyMs: number
}

export function startNemesis({ cluster, random, now, kinds, everyMs }: NemesisOptions): Nemesis {
  const faults: FaultRecord[] = []
  const names = kinds ?? (Object.keys(faultKinds) as FaultName[])
  const choice = names.map((item) => ({ item, weight: faultKinds[item].weight }))
  /** What has a fault: at most one for each gateway, and one for Redis itself. */
  const busy = new Set<string>()
  const running = new Set<Promise<void>>()
  let stopped = false

  async function inflict(name: FaultName, node: GatewayNode): Promise<void> {
    const kind: FaultKind = faultKinds[name]
    const place = kind.ofGateway ? `gateway ${node.number}` : kind.ofRedis ? 'redis' : name
    if (busy.has(place)) return
    busy.add(place)
    const record: FaultRecord = {
      kind: name,
      ofRedis: kind.ofRedis,
      gateway: kind.ofGateway ? node.number : undefined,
      began: now(),
      ended: Number.POSITIVE_INFINITY,
    }
    faults.push(record)
    try {
      await kind.run({ cluster, node, random })
    } finally {
      record.ended = now()
      busy.delete(place)
    }
  }

  const loop = (async () => {
    while (!stopped && choice.length > 0) {
      await wait(random.next() * 2 * everyMs)
      if (stopped) break
      const running1 = inflict(random.draw(choice), random.pick(cluster.gateways))
      running.add(running1)
      void running1.then(
        () => running.delete(running1),
        () => {},
      )
    }
  })()
  return {
    faults,
    async stop() {
      stopped = true
      await loop
      await Promise.all(running)
    },
  }
}
