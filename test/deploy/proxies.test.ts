/**
 * The gateway behind the proxies of deploy/ that are Debian packages, with their files, in which only addresses are
 * replaced: queries, the documents that challenges point to, events that are passed on when they come, and
 * WebSockets.
 */
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeCertificate } from '../support/certificate.ts'
import { readDeployed } from '../support/deploy.ts'
import { type LiveGateway, startLiveGraph } from '../support/live-graph.ts'
import { lastingPort } from '../support/port.ts'
import { postJson } from '../support/post-json.ts'
import { temporaryFolder } from '../support/temporary.ts'

interface Proxy {
  readonly name: string
  /** Makes the files in a folder, and answers the arguments. */
  readonly files: (folder: string, port: number, gateway: string) => readonly string[]
}

function replaced(text: string, ...pairs: readonly (readonly [RegExp | string, string])[]): string {
  return pairs.reduce((changed, [from, to]) => {
    const next = changed.replaceAll(from, to)
    expect(next, String(from)).not.toBe(changed)
    return next
  }, text)
}

const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    files(folder, port, gateway) {
      makeCertificate(folder, 'tls')
      const server = replaced(
        readDeployed('proxies/nginx.conf'),
        ['listen 443 ssl', `listen 127.0.0.1:${port}`],
        [/ssl_certificate(_key)? .+/g, ''],
        ['10.0.0.11:4000', gateway],
        [/ +server 10\.0\.0\.12.+\n/g, ''],
      )
      const file = join(folder, 'nginx.conf')
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join('\n')
      writeFileSync(
        file,
        `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary}\n${server} }`,
      )
      return ['-p', folder, '-c', file]
    },
  },
  {
    name: 'haproxy',
    files(folder, port, gateway) {
      const file = join(folder, 'haproxy.cfg')
      const text = replaced(
        readDeployed('haproxy.cfg'),
        ['bind :4000', `bind 127.0.0.1:${port}`],
        [/server-template .+/g, `server gateway ${gateway}`],
        // It does not start if the machine lets it open fewer files than that many connections need.
        [/maxconn \d+/g, 'maxconn 100'],
        [/resolvers docker\n( {2}.+\n)+/g, ''],
      )
      writeFileSync(file, text)
      return ['-f', file]
    },
  },
  {
    name: 'caddy',
    files(folder, port, gateway) {
      const file = join(folder, 'Caddyfile')
      const text = replaced(
        readDeployed('proxies/Caddyfile'),
        ['graph.example.com {', `http://127.0.0.1:${port} {`],
        ['10.0.0.11:4000 10.0.0.12:4000', gateway],
      )
      writeFileSync(file, `{\n\tadmin off\n}\n${text}`)
      return ['run', '--config', file, '--adapter', 'caddyfile']
    },
  },
]

const isThere = (name: string): boolean => {
  if (spawnSync(name, [name === 'caddy' ? 'version' : '-v'], { stdio: 'ignore' }).status === 0) return true
  if (process.env.CI === 'true') throw new Error(`${name} is not on the PATH, and CI=true wants it`)
  process.stdout.write(`skipped: the gateway behind ${name} (not on the PATH; .ci/system installs it)\n`)
  return false
}

interface Running extends AsyncDisposable {
  readonly origin: string
}

async function start({ name, files }: Proxy, { gateway }: LiveGateway): Promise<Running> {
  const folder = temporaryFolder()
  const port = await lastingPort()
  const args = files(folder, port, new URL(gateway.url).host)
  const child = spawn(name, [...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  let said = ''
  child.stderr.on('data', (text) => (said += text))
  child.stdout.resume()
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const origin = `http://127.0.0.1:${port}`
  await expect
    .poll(
      async () => {
        if (child.exitCode !== null) throw new Error(said)
        return (await fetch(`${origin}/graphql?query={__typename}`).catch(() => undefined))?.status
      },
      { message: said },
    )
    .toBe(200)
  return {
    origin,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

for (const proxy of proxies) {
  describe.skipIf(!isThere(proxy.name))(proxy.name, () => {
    test('passes queries, leads to what a challenge names, and keeps health and measures inside', async () => {
      await using live = await startLiveGraph({ env: { TESSERA_PUBLIC_URL: 'http://graph.example.com' } })
      await using running = await start(proxy, live)
      const ask = (headers: Record<string, string>): Promise<Response> =>
        postJson(`${running.origin}/graphql`, '{"query":"{ now }"}', headers)
      expect(await (await ask({})).json()).toEqual({ data: { now: 0 } })
      const refused = await ask({ authorization: 'Bearer not.a.token' })
      const challenge = refused.headers.get('www-authenticate') ?? ''
      const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
      const document = await fetch(new URL(new URL(metadata).pathname, running.origin))
      expect(await document.json()).toMatchObject({ resource: 'http://graph.example.com/graphql' })
      const inside = [
        '/metrics',
        '/metrics/',
        '/%6detrics',
        '/health/ready',
        '/%68ealth/ready',
        '/health/live',
      ]
      for (const path of inside) expect((await fetch(new URL(path, running.origin))).status, path).toBe(404)
    })

    test('passes each event of a stream on when it comes', async () => {
      await using live = await startLiveGraph()
      await using running = await start(proxy, live)
      const left = new AbortController()
      const query = new URLSearchParams({ query: 'subscription { ticked { number } }' })
      const answer = fetch(`${running.origin}/graphql?${query}`, {
        headers: { accept: 'text/event-stream' },
        signal: left.signal,
      })
      await expect.poll(() => live.graph.listening('ticked')).toBe(1)
      live.graph.tick(1)
      const reader = (await answer).body!.pipeThrough(new TextDecoderStream()).getReader()
      let read = ''
      for (const number of [1, 2, 3]) {
        if (number > 1) live.graph.tick(number)
        // The stream goes on: without its next event there would be nothing to read.
        while (!read.includes(`"number":${number}`)) read += (await reader.read()).value ?? ''
      }
      left.abort()
      await expect.poll(() => live.graph.listening('ticked')).toBe(0)
    })

    test('passes a WebSocket with its subscription and its end', async () => {
      await using live = await startLiveGraph()
      await using running = await start(proxy, live)
      const client = createClient({
        url: `${running.origin.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
      })
      const events = client.iterate({ query: 'subscription { ticked { number } }' })
      const first = events.next()
      await expect.poll(() => live.graph.listening('ticked')).toBe(1)
      live.graph.tick(5)
      expect((await first).value).toMatchObject({ data: { ticked: { number: 5 } } })
      await client.dispose()
      await expect.poll(() => live.graph.listening('ticked')).toBe(0)
    })
  })
}
