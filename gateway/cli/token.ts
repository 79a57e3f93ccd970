/** `tessera token`: a token for the sandbox, so that a newcomer sees a refused field open. */
import { messageOf } from '../../subgraphs/lib/thrown.ts'
import { readConfig } from '../config.ts'
import { mintSandboxToken } from '../sandbox-token.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { isAllSandbox } from './services.ts'

export const tokenCommand: Command = {
  name: 'token',
  summary: 'Mints a token for the sandbox; only where every service is the sandbox.',
  synopsis: '--scope "…" [--subject S] [--expires 1h]',
  options: {
    scope: { type: 'string', value: '"…"', help: 'scopes, separated by spaces' },
    subject: { type: 'string', value: 'S', help: 'whose token it is; demo unless said' },
    expires: {
      type: 'string',
      value: '1h',
      help: 'how long it is good for: 30s, 15m, 1h, 7d; 1h unless said',
    },
  },
  example: 'tessera token --scope "tweet.read users.read" --expires 1h',

  async run(args, io) {
    const scope = args.string('scope')
    if (scope === undefined) throw new UsageError('--scope is missing: name the scopes, separated by spaces')
    const { config, faults } = readConfig(io.env)
    if (faults !== undefined) {
      for (const fault of faults) io.err(`tessera token: ${fault}\n`)
      return exitCodes.usage
    }
    if (!isAllSandbox(config)) {
      io.err(
        'tessera token: tokens are minted only where every service is the sandbox and no key is configured; ask your identity provider for one\n',
      )
      return exitCodes.failed
    }
    let token: string
    try {
      token = await mintSandboxToken({
        scope,
        subject: args.string('subject') ?? 'demo',
        expires: args.string('expires') ?? '1h',
      })
    } catch (error) {
      throw new UsageError(messageOf(error))
    }
    io.out(`${token}\n`)
    return exitCodes.done
  },
}
