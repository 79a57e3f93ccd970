/**
 * Requests and replies between two processes, over their channel of messages. Each request has a timeout, and the
 * number of open requests is bounded: a process that does not reply must not hold the other one.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startResponseTimeout } from '../../shared/runtime/response-timeout.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'

/** The messages of this module; all others are ignored. */
type Message =
  | { readonly tessera: 'ask'; readonly id: number; readonly what: string; readonly body: unknown }
  | { readonly tessera: 'answer'; readonly id: number; readonly body: unknown }
  | { readonly tessera: 'failed'; readonly id: number; readonly message: string }
  | { readonly tessera: 'tell'; readonly what: string; readonly body: unknown }

export type Channel = ReturnType<typeof createChannel>

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

const mostOpen = 20_000

/** `send` may fail silently if the other side has ended. */
export function createChannel(send: (message: unknown) => void) {
  const open = new Map<number, Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>>()
  const answers = new Map<string, (body: unknown) => unknown>()
  const takers = new Map<string, (body: unknown) => void>()
  let last = 0
  let ended = false
  const post = (message: Message): void => {
    if (!ended) send(message)
  }

  async function reply(id: number, what: string, body: unknown): Promise<void> {
    try {
      const answer = answers.get(what)
      if (answer === undefined) throw new Error(`there is no handler for ${what}`)
      post({ tessera: 'answer', id, body: await answer(body) })
    } catch (error) {
      post({ tessera: 'failed', id, message: messageOf(error) })
    }
  }

  return {
    /** Rejects with `NoAnswer` if no reply comes within `ms`. Time in which this process was held up does not count. */
    async ask(what: string, body: unknown, ms: number): Promise<unknown> {
      if (ended) throw new NoAnswer('the other process has ended')
      if (open.size >= mostOpen) throw new NoAnswer('too many requests are open')
      last += 1
      const id = last
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      open.set(id, { resolve, reject })
      const stop = startResponseTimeout(ms, () => reject(new NoAnswer(`no answer to ${what} in ${ms} ms`)))
      try {
        post({ tessera: 'ask', id, what, body })
        return await promise
      } finally {
        stop()
        open.delete(id)
      }
    },
    /** Expects no reply. Messages arrive in the order in which they are sent. */
    tell: (what: string, body?: unknown): void => post({ tessera: 'tell', what, body }),
    /** The replies to the other side; one for each `what`. */
    onAsk: (what: string, answer: (body: unknown) => unknown): void => void answers.set(what, answer),
    onTell: (what: string, take: (body: unknown) => void): void => void takers.set(what, take),
    /** Must be called with each message that arrives. */
    receive(message: unknown): void {
      const { tessera } = (message ?? {}) as { readonly tessera?: unknown }
      // Messages of a process may arrive after its end: its account is closed by then.
      if (ended || tessera === undefined) return
      const ours = message as Message
      switch (ours.tessera) {
        case 'ask':
          void reply(ours.id, ours.what, ours.body)
          return
        case 'answer':
          open.get(ours.id)?.resolve(ours.body)
          return
        case 'failed':
          open.get(ours.id)?.reject(new NoAnswer(ours.message))
          return
        case 'tell':
          takers.get(ours.what)?.(ours.body)
      }
    },
    /** The other side has ended: nothing is sent or accepted any more. */
    end(): void {
      ended = true
      for (const { reject } of open.values()) reject(new NoAnswer('the other process has ended'))
    },
  }
}

/** Asks again and again. Resolves when the other process has not answered for `ms`, or has ended. */
export async function untilSilent(channel: Pick<Channel, 'ask'>, what: string, ms: number): Promise<void> {
  try {
    for (;;) {
      await channel.ask(what, undefined, ms)
      await delay(ms / 10, undefined, { ref: false })
    }
  } catch {
    // It did not answer.
  }
}
