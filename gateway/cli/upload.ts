/** `tessera upload FILE`: a video from a file, in parts, going on where it was interrupted. */
import { hash, randomUUID } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { readBoundedSync } from '../../contract/bounded-file.ts'
import { readConfig } from '../config/index.ts'
import { type Arguments, type Command, exitCodes, type Io, UsageError } from './command.ts'
import { mintSandboxToken } from './sandbox-token.ts'
import { isAllSandbox } from './services.ts'

const types: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.mkv': 'video/x-matroska',
  '.avi': 'video/x-msvideo',
}

const mutation = `mutation Upload($input: InsertVideoInput!) { insertVideo(input: $input) { upload { url expiresAt chunkSize } } }`

/** What is remembered of an upload under way, so that the same command goes on with it. */
interface Remembered {
  readonly url: string
  readonly expiresAt: string
  readonly chunkSize: number
}

/** So often in a row a part is tried before the upload is given up. */
const mostTries = 8
/** So often the upload's address is asked for. */
const mostBegins = 3

class UploadFailed extends Error {}

interface Job {
  readonly file: string
  readonly size: number
  readonly contentType: string
  readonly endpoint: string
  readonly token: string | undefined
  /** Where the upload under way is remembered. */
  readonly memory: string
}

/** The same request, so the same idempotency key: one whose answer was lost is not executed twice. */
async function sendAgain<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await send()
    } catch (error) {
      if (tries === mostBegins) throw error
      await wait(500 * tries)
    }
  }
}

async function begin(job: Job, args: Arguments): Promise<Remembered> {
  const tags = args.string('tags')
  const snippet = {
    title: args.string('title'),
    ...(args.string('description') === undefined ? {} : { description: args.string('description') }),
    ...(tags === undefined ? {} : { tags: tags.split(',').map((tag) => tag.trim()) }),
    ...(args.string('category') === undefined ? {} : { categoryId: args.string('category') }),
  }
  const input = {
    snippet,
    status: { privacyStatus: args.string('privacy') ?? 'private' },
    contentType: job.contentType,
    contentLength: String(job.size),
  }
  const key = `"${randomUUID()}"`
  const { body } = await sendAgain(() =>
    request(job.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(job.token === undefined ? {} : { authorization: `Bearer ${job.token}` }),
      },
      body: JSON.stringify({ query: mutation, variables: { input } }),
    }),
  ).catch(() => {
    throw new UploadFailed(`the gateway cannot be reached at ${job.endpoint}`)
  })
  const { data, errors } = (await body.json().catch(() => {
    throw new UploadFailed(`what answers at ${job.endpoint} is no graph: give its address by --url`)
  })) as {
    data?: { insertVideo?: { upload: Remembered } | null } | null
    errors?: readonly { message: string }[]
  }
  const upload = data?.insertVideo?.upload
  if (upload === undefined)
    throw new UploadFailed(errors?.map(({ message }) => message).join('; ') ?? 'no address was given')
  return upload
}

interface Answer {
  readonly status: number
  readonly range: string | undefined
  readonly text: string
}

async function put(
  job: Job,
  url: string,
  range: string,
  signal: AbortSignal,
  part?: { start: number; end: number },
): Promise<Answer> {
  const { statusCode, headers, body } = await request(url, {
    method: 'PUT',
    headers: {
      'content-type': job.contentType,
      'content-range': range,
      'content-length': String(part === undefined ? 0 : part.end - part.start + 1),
    },
    body: part === undefined ? null : createReadStream(job.file, part),
    signal,
  })
  const { range: arrived } = headers
  return {
    status: statusCode,
    range: typeof arrived === 'string' ? arrived : undefined,
    text: await body.text(),
  }
}

const arrivedBytes = (range: string | undefined): number =>
  Number(/^bytes=0-(\d+)$/.exec(range ?? '')?.[1] ?? -1) + 1

function problemIn(text: string): string {
  try {
    const { errors } = JSON.parse(text) as { errors?: readonly { message?: unknown }[] }
    return String(errors?.[0]?.message ?? 'no reason was given')
  } catch {
    return 'no reason was given'
  }
}

/** Sends what is missing; answers the video that the last part made. */
async function send(
  job: Job,
  { url, chunkSize }: Remembered,
  io: Io,
  signal: AbortSignal,
): Promise<{ id?: string; globalId?: string }> {
  let offset: number | undefined
  for (let tries = 0; ; ) {
    let answer: Answer | undefined
    try {
      if (offset === undefined) answer = await put(job, url, `bytes */${job.size}`, signal)
      else {
        const end = Math.min(offset + chunkSize, job.size) - 1
        answer = await put(job, url, `bytes ${offset}-${end}/${job.size}`, signal, { start: offset, end })
      }
    } catch (error) {
      if (signal.aborted) throw error
    }
    if (answer?.status === 201) return JSON.parse(answer.text)
    if (answer?.status === 308) {
      offset = arrivedBytes(answer.range)
      tries = 0
      progress(io, offset, job.size)
      continue
    }
    const passing = answer === undefined || [409, 416, 429, 500, 502, 503, 504].includes(answer.status)
    tries += 1
    if (!passing || tries > mostTries) {
      throw new UploadFailed(
        answer === undefined ? 'the connection breaks again and again' : problemIn(answer.text),
      )
    }
    offset = undefined
    await wait(Math.min(250 * 2 ** tries, 10_000), undefined, { signal })
  }
}

