/** What `bin/tessera.js` runs: the bundle of a checkout, its sources, or what a package holds. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/deploy.ts'
import { temporaryFolder } from '../support/temporary.ts'

const checkout = temporaryFolder()
const write = (path: string, text: string): void => {
  mkdirSync(join(checkout, path, '..'), { recursive: true })
  writeFileSync(join(checkout, path), text)
}
/** The real bin, over programs that say what they are. */
function run(): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(checkout, 'bin/tessera.js')], {
    encoding: 'utf8',
    env: { XDG_CACHE_HOME: join(checkout, 'cache') },
  })
  return stdout + stderr
}
/** Notes how the sources are now, as the build of a bundle does. */
function note(): void {
  const inputs = ['gateway/main.ts', 'shared/part.ts'].map((path) => {
    const { mtimeMs, size } = statSync(join(checkout, path))
    return [path, [mtimeMs, size]]
  })
  write('dist/bundle/inputs.json', JSON.stringify(Object.fromEntries(inputs)))
}

test('a checkout runs its bundle as long as no file of it has changed', () => {
  for (const path of ['bin/tessera.js', 'bin/prepared.js', 'package.json'])
    write(path, readFileSync(join(root, path), 'utf8'))
  write('gateway/main.ts', "const from: string = 'source'\nconsole.log(from)\n")
  write('shared/part.ts', 'export const part = 1\n')
  expect(run()).toBe('source\n')
  write('dist/bundle/main.mjs', "console.log('bundle')\n")
  expect(run()).toBe('source\n')
  note()
  expect(run()).toBe('bundle\n')
  write('shared/part.ts', 'export const part = 22\n')
  expect(run()).toBe('source\n')
  note()
  rmSync(join(checkout, 'shared'), { recursive: true })
  expect(run()).toBe('source\n')
  write('dist/bundle/inputs.json', '{')
  expect(run()).toBe('source\n')
})
