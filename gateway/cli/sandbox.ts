/** `tessera sandbox`: the stand-ins of the four services alone, on one port, for other people's clients. */
import { listSamples, printSamples, startSandbox } from '../../sandbox/index.ts'
import { ListenError } from '../http/serve/server.ts'
import { type Command, CommandError, exitCodes, readPort, UsageError } from './command.ts'

export const sandboxCommand: Command = {
  name: 'sandbox',
  summary: 'Serves the stand-ins of the four services over HTTP, all on one port.',
  synopsis: '[--port N] [--host H] [--namespace NAME] [--list]',
  options: {
    port: { type: 'string', value: 'N', help: 'where to listen; 4100 unless said, 0 takes a free port' },
    host: { type: 'string', value: 'H', help: 'address to listen on; 127.0.0.1 unless said' },
    namespace: {
      type: 'string',
      value: 'NAME',
      help: 'path segment of the video service; media unless said',
    },
    list: { type: 'boolean', help: 'only print what it holds: ids, names and expressions to try' },
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
    const host = args.string('host')
    const port = readPort(args) ?? 4100
    const sandbox = await startSandbox({
      port,
      ...(host === undefined ? {} : { host }),
      ...(namespace === undefined ? {} : { namespace }),
    }).catch((error: unknown) => {
      throw new CommandError(new ListenError(host ?? '127.0.0.1', port, error).message)
    })
    io.out(`sandbox   ${sandbox.url}\n\n${printSamples(sandbox.url, listing)}`)
    await io.stopped()
    await sandbox.close()
    return exitCodes.done
  },
}
