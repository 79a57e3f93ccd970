/**
 * Metrics as OpenMetrics 1.0 text, which has exemplars: a trace for a value that was counted. `prom-client` writes it
 * as well, but changes the names of its metrics as it does, so that the next scrape in Prometheus' format has others.
 */

/** What scrapers ask for it by. */
export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** One observation that stands for others. */
export interface Exemplar {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  /** Seconds since 1970. */
  readonly time: number
}

/** A metric as a registry gives it. */
export interface ReadMetric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly values: readonly {
    readonly metricName?: string | undefined
    readonly labels: Readonly<Record<string, string | number>>
    readonly value: number
    /** Null where none was given so far. */
    readonly exemplar?: Exemplar | null | undefined
  }[]
}

export function openMetricsText(metrics: readonly ReadMetric[]): string {
  const lines: string[] = []
  for (const { name, help, type, values } of metrics) {
    const isCounter = type === 'counter'
    const family = isCounter ? name.replace(/_total$/, '') : name
    lines.push(`# TYPE ${family} ${type}`, `# HELP ${family} ${escaped(help)}`)
    for (const { metricName = name, labels, value, exemplar } of values) {
      const sample = isCounter ? `${family}_total` : metricName
      const line = `${sample}${labelText(labels)} ${numberText(value)}`
      lines.push(exemplar === undefined || exemplar === null ? line : `${line} ${exemplarText(exemplar)}`)
    }
  }
  return `${lines.join('\n')}\n# EOF\n`
}

const exemplarText = ({ labels, value, time }: Exemplar): string =>
  `# ${labelText(labels) || '{}'} ${numberText(value)} ${time.toFixed(3)}`

function labelText(labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(bucketText(name, value))}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** OpenMetrics writes bounds as floating point numbers: `1.0`. */
const bucketText = (name: string, value: string | number): string =>
  name === 'le' && typeof value === 'number' && Number.isInteger(value) ? `${value}.0` : String(value)

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const numberText = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
