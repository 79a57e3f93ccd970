/** What a sandbox records: the journal of requests, the ledger of the video service, the writes and the uploads. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReceivedUpload } from '../stand-in.ts'
import type { JournalEntry, Ledger, WriteRecord } from './sandbox.ts'

type EntryAbout = Pick<JournalEntry, 'service' | 'operation' | 'path' | 'query' | 'body'>

export class Records {
  readonly journal: JournalEntry[] = []
  readonly ledger: Ledger = { units: 0, calls: {} }
  readonly writes: WriteRecord[] = []
  readonly uploads: ReceivedUpload[] = []
  readonly #keepsJournal: boolean
  #moment = 0

  constructor(keepsJournal: boolean) {
    this.#keepsJournal = keepsJournal
  }

  /** Makes an entry, and adds it to the journal if there is one. */
  enter(
    { method = 'GET', headers }: IncomingMessage,
    response: ServerResponse,
    about: EntryAbout,
  ): JournalEntry {
    const entry: JournalEntry = {
      ...about,
      ...{ method, headers, status: 0, units: 0, began: this.#moment, ended: undefined, answered: false },
    }
    if (!this.#keepsJournal) return entry
    this.#moment += 1
    this.journal.push(entry)
    response.once('close', () => {
      entry.ended = this.#moment
      entry.answered = response.writableFinished
      this.#moment += 1
    })
    return entry
  }

  charge(operation: string, units: number): void {
    this.ledger.units += units
    this.ledger.calls[operation] = (this.ledger.calls[operation] ?? 0) + 1
  }

  clear(): void {
    this.journal.length = 0
    this.writes.length = 0
    this.uploads.length = 0
    this.ledger.units = 0
    this.ledger.calls = {}
  }
}
