/** `tessera usage` without an address asks the gateway of its own configuration. */
import { expect, test } from 'vitest'
import { startInProcess } from '../../support/in-process-command.ts'
import { lastingPort } from '../../support/port.ts'
import { standInFolder } from './command-line.ts'

standInFolder()

test.each(['0.0.0.0', '::', '127.0.0.1'])('an admin port at %s is asked on this machine', async (host) => {
  const port = String(await lastingPort())
  const admin = {
    TESSERA_ADMIN_HOST: host,
    TESSERA_ADMIN_PORT: port,
    TESSERA_ADMIN_TOKEN: 'the token of operators',
  }
  await using asked = startInProcess(['usage'], admin)
  expect([await asked.ended, asked.output()]).toEqual([
    1,
    expect.stringContaining(`http://127.0.0.1:${port} did not respond`),
  ])
})
