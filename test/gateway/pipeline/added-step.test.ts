/** "Add a step" of CONTRIBUTING.md, done to a copy of the pipeline: one file, and one line with its import. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Step } from '../../../gateway/pipeline/step.ts'
import { root } from '../../support/deploy.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { arriving, prepared } from './steps/kit.ts'

const folder = temporaryFolder()

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const part = page.slice(page.indexOf('\n## Add a step\n'), page.indexOf('\n## Add a service\n'))
const block = (language: string): string => part.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? ''

/** The source with the modules of a gateway, of which the pipeline's folder is a copy. */
function copyOfPipeline(): string {
  mkdirSync(join(folder, 'gateway'))
  cpSync(join(root, 'gateway/pipeline'), join(folder, 'gateway/pipeline'), { recursive: true })
  for (const module of ['auth', 'costs', 'headers', 'hooks', 'response-cache', 'stores', 'telemetry'])
    symlinkSync(join(root, 'gateway', module), join(folder, 'gateway', module))
  for (const name of ['shared', 'engine', 'node_modules', 'package.json'])
    symlinkSync(join(root, name), join(folder, name))
  return join(folder, 'gateway/pipeline/steps')
}

test('a check of every operation costs one file and one line', async () => {
  const steps = copyOfPipeline()
  const code = block('ts')
  const file = /^\/\/ gateway\/pipeline\/steps\/(.+)$/m.exec(code)?.[1] ?? ''
  writeFileSync(join(steps, file), code)
  const list = join(steps, 'index.ts')
  const before = readFileSync(list, 'utf8')
  const diff = block('diff').trimEnd().split('\n')
  const texts = (mark: string): string =>
    diff
      .filter((line) => line.startsWith(' ') || line.startsWith(mark))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  const after = before.replace(texts('-'), texts('+'))
  expect(after, 'the list has the lines of the page').not.toBe(before)
  writeFileSync(list, `import { requireName } from './${file}'\n${after}`)

  const load = (path: string): Promise<Record<string, unknown>> =>
    import(/* @vite-ignore */ pathToFileURL(path).href)
  const added = (await load(list)).steps as readonly Step[]
  expect(added.map(({ name }) => name).slice(2, 5)).toEqual(['prepare', 'requireName', 'authorize'])
  const requireName = added.find(({ name }) => name === 'requireName')
  const run = (name: string | undefined) => requireName?.run(prepared({}, { name }), {} as never)
  expect(run('Named')).toBeUndefined()
  expect(run(undefined)).toMatchObject({ errors: [{ message: 'The operation needs a name.' }] })
  expect(() => requireName?.run(arriving(), {} as never)).toThrow('before the one')
})
