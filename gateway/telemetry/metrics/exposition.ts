/**
 * Metrics as text for scraping: in Prometheus' own format, and as OpenMetrics 1.0, which has exemplars (a trace for a
 * counted value). `prom-client` changes the names of its metrics when it writes OpenMetrics, so that the next scrape in
 * the first format has other names.
 */

/** The media type by which scrapers request OpenMetrics. */
export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8'

/** One observation that represents others. */
export interface Exemplar {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  /** Seconds since 1970. */
  readonly time: number
}

/** One line of a scrape. */
export interface Sample {
  /** By default that of the metric; a histogram has several. */
  readonly metricName?: string | undefined
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** Null if there is none yet. */
  readonly exemplar?: Exemplar | null | undefined
}

export interface ReadMetric {
  readonly name: string
  readonly help: string
  readonly type: string
  /** How the metric is combined over several processes. */
  readonly aggregator: string
  readonly values: readonly Sample[]
}

export function prometheusText(metrics: readonly ReadMetric[]): string {
  const families = metrics.map(({ name, help, type, values }) => {
    const lines = values.map(
      ({ metricName = name, labels, value }) => `${metricName}${labelText(labels)} ${numberText(value)}`,
    )
    return [`# HELP ${name} ${oneLine(help)}`, `# TYPE ${name} ${type}`, ...lines].join('\n')
  })
  return `${families.join('\n\n')}\n`
}

export function openMetricsText(metrics: readonly ReadMetric[]): string {
  const lines: string[] = []
  for (const { name, help, type, values } of metrics) {
    const isCounter = type === 'counter'
    const family = isCounter ? name.replace(/_total$/, '') : name
    lines.push(`# TYPE ${family} ${type}`, `# HELP ${family} ${escaped(help)}`)
    for (const { metricName = name, labels, value, exemplar } of values) {
      const sample = isCounter ? `${family}_total` : metricName
      const line = `${sample}${labelText(labels, boundText)} ${numberText(value)}`
      lines.push(exemplar === undefined || exemplar === null ? line : `${line} ${exemplarText(exemplar)}`)
    }
  }
  return `${lines.join('\n')}\n# EOF\n`
}

const exemplarText = ({ labels, value, time }: Exemplar): string =>
  `# ${labelText(labels) || '{}'} ${numberText(value)} ${time.toFixed(3)}`

function labelText(
  labels: Sample['labels'],
  textOf: (name: string, value: string | number) => string = (_, value) => String(value),
): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(textOf(name, value))}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** OpenMetrics writes bounds of histograms as floating point numbers: `1.0`. */
const boundText = (name: string, value: string | number): string =>
  name === 'le' && typeof value === 'number' && Number.isInteger(value) ? `${value}.0` : String(value)

const oneLine = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escaped = (text: string): string => oneLine(text).replaceAll('"', '\\"')

const numberText = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
