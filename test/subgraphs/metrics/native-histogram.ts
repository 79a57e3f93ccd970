/**
 * One native histogram in the protobuf exposition format, the only one in which Prometheus scrapes them:
 * `io.prometheus.client.MetricFamily`, delimited. Schema 0 (bounds are powers of two), a zero bucket, and
 * one span of positive and one of negative buckets from index 0 on.
 */

export const exposition =
  'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited'

export interface NativeHistogram {
  readonly name: string
  readonly sum: number
  readonly zeroThreshold: number
  readonly zeroCount: number
  /** Counts of the buckets (1/2, 1], (1, 2], (2, 4] … */
  readonly positive: readonly number[]
  /** Counts of the buckets [-1, -1/2), [-2, -1) … */
  readonly negative: readonly number[]
}

export function encodeNativeHistogram(histogram: NativeHistogram): Buffer {
  const { name, sum, zeroThreshold, zeroCount, positive, negative } = histogram
  const total = [zeroCount, ...positive, ...negative].reduce((all, count) => all + count, 0)
  const message = Buffer.concat([
    varintField(1, total),
    doubleField(2, sum),
    varintField(5, zigzag(0)),
    doubleField(6, zeroThreshold),
    varintField(7, zeroCount),
    ...buckets(9, 10, negative),
    ...buckets(12, 13, positive),
  ])
  const family = Buffer.concat([
    bytesField(1, Buffer.from(name)),
    bytesField(2, Buffer.from('A native histogram.')),
    varintField(3, 4),
    bytesField(4, bytesField(7, message)),
  ])
  return Buffer.concat([varint(family.length), family])
}

/** One span from index 0 on, and the counts as differences from bucket to bucket. */
function buckets(spanField: number, deltaField: number, counts: readonly number[]): Buffer[] {
  const span = bytesField(
    spanField,
    Buffer.concat([varintField(1, zigzag(0)), varintField(2, counts.length)]),
  )
  const deltas = counts.map((count, i) => varintField(deltaField, zigzag(count - (counts[i - 1] ?? 0))))
  return [span, ...deltas]
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

function varintField(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)])
}

function doubleField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return Buffer.concat([varint(field * 8 + 1), bytes])
}

function bytesField(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(value.length), value])
}
