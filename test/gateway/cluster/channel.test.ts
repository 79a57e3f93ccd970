/** Questions to another process: which bounds hold, and what a process that was held up itself still hears. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { type Channel, createChannel, NoAnswer, untilSilent } from '../../../gateway/cluster/channel.ts'
import { blockThread } from '../../support/block-thread.ts'

/** A process that answers each question immediately, except those that are called `nothing`. */
async function answering(): Promise<Channel> {
  const script = `process.on('message', ({ id, what, body }) => {
      if (what !== 'nothing') process.send({ tessera: 'answer', id, body })
    })
    process.send('ready')`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  onTestFinished(() => void child.kill())
  const channel = createChannel((message) => void child.send(message as object))
  await once(child, 'message')
  child.on('message', (message) => channel.receive(message))
  return channel
}

test('an answer that arrived while this process was blocked counts, although its time is over', async () => {
  const channel = await answering()
  const answers = Array.from({ length: 50 }, (_, n) => channel.ask('anything', n, 50))
  blockThread(500)
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 50 }, (_, n) => n))
})

test('a question that is not answered is given up, whether the process was blocked or not', async () => {
  const channel = await answering()
  await expect(channel.ask('nothing', 1, 20)).rejects.toBeInstanceOf(NoAnswer)
  const held = expect(channel.ask('nothing', 1, 20)).rejects.toThrow('no answer to nothing in 20 ms')
  blockThread(100)
  await held
})

test('an answer that comes after its question was given up is ignored', async () => {
  const sent: { id: number }[] = []
  const channel = createChannel((message) => sent.push(message as { id: number }))
  await expect(channel.ask('late', 1, 10)).rejects.toBeInstanceOf(NoAnswer)
  channel.receive({ tessera: 'answer', id: sent[0]?.id, body: 'late' })
  const next = channel.ask('next', 2, 10_000)
  channel.receive({ tessera: 'answer', id: sent[1]?.id, body: 'in time' })
  expect(await next).toBe('in time')
})

test('no more than 20,000 questions are open at the same time, and none after the end', async () => {
  const channel = createChannel(() => {})
  const open = Array.from({ length: 20_000 }, () => channel.ask('nothing', 1, 60_000))
  await expect(channel.ask('nothing', 1, 60_000)).rejects.toThrow('too many requests are open')
  const ended = Promise.allSettled(open)
  channel.end()
  expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']))
  await expect(channel.ask('nothing', 1, 60_000)).rejects.toThrow('the other process has ended')
})

test('a process is silent when it answers nothing for the whole time, or has ended', async () => {
  let asked = 0
  const channel = createChannel((message) => {
    asked += 1
    const { id } = message as { id: number }
    if (asked < 3) channel.receive({ tessera: 'answer', id, body: 'here' })
  })
  await untilSilent(channel, 'anything', 20)
  expect(asked).toBe(3)
  const ended = untilSilent(channel, 'anything', 60_000)
  channel.end()
  await ended
})
