/**
 * Whether memory grows: fits a straight line to the resident memory by least squares, and computes its rise over
 * the measured time.
 */

export interface Sample {
  readonly seconds: number
  readonly mebibytes: number
}

export interface Trend {
  /** Mebibytes per minute. */
  readonly slope: number
  /** The rise of the line over the whole time, in mebibytes. */
  readonly growth: number
  readonly mean: number
}

export function trendOf(samples: readonly Sample[]): Trend {
  const count = samples.length
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || count < 2) {
    return { slope: 0, growth: 0, mean: first?.mebibytes ?? 0 }
  }
  const meanX = samples.reduce((sum, { seconds }) => sum + seconds, 0) / count
  const mean = samples.reduce((sum, { mebibytes }) => sum + mebibytes, 0) / count
  let covariance = 0
  let variance = 0
  for (const { seconds, mebibytes } of samples) {
    covariance += (seconds - meanX) * (mebibytes - mean)
    variance += (seconds - meanX) ** 2
  }
  const perSecond = variance === 0 ? 0 : covariance / variance
  return { slope: perSecond * 60, growth: perSecond * (last.seconds - first.seconds), mean }
}
