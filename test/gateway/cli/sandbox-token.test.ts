import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../gateway/auth/authenticate/index.ts'
import { secondsFrom } from '../../../gateway/auth/sandbox-tokens.ts'
import { mintSandboxToken, sandboxAuthenticator } from '../../../gateway/cli/sandbox-token.ts'
import { command, type RunningProcess, startProcess } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const keyFolder = () => ({ folder: join(temporaryFolder(), '.tessera') })

describe('a token of the sandbox', () => {
  it('carries the scopes and the subject that were asked for, and is taken by the same server', async () => {
    const at = keyFolder()
    const token = await mintSandboxToken({ scope: ' tweet.read  users.read tweet.read', subject: 'ada' }, at)
    const identity = await (await sandboxAuthenticator(undefined, at)).authenticate(`Bearer ${token}`)
    expect(identity).toMatchObject({ subject: 'ada', claims: { scope: 'tweet.read users.read' } })
    expect([...identity.scopes]).toEqual(['tweet.read', 'users.read'])
  })

  it('stands for scopes through aliases', async () => {
    const at = keyFolder()
    const token = await mintSandboxToken({ scope: 'all' }, at)
    const { scopes } = await (await sandboxAuthenticator({ all: ['a', 'b'] }, at)).authenticate(
      `Bearer ${token}`,
    )
    expect([...scopes]).toEqual(['all', 'a', 'b'])
  })

  it('expires at the requested time', async () => {
    const at = keyFolder()
    let ms = 1_767_225_600_000
    const options = { folder: at.folder, now: () => ms }
    const header = `Bearer ${await mintSandboxToken({ expires: '30m' }, options)}`
    const on = await sandboxAuthenticator(undefined, options)
    ms += 1_799_000
    expect((await on.authenticate(header)).authenticated).toBe(true)
    ms += 1_000
    expect(await on.authenticate(header)).toMatchObject({
      authenticated: false,
      tokenFault: { message: expect.stringMatching(/expired/) },
    })
  })

  it('is refused by a server with another key, and so is a token of another issuer', async () => {
    const here = keyFolder()
    const there = keyFolder()
    const token = await mintSandboxToken({ scope: 'a' }, here)
    const other = await sandboxAuthenticator(undefined, there)
    expect(await other.authenticate(`Bearer ${token}`)).toMatchObject({
      authenticated: false,
      tokenFault: {
        message: expect.stringMatching(/key of another folder.*`tessera token` in the folder/),
        extensions: { code: 'UNAUTHENTICATED', authentication: { reason: 'signature' } },
      },
    })
    const forged = `${token.slice(0, -4)}AAAA`
    expect(
      await (await sandboxAuthenticator(undefined, here)).authenticate(`Bearer ${forged}`),
    ).toMatchObject({ authenticated: false })
    const stranger = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
    expect(await other.authenticate(`Bearer ${stranger}`)).toMatchObject({
      tokenFault: { message: "The token's signature is wrong." },
    })
    const configured = createAuthenticator({ key: { kind: 'secret', secret: 'x'.repeat(32) } })
    await expect(configured.authenticate(`Bearer ${token}`)).rejects.toMatchObject({
      extensions: { code: 'UNAUTHENTICATED' },
    })
  })

  it.each(['a"b', 'a\\b', 'é'])('is not made for an invalid scope: %s', async (scope) => {
    const at = keyFolder()
    await expect(mintSandboxToken({ scope }, at)).rejects.toThrow(/expected scopes/)
  })
})

describe('its key', () => {
  it('is made once, kept between starts, and readable by its owner only', async () => {
    const at = keyFolder()
    const token = await mintSandboxToken({}, at)
    const [file, ...others] = await readdir(at.folder)
    expect(others).toEqual([])
    const path = join(at.folder, file as string)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const before = await readFile(path, 'utf8')
    const on = await sandboxAuthenticator(undefined, at)
    expect((await on.authenticate(`Bearer ${token}`)).authenticated).toBe(true)
    expect(await readFile(path, 'utf8')).toBe(before)
  })

  it('is the same for all who start at the same time', async () => {
    const at = keyFolder()
    const tokens = await Promise.all(Array.from({ length: 12 }, () => mintSandboxToken({}, at)))
    const on = await sandboxAuthenticator(undefined, at)
    for (const token of tokens) expect((await on.authenticate(`Bearer ${token}`)).authenticated).toBe(true)
    expect(await readdir(at.folder)).toHaveLength(1)
  })

  it('is not read from a file that contains none', async () => {
    const at = keyFolder()
    await mintSandboxToken({}, at)
    const [file] = await readdir(at.folder)
    await writeFile(join(at.folder, file as string), 'short\n')
    await expect(sandboxAuthenticator(undefined, at)).rejects.toThrow(/does not contain a key/)
  })
})

it('its key is named if it cannot be read, as one of another user', async () => {
  const at = keyFolder()
  await mkdir(join(at.folder, 'sandbox-token.key'), { recursive: true })
  await expect(sandboxAuthenticator(undefined, at)).rejects.toThrow(
    /sandbox-token\.key cannot be read: it is a folder/,
  )
})

describe('if no file can be written', () => {
  /** Runs the command with files of no bytes alone, as on a full disk. */
  const onFullDisk = (cwd: string, args: readonly string[]): RunningProcess =>
    startProcess(
      'sh',
      ['-c', `trap '' XFSZ; ulimit -f 0; exec "$@"`, 'sh', process.execPath, ...command, ...args],
      { cwd, env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
    )

  it('a server starts with a key of its own', async () => {
    await using server = onFullDisk(temporaryFolder(), ['serve', '--port', '0'])
    expect((await fetch(await server.said('health'))).status).toBe(200)
  })

  it('no token is printed, and nothing is left behind', async () => {
    const cwd = temporaryFolder()
    await using token = onFullDisk(cwd, ['token', '--scope', 'tweet.read'])
    expect(await token.ended).toBe(1)
    expect(token.output()).toMatch(/^tessera token: the key of the sandbox cannot be kept in \.tessera/)
    expect(await readdir(join(cwd, '.tessera'))).toEqual([])
  })
})

describe('how long it lasts', () => {
  it.each([
    ['45s', 45],
    ['30m', 1_800],
    ['1h', 3_600],
    ['7d', 604_800],
  ] as const)('%s', (text, seconds) => {
    expect(secondsFrom(text)).toBe(seconds)
  })

  it.each(['', '1', 'h', '0h', '-1h', '1.5h', '1w', '1h30m', '9999d', '1e3s'])(
    'is not read from %j',
    (text) => {
      expect(() => secondsFrom(text)).toThrow(/expected a time such as/)
    },
  )
})
