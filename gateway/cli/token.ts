/**
 * `tessera token`: a token with scopes, to try what they open. It is signed with the sandbox's own key, the secret
 * that the gateway shares with its issuer, or a private key.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { curves, leastRsaBits } from '../auth/authenticate/algorithms.ts'
import { type Signing, signToken } from '../auth/sandbox-tokens.ts'
import { type Config, isAllSandbox } from '../config/index.ts'
import { didYouMean } from '../settings/did-you-mean.ts'
import { signingSecret } from '../settings/kinds.ts'
import { type Arguments, type Command, CommandError, exitCodes, type Io, UsageError } from './command.ts'
import { configurationFrom } from './configuration.ts'
import { readText } from './files.ts'
import { isSandboxKeyKept, mintSandboxToken } from './sandbox-token.ts'
import { scopesIn } from './scopes.ts'

export const tokenCommand: Command = {
  synopsis: '--scope "…" [--subject S] [--expires 1h] [--secret-env NAME | --key FILE]',
  options: {
    scope: { value: '"…"', help: 'scopes, separated by spaces' },
    'secret-env': {
      value: 'NAME',
      help: 'the environment variable that holds the secret; TESSERA_JWT_SECRET if it is set',
    },
    key: { value: 'FILE', help: 'a private key in PEM form' },
    subject: { value: 'S', help: 'the subject of the token; demo by default' },
    expires: {
      value: '1h',
      help: 'its lifetime: 30s, 15m, 1h, 7d; 1h by default',
    },
  },
  example: 'tessera token --scope "tweet.read users.read" --expires 1h',

  async run(args, io) {
    const scope = args.string('scope')
    if (scope === undefined) throw new UsageError('--scope is missing: name the scopes, separated by spaces')
    const config = configurationFrom(io.env)
    const options = { scope, subject: args.string('subject'), expires: args.string('expires') }
    let token: string
    try {
      const key = signingKeyFrom(args, io, config)
      if (key !== undefined) {
        const { issuer, audience } = config.jwt
        token = await signToken(options, { ...key, issuer, audience })
      } else if (isAllSandbox(config)) {
        token = await mintSandboxToken(options)
        if (!isSandboxKeyKept())
          throw new CommandError(
            'the key of the sandbox cannot be kept in .tessera, so no server would accept the token: run it in a folder that can be written, where the server runs, or use the explorer',
          )
      } else
        throw new CommandError(
          'no key to sign with: set TESSERA_JWT_SECRET, give --secret-env NAME or --key FILE, or ask your identity provider for a token (no key is needed only if every service is the sandbox)',
        )
    } catch (error) {
      if (error instanceof CommandError) throw error
      throw new UsageError(messageOf(error))
    }
    warnOfUnknown(scope, config, io)
    io.out(`${token}\n`)
    return exitCodes.done
  },
}

/** A scope that no rule names opens nothing, but it may be meant for another graph. */
function warnOfUnknown(wanted: string, config: Config, io: Io): void {
  if (config.supergraph.places !== undefined) return
  const known = [...scopesIn().map(({ name }) => name), ...Object.keys(config.authorization.scopeAliases)]
  for (const scope of wanted.split(/\s+/).filter((each) => each !== '' && !known.includes(each)))
    io.err(
      `tessera token: warning: no field requires ${scope}${didYouMean(scope, known) || '; tessera scopes lists them'}\n`,
    )
}

function signingKeyFrom(args: Arguments, io: Io, { jwt }: Config): Signing | undefined {
  const [name, file] = [args.string('secret-env'), args.string('key')]
  if (name !== undefined && file !== undefined) throw new Error('give --secret-env or --key, not both')
  if (name !== undefined) {
    const secret = io.env[name]
    if (secret === undefined || secret === '') throw new Error(`the environment has no ${name}`)
    const [fault] = signingSecret.safeParse(secret).error?.issues ?? []
    if (fault !== undefined) throw new Error(`${name}: ${fault.message}, as for TESSERA_JWT_SECRET`)
    return secretKey(secret)
  }
  if (file === undefined) return jwt.secret === undefined ? undefined : secretKey(jwt.secret)
  return privateKey(file)
}

function secretKey(secret: string): Signing {
  return { key: new TextEncoder().encode(secret), algorithm: 'HS256' }
}

/** Reads a private key in PEM form. The error says what was expected, and quotes nothing of the file. */
function privateKey(file: string): Signing {
  const pem = readText(file)
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new Error(`--key ${file}: expected a private key in PEM form`)
  }
  const algorithm = algorithmOf(key)
  const bits = key.asymmetricKeyDetails?.modulusLength ?? leastRsaBits
  if (algorithm === undefined || bits < leastRsaBits)
    throw new Error(
      `--key ${file}: expected an RSA key of at least ${leastRsaBits} bits, or a P-256, P-384, P-521 or Ed25519 key`,
    )
  return { key, algorithm }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'rsa') return 'RS256'
  if (asymmetricKeyType === 'ed25519') return 'EdDSA'
  return curves[asymmetricKeyDetails?.namedCurve ?? '']?.[0]
}
