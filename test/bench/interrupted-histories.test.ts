/** `npm run histories`, broken off. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startProcess } from '../support/process.ts'
import { withRedis } from '../support/redis.ts'

const histories = fileURLToPath(new URL('../../bench/histories.ts', import.meta.url))

test.skipIf(!withRedis('histories that are interrupted'))(
  'histories that are interrupted say so in one line, and end what they started',
  async () => {
    await using run = startProcess(process.execPath, [histories, '--seed', '1'])
    const children = (): string =>
      readFileSync(`/proc/${run.child.pid}/task/${run.child.pid}/children`, 'utf8')
    await expect.poll(children).not.toBe('')
    const started = children().trim().split(' ')
    run.child.kill('SIGINT')
    expect(await run.ended).toBe(130)
    expect(run.output()).toBe('histories: interrupted; the history that was running is not judged\n')
    for (const id of started) expect(() => process.kill(Number(id), 0)).toThrow('ESRCH')
  },
)
