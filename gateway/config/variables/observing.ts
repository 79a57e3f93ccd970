/** Traces and logs. OpenTelemetry's standard variables are read as well; `../traces.ts` says which one wins. */
import { z } from 'zod'
import { flag, httpUrl, integer } from '../fields.ts'

/** Read later, because a wrong standard variable only warns. */
const standard = z.string().optional()

export const observingVariables = {
  TESSERA_TRACES_URL: httpUrl
    .optional()
    .describe(
      'Where traces go, in OTLP over HTTP: `http://collector:4318/v1/traces`. Unset keeps none, unless an `OTEL_` variable names a place.',
    ),
  TESSERA_TRACES_RATIO: z.coerce
    .number({ error: 'expected a number from 0 to 1' })
    .min(0)
    .max(1)
    .optional()
    .describe(
      'The share of traces that begin here which is kept; all unless set. Callers decide of those that they began.',
    ),
  OTEL_SDK_DISABLED: standard.describe('`true` keeps no traces, whatever else is set.'),
  OTEL_TRACES_EXPORTER: standard.describe('`none` keeps no traces; anything else is `otlp`.'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: standard.describe('As `TESSERA_TRACES_URL`, which wins.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: standard.describe(
    'The collector: traces go to `v1/traces` below it and metrics to `v1/metrics`, unless other variables name their places.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: standard.describe(
    'Only `http/json` is spoken; another one is warned of.',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: standard.describe('The same for all signals.'),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: standard.describe(
    'Headers for the collector: `key=value,key=value`, percent-encoded.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: standard.describe('The same for all signals; those for traces win.'),
  OTEL_SERVICE_NAME: standard.describe('`service.name` of the traces; `tessera` unless set.'),
  OTEL_RESOURCE_ATTRIBUTES: standard.describe(
    'More attributes of the traces’ resource: `key=value,key=value`, percent-encoded.',
  ),
  OTEL_TRACES_SAMPLER: standard.describe(
    'Which traces are kept where `TESSERA_TRACES_RATIO` is not set: `always_on`, `always_off`, `traceidratio`, or one of them after `parentbased_`.',
  ),
  OTEL_TRACES_SAMPLER_ARG: standard.describe('The share for the samplers by ratio.'),
  OTEL_METRICS_EXPORTER: standard.describe('`none` sends no metrics; anything else is `otlp`.'),
  TESSERA_OTLP_METRICS_URL: httpUrl
    .optional()
    .describe(
      'Where metrics are sent, in OTLP over HTTP: `http://collector:4318/v1/metrics`. Unset they are only scraped, unless an `OTEL_` variable names a place.',
    ),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: standard.describe('As `TESSERA_OTLP_METRICS_URL`, which wins.'),
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: standard.describe('Headers for the collector of metrics.'),
  OTEL_METRIC_EXPORT_INTERVAL: standard.describe(
    'How often metrics are sent, in milliseconds; 60000 unless set.',
  ),
  TESSERA_OTEL_CONVENTIONS: flag
    .default(false)
    .describe(
      'Whether traces and sent metrics follow OpenTelemetry’s semantic conventions for GraphQL and HTTP in names and attributes.',
    ),
  TESSERA_SLOW_OPERATION_MS: integer(0, 600_000)
    .default(0)
    .describe('Operations that take at least as long are logged with their plan; 0 logs none.'),
  TESSERA_USAGE_ENTRIES: integer(0, 100_000)
    .default(2_000)
    .describe(
      'How many pairs of operation and client are counted by themselves for [usage](usage.md), in each process, if `TESSERA_ADMIN_PORT` is set; 0 counts none.',
    ),
  TESSERA_LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug'], {
      error: 'expected silent, fatal, error, warn, info or debug',
    })
    .default('info')
    .describe('How much is logged.'),
} as const
