import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { lastingPort } from './port.ts'

const kernelRange = '/proc/sys/net/ipv4/ip_local_port_range'

test('a lasting port can be listened on, and is not one that the kernel gives', async () => {
  const port = await lastingPort()
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
  // Other systems have no such file.
  const [first = 32_768] = existsSync(kernelRange)
    ? readFileSync(kernelRange, 'utf8').trim().split(/\s+/).map(Number)
    : []
  expect(port).toBeLessThan(first)
})
