/**
 * `tessera health`: whether the gateway or service that runs here with the same configuration is alive. It is for
 * health checks of containers, and takes the address, and whether to use HTTPS, from the configuration.
 */
import { request as requestSecure } from 'node:https'
import { reasonOf } from '../../shared/http/failure-reason.ts'
import { request as requestPlain } from '../../shared/http/node-http.ts'
import { systemCodeOf } from '../../shared/runtime/thrown.ts'
import { type Config, readConfig } from '../config/index.ts'
import {
  type Command,
  CommandError,
  ConfigurationError,
  exitCodes,
  hostInUrl,
  type Io,
  readPort,
} from './command.ts'

const patienceMs = 2500

/** Resolves to the status of the response. It calls its own machine, so the certificate's name is not checked. */
function statusOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const how = { agent: false, timeout: patienceMs } as const
    const sent = url.startsWith('https:')
      ? requestSecure(url, { ...how, rejectUnauthorized: false })
      : requestPlain(url, how)
    sent.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.once('timeout', () => sent.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })))
    sent.once('error', reject)
    sent.end()
  })
}

/** The address of the server, and the schemes to try. The server may have started before the file became invalid. */
function servedBy(env: Io['env']): Config['server'] & { readonly schemes: readonly string[] } {
  const { config, faults } = readConfig(env)
  if (config !== undefined)
    return { ...config.server, schemes: [config.server.tls.cert === undefined ? 'http' : 'https'] }
  const { config: withoutFile } = readConfig({ ...env, TESSERA_CONFIG: undefined })
  if (withoutFile === undefined) throw new ConfigurationError(faults)
  return { ...withoutFile.server, schemes: ['http', 'https'] }
}

const otherPort = 'name its port by --port (PORT) if it is another one'

const cureOf = (error: unknown): string =>
  systemCodeOf(error) === 'ETIMEDOUT' ? 'restart it' : `start it, or ${otherPort}`

const meaningOf = (status: number): string =>
  status === 503 ? 'it is stopping, so send it no more requests' : `this is another program: ${otherPort}`

export const healthCommand: Command = {
  synopsis: '[--port N] [--ready]',
  options: {
    port: { value: 'N', help: 'the port (PORT)' },
    ready: { help: 'check whether it is ready, which it is not while it stops' },
  },
  example: 'tessera health --port 4001',

  async run(args, io) {
    const { host, port: configured, schemes } = servedBy(io.env)
    const rest = `://${hostInUrl(host)}:${readPort(args) ?? configured}${args.flag('ready') ? '/health/ready' : '/health/live'}`
    let failure: CommandError | undefined
    for (const scheme of schemes) {
      const place = scheme + rest
      let status: number
      try {
        status = await statusOf(place)
      } catch (error) {
        failure ??= new CommandError(`${place}: ${reasonOf(error)}: ${cureOf(error)}`)
        continue
      }
      if (status !== 200) throw new CommandError(`${place} returns ${status}: ${meaningOf(status)}`)
      io.out(`${place} ok\n`)
      return exitCodes.done
    }
    throw failure ?? new CommandError(rest)
  },
}
