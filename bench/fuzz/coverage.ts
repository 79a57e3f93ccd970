/**
 * What inputs reach, by V8's own coverage of blocks (`Profiler.takePreciseCoverage`). For each function that ran,
 * V8 lists the ranges that did not run. Something new was reached if less of a function is left than ever before.
 */
import { Session } from 'node:inspector'
import { pathToFileURL } from 'node:url'
import { filesOf } from './source-literals.ts'

/** Offsets in a file, the second one exclusive. */
type Range = readonly [start: number, end: number]

interface FunctionCoverage {
  readonly ranges: readonly {
    readonly startOffset: number
    readonly endOffset: number
    readonly count: number
  }[]
}
interface Taken {
  readonly result: readonly { readonly url: string; readonly functions: readonly FunctionCoverage[] }[]
}

/** What has run since the last time. */
export interface Reached {
  /** Whether it exceeds all coverage that was kept. */
  readonly isNew: boolean
  /** Keeps it, so that it is not new any more. */
  keep(): void
}

export interface Coverage {
  take(): Reached
  /** How many functions of the files have been called. */
  readonly functions: number
  close(): void
}

const length = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, [start, end]) => sum + end - start, 0)

/** The intersection of both. Each is sorted, and its ranges do not overlap. */
export function common(left: readonly Range[], right: readonly Range[]): readonly Range[] {
  const both: Range[] = []
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const [a, b] = [left[i] as Range, right[j] as Range]
    const [start, end] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])]
    if (start < end) both.push([start, end])
    if (a[1] < b[1]) i += 1
    else j += 1
  }
  return both
}

/** The ranges of a function that did not run. Inner ranges come after outer ones and override them. */
export function notRun({ ranges }: FunctionCoverage): readonly Range[] {
  const left: Range[] = []
  for (const { startOffset: start, endOffset: end, count } of ranges) {
    if (count === 0) {
      left.push([start, end])
      continue
    }
    for (let i = left.length - 1; i >= 0; i -= 1) {
      const [from, to] = left[i] as Range
      if (from < end && start < to)
        left.splice(
          i,
          1,
          ...(
            [
              [from, start],
              [end, to],
            ] as Range[]
          ).filter(([a, b]) => a < b),
        )
    }
  }
  return left.sort(([a], [b]) => a - b)
}

/**
 * It covers this thread, and files that are loaded later. Code that was compiled before counts as whole functions.
 */
export function startCoverage(paths: readonly string[]): Coverage {
  const urls = new Set(paths.flatMap(filesOf).map((file) => pathToFileURL(file).href))
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const missing = new Map<string, readonly Range[]>()

  function taken(): Taken['result'] {
    let all: Taken['result'] = []
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error
      all = result
    })
    return all
  }

  return {
    take() {
      const fresh = new Map<string, readonly Range[]>()
      for (const { url, functions } of taken()) {
        if (!urls.has(url)) continue
        for (const each of functions) {
          const [whole] = each.ranges
          if (whole === undefined || whole.count === 0) continue
          const key = `${url}:${whole.startOffset}-${whole.endOffset}`
          const before = missing.get(key)
          const left = before === undefined ? notRun(each) : common(before, notRun(each))
          if (before === undefined || length(left) < length(before)) fresh.set(key, left)
        }
      }
      return {
        isNew: fresh.size > 0,
        keep() {
          for (const [key, left] of fresh) missing.set(key, left)
        },
      }
    },
    get functions() {
      return missing.size
    },
    close() {
      session.disconnect()
    },
  }
}
