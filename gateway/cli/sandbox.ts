/** `tessera sandbox`: the stand-ins of the four services on one port, for other clients. */
import { listSamples, printSamples, startSandbox } from '../../sandbox/index.ts'
import type { OauthServer } from '../../sandbox/oauth/index.ts'
import { ListenError } from '../server/server.ts'
import {
  type Arguments,
  type Command,
  CommandError,
  exitCodes,
  type Io,
  readPort,
  UsageError,
} from './command.ts'
import { startCommandOauthServer } from './oauth-server.ts'

/**
 * Starts the authorization server with the scopes of our own graph, and prints what a gateway needs to accept its
 * tokens.
 */
async function startOauth(
  args: Arguments,
  { host, port }: { readonly host: string; readonly port: number },
  io: Io,
): Promise<OauthServer> {
  const resource = args.string('oauth-resource') ?? 'http://127.0.0.1:4000/graphql'
  if (!URL.canParse(resource)) throw new UsageError('--oauth-resource expects an address')
  const isOpaque = args.flag('oauth-opaque')
  const { server, line, variables } = await startCommandOauthServer({ host, port, resource, isOpaque })
  io.out(`${line}\n`)
  for (const [name, value] of Object.entries(variables)) io.out(`          ${name}=${value}\n`)
  return server
}

export const sandboxCommand: Command = {
  synopsis: '[--port N] [--host H] [--namespace NAME] [--control] [--oauth] [--list]',
  options: {
    port: { value: 'N', help: 'the port; 4100 by default, 0 takes a free one' },
    host: { value: 'H', help: 'address to listen on; 127.0.0.1 by default' },
    namespace: {
      value: 'NAME',
      help: 'path segment of the video service; media by default',
    },
    control: {
      help: 'change data as other people would, and make calls fail, by POST to /__control/change and /__control/faults',
    },
    oauth: {
      help: 'also run an authorization server for development on the next port (needs the package oidc-provider)',
    },
    'oauth-resource': {
      value: 'URL',
      help: 'the audience of its tokens; http://127.0.0.1:4000/graphql by default',
    },
    'oauth-opaque': { help: 'its tokens are opaque, for introspection' },
    list: { help: 'only print its contents: ids, names and expressions to try' },
  },
  example: 'tessera sandbox --port 4100',

  async run(args, io) {
    const namespace = args.string('namespace')
    if (namespace !== undefined && !/^[a-z][a-z0-9-]*$/.test(namespace))
      throw new UsageError('--namespace expects one path segment in lower case, such as youtube')
    const listing = listSamples(namespace === undefined ? {} : { namespace })
    if (args.flag('list')) {
      io.out(printSamples('', listing))
      return exitCodes.done
    }
    const host = args.string('host') ?? '127.0.0.1'
    const port = readPort(args) ?? 4100
    const sandbox = await startSandbox({
      port,
      // Nobody can read it over HTTP, and it would grow with every call.
      journal: false,
      control: args.flag('control'),
      host,
      ...(namespace === undefined ? {} : { namespace }),
    }).catch((error: unknown) => {
      throw new CommandError(new ListenError(host, port, error).message)
    })
    let oauth: OauthServer | undefined
    try {
      oauth = args.flag('oauth')
        ? await startOauth(args, { host, port: port === 0 ? 0 : port + 1 }, io)
        : undefined
    } catch (error) {
      await sandbox.close()
      throw error
    }
    io.out(`sandbox   ${sandbox.url}\n\n${printSamples(sandbox.url, listing)}`)
    await io.stopped()
    await sandbox.close()
    await oauth?.close()
    return exitCodes.done
  },
}
