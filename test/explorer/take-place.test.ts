/** How a build of the page comes to its place. */
import { mkdir, mkdtemp, readdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takePlace } from '../../explorer/take-place.ts'

async function builds() {
  const folder = await mkdtemp(join(tmpdir(), 'build-'))
  const make = async (name: string, file: string): Promise<string> => {
    await mkdir(join(folder, name, 'assets'), { recursive: true })
    await writeFile(join(folder, name, 'assets', file), '')
    return join(folder, name)
  }
  return { make, files: async () => (await readdir(folder, { recursive: true })).sort() }
}

const newOnly = ['page', 'page/assets', 'page/assets/new.js']

test('a build takes the place of the previous one, and leaves nothing of it', async () => {
  const { make, files } = await builds()
  const place = await make('page', 'old.js')
  await takePlace(await make('page.1', 'new.js'), place)
  expect(await files()).toEqual(newOnly)
})

test('a previous build that cannot be moved, as that of a container image, is removed', async () => {
  const { make, files } = await builds()
  const place = await make('page', 'old.js')
  const move: typeof rename = (from, to) =>
    from === place
      ? Promise.reject(Object.assign(new Error('cross-device link'), { code: 'EXDEV' }))
      : rename(from, to)
  await takePlace(await make('page.1', 'new.js'), place, move)
  expect(await files()).toEqual(newOnly)
})

test('if another build comes into the place meanwhile, the later one stays', async () => {
  const { make, files } = await builds()
  const place = await make('page', 'old.js')
  let comes = true
  const move: typeof rename = async (from, to) => {
    await rename(from, to)
    if (comes && from === place) await make('page', 'other.js')
    comes = false
  }
  await takePlace(await make('page.1', 'new.js'), place, move)
  expect(await files()).toEqual(newOnly)
})
