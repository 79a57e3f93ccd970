/** The unit of deploy/systemd: its commands, run one after the other as systemd runs them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDeployed } from '../support/deploy.ts'
import { lastingPort } from '../support/port.ts'
import { startTessera } from '../support/process.ts'
import { temporaryFolder } from '../support/temporary.ts'

const lines = readDeployed('systemd/tessera.service').split('\n')
const valuesOf = (key: string): string[] =>
  lines.flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []))

test('the unit starts a gateway while a service and Redis are away', async () => {
  const away = `127.0.0.1:${await lastingPort()}`
  const file = join(temporaryFolder(), 'tessera.yaml')
  writeFileSync(file, `services:\n  metrics:\n    url: http://${away}\nredis:\n  url: redis://${away}\n`)
  const env = Object.fromEntries(
    valuesOf('Environment').flatMap((value) => value.split(' ').map((each) => each.split('='))),
  )
  const run = (line: string) =>
    startTessera(line.replace('/usr/bin/env tessera ', '').split(' '), {
      ...env,
      PORT: '0',
      TESSERA_CONFIG: file,
    })
  for (const line of valuesOf('ExecStartPre')) {
    await using before = run(line)
    expect(await before.ended, before.output()).toBe(0)
  }
  await using gateway = run(valuesOf('ExecStart').join(' '))
  const ready = await fetch(await gateway.said('health'))
  expect(ready.status).toBe(200)
})
