/** Statistics over lists of floats, with the rounding, the order and the NaN of Prometheus. */

/** Kahan's summation with Neumaier's correction. Infinities and NaN pass through. */
export function compensatedSum(values: readonly number[]): number {
  let sum = 0
  let correction = 0
  for (const value of values) {
    const next = sum + value
    if (!Number.isFinite(next)) correction = 0
    else if (Math.abs(sum) >= Math.abs(value)) correction += sum - next + value
    else correction += value - next + sum
    sum = next
  }
  return Number.isFinite(sum) ? sum + correction : sum
}

export function mean(values: readonly number[]): number {
  const sum = compensatedSum(values)
  if (Number.isFinite(sum) || values.some((value) => !Number.isFinite(value))) return sum / values.length
  // The sum overflowed, but the mean does not.
  return values.reduce((average, value, index) => average + (value / (index + 1) - average / (index + 1)), 0)
}

export function variance(values: readonly number[]): number {
  let average = 0
  let squares = 0
  for (const [index, value] of values.entries()) {
    const delta = value - average
    average += delta / (index + 1)
    squares += delta * (value - average)
  }
  return squares / values.length
}

/** Interpolates between neighbours. NaN sorts lowest. */
export function quantile(rank: number, values: readonly number[]): number {
  if (values.length === 0 || Number.isNaN(rank)) return Number.NaN
  if (rank < 0) return Number.NEGATIVE_INFINITY
  if (rank > 1) return Number.POSITIVE_INFINITY
  const sorted = [...values].sort((a, b) => (Number.isNaN(a) ? -1 : Number.isNaN(b) ? 1 : a - b))
  const position = rank * (sorted.length - 1)
  const lower = sorted[Math.max(0, Math.floor(position))] ?? Number.NaN
  const upper = sorted[Math.min(sorted.length - 1, Math.floor(position) + 1)] ?? Number.NaN
  const weight = position - Math.floor(position)
  return lower * (1 - weight) + upper * weight
}

/** NaN only if all values are NaN. */
function extreme(
  better: (candidate: number, best: number) => boolean,
): (values: readonly number[]) => number {
  return (values) =>
    values.reduce((best, value) => (better(value, best) || Number.isNaN(best) ? value : best), Number.NaN)
}
export const largest = extreme((candidate, best) => candidate > best)
export const smallest = extreme((candidate, best) => candidate < best)
