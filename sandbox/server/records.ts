/** What a sandbox records: the journal of requests, the ledger of the video service, and the writes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JournalEntry, Ledger, WriteRecord } from './sandbox.ts'

export interface Records {
  readonly journal: JournalEntry[]
  readonly ledger: Ledger
  readonly writes: WriteRecord[]
  /** Makes an entry, and adds it to the journal if there is one. */
  enter(request: IncomingMessage, response: ServerResponse, about: EntryAbout): JournalEntry
  charge(operation: string, units: number): void
  clear(): void
}

export type EntryAbout = Pick<JournalEntry, 'service' | 'operation' | 'path' | 'query' | 'body'>

export function createRecords(keepsJournal: boolean): Records {
  const journal: JournalEntry[] = []
  const ledger: Ledger = { units: 0, calls: {} }
  const writes: WriteRecord[] = []
  let moment = 0
  return {
    journal,
    ledger,
    writes,
    enter({ method = 'GET', headers }, response, about) {
      const entry: JournalEntry = {
        ...about,
        ...{ method, headers, status: 0, units: 0, began: moment, ended: undefined, answered: false },
      }
      if (!keepsJournal) return entry
      moment += 1
      journal.push(entry)
      response.once('close', () => {
        entry.ended = moment
        entry.answered = response.writableFinished
        moment += 1
      })
      return entry
    },
    charge(operation, units) {
      ledger.units += units
      ledger.calls[operation] = (ledger.calls[operation] ?? 0) + 1
    },
    clear() {
      journal.length = 0
      writes.length = 0
      ledger.units = 0
      ledger.calls = {}
    },
  }
}
