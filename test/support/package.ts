/** The package as npm makes it, from a copy of the checkout: what the checkout has built is not touched. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { readDeployed, root } from './deploy.ts'

/** Packs into the folder, from the files that the Dockerfile builds from; answers the archive's path. */
export function pack(folder: string): string {
  const source = join(folder, 'source')
  mkdirSync(source)
  for (const [, name = ''] of readDeployed('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)) {
    cpSync(join(root, name), join(source, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'))
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: source,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm pack failed:\n${stdout}${stderr}`)
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
}
