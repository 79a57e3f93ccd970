/** Traces, metrics and the log. */
import { lazily, section } from '../settings/index.ts'
import { flag, httpUrl, integer, milliseconds, share, text } from '../settings/kinds.ts'

export const telemetry = lazily(() =>
  section(
    {
      tracesUrl: httpUrl
        .optional()
        .describe(
          'Where traces go, in OTLP over HTTP: `http://collector:4318/v1/traces`. None are kept by default, unless an `OTEL_` variable names an address.',
        ),
      tracesRatio: share
        .optional()
        .describe(
          'The share that is kept of traces that begin here; all by default. Callers decide about traces that they began.',
        ),
      otlpMetricsUrl: httpUrl
        .optional()
        .describe(
          'Where metrics are sent, in OTLP over HTTP: `http://collector:4318/v1/metrics`. By default they are only scraped, unless an `OTEL_` variable names an address.',
        ),
      otelConventions: flag
        .default(false)
        .describe(
          'Whether traces and sent metrics follow OpenTelemetry’s semantic conventions for GraphQL and HTTP in names and attributes.',
        ),
      slowOperationMs: milliseconds(0, 600_000)
        .default(0)
        .describe('Operations that take at least as long are logged with their plan; 0 logs none.'),
      usageEntries: integer(0, 100_000)
        .default(2_000)
        .describe(
          'How many pairs of operation and client are counted separately for [usage](usage.md), in each process, if `admin.port` is set; 0 counts none.',
        ),
    },
    'Traces, metrics that are sent, and reports about operations.',
  ).meta({ prefix: 'TESSERA_' }),
)

/** Read later, because a wrong standard setting only warns. */
const standard = text('a text').optional()

export const otel = lazily(() =>
  section(
    {
      sdkDisabled: standard.describe('`true` keeps no traces, whatever else is set.'),
      serviceName: standard.describe('`service.name` of traces and metrics; `tessera` by default.'),
      resourceAttributes: standard.describe(
        'More attributes of their resource: `key=value,key=value`, percent-encoded.',
      ),
      exporterOtlpEndpoint: standard.describe(
        'The collector: traces go to `v1/traces` below it and metrics to `v1/metrics`, unless other settings name their places.',
      ),
      exporterOtlpHeaders: standard.describe(
        'Headers for the collector: `key=value,key=value`, percent-encoded.',
      ),
      exporterOtlpCompression: standard.describe('`gzip` compresses what is sent; `none` by default.'),
      exporterOtlpProtocol: standard.describe(
        'Only `http/json` is supported; any other value causes a warning.',
      ),
      exporterOtlpTimeout: standard.describe(
        'How long sending may take, retries included, in milliseconds; 5000 by default.',
      ),
      tracesExporter: standard.describe('`none` keeps no traces; anything else is `otlp`.'),
      exporterOtlpTracesEndpoint: standard.describe('As `telemetry.tracesUrl`, which wins.'),
      exporterOtlpTracesProtocol: standard.describe('The protocol for traces alone.'),
      exporterOtlpTracesHeaders: standard.describe('Headers for traces alone; they win.'),
      exporterOtlpTracesCompression: standard.describe('The compression of traces alone; it wins.'),
      exporterOtlpTracesTimeout: standard.describe('The timeout of traces alone; it wins.'),
      tracesSampler: standard.describe(
        'Which traces are kept if `telemetry.tracesRatio` is not set: `always_on`, `always_off`, `traceidratio`, or one of them after `parentbased_`.',
      ),
      tracesSamplerArg: standard.describe('The share for the samplers by ratio.'),
      metricsExporter: standard.describe('`none` sends no metrics; anything else is `otlp`.'),
      exporterOtlpMetricsEndpoint: standard.describe('As `telemetry.otlpMetricsUrl`, which wins.'),
      exporterOtlpMetricsProtocol: standard.describe('The protocol for metrics alone.'),
      exporterOtlpMetricsHeaders: standard.describe('Headers for metrics alone; they win.'),
      exporterOtlpMetricsCompression: standard.describe('The compression of metrics alone; it wins.'),
      exporterOtlpMetricsTimeout: standard.describe('The timeout of metrics alone; it wins.'),
      metricExportInterval: standard.describe(
        'How often metrics are sent, in milliseconds; 60000 by default.',
      ),
    },
    'The standard variables of OpenTelemetry. As the standard requires, one that cannot be used is warned of and ignored.',
  ).meta({ prefix: 'OTEL_' }),
)
