/**
 * Checks the types of the tree, of the explorer's page and of the examples. Without the packages of `test/peers` it
 * leaves out the files that need one, and says how many; with `CI=true` it leaves out none.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tsconfig from '../../tsconfig.json' with { type: 'json' }
import { filesInNeed, root } from './needs.ts'

const tsc = join(root, 'node_modules/typescript/bin/tsc')

function check(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [tsc, '--noEmit', ...args], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const left = process.env.CI === 'true' ? new Map() : filesInNeed(['test', 'bench'], 'for types', () => true)
if (left.size === 0) {
  check('--checkers', '1')
  check('-p', 'explorer/page')
  check('-p', 'examples')
} else {
  const folder = join(root, 'node_modules/.cache/types')
  mkdirSync(folder, { recursive: true })
  const absolute = (path: string): string => join(root, path)
  const config = {
    extends: absolute('tsconfig.json'),
    compilerOptions: { typeRoots: [absolute('node_modules/@types')] },
    include: tsconfig.include.filter((path) => path !== 'codegen.ts').map(absolute),
    exclude: [...tsconfig.exclude, ...left.keys()].map(absolute),
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  check('--checkers', '1', '-p', folder)
  check('-p', 'explorer/page')
  console.info(
    `The types of ${left.size} files of test and bench, of codegen.ts and of the examples are not checked: they need ` +
      'packages that `npm run setup:peers` installs.',
  )
}
