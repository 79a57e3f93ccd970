/**
 * Tokens that the gateway makes itself, for a server whose services are all the sandbox.
 *
 * The key is random, made at first use, and kept in a folder that is not checked in and readable only by its owner.
 * So tokens survive a restart and are invalid anywhere else. The caller must make sure that all services are the
 * sandbox.
 */
import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { MintToken } from '../../explorer/index.ts'
import { fileFault, readBounded } from '../../shared/runtime/bounded-file.ts'
import { systemCodeOf } from '../../shared/runtime/thrown.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import type { ScopeAliases } from '../auth/authenticate/scopes.ts'
import { createSandboxAuthenticator, signSandboxToken, type TokenOptions } from '../auth/sandbox-tokens.ts'
import { CommandError } from './command.ts'

const keyBytes = 32

interface SandboxTokenOptions {
  /** The folder of the key. */
  readonly folder?: string
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** The bound of the file, which has one line. */
const mostKeyBytes = 4096

async function readKey(file: string): Promise<Uint8Array | undefined> {
  let text: string
  try {
    text = (await readBounded(file, mostKeyBytes)).toString('utf8')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined
    throw new CommandError(`${file} cannot be read: ${fileFault(error)}`)
  }
  const key = Buffer.from(text.trim(), 'base64url')
  if (key.length < keyBytes)
    throw new CommandError(`${file} does not contain a key: delete it, and a new one is made`)
  return key
}

/**
 * Writes the complete key under another name first, so that several processes that start at the same time read the
 * same key.
 */
async function makeKey(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    try {
      await handle.writeFile(`${randomBytes(keyBytes).toString('base64url')}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await link(draft, file)
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
}

/**
 * The errors of a write if no file can be made, as on a read-only file system or a full disk. A recursive
 * `mkdir` on a read-only file system fails with ENOENT.
 */
const unwritable = ['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOSPC', 'EDQUOT', 'EFBIG']

/** Keys of this process by folders that cannot be written. It accepts only tokens that it made itself. */
const unkept = new Map<string, Uint8Array>()

async function openKey(folder: string): Promise<Uint8Array> {
  const file = join(folder, 'sandbox-token.key')
  let key = unkept.get(folder) ?? (await readKey(file))
  if (key === undefined) {
    try {
      await makeKey(folder, file)
    } catch (error) {
      if (!unwritable.includes(systemCodeOf(error) ?? '')) throw error
      key = randomBytes(keyBytes)
      unkept.set(folder, key)
      return key
    }
    key = await readKey(file)
  }
  if (key === undefined) throw new Error(`${file} cannot be stored`)
  // A copied or unpacked folder may have lost its mode.
  if (!unkept.has(folder) && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600)
  return key
}

/** The key of the sandbox's tokens, for processes that accept the same tokens. It is made if there is none. */
export async function readSandboxKey(folder = '.tessera'): Promise<string> {
  return Buffer.from(await openKey(folder)).toString('base64url')
}

/** Uses the key of another process that serves the same port. */
export function takeSandboxKey(key: string, folder = '.tessera'): void {
  unkept.set(folder, Buffer.from(key, 'base64url'))
}

/** Whether other processes that are started in this folder have the key, too. */
export const isSandboxKeyKept = (folder = '.tessera'): boolean => !unkept.has(folder)

/** Throws an Error that says what was expected if the request is invalid. */
export async function mintSandboxToken(
  options: TokenOptions,
  { folder = '.tessera', now = Date.now }: SandboxTokenOptions = {},
): Promise<string> {
  return signSandboxToken(options, await openKey(folder), now)
}

/** For the explorer page, whose tokens are valid for an hour. */
export function mintForExplorer(options: SandboxTokenOptions = {}): MintToken {
  return async (scope) => ({
    token: await mintSandboxToken({ scope, subject: 'explorer', expires: '1h' }, options),
    expiresIn: 3_600,
  })
}

/** Accepts only the tokens that are minted here. With any other header, public fields stay available. */
export async function sandboxAuthenticator(
  aliases?: ScopeAliases,
  { folder = '.tessera', now = Date.now }: SandboxTokenOptions = {},
): Promise<Authenticator> {
  return createSandboxAuthenticator(await openKey(folder), aliases, now)
}
