/**
 * Whether memory grows: a straight line through what was resident, by least squares, and how much it rises
 * from one end of the measured time to the other.
 */

export interface Sample {
  readonly seconds: number
  readonly mebibytes: number
}

export interface Trend {
  /** Mebibytes a minute. */
  readonly slope: number
  /** What the line rises over the whole time, in mebibytes. */
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
