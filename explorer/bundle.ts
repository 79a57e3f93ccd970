/**
 * The built page: its HTML with the settings, and its files by name. Only names that the build made are files. Each
 * file is sent in the smallest form that the browser accepts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acceptedEncoding } from '../gateway/server/compression.ts'
import type { PageSettings } from './settings.ts'

export interface Bundle {
  /** The page with these settings in it. */
  html(settings: PageSettings): string
  /** Undefined if there is no such file. `accepted` is the request's `Accept-Encoding`. */
  file(name: string, accepted: string | undefined): Promise<BundleFile | undefined>
}

interface BundleFile {
  readonly type: string
  readonly encoding: string | undefined
  readonly bytes: Buffer
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const suffixes = { br: '.br', gzip: '.gz' } as const

const built = new URL('../dist/explorer-page/', import.meta.url)

const slot = /(<script type="application\/json" id="settings">)[^<]*(<\/script>)/

/** Undefined if the page has not been built. */
export function openBundle(folder = built): Bundle | undefined {
  if (!existsSync(new URL('index.html', folder))) return undefined
  const page = readFileSync(new URL('index.html', folder), 'utf8')
  const assets = new URL('assets/', folder)
  const names = new Set(readdirSync(fileURLToPath(assets)))
  return {
    html(settings) {
      // `<` is escaped, so that the text cannot end the element that contains it.
      const text = JSON.stringify(settings).replaceAll('<', '\\u003c')
      return page.replace(slot, (_, open: string, close: string) => `${open}${text}${close}`)
    },
    async file(name, accepted) {
      const type = types[extname(name)]
      if (type === undefined || !names.has(name)) return undefined
      const built = (['br', 'gzip'] as const).filter((each) => names.has(`${name}${suffixes[each]}`))
      const encoding = acceptedEncoding(accepted, built)
      const suffix = encoding === undefined ? '' : suffixes[encoding]
      // Undefined if the page was rebuilt since then. A page that is still open must be reloaded.
      const bytes = await readFile(new URL(`${name}${suffix}`, assets)).catch(() => undefined)
      return bytes === undefined ? undefined : { type, encoding, bytes }
    },
  }
}
