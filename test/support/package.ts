/**
 * The package as npm makes it, from a copy of the checkout: what the checkout has built is not touched. It is made once
 * for all files of a run, as it takes several seconds of CPU time.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readDeployed, root } from './deploy.ts'

/** Packs what the Dockerfile builds from, or waits until another file of the run has; resolves to the archive's path. */
export async function pack(): Promise<string> {
  // The folder of the run.
  const folder = join(tmpdir(), 'tessera-package')
  const done = join(folder, 'done')
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    let name = ''
    try {
      name = packInto(folder)
    } finally {
      // Whole as soon as it is there.
      writeFileSync(`${done}.new`, name)
      renameSync(`${done}.new`, done)
    }
  }
  // However long it takes: the test that waits has an end.
  while (!existsSync(done)) await delay(50)
  const name = readFileSync(done, 'utf8')
  if (name === '') throw new Error('npm pack failed in another file of this run')
  return join(folder, name)
}

/** The archive's name. */
function packInto(folder: string): string {
  const source = join(folder, 'source')
  mkdirSync(source)
  const built = readDeployed('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)
  // The image has no documents, and the package has.
  for (const name of [
    ...Array.from(built, ([, each = '']) => each),
    'docs',
    'CONTRIBUTING.md',
    'SECURITY.md',
  ])
    cpSync(join(root, name), join(source, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'))
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: source,
    encoding: 'utf8',
  })
  const name = readdirSync(folder).find((each) => each.endsWith('.tgz'))
  if (status !== 0 || name === undefined) throw new Error(`npm pack failed:\n${stdout}${stderr}`)
  return name
}
