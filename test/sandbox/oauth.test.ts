/** The sandbox if it is installed as users do it: without the package that its authorization server is made of. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createOwnHostCheck } from '../../sandbox/server/host-names.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('without oidc-provider the authorization server says what to install', () => {
  const folder = temporaryFolder()
  try {
    cpSync(join(root, 'sandbox'), join(folder, 'sandbox'), { recursive: true })
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(root, 'node_modules/jose'), join(folder, 'node_modules/jose'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const start = `
      const { startOauthServer } = await import('./sandbox/oauth/index.ts')
      await startOauthServer({ resource: 'http://127.0.0.1/', scopes: [] }).then(
        () => console.log('started'),
        ({ name, message }) => console.log(name, message),
      )`
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', start], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(said).toMatch(/^MissingPackageError .*npm install --save-dev oidc-provider\n$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('if it listens on all addresses, other names than its own are still refused', () => {
  for (const address of ['0.0.0.0', '::', '127.0.0.1', 'sandbox.internal']) {
    const isOwn = createOwnHostCheck(address)
    for (const host of ['127.0.0.1:4101', 'localhost:4101', '[::1]:4101', '192.168.1.2:4101'])
      expect([address, host, isOwn(host)]).toEqual([address, host, true])
    for (const host of [
      undefined,
      '',
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'a b',
    ])
      expect([address, host, isOwn(host)]).toEqual([address, host, false])
  }
  expect(createOwnHostCheck('sandbox.internal')('Sandbox.internal:4101')).toBe(true)
})
