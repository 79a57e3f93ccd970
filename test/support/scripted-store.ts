/** A store that does what the test says, and keeps what the topic hands to the other processes. */
import { createConcurrencyLimit } from '../../shared/http/concurrency.ts'
import type { LiveMember, LiveStore } from '../../shared/polling.ts'
import { unlimited } from '../../subgraphs/kit/polling/budget.ts'
import type { TopicOptions } from '../../subgraphs/kit/polling/index.ts'
import { type HeldClock, heldClock } from './live.ts'

interface Sent {
  // biome-ignore lint/suspicious/noExplicitAny: messages are compared, not used
  readonly message: any
  readonly mark: number
  readonly whole: boolean
}

export interface ScriptedStore {
  readonly place: TopicOptions
  readonly clock: HeldClock
  /** The topic, once there is one. */
  readonly member: LiveMember
  readonly sent: readonly Sent[]
  /** The newest request for the whole state. */
  mark: number
}

export function scriptedStore(): ScriptedStore {
  const sent: Sent[] = []
  const clock = heldClock()
  let joined: LiveMember | undefined
  const store: LiveStore = {
    join(_, member) {
      joined = member
      return {
        want: () => {},
        get mark() {
          return { asked: own.mark, heard: undefined }
        },
        tell: (message, mark, whole = false) =>
          void sent.push({ message: JSON.parse(JSON.stringify(message)), mark: mark.asked, whole }),
        pace: () => {},
        leave: () => {},
      }
    },
    close: async () => {},
  }
  const own = {
    place: {
      host: {
        service: 'tests',
        clock,
        store,
        budget: unlimited,
        turns: createConcurrencyLimit(32, 0),
        share: 0.5,
      },
      key: 'tests',
      credentialKey: '',
      ended: () => {},
    },
    clock,
    get member() {
      if (joined === undefined) throw new Error('there is no topic yet')
      return joined
    },
    sent,
    mark: 0,
  }
  return own
}

/** Lets everything run that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** The events of a subscription as they come. */
export function eventsOf<T>(queue: AsyncIterable<{ readonly value: T }>): T[] {
  const seen: T[] = []
  void (async () => {
    for await (const { value } of queue) seen.push(value)
  })()
  return seen
}
