/** `npm run histories`, broken off. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { withRedis } from '../support/redis.ts'

const histories = fileURLToPath(new URL('../../bench/histories.ts', import.meta.url))

test.skipIf(!withRedis('histories that are interrupted'))(
  'histories that are interrupted say so in one line, and end what they started',
  async () => {
    await using run = startProcess(process.execPath, [histories, '--seed', '1'])
    await expect.poll(() => childrenOf(run).some(isRedis)).toBe(true)
    const started = childrenOf(run)
    run.child.kill('SIGINT')
    expect(await run.ended).toBe(130)
    expect(run.output()).toBe('histories: interrupted; the history that was running is not judged\n')
    for (const id of started) expect(() => process.kill(Number(id), 0)).toThrow('ESRCH')
  },
)

function childrenOf({ child }: RunningProcess): string[] {
  const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return text.split(' ').filter((id) => id !== '')
}

/** One that listens, not one that is asked for its version before the command has begun. */
function isRedis(id: string): boolean {
  try {
    return /redis-server.*:\d+/.test(readFileSync(`/proc/${id}/cmdline`, 'utf8'))
  } catch {
    return false
  }
}
