/**
 * One text from a list of sources: the first valid one, or the last good copy on disk if there is none at a start.
 * Every text is checked before it is used. A refusal is kept for health and reported to listeners.
 */
import { hash } from 'node:crypto'
import { fileFault } from '../../shared/runtime/bounded-file.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { type CopyOwner, readCopy, writeCopy } from './copy.ts'
import { refused, SourceFailure } from './failure.ts'
import type { Source } from './source.ts'

/** The result of asking a source. `copy` is the copy on disk. */
export interface SourceNote {
  readonly what: string
  readonly source: string
  readonly result: 'read' | 'unchanged' | 'failed' | 'refused' | 'written'
  readonly reason?: string | undefined
  /** Whether the previous result differed. */
  readonly isNews: boolean
}

export interface SourceState {
  readonly source: string
  readonly result: SourceNote['result']
  /** When this result first occurred. */
  readonly since: string
  readonly reason?: string
}

export interface ChainState {
  /** The source of the last used text. */
  readonly from: string | undefined
  /** The sources that were asked. */
  readonly sources: readonly SourceState[]
}

export interface Taken {
  readonly text: string
  /** The text is in use: it is stored for the next start. Never rejects. */
  serves(): Promise<void>
}

export interface Chain {
  /** The current text. Throws an Error with all reasons, source by source. */
  read(): Promise<Taken>
  /**
   * Another text than the last used one, if there is one. A text of a later source counts only if it has changed since
   * that source was first asked: a mirror that is behind must not take a graph back. Throws as `read` does.
   */
  poll(): Promise<boolean>
  readonly isPolled: boolean
  state(): ChainState
}

export interface ChainOptions {
  readonly owner: CopyOwner
  readonly sources: readonly ChainSource[]
  /** Throws an Error if the text is invalid. Left out if the user of the text checks it. */
  readonly check?: ((text: string) => void) | undefined
  /** The file for the last good text; none by default. */
  readonly copy: string | undefined
  /** A sentence for the fault of a source. */
  readonly sentence: (source: string, reason: string) => string
  readonly note: (note: SourceNote) => void
}

export interface ChainSource extends Source {
  /** The SHA-256 that its text must have. */
  readonly pinned: string | undefined
}

const reasonCharacters = 500
const copyName = 'copy'

export function createChain(options: ChainOptions): Chain {
  const { owner, sources, copy, note, sentence } = options
  const states = new Map<string, SourceState>()
  /** The digest of each source's text at the last read. */
  const seen = new Map<string, string>()
  let served: { readonly digest: string; readonly from: string; readonly at: number } | undefined
  let checked: string | undefined
  let written: string | undefined

  const tell = (source: string, result: SourceNote['result'], reason?: string): void => {
    const before = states.get(source)
    const isNews = before?.result !== result || before.reason !== reason
    if (isNews) {
      const since = new Date().toISOString()
      states.set(source, { source, result, since, ...(reason === undefined ? {} : { reason }) })
    }
    note({ what: owner.what, source, result, reason, isNews })
  }

  const check = (text: string, digest: string, pins: readonly (string | undefined)[]): void => {
    if (!pins.some((pin) => pin === undefined || pin === digest))
      throw refused('it has another SHA-256 than the configuration says')
    if (checked === digest) return
    try {
      options.check?.(text)
    } catch (error) {
      throw refused(messageOf(error).split('\n', 1)[0] ?? '')
    }
    checked = digest
  }

  /** Undefined if it has no valid text; the reason is noted. */
  async function askSource(source: ChainSource, reasons: string[]): Promise<Found | undefined> {
    const { name } = source
    try {
      const text = await source.read()
      const digest = hash('sha256', text)
      check(text, digest, [source.pinned])
      const isNew = seen.get(name) !== digest
      const isFirst = !seen.has(name)
      seen.set(name, digest)
      tell(name, isNew ? 'read' : 'unchanged')
      return { text, digest, isNew, isFirst }
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error
      const reason = error.message.slice(0, reasonCharacters)
      tell(name, error.result, reason)
      reasons.push(sentence(name, reason))
      return undefined
    }
  }

  async function askCopy(path: string, reasons: string[]): Promise<string | undefined> {
    try {
      const text = await readCopy(path, owner)
      if (text === undefined) return undefined
      const digest = hash('sha256', text)
      const pins = sources.map(({ pinned }) => pinned)
      check(text, digest, pins)
      tell(copyName, 'read')
      written = digest
      served = { digest, from: copyName, at: sources.length }
      return text
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error
      tell(copyName, error.result, error.message)
      reasons.push(sentence(path, error.message))
      return undefined
    }
  }

  async function keep(text: string, digest: string): Promise<void> {
    if (copy === undefined || written === digest) return
    try {
      await writeCopy(copy, owner, text)
      written = digest
      tell(copyName, 'written')
    } catch (error) {
      tell(copyName, 'failed', `it cannot be written: ${fileFault(error)}`)
    }
  }

  return {
    async read() {
      const reasons: string[] = []
      for (const [at, source] of sources.entries()) {
        const found = await askSource(source, reasons)
        if (found === undefined) continue
        const { text, digest } = found
        served = { digest, from: source.name, at }
        return { text, serves: () => keep(text, digest) }
      }
      // A running gateway has a text already.
      const kept = served === undefined && copy !== undefined ? await askCopy(copy, reasons) : undefined
      if (kept !== undefined) return { text: kept, serves: async () => {} }
      throw new Error(reasons.join('; '))
    },

    async poll() {
      const reasons: string[] = []
      for (const [at, source] of sources.entries()) {
        if (!source.isPolled) continue
        const found = await askSource(source, reasons)
        if (found === undefined) continue
        const { digest, isNew, isFirst } = found
        if (served?.digest === digest) {
          served = { digest, from: source.name, at }
          return false
        }
        // Its earlier text was not used: it was behind then, and still is.
        if (served !== undefined && at > served.at && (isFirst || !isNew)) return false
        return true
      }
      throw new Error(reasons.join('; '))
    },

    isPolled: sources.some((source) => source.isPolled),
    state: () => ({ from: served?.from, sources: [...states.values()] }),
  }
}

interface Found {
  readonly text: string
  readonly digest: string
  /** Whether it differs from this source's earlier text, and whether it is its first. */
  readonly isNew: boolean
  readonly isFirst: boolean
}
