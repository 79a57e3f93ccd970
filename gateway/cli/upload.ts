/** `tessera upload FILE`: uploads a video from a file in parts, and can continue after an interruption. */
import { hash, randomUUID } from 'node:crypto'
import { closeSync, openSync, statSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sendOnce } from '../../shared/http/client.ts'
import { completeResponse } from '../../shared/http/failure-reason.ts'
import { parsedJson } from '../../shared/json/parse-json.ts'
import { fileFault } from '../../shared/runtime/bounded-file.ts'
import { counted } from '../../shared/runtime/counted.ts'
import { isAllSandbox, readConfig } from '../config/index.ts'
import {
  type Arguments,
  type Command,
  CommandError,
  exitCodes,
  type Io,
  orFail,
  UsageError,
} from './command.ts'
import { mintSandboxToken } from './sandbox-token.ts'
import { forget, recall, remember, type UnderWay } from './upload-memory.ts'
import { type FileToSend, sendParts, UploadFailed } from './upload-parts.ts'

const types: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.mkv': 'video/x-matroska',
  '.avi': 'video/x-msvideo',
}

const mutation = `mutation Upload($input: InsertVideoInput!) { insertVideo(input: $input) { upload { url expiresAt chunkSize } } }`

/** How often an upload address is requested. */
const mostBegins = 3

/** How long the graph may take to return the address. */
const answerMs = 300_000
const mostAnswerBytes = 4 * 1024 * 1024

interface Job extends FileToSend {
  readonly endpoint: string
  readonly token: string | undefined
  /** The file that remembers the upload. */
  readonly memory: string
}

/**
 * Sends the same request with the same idempotency key, so that it is not executed twice if its response was lost.
 */
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

async function begin(job: Job, args: Arguments): Promise<UnderWay> {
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
  const { body } = await sendAgain(async () => {
    const headers = ['content-type', 'application/json', 'idempotency-key', key]
    if (job.token !== undefined) headers.push('authorization', `Bearer ${job.token}`)
    const question = JSON.stringify({ query: mutation, variables: { input } })
    return completeResponse(
      await sendOnce(
        job.endpoint,
        { method: 'POST', headers, body: question, maxBytes: mostAnswerBytes },
        answerMs,
      ),
    )
  }).catch(() => {
    throw new UploadFailed(`the gateway cannot be reached at ${job.endpoint}`)
  })
  const answer = parsedJson(body) as BeginAnswer | undefined
  if (answer === undefined)
    throw new UploadFailed(`the server at ${job.endpoint} is not a graph: name its address with --url`)
  const { data, errors } = answer
  const upload = data?.insertVideo?.upload
  if (upload === undefined)
    throw new UploadFailed(errors?.map(({ message }) => message).join('; ') ?? 'no address was given')
  return upload
}

interface BeginAnswer {
  readonly data?: { readonly insertVideo?: { readonly upload: UnderWay } | null } | null
  readonly errors?: readonly { readonly message: string }[]
}

async function tokenFrom(args: Arguments, io: Io): Promise<string | undefined> {
  const given = args.string('token')
  if (given !== undefined) return given
  const { config } = readConfig(io.env)
  if (config === undefined || !isAllSandbox(config)) return undefined
  return mintSandboxToken({ scope: 'media.upload', expires: '1h' })
}

export const uploadCommand: Command = {
  synopsis:
    'FILE --title "…" [--description "…"] [--tags a,b] [--privacy private] [--url URL] [--token T] [--again]',
  operands: 1,
  options: {
    title: { value: '"…"', help: 'the title, 1 to 100 characters' },
    description: { value: '"…"', help: 'the description' },
    tags: { value: 'a,b', help: 'keywords' },
    category: { value: 'ID', help: "the category's id" },
    privacy: { value: 'P', help: 'public, unlisted or private; private by default' },
    type: { value: 'T', help: "the file's type; by its ending by default" },
    url: { value: 'URL', help: 'the graph; http://127.0.0.1:4000/graphql by default' },
    token: {
      value: 'T',
      help: 'a token with media.upload; made by the command if every service is the sandbox',
    },
    again: { help: 'upload it again although this command has already uploaded it' },
  },
  example: 'tessera upload walk.mp4 --title "A long walk" --privacy unlisted',

  async run(args, io) {
    const [path] = args.positionals
    if (path === undefined) throw new UsageError('name the file')
    if (args.string('title') === undefined) throw new UsageError('--title is missing')
    const file = resolve(path)
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats?.isFile() !== true || stats.size === 0)
      throw new CommandError(`${path} is not a file with content`)
    // The address costs units, so it is not asked for before the file can be read.
    orFail(
      () => closeSync(openSync(file, 'r')),
      (error) => `${file} cannot be read: ${fileFault(error)}`,
    )
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
      mtimeMs: stats.mtimeMs,
      contentType: args.string('type') ?? types[extname(file).toLowerCase()] ?? 'application/octet-stream',
      endpoint,
      token: await tokenFrom(args, io),
      memory: join(folder, `${key}.json`),
    }
    const controller = new AbortController()
    void io.stopped().then(() => controller.abort())
    try {
      return await upload(job, args, io, controller.signal)
    } catch (error) {
      if (controller.signal.aborted) {
        io.err('\ntessera upload: interrupted; the same command continues from here\n')
        return exitCodes.failed
      }
      if (!(error instanceof UploadFailed)) throw error
      if (error.isFinal) forget(job.memory)
      io.err(`${io.terminal ? '\n' : ''}tessera upload: ${error.message}\n`)
      return exitCodes.failed
    }
  },
}

async function upload(job: Job, args: Arguments, io: Io, signal: AbortSignal): Promise<number> {
  const known = args.flag('again') ? undefined : recall(job.memory)
  if (known !== undefined && 'videoId' in known) {
    io.out(`it is already uploaded; --again uploads it again\nvideo ${known.videoId}\nid    ${known.id}\n`)
    return exitCodes.done
  }
  let underWay = known
  if (underWay === undefined) {
    underWay = await begin(job, args)
    // Everybody who knows the address can write, so only this user may read the file.
    remember(job.memory, underWay)
  } else io.out('continuing where the last run was interrupted\n')
  const { url, expiresAt, chunkSize } = underWay
  const video = await sendParts(job, underWay, {
    signal,
    progress: progressTo(io),
    // From here on, only a response tells whether the video exists.
    lastPart: () => remember(job.memory, { url, expiresAt, chunkSize, isLastSent: true }),
    isLastSent: underWay.isLastSent === true,
  })
  const { id: videoId = '', globalId: id = '' } = video
  remember(job.memory, { videoId, id })
  io.out(`${io.terminal ? '\n' : ''}uploaded ${counted(job.size, 'byte')}\nvideo ${videoId}\nid    ${id}\n`)
  return exitCodes.done
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

/** Shows a bar at a terminal, and otherwise a line for each tenth. */
function progressTo(io: Io): (done: number, total: number) => void {
  const width = 30
  let said = -1
  return (done, total) => {
    const share = done / total
    const text = `${megabytes(done)} of ${megabytes(total)} MB`
    if (io.terminal) {
      const filled = Math.floor(share * width)
      io.out(`\r[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${text}`)
      return
    }
    const tenth = Math.floor(share * 10)
    if (tenth === said) return
    said = tenth
    io.out(`${text} (${Math.floor(share * 100)} %)\n`)
  }
}
