/** A process without something that exists only for speed answers byte for byte what the process as it is served answers. */
import { expect, test } from 'vitest'
import type { HotName } from '../../contract/hot/switch.ts'
import { sandboxExamples } from '../../gateway/explorer/examples/sandbox.ts'
import { startTessera } from '../support/process.ts'

/** What can be compared only between processes: it is decided at the start of one, or concerns all of its memory. */
const ofProcesses: readonly HotName[] = ['serving']

/** Reads whose answers hang neither on the hour nor on what was counted before. */
const reads = sandboxExamples(Date.now()).filter(
  ({ document }) => !/mutation|mediaQuota|metrics|now|operation/i.test(document),
)

/** Each read several times over, until everything that is made for operations that come again has been made. */
async function answersOf(plain: string): Promise<readonly (readonly string[])[]> {
  await using process = startTessera(['serve', '--port', '0'], { TESSERA_PLAIN: plain })
  const url = await process.said('graph')
  const answers: string[][] = []
  for (const { document, variables } of reads) {
    const body = JSON.stringify({ query: document, variables })
    const own: string[] = []
    for (let turn = 0; turn < 6; turn++) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      own.push(`${response.status} ${await response.text()}`)
    }
    answers.push(own)
  }
  return answers
}

test('without each of them, and without all, every answer is the same', async () => {
  expect(reads.length).toBeGreaterThan(3)
  const served = await answersOf('false')
  expect(served.flat().filter((answer) => answer.startsWith('200 {"data":{')).length).toBeGreaterThan(12)
  for (const plain of [...ofProcesses, 'true']) expect(await answersOf(plain), plain).toEqual(served)
})
