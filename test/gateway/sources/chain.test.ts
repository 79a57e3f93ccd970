/** Several sources and the copy on disk: which of them is taken, and what is said of the others. */
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Chain, type SourceNote } from '../../../gateway/sources/chain.ts'
import { readCopy, writeCopy } from '../../../gateway/sources/copy.ts'
import { SourceFailure } from '../../../gateway/sources/index.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const folder = temporaryFolder()
const owner = { what: 'supergraph', places: ['http a', 'http b'] }

/** Sources by name that say what `texts` has for them; `undefined` is no answer, and `bad…` cannot be used. */
function chainOf(texts: Record<string, string | undefined>, copy?: string) {
  const notes: SourceNote[] = []
  const asked: string[] = []
  const chain = new Chain({
    owner,
    sources: Object.keys(texts).map((name) => ({
      name,
      isPolled: true,
      pinned: undefined,
      async read() {
        asked.push(name)
        const text = texts[name]
        if (text === undefined) throw new SourceFailure('no answer')
        return text
      },
    })),
    check(text) {
      if (text.startsWith('bad')) throw new Error('it is no supergraph\nand more')
    },
    copy,
    sentence: (source, reason) => `${source}: ${reason}`,
    note: (note) => notes.push(note),
  })
  return { chain, notes, asked }
}

test('the first source that gives a text which can be used is taken, and no later one is asked', async () => {
  const { chain, notes, asked } = chainOf({ a: undefined, b: 'bad', c: 'good', d: 'other' })
  expect((await chain.read()).text).toBe('good')
  expect(asked).toEqual(['a', 'b', 'c'])
  expect(notes.map(({ source, result, reason }) => [source, result, reason])).toEqual([
    ['a', 'failed', 'no answer'],
    ['b', 'refused', 'it is no supergraph'],
    ['c', 'read', undefined],
  ])
  expect(chain.state()).toMatchObject({
    from: 'c',
    sources: [{ result: 'failed' }, { result: 'refused' }, {}],
  })
})

test('if none gives one, all reasons are reported, each once in the log', async () => {
  const { chain, notes } = chainOf({ a: undefined, b: 'bad' })
  await expect(chain.read()).rejects.toThrow('a: no answer; b: it is no supergraph')
  await expect(chain.poll()).rejects.toThrow('a: no answer; b: it is no supergraph')
  expect(notes.map(({ isNews }) => isNews)).toEqual([true, true, false, false])
})

test('a mirror that is behind does not take the graph back, and one that has changed takes over', async () => {
  const texts: Record<string, string | undefined> = { a: 'new', b: 'old' }
  const { chain } = chainOf(texts)
  await chain.read()
  texts.a = undefined
  expect(await chain.poll()).toBe(false)
  expect(await chain.poll()).toBe(false)
  texts.b = 'newer'
  expect(await chain.poll()).toBe(true)
  expect((await chain.read()).text).toBe('newer')
  texts.a = 'newest'
  expect(await chain.poll()).toBe(true)
})

test('random outages: a poll reports a change only if a source has another text, and a read takes the first good one', async () => {
  const text = fc.constantFrom(undefined, 'x', 'y', 'bad')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 12 }),
      async (rounds) => {
        const texts: Record<string, string | undefined> = { a: 'x', b: 'x', c: 'x' }
        const { chain } = chainOf(texts)
        let served = (await chain.read()).text
        for (const [a, b, c] of rounds) {
          Object.assign(texts, { a, b, c })
          const good = [a, b, c].filter((each) => each !== undefined && each !== 'bad')
          if (good.length === 0) {
            await expect(chain.poll()).rejects.toThrow()
            continue
          }
          if (!(await chain.poll())) continue
          const next = (await chain.read()).text
          expect(next).toBe(good[0])
          expect(next).not.toBe(served)
          served = next
        }
      },
    ),
  )
})

describe('the copy on disk', () => {
  const copy = join(folder, 'deep', 'supergraph.copy')

  test('is written once the text serves, for this user alone, and starts a gateway that reaches nobody', async () => {
    const first = chainOf({ a: 'good' }, copy)
    const taken = await first.chain.read()
    expect(readdirSync(folder)).toEqual([])
    await taken.serves()
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(folder, 'deep'))).toEqual(['supergraph.copy'])
    const { mtimeMs } = statSync(copy)
    await (await first.chain.read()).serves()
    expect(statSync(copy).mtimeMs).toBe(mtimeMs)

    const texts: Record<string, string | undefined> = { a: undefined }
    const second = chainOf(texts, copy)
    expect((await second.chain.read()).text).toBe('good')
    expect(second.chain.state()).toMatchObject({ from: 'copy' })
    texts.a = 'good'
    expect(await second.chain.poll()).toBe(false)
    expect(second.chain.state()).toMatchObject({ from: 'a' })
  })

  test('is used only at the start: a running gateway has a text', async () => {
    const texts: Record<string, string | undefined> = { a: 'good' }
    const { chain } = chainOf(texts, copy)
    await (await chain.read()).serves()
    texts.a = undefined
    await expect(chain.read()).rejects.toThrow('a: no answer')
  })

  const changed = (change: (text: string) => string): void =>
    writeFileSync(copy, change(readFileSync(copy, 'utf8')))

  test.each<[string, () => void, RegExp]>([
    ['with a byte that was changed', () => changed((text) => text.replace(/good$/, 'gOod')), /SHA-256/],
    [
      'of another form',
      () => changed((text) => text.replace('"format":1', '"format":0')),
      /does not have the form 1/,
    ],
    ['that is none', () => writeFileSync(copy, 'type Query { a: Int }'), /this program did not write it/],
    ['that is empty', () => writeFileSync(copy, ''), /this program did not write it/],
    [
      'with a first line without end',
      () => writeFileSync(copy, `tessera-copy ${'{'.repeat(1e6)}`),
      /did not write it|form 1/,
    ],
    ['that everybody may write', () => chmodSync(copy, 0o666), /every user may write to it/],
  ])('%s is refused, with its reason', async (_what, spoil, reason) => {
    await writeCopy(copy, owner, 'good')
    spoil()
    const { chain, notes } = chainOf({ a: undefined }, copy)
    await expect(chain.read()).rejects.toThrow(reason)
    expect(notes.at(-1)).toMatchObject({ source: 'copy', reason: expect.stringMatching(reason) })
    chmodSync(copy, 0o600)
  })

  test('of other addresses, or of another kind of text, is refused', async () => {
    await writeCopy(copy, owner, 'good')
    await expect(readCopy(copy, { ...owner, places: ['http c'] })).rejects.toThrow(
      'from addresses that are not configured',
    )
    await expect(readCopy(copy, { ...owner, what: 'manifest' })).rejects.toThrow('not of a manifest')
    expect(await readCopy(copy, { ...owner, places: ['http c', 'http b'] })).toBe('good')
    expect(readFileSync(copy, 'utf8')).not.toContain('http a')
  })

  test('a failed write stops nothing', async () => {
    const { chain, notes } = chainOf({ a: 'good' }, '/dev/null/copy')
    await (await chain.read()).serves()
    expect(notes.at(-1)).toMatchObject({ source: 'copy', result: 'failed' })
  })
})
