/**
 * `tessera health`: whether the gateway or service that runs here with the same configuration is alive. It is for
 * health checks of containers, and takes the port, and whether to use HTTPS, from the configuration.
 */
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { type Command, CommandError, exitCodes, readPort } from './command.ts'
import { configurationFrom } from './configuration.ts'

const patienceMs = 2500

/** Resolves to the status of the response. It calls its own machine, so the certificate's name is not checked. */
function statusOf(isSecure: boolean, port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const where = { host: '127.0.0.1', port, path, agent: false, timeout: patienceMs } as const
    const sent = isSecure ? requestSecure({ ...where, rejectUnauthorized: false }) : requestPlain(where)
    sent.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.once('timeout', () => sent.destroy(new Error(`no response within ${patienceMs} ms`)))
    sent.once('error', reject)
    sent.end()
  })
}

export const healthCommand: Command = {
  synopsis: '[--port N] [--ready]',
  options: {
    port: { value: 'N', help: 'the port (PORT)' },
    ready: { help: 'check whether it is ready, which it is not while it stops' },
  },
  example: 'tessera health --port 4001',

  async run(args, io) {
    const config = configurationFrom(io.env)
    const port = readPort(args) ?? config.server.port
    const isSecure = config.server.tls.cert !== undefined
    const path = args.flag('ready') ? '/health/ready' : '/health/live'
    const place = `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}${path}`
    let status: number
    try {
      status = await statusOf(isSecure, port, path)
    } catch (error) {
      throw new CommandError(`${place}: ${messageOf(error)}`)
    }
    if (status !== 200) throw new CommandError(`${place} returns ${status}`)
    io.out(`${place} ok\n`)
    return exitCodes.done
  },
}
