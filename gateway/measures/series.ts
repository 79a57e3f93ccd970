/**
 * What every request counts in. To count in prom-client amid a request costs several times what it costs in a
 * row, when its code and tables are at hand: so each series gathers, and hands over many at a time.
 */

/** How many durations a series gathers before it hands them over. */
const gathered = 64

export interface Series {
  add(value: number): void
}

export interface Gathering {
  /** Of a histogram's series. */
  durations(histogram: { observe(seconds: number): void }): Series
  /** Of a counter's series. */
  sum(counter: { inc(value: number): void }): Series
  /** All that is gathered; to be called before anybody reads. */
  handOver(): void
}

export function createGathering(): Gathering {
  const all: (() => void)[] = []
  return {
    durations(histogram) {
      const values = new Float64Array(gathered)
      let count = 0
      const handOver = (): void => {
        for (const value of values.subarray(0, count)) histogram.observe(value)
        count = 0
      }
      all.push(handOver)
      return {
        add(value) {
          values[count] = value
          count += 1
          if (count === gathered) handOver()
        },
      }
    },
    sum(counter) {
      let sum = 0
      all.push(() => {
        if (sum > 0) counter.inc(sum)
        sum = 0
      })
      return {
        add(value) {
          sum += value
        },
      }
    },
    handOver() {
      for (const each of all) each()
    },
  }
}

/** Series by the values of their labels, made when they are first asked for. */
export function seriesOf(make: (...values: string[]) => Series): (...values: readonly string[]) => Series {
  const root = new Labelled()
  return (...values) => {
    let at = root
    for (const value of values) {
      let next = at.next.get(value)
      if (next === undefined) {
        next = new Labelled()
        at.next.set(value, next)
      }
      at = next
    }
    at.series ??= make(...values)
    return at.series
  }
}

/** A label's value, or several in a row: their series, and the values that may come next. */
class Labelled {
  series: Series | undefined
  readonly next = new Map<string, Labelled>()
}
