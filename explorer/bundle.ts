/**
 * The page as it was built: its HTML with the settings in it, and its files by name. A name that the build
 * did not make is no file, whatever it points to; each is sent in the smallest form that the browser takes.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acceptedEncoding } from '../gateway/server/compression.ts'

export interface Bundle {
  /** The page, with what it has to know. */
  html(settings: unknown): string
  /** Undefined if there is no such file. `accepted`: the request's `Accept-Encoding`. */
  file(name: string, accepted: string | undefined): Promise<BundleFile | undefined>
}

export interface BundleFile {
  readonly type: string
  readonly encoding: string | undefined
  readonly bytes: Buffer
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

const suffixes = { br: '.br', gzip: '.gz' } as const

/** Beside the sources, or beside what is built of them. */
const folders = ['../dist/explorer-page/', '../explorer-page/'].map((path) => new URL(path, import.meta.url))

const slot = /(<script type="application\/json" id="settings">)[^<]*(<\/script>)/

/** Undefined if the page has not been built. */
export function openBundle(among: readonly URL[] = folders): Bundle | undefined {
  const folder = among.find((each) => existsSync(new URL('index.html', each)))
  if (folder === undefined) return undefined
  const page = readFileSync(new URL('index.html', folder), 'utf8')
  const assets = new URL('assets/', folder)
  const names = new Set(readdirSync(fileURLToPath(assets)))
  return {
    html(settings) {
      // Nothing in the text can end the element that it stands in.
      const text = JSON.stringify(settings).replaceAll('<', '\\u003c')
      return page.replace(slot, (_, open: string, close: string) => `${open}${text}${close}`)
    },
    async file(name, accepted) {
      const type = types[extname(name)]
      if (type === undefined || !names.has(name)) return undefined
      const built = (['br', 'gzip'] as const).filter((each) => names.has(`${name}${suffixes[each]}`))
      const encoding = acceptedEncoding(accepted, built)
      const suffix = encoding === undefined ? '' : suffixes[encoding]
      // Undefined if it was built anew since: a page that was open then has to be loaded again.
      const bytes = await readFile(new URL(`${name}${suffix}`, assets)).catch(() => undefined)
      return bytes === undefined ? undefined : { type, encoding, bytes }
    },
  }
}
