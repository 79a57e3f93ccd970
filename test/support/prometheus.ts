/**
 * A real `prometheus` from the PATH for tests: on a loopback port, with rules and scrape targets that the
 * test gives, ready when the promise resolves and gone, with its files, when it is disposed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { canTest, isOnPath } from './program-on-path.ts'
import { temporaryFolder } from './temporary.ts'
import { until } from './wait.ts'

export interface PrometheusOptions {
  /** By job: what to scrape, as `host:port`. */
  readonly targets?: Readonly<Record<string, readonly string[]>>
  /** Of every target. `/metrics`. */
  readonly metricsPath?: string
  /** By file name: groups as a rule file has them. */
  readonly rules?: Readonly<Record<string, readonly RuleGroupDefinition[]>>
  /** Of scrapes and of rules that give none. `1s`. */
  readonly interval?: string
  /** A path under which the whole server lies, such as `/prometheus`. */
  readonly routePrefix?: string
  /** Samples with timestamps, in the OpenMetrics text form, that it holds from the start. */
  readonly samples?: string
  /** More flags. */
  readonly flags?: readonly string[]
}

export interface RuleGroupDefinition {
  readonly name: string
  readonly interval?: string
  readonly limit?: number
  readonly rules: readonly Readonly<Record<string, unknown>>[]
}

export interface Prometheus extends AsyncDisposable {
  /** With the route prefix, without a slash at its end. */
  readonly url: string
  /** Where its rule files lie. */
  readonly folder: string
  /** The `data` of an endpoint below `/api/v1`, for arranging a test. */
  data(path: string): Promise<unknown>
  /** Asks again until `done` holds of the data. */
  until(path: string, done: (data: never) => boolean): Promise<void>
  close(): Promise<void>
}

export const withPrometheus = (what: string): boolean =>
  canTest(what, 'prometheus', isOnPath('prometheus'), `Debian's package is "prometheus"`)

export async function startPrometheus(options: PrometheusOptions = {}): Promise<Prometheus> {
  const folder = temporaryFolder()
  const interval = options.interval ?? '1s'
  const rules = Object.entries(options.rules ?? {})
  // JSON is YAML, and needs no quoting rules of its own.
  const config = {
    global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
    rule_files: rules.map(([name]) => join(folder, name)),
    scrape_configs: Object.entries(options.targets ?? {}).map(([job, targets]) => ({
      job_name: job,
      metrics_path: options.metricsPath ?? '/metrics',
      static_configs: [{ targets }],
    })),
  }
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  for (const [name, groups] of rules) await writeFile(join(folder, name), JSON.stringify({ groups }))
  if (options.samples !== undefined) {
    const source = join(folder, 'samples.txt')
    await writeFile(source, options.samples)
    const made = spawnSync('promtool', [
      'tsdb',
      'create-blocks-from',
      'openmetrics',
      source,
      join(folder, 'data'),
    ])
    if (made.status !== 0) throw new Error(`promtool could not load the samples:\n${made.stderr}`)
  }

  const server = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
      '--log.level=info',
      ...(options.routePrefix === undefined ? [] : [`--web.route-prefix=${options.routePrefix}`]),
      ...(options.flags ?? []),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(server, 'exit')
  const close = async (): Promise<void> => {
    server.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }

  const log: string[] = []
  const lines = createInterface({ input: server.stderr })
  const address = await new Promise<string>((resolve, reject) => {
    let listening: string | undefined
    let ready = false
    // The two lines come in either order.
    lines.on('line', (line) => {
      log.push(line)
      listening ??= /msg="Listening on".* address=(\S+)/.exec(line)?.[1]
      ready ||= line.includes('Server is ready to receive web requests')
      if (ready && listening !== undefined) resolve(listening)
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`prometheus ended before it was ready:\n${log.join('\n')}`)))
  }).catch(async (error: unknown) => {
    if (server.exitCode === null && server.pid !== undefined) await close()
    else await rm(folder, { recursive: true, force: true })
    throw error
  })
  // What it logs later is of no interest, but must be read, or it would stop at a full pipe.
  lines.removeAllListeners('line')
  lines.on('line', () => {})

  const url = `http://${address}${options.routePrefix ?? ''}`
  const data = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1${path}`)
    const body = (await response.json()) as { data: unknown }
    return body.data
  }
  return {
    url,
    folder,
    data,
    async until(path, done) {
      let got: unknown
      await until(
        async () => {
          got = await data(path)
          return done(got as never)
        },
        () => `${path}, which gives ${JSON.stringify(got)}`,
        100,
      )
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
