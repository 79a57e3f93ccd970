/**
 * Pollers of all workers as one: the primary knows the members of each topic, lets the first of them poll, and hands on
 * what it learned. It reads nothing of it.
 */
import { parseExactly } from '../../contract/json/exact-number.ts'
import type { LiveMember, LiveStore } from '../../contract/live.ts'
import type { Channel } from './channel.ts'

/** About one topic; `text` is JSON. */
interface About {
  readonly topic: string
  readonly text?: string | undefined
  readonly texts?: readonly string[] | undefined
  readonly leading?: boolean | undefined
}

/** The store as a worker sees it. */
export function createWorkerLiveStore(channel: Channel): LiveStore {
  const members = new Map<string, LiveMember>()
  channel.onTell('live.lead', (body) => {
    const { topic, leading } = body as About
    members.get(topic)?.lead(leading === true)
  })
  channel.onTell('live.hear', (body) => {
    const { topic, text = 'null' } = body as About
    members.get(topic)?.hear(parseExactly(text), false)
  })
  channel.onTell('live.wants', (body) => {
    const { topic, texts = [] } = body as About
    members.get(topic)?.wants(texts.map(parseExactly))
  })
  return {
    join(topic, member) {
      members.set(topic, member)
      channel.tell('live.join', { topic } satisfies About)
      return {
        want: (want) => channel.tell('live.want', { topic, text: JSON.stringify(want) } satisfies About),
        // No message is lost between the workers of one gateway: there is nothing to renew.
        mark: 0,
        tell: (message) =>
          channel.tell('live.tell', { topic, text: JSON.stringify(message) } satisfies About),
        // The primary sees at once that a worker has ended.
        pace: () => {},
        leave() {
          if (members.get(topic) === member) members.delete(topic)
          channel.tell('live.leave', { topic } satisfies About)
        },
      }
    },
    close: async () => {},
  }
}

interface Topic {
  /** What each member wants, as JSON; the first one leads. */
  readonly members: Map<Channel, string | undefined>
  leader: Channel | undefined
}

export interface LiveTopics {
  /** Lets a worker take part. Returns what is to be called when it has ended. */
  serve(channel: Channel): () => void
  /** How many topics there are. */
  readonly size: number
}

/** The topics of all workers, in the primary. */
export function createLiveTopics(): LiveTopics {
  const topics = new Map<string, Topic>()

  function tellWants(name: string, { members, leader }: Topic): void {
    if (leader === undefined) return
    const texts = [...members].flatMap(([channel, want]) =>
      channel === leader || want === undefined ? [] : [want],
    )
    leader.tell('live.wants', { topic: name, texts } satisfies About)
  }

  function leave(name: string, topic: Topic, channel: Channel): void {
    topic.members.delete(channel)
    if (topic.members.size === 0) {
      topics.delete(name)
      return
    }
    if (topic.leader === channel) {
      const [next] = topic.members.keys()
      topic.leader = next
      tellWants(name, topic)
      next?.tell('live.lead', { topic: name, leading: true } satisfies About)
    } else tellWants(name, topic)
  }

  return {
    get size() {
      return topics.size
    },
    serve(channel) {
      channel.onTell('live.join', (body) => {
        const { topic: name } = body as About
        const topic: Topic = topics.get(name) ?? { members: new Map(), leader: undefined }
        topics.set(name, topic)
        topic.members.set(channel, undefined)
        topic.leader ??= channel
        channel.tell('live.lead', { topic: name, leading: topic.leader === channel } satisfies About)
      })
      channel.onTell('live.want', (body) => {
        const { topic: name, text } = body as About
        const topic = topics.get(name)
        if (topic === undefined || !topic.members.has(channel)) return
        topic.members.set(channel, text)
        tellWants(name, topic)
      })
      channel.onTell('live.tell', (body) => {
        const { topic: name, text } = body as About
        const topic = topics.get(name)
        if (topic?.leader !== channel) return
        for (const member of topic.members.keys())
          if (member !== channel) member.tell('live.hear', { topic: name, text } satisfies About)
      })
      channel.onTell('live.leave', (body) => {
        const { topic: name } = body as About
        const topic = topics.get(name)
        if (topic?.members.has(channel) === true) leave(name, topic, channel)
      })
      return () => {
        for (const [name, topic] of [...topics]) if (topic.members.has(channel)) leave(name, topic, channel)
      }
    },
  }
}
