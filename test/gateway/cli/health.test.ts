/** `tessera health`, as the image's HEALTHCHECK runs it: by HTTP, by HTTPS if TLS is configured, and at nobody. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCertificate } from '../../support/certificate.ts'
import { startFaultyServer } from '../../support/faulty-server.ts'
import { startInProcess } from '../../support/in-process-command.ts'
import { lastingPort } from '../../support/port.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary.ts'
import { standInFolder } from './command-line.ts'

standInFolder()

async function health(port: string, env: Record<string, string> = {}): Promise<[unknown, string]> {
  await using asked = startInProcess(['health'], { PORT: port, ...env })
  return [await asked.ended, asked.output()]
}

test('says whether the gateway of this configuration is alive, by HTTPS if it speaks that', async () => {
  const folder = temporaryFolder()
  makeCertificate(folder, 'tls')
  const tls = { TESSERA_TLS_CERT: join(folder, 'tls.pem'), TESSERA_TLS_KEY: join(folder, 'tls.key') }
  for (const env of [{}, tls]) {
    await using gateway = startInProcess(['serve', '--port', '0'], env)
    const { protocol, port } = new URL(await gateway.said('graph'))
    expect(await health(port, env)).toEqual([0, `${protocol}//127.0.0.1:${port}/health/live ok\n`])
  }
})

test('fails in one line that says what to do if nobody listens', async () => {
  const port = String(await lastingPort())
  expect(await health(port)).toEqual([
    1,
    `tessera health: http://127.0.0.1:${port}/health/live: nothing listens there: start it, or name its port by --port (PORT) if it is another one\n`,
  ])
})

test.each([
  [503, 'it is stopping, so send it no more requests'],
  [404, 'this is another program: name its port by --port (PORT) if it is another one'],
])('says what a status of %i means', async (status, meaning) => {
  await using server = await startFaultyServer((response) => void response.writeHead(status).end())
  const { port } = new URL(server.url)
  expect(await health(port)).toEqual([
    1,
    `tessera health: http://127.0.0.1:${port}/health/live returns ${status}: ${meaning}\n`,
  ])
})

test('a process that does not answer is to be restarted', async () => {
  await using server = await startFaultyServer(() => {})
  const { port } = new URL(server.url)
  expect(await health(port)).toEqual([1, expect.stringMatching(/ it does not answer in time: restart it\n$/)])
})

test('says that a gateway is alive whose file has a fault since it was started, which changes nothing of it', async () => {
  const folder = temporaryFolder()
  makeCertificate(folder, 'tls')
  const tls = `server: { tls: { cert: ${join(folder, 'tls.pem')}, key: ${join(folder, 'tls.key')} } }`
  for (const text of ['server: {}', tls]) {
    const TESSERA_CONFIG = temporaryFile('tessera.yaml', text)
    await using gateway = startInProcess(['serve', '--port', '0'], { TESSERA_CONFIG })
    const { protocol, port } = new URL(await gateway.said('graph'))
    writeFileSync(TESSERA_CONFIG, `${text}\nserve: {}\n`)
    expect(await health(port, { TESSERA_CONFIG })).toEqual([
      0,
      `${protocol}//127.0.0.1:${port}/health/live ok\n`,
    ])
  }
})

test('asks at this machine if the gateway listens on all of its addresses', async () => {
  await using gateway = startInProcess(['serve', '--port', '0'])
  const { port } = new URL(await gateway.said('graph'))
  for (const HOST of ['0.0.0.0', '::'])
    expect(await health(port, { HOST })).toEqual([0, `http://127.0.0.1:${port}/health/live ok\n`])
})

test('asks at the address on which the gateway listens', async () => {
  await using gateway = startInProcess(['serve', '--port', '0'], { HOST: '127.0.0.2' })
  const { port } = new URL(await gateway.said('graph'))
  expect(await health(port, { HOST: '127.0.0.2' })).toEqual([0, `http://127.0.0.2:${port}/health/live ok\n`])
})
