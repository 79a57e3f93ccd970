/**
 * A real VictoriaMetrics from the PATH (Debian's package `victoria-metrics`) on a loopback port, with its files in a
 * temporary folder that is removed when it is closed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { lastingPort } from './port.ts'
import { canTest, isOnPath } from './program-on-path.ts'
import { temporaryFolder } from './temporary.ts'
import { until } from './wait.ts'

export interface VictoriaMetrics {
  readonly url: string
  close(): Promise<void>
}

export const hasVictoriaMetrics = (what: string): boolean =>
  canTest(what, 'victoria-metrics', isOnPath('victoria-metrics'), 'it is a package of Debian')

/**
 * `samples`: lines of the Prometheus text format with timestamps in milliseconds. `asItComes`: with the defaults that
 * hide the last samples, instead of a server that can be compared with Prometheus.
 */
export async function startVictoriaMetrics(
  samples: string,
  { asItComes = false }: { readonly asItComes?: boolean } = {},
): Promise<VictoriaMetrics> {
  const folder = temporaryFolder()
  const port = await lastingPort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn(
    'victoria-metrics',
    [
      `-httpListenAddr=127.0.0.1:${port}`,
      `-storageDataPath=${folder}`,
      '-retentionPeriod=100y',
      ...(asItComes
        ? []
        : [
            '-search.latencyOffset=0s',
            // The same as in Prometheus; by default it follows from the interval between samples.
            '-search.maxStalenessInterval=5m',
            '-search.disableCache',
          ]),
      '-loggerLevel=ERROR',
    ],
    { stdio: 'ignore' },
  )
  const ended = once(server, 'exit')
  const close = async (): Promise<void> => {
    server.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await until(
      () =>
        fetch(`${url}/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      'victoria-metrics is ready',
    )
    const imported = await fetch(`${url}/api/v1/import/prometheus`, { method: 'POST', body: samples })
    if (!imported.ok) throw new Error(`the import answered ${imported.status}`)
    // Samples are searchable once they are flushed from memory.
    await fetch(`${url}/internal/force_flush`)
    return { url, close }
  } catch (error) {
    await close()
    throw error
  }
}
