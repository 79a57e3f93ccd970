/** The rule files of the sample data: two files, four groups, rules in every state. */

export type Pairs = Readonly<Record<string, string>>
export interface AlertingDefinition {
  readonly kind: 'alerting'
  readonly name: string
  readonly query: string
  /** How many seconds the expression must hold before the alert fires. */
  readonly for: number
  /** How many seconds the alert keeps firing after the expression stops holding. */
  readonly keepFiringFor: number
  readonly labels: Pairs
  readonly annotations: Pairs
}
export interface RecordingDefinition {
  readonly kind: 'recording'
  readonly name: string
  readonly query: string
  readonly labels: Pairs
}
export interface GroupDefinition {
  readonly name: string
  readonly file: string
  /** In seconds. */
  readonly interval: number
  readonly rules: readonly (AlertingDefinition | RecordingDefinition)[]
}

export const sampleRuleFiles = [
  '/etc/prometheus/rules/service.yml',
  '/etc/prometheus/rules/platform.yml',
] as const
const [serviceFile, platformFile] = sampleRuleFiles

export const sampleGroups: readonly GroupDefinition[] = [
  {
    name: 'availability',
    file: platformFile,
    interval: 30,
    rules: [
      alert('TargetDown', 'up == 0', {
        labels: { severity: 'page' },
        annotations: { summary: '{{ $labels.instance }} of {{ $labels.job }} is down' },
      }),
      alert('TargetDownForLong', 'up{job="retired"} == 0', {
        for: 7 * 86_400,
        keepFiringFor: 300,
        labels: { severity: 'warn' },
        annotations: { summary: 'pending for a week' },
      }),
      alert('Watchdog', 'vector(1)', { annotations: { description: 'always on' } }),
      alert('NeverFires', 'vector(0) > 1', { labels: { severity: 'info' } }),
    ],
  },
  {
    // The other file has a group of this name too, because names are unique only within one file.
    name: 'recording',
    file: platformFile,
    interval: 60,
    rules: [
      record('constant:one', 'vector(1)'),
      record('broken:ratio', 'sum without (instance) (up) / on (job) group_left () up'),
    ],
  },
  {
    name: 'latency',
    file: serviceFile,
    interval: 30,
    rules: [
      record(
        'job:http_request_duration_seconds:p90',
        'histogram_quantile(0.9, sum by (job, le) (rate(http_request_duration_seconds_bucket[5m])))',
      ),
      alert('SlowRequests', 'job:http_request_duration_seconds:p90 > 0.2', {
        for: 60,
        labels: { severity: 'warn', team: 'api' },
        annotations: { summary: 'nine of ten requests take up to {{ $value }} seconds' },
      }),
    ],
  },
  {
    name: 'recording',
    file: serviceFile,
    interval: 60,
    rules: [
      record('job:up:sum', 'sum by (job) (up)', { tier: 'gold' }),
      record('job:http_requests:rate5m', 'sum by (job) (rate(http_requests_total[5m]))'),
    ],
  },
]

function alert(
  name: string,
  query: string,
  parts: Partial<Omit<AlertingDefinition, 'kind' | 'name' | 'query'>>,
): AlertingDefinition {
  return { kind: 'alerting', name, query, for: 0, keepFiringFor: 0, labels: {}, annotations: {}, ...parts }
}

function record(name: string, query: string, labels: Pairs = {}): RecordingDefinition {
  return { kind: 'recording', name, query, labels }
}
