/**
 * Tokens of our own making, for a server whose every service is the sandbox.
 *
 * The key is random, made at first use and kept in a folder that is not checked in, readable by its owner only;
 * so tokens survive a restart and mean nothing anywhere else. Whether all services are the sandbox is for the
 * caller to know: with a real one among them it must not come here.
 */
import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { GraphQLError } from 'graphql'
import { decodeJwt, SignJWT } from 'jose'
import type { MintToken } from '../../explorer/index.ts'
import { tesseraError } from '../../shared/errors.ts'
import type { Identity } from '../../shared/identity.ts'
import { readBounded } from '../../shared/runtime/bounded-file.ts'
import { type Authenticator, createAuthenticator } from '../auth/authenticate/index.ts'
import { allowPublicFields } from '../auth/authenticate/public-fields.ts'
import type { ScopeAliases } from '../auth/authenticate/scopes.ts'
import { CommandError } from './command.ts'

const issuer = 'tessera-sandbox'
const audience = 'tessera-sandbox'
const algorithm = 'HS256'
const keyBytes = 32

export interface SandboxTokenOptions {
  /** Where the key is kept. */
  readonly folder?: string
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export interface TokenWish {
  /** Scopes, separated by spaces. */
  readonly scope?: string | undefined
  readonly subject?: string | undefined
  /** How long it lasts: `30m`, `1h`, `7d`. Defaults to one hour. */
  readonly expires?: string | undefined
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const longest = 366 * 86_400

/** `1h`, `30m`, `7d`, `45s` as seconds. Throws what was expected. */
export function secondsFrom(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? []
  const seconds = Number(count) * (units[unit ?? ''] ?? Number.NaN)
  if (!(seconds > 0 && seconds <= longest))
    throw new Error(`expected a time such as 30m, 1h or 7d, of at most 366d, got ${JSON.stringify(text)}`)
  return seconds
}

/** The RFC 6749 grammar of scopes, so that what is asked for is what the token says. */
export function scopeFrom(text: string): string {
  const scopes = text.split(/\s+/).filter((scope) => scope !== '')
  const wrong = scopes.find((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  if (wrong !== undefined)
    throw new Error(`expected scopes separated by spaces, got ${JSON.stringify(wrong)}`)
  return [...new Set(scopes)].join(' ')
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
/** A container's file system is often not ours to write; a recursive `mkdir` on a read-only one says ENOENT. */
const isClosed = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EROFS', 'EACCES', 'EPERM', 'ENOENT'].includes(String(error.code))
const isThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST'

/** Of the file, which holds one line. */
const mostKeyBytes = 4096

async function readKey(file: string): Promise<Uint8Array | undefined> {
  let text: string
  try {
    text = (await readBounded(file, mostKeyBytes)).toString('utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  const key = Buffer.from(text.trim(), 'base64url')
  if (key.length < keyBytes)
    throw new CommandError(`${file} does not hold a key: delete it, and a new one is made`)
  return key
}

/** Makes the key whole under another name first, so that of several starters at once all read the same one. */
async function makeKey(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(keyBytes).toString('base64url')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(draft, file)
  } catch (error) {
    if (!isThere(error)) throw error
  } finally {
    await unlink(draft)
  }
}

/** By folder that cannot be written: the key of this process, which mints and takes only its own tokens. */
const unkept = new Map<string, Uint8Array>()

async function openKey(folder: string): Promise<Uint8Array> {
  const file = join(folder, 'sandbox-token.key')
  let key = unkept.get(folder) ?? (await readKey(file))
  if (key === undefined) {
    try {
      await makeKey(folder, file)
    } catch (error) {
      if (!isClosed(error)) throw error
      key = randomBytes(keyBytes)
      unkept.set(folder, key)
      return key
    }
    key = await readKey(file)
  }
  if (key === undefined) throw new Error(`${file} cannot be kept`)
  // A copied or unpacked folder may have lost the mode.
  if (!unkept.has(folder) && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600)
  return key
}

/** The key of the sandbox's tokens, for the processes that are to take the same ones; made if there is none. */
export async function readSandboxKey(folder = '.tessera'): Promise<string> {
  return Buffer.from(await openKey(folder)).toString('base64url')
}

/** Takes the key of another process that serves the same port. */
export function takeSandboxKey(key: string, folder = '.tessera'): void {
  unkept.set(folder, Buffer.from(key, 'base64url'))
}

/** Throws what was expected if the wish makes no sense. */
export async function mintSandboxToken(
  { scope = '', subject = 'demo', expires = '1h' }: TokenWish,
  { folder = '.tessera', now = Date.now }: SandboxTokenOptions = {},
): Promise<string> {
  const scopes = scopeFrom(scope)
  const issuedAt = Math.floor(now() / 1000)
  const expiresAt = issuedAt + secondsFrom(expires)
  return new SignJWT({ scope: scopes })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(await openKey(folder))
}

/** For the explorer page, whose tokens last an hour. */
export function mintForExplorer(options: SandboxTokenOptions = {}): MintToken {
  return async (scope) => ({
    token: await mintSandboxToken({ scope, subject: 'explorer', expires: '1h' }, options),
    expiresIn: 3_600,
  })
}

/** Accepts the tokens that are minted here, and no others; with any other header public fields stay open. */
export async function sandboxAuthenticator(
  aliases?: ScopeAliases,
  { folder = '.tessera', now = Date.now }: SandboxTokenOptions = {},
): Promise<Authenticator> {
  const secret = await openKey(folder)
  return allowPublicFields(
    explainOtherKeys(
      createAuthenticator({
        key: { kind: 'secret', secret },
        issuer,
        audience,
        algorithms: [algorithm],
        aliases,
        now,
      }),
    ),
  )
}

/**
 * Each folder has a key of its own, so a token that was made in another one has a wrong signature here. That error
 * says where to make one that is right. What the token says of itself is taken for the message alone.
 */
function explainOtherKeys(authenticator: Authenticator): Authenticator {
  const explained = (error: unknown, header: string | undefined): Identity => {
    if (!(error instanceof GraphQLError) || !isOtherSandboxs(error, header)) throw error
    const message =
      'The token was made with the key of another folder. Make one by `tessera token` in the folder in which this server was started: its key is in `.tessera` there.'
    throw tesseraError('UNAUTHENTICATED', message, {
      cause: error,
      extensions: { authentication: { reason: 'signature' } },
    })
  }
  return {
    authenticate(header) {
      try {
        const identity = authenticator.authenticate(header)
        return identity instanceof Promise
          ? identity.catch((error: unknown) => explained(error, header))
          : identity
      } catch (error) {
        return explained(error, header)
      }
    },
    close: () => authenticator.close(),
  }
}

function isOtherSandboxs(refusal: GraphQLError, header: string | undefined): boolean {
  const { authentication } = refusal.extensions as { authentication?: { reason?: unknown } }
  if (authentication?.reason !== 'signature') return false
  try {
    return decodeJwt(header?.slice(header.indexOf(' ') + 1) ?? '').iss === issuer
  } catch {
    return false
  }
}
