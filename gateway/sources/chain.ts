/**
 * One text from a list of sources: the first valid one, or the last good copy on disk if there is none at a start.
 * Every text is checked before it is used. A refusal is kept for health and reported to listeners.
 */
import { hash } from 'node:crypto'
import { fileFault } from '../../shared/runtime/bounded-file.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { type CopyOwner, readCopy, writeCopy } from './copy.ts'
import { refused, type Source, SourceFailure } from './source.ts'

/** The result of asking a source. `copy` is the copy on disk. */
export interface SourceNote {
  readonly what: string
  readonly source: string
  readonly result: 'read' | 'unchanged' | 'failed' | 'refused' | 'written'
  readonly reason?: string | undefined
  /** Whether the previous result differed. */
  readonly isNews: boolean
}

interface SourceState {
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

interface Taken {
  readonly text: string
  /** The text is in use: it is stored for the next start. Never rejects. */
  serves(): Promise<void>
}

interface ChainOptions {
  readonly owner: CopyOwner
  readonly sources: readonly ChainSource[]
  /** Throws or rejects with an Error if the text is invalid. Left out if the user of the text checks it. */
  readonly check?: ((text: string) => unknown) | undefined
  /** The file for the last good text; none by default. */
  readonly copy: string | undefined
  /** A sentence for the fault of a source. */
  readonly sentence: (source: string, reason: string) => string
  readonly note: (note: SourceNote) => void
}

interface ChainSource extends Source {
  /** The SHA-256 that its text must have. */
  readonly pinned: string | undefined
}

const reasonCharacters = 500
export const copyName = 'copy'

export class Chain {
  readonly isPolled: boolean
  readonly #options: ChainOptions
  readonly #states = new Map<string, SourceState>()
  /** The digest of each source's text at the last read. */
  readonly #seen = new Map<string, string>()
  #served: Served | undefined
  /** The digests of the last text that was good, and of what the copy holds. */
  #checked: string | undefined
  #written: string | undefined

  constructor(options: ChainOptions) {
    this.#options = options
    this.isPolled = options.sources.some((source) => source.isPolled)
  }

  /** The current text. Throws an Error with all reasons, source by source. */
  async read(): Promise<Taken> {
    const { sources, copy } = this.#options
    const reasons: string[] = []
    for (const [at, source] of sources.entries()) {
      const found = await this.#ask(source, reasons)
      if (found === undefined) continue
      const { text, digest } = found
      this.#served = { digest, from: source.name, at }
      return { text, serves: () => this.#keep(text, digest) }
    }
    // A running gateway has a text already.
    const mayUseCopy = this.#served === undefined && copy !== undefined
    const kept = mayUseCopy ? await this.#askCopy(copy, reasons) : undefined
    if (kept !== undefined) return { text: kept, serves: async () => {} }
    throw new Error(reasons.join('; '))
  }

  /**
   * Another text than the last used one, if there is one. A text of a later source counts only if it has changed since
   * that source was first asked: a mirror that is behind must not take a graph back. Throws as `read` does.
   */
  async poll(): Promise<boolean> {
    const reasons: string[] = []
    for (const [at, source] of this.#options.sources.entries()) {
      if (!source.isPolled) continue
      const found = await this.#ask(source, reasons)
      if (found === undefined) continue
      const { digest, isNew, isFirst } = found
      const served = this.#served
      if (served?.digest === digest) {
        this.#served = { digest, from: source.name, at }
        return false
      }
      // Its earlier text was not used: it was behind then, and still is.
      if (served !== undefined && at > served.at && (isFirst || !isNew)) return false
      return true
    }
    throw new Error(reasons.join('; '))
  }

  state(): ChainState {
    return { from: this.#served?.from, sources: [...this.#states.values()] }
  }

  /** Undefined if it has no valid text; the reason is noted. */
  async #ask(source: ChainSource, reasons: string[]): Promise<Found | undefined> {
    const { name } = source
    try {
      const text = await source.read()
      const digest = hash('sha256', text)
      await this.#check(text, digest, [source.pinned])
      const isNew = this.#seen.get(name) !== digest
      const isFirst = !this.#seen.has(name)
      this.#seen.set(name, digest)
      this.#tell(name, isNew ? 'read' : 'unchanged')
      return { text, digest, isNew, isFirst }
    } catch (error) {
      reasons.push(this.#options.sentence(name, this.#failed(name, error)))
      return undefined
    }
  }

  async #askCopy(path: string, reasons: string[]): Promise<string | undefined> {
    const { owner, sources, sentence } = this.#options
    try {
      const text = await readCopy(path, owner)
      if (text === undefined) return undefined
      const digest = hash('sha256', text)
      const pins = sources.map(({ pinned }) => pinned)
      await this.#check(text, digest, pins)
      this.#tell(copyName, 'read')
      this.#written = digest
      this.#served = { digest, from: copyName, at: sources.length }
      return text
    } catch (error) {
      reasons.push(sentence(path, this.#failed(copyName, error)))
      return undefined
    }
  }

  /** Returns why a source has no text. Any other error is thrown on. */
  #failed(source: string, error: unknown): string {
    if (!(error instanceof SourceFailure)) throw error
    const reason = error.message.slice(0, reasonCharacters)
    this.#tell(source, error.result, reason)
    return reason
  }

  async #check(text: string, digest: string, pins: readonly (string | undefined)[]): Promise<void> {
    if (!pins.some((pin) => pin === undefined || pin === digest))
      throw refused('its SHA-256 differs from the configured one')
    if (this.#checked === digest) return
    try {
      await this.#options.check?.(text)
    } catch (error) {
      throw refused(messageOf(error).split('\n', 1)[0] ?? '')
    }
    this.#checked = digest
  }

  async #keep(text: string, digest: string): Promise<void> {
    const { copy, owner } = this.#options
    if (copy === undefined || this.#written === digest) return
    try {
      await writeCopy(copy, owner, text)
      this.#written = digest
      this.#tell(copyName, 'written')
    } catch (error) {
      this.#tell(copyName, 'failed', `it cannot be written: ${fileFault(error)}`)
    }
  }

  #tell(source: string, result: SourceNote['result'], reason?: string): void {
    const { owner, note } = this.#options
    const before = this.#states.get(source)
    const isNews = before?.result !== result || before.reason !== reason
    if (isNews) {
      const since = new Date().toISOString()
      this.#states.set(source, { source, result, since, ...(reason === undefined ? {} : { reason }) })
    }
    note({ what: owner.what, source, result, reason, isNews })
  }
}

/** The text that was taken last: its digest, the name of its source, and the source's place in the list. */
interface Served {
  readonly digest: string
  readonly from: string
  readonly at: number
}

interface Found {
  readonly text: string
  readonly digest: string
  /** Whether it differs from this source's earlier text, and whether it is its first. */
  readonly isNew: boolean
  readonly isFirst: boolean
}