function progress(io: Io, done: number, total: number): void {
  if (!io.terminal) return
  const width = 30
  const filled = Math.floor((done / total) * width)
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
  io.out(
    `\r[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${megabytes(done)} of ${megabytes(total)} MB`,
  )
}

/** Of the file that remembers an upload: far more than an address and a time take. */
const mostRememberedBytes = 65_536

function remembered(memory: string): Remembered | undefined {
  if (!existsSync(memory)) return undefined
  try {
    const known = JSON.parse(readBoundedSync(memory, mostRememberedBytes).toString('utf8')) as Remembered
    const { url, expiresAt, chunkSize } = known
    const isSound = URL.canParse(url) && Number.isSafeInteger(chunkSize) && chunkSize > 0
    return isSound && Date.parse(expiresAt) > Date.now() ? known : undefined
  } catch {
    // Half written, or something else: the upload begins anew.
    return undefined
  }
}

/** Where this folder cannot be written, an interrupted upload begins anew. */
function remember(folder: string, memory: string, upload: Remembered): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(memory, JSON.stringify(upload), { mode: 0o600 })
  } catch {}
}

async function tokenFrom(args: Arguments, io: Io): Promise<string | undefined> {
  const given = args.string('token')
  if (given !== undefined) return given
  const { config } = readConfig(io.env)
  if (config === undefined || !isAllSandbox(config)) return undefined
  return mintSandboxToken({ scope: 'media.upload', expires: '1h' })
}

export const uploadCommand: Command = {
  name: 'upload',
  synopsis: 'FILE --title "…" [--description "…"] [--tags a,b] [--privacy private] [--url URL] [--token T]',
  operands: 1,
  options: {
    title: { type: 'string', value: '"…"', help: 'the title, 1 to 100 characters' },
    description: { type: 'string', value: '"…"', help: 'the description' },
    tags: { type: 'string', value: 'a,b', help: 'keywords' },
    category: { type: 'string', value: 'ID', help: "the category's id" },
    privacy: { type: 'string', value: 'P', help: 'public, unlisted or private; private unless said' },
    type: { type: 'string', value: 'T', help: "the file's type; by its ending unless said" },
    url: { type: 'string', value: 'URL', help: 'the graph; http://127.0.0.1:4000/graphql unless said' },
    token: {
      type: 'string',
      value: 'T',
      help: 'a token with media.upload; minted where everything is the sandbox',
    },
  },
  example: 'tessera upload walk.mp4 --title "A long walk" --privacy unlisted',

  async run(args, io) {
    const [path] = args.positionals
    if (path === undefined) throw new UsageError('name the file')
    if (args.string('title') === undefined) throw new UsageError('--title is missing')
    const file = resolve(path)
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats?.isFile() !== true || stats.size === 0) {
      io.err(`tessera upload: ${path} is no file with something in it\n`)
      return exitCodes.failed
    }
    const endpoint = args.string('url') ?? 'http://127.0.0.1:4000/graphql'
    if (!URL.canParse(endpoint) || !/^https?:/.test(endpoint))
      throw new UsageError(`--url expects the address of a graph, such as http://127.0.0.1:4000/graphql`)
    const key = hash(
      'sha256',
      JSON.stringify([endpoint, file, stats.size, stats.mtimeMs, args.string('title')]),
      'hex',
    )
    const folder = join('.tessera', 'uploads')
    const job: Job = {
      file,
      size: stats.size,
      contentType: args.string('type') ?? types[extname(file).toLowerCase()] ?? 'application/octet-stream',
      endpoint,
      token: await tokenFrom(args, io),
      memory: join(folder, `${key}.json`),
    }
    const controller = new AbortController()
    io.stopped().then(
      () => controller.abort(),
      () => {},
    )
    try {
      let upload = remembered(job.memory)
      if (upload === undefined) {
        upload = await begin(job, args)
        // The address lets its holder write: for this user's eyes alone.
        remember(folder, job.memory, upload)
      } else io.out('going on where the last run was interrupted\n')
      const video = await send(job, upload, io, controller.signal)
      rmSync(job.memory, { force: true })
      progress(io, job.size, job.size)
      io.out(`${io.terminal ? '\n' : ''}video ${video.id ?? ''}\nid    ${video.globalId ?? ''}\n`)
      return exitCodes.done
    } catch (error) {
      if (controller.signal.aborted) {
        io.err('\ntessera upload: interrupted; the same command goes on from here\n')
        return exitCodes.failed
      }
      if (!(error instanceof UploadFailed)) throw error
      rmSync(job.memory, { force: true })
      io.err(`tessera upload: ${error.message}\n`)
      return exitCodes.failed
    }
  },
}
