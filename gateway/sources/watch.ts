/** Reports the results of sources to log, metrics and health. */
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { type ChainState, copyName, type SourceNote } from './chain.ts'

export type SourcesState = Readonly<Record<string, ChainState>>

/** The most notes that wait for a log during a start. */
const mostWaiting = 100

export function createSourceWatch() {
  let waiting: SourceNote[] = []
  let tell: ((note: SourceNote) => void) | undefined
  return {
    note(note: SourceNote): void {
      if (tell !== undefined) tell(note)
      else if (waiting.length < mostWaiting) waiting.push(note)
    },
    /** From now on notes are sent there, earlier ones first. */
    attach(log: Logger, metrics: Pick<Metrics, 'sourceAsked'>): void {
      tell = (note) => {
        metrics.sourceAsked(note.what, note.source, note.result)
        if (note.isNews) write(log, note)
      }
      for (const note of waiting) tell(note)
      waiting = []
    },
  }
}

function write(log: Logger, { what, source, result, reason }: SourceNote): void {
  switch (result) {
    case 'failed':
    case 'refused':
      log.warn(
        { what, source, reason },
        result === 'failed' ? 'a source cannot be read' : 'a source is refused',
      )
      return
    case 'read':
      if (source === copyName)
        log.warn({ what }, 'no source can be read: the copy on disk is used until one can')
      else log.info({ what, source }, 'a source was read')
      return
    case 'unchanged':
      log.debug({ what, source }, 'a source is unchanged')
      return
    case 'written':
      log.info({ what }, 'the copy on disk was written')
  }
}
