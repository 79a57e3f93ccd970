/**
 * The resolvers of the metrics subgraph: each checks its arguments, makes one call and returns the model. Fields
 * that the model already has need no resolver. Samples above all are read as properties, which makes large results
 * cheap.
 */

import type { GraphQLError, GraphQLResolveInfo } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { reportPartial } from '../../shared/graphql/partial-errors.ts'
import { RawJson } from '../../shared/json/raw.ts'
import { isObject, objectOf } from '../kit/json.ts'
import { connect } from '../kit/pagination/index.ts'
import { dateTime } from '../kit/scalars.ts'
import { selectionOf } from '../kit/selection.ts'
import { wordOf } from '../kit/service-message.ts'
import { wrongArgument } from '../kit/wrong-argument.ts'
import {
  type Duration,
  durationFrom,
  expressionFrom,
  limitFrom,
  millisecondsFrom,
  rangeFrom,
  stepFrom,
  type Time,
  timeFrom,
} from './arguments.ts'
import type { MetricsResponse, QueryCall } from './client.ts'
import type { Context } from './context.ts'
import { badResponse } from './envelope.ts'
import { subscriptions } from './live/index.ts'
import {
  type HistogramSampleModel,
  histogramFrom,
  histogramsFrom,
  type ResultModel,
  type Sample,
  type SeriesModel,
  sampleFrom,
  samplesFrom,
  seriesFrom,
  statsFrom,
} from './model.ts'
import { operations } from './operations.ts'
import {
  type AlertingRuleModel,
  type AlertModel,
  alertsFrom,
  filterRuleGroups,
  oddAlerts,
  oddRules,
  pageParametersOf,
  parametersOf,
  type RuleFilter,
  type RuleGroupModel,
  type RuleModel,
  ruleGroupPageFrom,
  ruleGroupsFrom,
} from './rules.ts'
import type { MetricsRuleGroupsArgs, Resolvers } from './types.generated.ts'
import { namedFrom, valueNamed } from './values.ts'

/**
 * The fields that read `data.result` and `data.stats`. If none of them is selected, the response need not be
 * parsed.
 */
const typedFields = ['series', 'scalar', 'string', 'stats']

const truncated = 'results truncated due to limit'

interface Query extends QueryOptions {
  readonly operation: QueryCall['operation']
  readonly query: string
  readonly times: Readonly<Record<string, Time>>
}

interface QueryOptions {
  readonly timeout?: unknown
  readonly limit?: number | null | undefined
  readonly lookbackDelta?: unknown
  readonly step?: Duration | undefined
}

async function evaluate(
  { operation, query, times, ...options }: Query,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<ResultModel> {
  const parameters: [string, string][] = [['query', expressionFrom(query)]]
  for (const [name, { text }] of Object.entries(times)) parameters.push([name, text])
  const { step } = options
  if (step !== undefined) parameters.push(['step', step.text])
  const timeout = options.timeout == null ? undefined : durationFrom(options.timeout, 'timeout')
  if (timeout !== undefined) parameters.push(['timeout', timeout.text])
  const limit = limitFrom(options.limit)
  if (limit > 0) parameters.push(['limit', String(limit)])
  const lookback =
    options.lookbackDelta == null ? undefined : millisecondsFrom(options.lookbackDelta, 'lookbackDelta')
  // Prometheus takes 0 for its default, and VictoriaMetrics refuses it.
  if (lookback !== undefined && lookback.seconds > 0) parameters.push(['lookback_delta', lookback.text])
  const selection = selectionOf(info)
  if (selection.has('stats')) {
    const samples = selection.below('stats').below('samples')
    const all = samples.has('totalQueryableSamplesPerStep') || samples.has('samplesReadPerStep')
    parameters.push(['stats', all ? 'all' : 'true'])
  }

  const response = await context.query({ operation, parameters, times, timeoutSeconds: timeout?.seconds })
  const typed = typedFields.some((name) => selection.has(name))
  const { envelope, error } = typed ? response.parsed() : response.unparsed()
  if (error !== undefined) reportPartial(context, error, info)

  const data = envelope.data instanceof RawJson ? undefined : envelope.data
  const resultType = data === undefined ? undefined : typeOf(data)
  const { result, stats } = objectOf(data)
  const hasSeries = resultType === 'matrix' || resultType === 'vector'
  const cut = limit > 0 && hasSeries && Array.isArray(result) && result.length > limit
  const { warnings } = envelope
  return {
    resultType: resultType ?? typeOfRaw(envelope.data),
    result: cut ? result.slice(0, limit) : result,
    stats: stats ?? envelope.stats,
    warnings: cut && !warnings.includes(truncated) ? [...warnings, truncated] : warnings,
    infos: envelope.infos,
    error:
      error === undefined ? null : { type: wordOf(envelope.errorType) ?? 'unknown', message: error.message },
    data: () => response.unparsed().envelope.data,
  }
}

function typeOf(data: unknown): string {
  if (isObject(data) && typeof data.resultType === 'string') return data.resultType
  throw badResponse('with the type of its result')
}

/** Servers write the type first. If one does not, the text is parsed. */
function typeOfRaw(data: unknown): string {
  const raw = data as RawJson
  const head = /^\{\s*"resultType"\s*:\s*"([A-Za-z_]+)"\s*,\s*"result"/.exec(
    raw.bytes.toString('latin1', 0, 120),
  )
  return head?.[1] ?? typeOf(raw.toJSON())
}

/** The data of a response. The error that came with them is reported at the field's path. */
function dataOf(
  { envelope, error }: MetricsResponse<unknown>,
  context: Context,
  info: GraphQLResolveInfo,
): unknown {
  const partial = error ?? partialError(envelope.warnings)
  if (partial !== undefined) reportPartial(context, partial, info)
  return envelope.data
}

/** A list has no warnings of its own, so an error says that it may be incomplete. */
function partialError([first]: readonly string[]): GraphQLError | undefined {
  if (first === undefined) return undefined
  return tesseraError(
    'UPSTREAM_UNAVAILABLE',
    `The metrics service warns that this may be incomplete: ${first}`,
    {
      service: 'metrics',
      upstream: { reason: 'partial' },
    },
  )
}

/** Reports malformed items, which are left out. The rest of the list stays. */
function reportOdd(count: number, context: Context, info: GraphQLResolveInfo): void {
  if (count === 0) return
  const what = count === 1 ? 'an item, which is' : `${count} items, which are`
  reportPartial(context, badResponse(`as it promises in ${what} left out`), info)
}

/** An empty filter value does not filter, as in the service. */
function namesFrom(names: readonly string[] | null | undefined): readonly string[] {
  return (names ?? []).filter((name) => name !== '')
}

/** The most selectors, and the most characters of them all. */
const mostSelectors = 50
const longestSelectors = 10_000

function ruleFilterFrom(
  args: Partial<Pick<MetricsRuleGroupsArgs, 'type' | 'ruleNames' | 'ruleGroups' | 'files'>> & {
    readonly match?: readonly string[] | null | undefined
    readonly excludeAlerts?: boolean | null | undefined
  },
): RuleFilter {
  const match = namesFrom(args.match)
  if (match.length > mostSelectors || match.join('').length > longestSelectors)
    throw wrongArgument(
      'match',
      `may have ${mostSelectors} selectors at most, and ${longestSelectors} characters in all.`,
    )
  return {
    type: args.type,
    ruleNames: namesFrom(args.ruleNames),
    ruleGroups: namesFrom(args.ruleGroups),
    files: namesFrom(args.files),
    match,
    excludeAlerts: args.excludeAlerts === true,
  }
}

const metricsResolvers: NonNullable<Resolvers['Metrics']> = {
  query(_, { query, time, ...options }, context, info) {
    const times: Readonly<Record<string, Time>> = time == null ? {} : { time: timeFrom(time, 'time') }
    return evaluate({ ...options, operation: operations.query, query, times }, context, info)
  },

  queryRange(_, { query, start, end, step, ...options }, context, info) {
    const times = { ...rangeFrom(start, end) }
    const operation = operations.queryRange
    return evaluate({ ...options, operation, query, times, step: stepFrom(step) }, context, info)
  },

  async ruleGroups(_, args, context, info) {
    const filter = ruleFilterFrom(args)
    const data = dataOf(await context.rules(parametersOf(filter)), context, info)
    reportOdd(oddRules(data), context, info)
    return filterRuleGroups(ruleGroupsFrom(data), filter)
  },

  ruleGroupsConnection(_, { first, after, ...args }, context, info) {
    const filter = ruleFilterFrom(args)
    const parameters = parametersOf(filter)
    return connect(
      { first, after },
      {
        list: `rules ${JSON.stringify(parameters)}`,
        service: 'metrics',
        pages: operations.rules.pages,
        keyOf: ({ file, name }: RuleGroupModel) => JSON.stringify([file, name]),
        async fetch(token, size) {
          const response = await context.rules([...parameters, ...pageParametersOf(token, size)])
          reportOdd(oddRules(dataOf(response, context, info)), context, info)
          return ruleGroupPageFrom(response.envelope, filter, token, size)
        },
      },
      info,
      context,
    )
  },

  async alerts(_, __, context, info) {
    const data = dataOf(await context.alerts(), context, info)
    reportOdd(oddAlerts(data), context, info)
    return alertsFrom(data)
  },

  async buildInfo(_, __, context, info) {
    const data = dataOf(await context.buildInfo(), context, info)
    if (!isObject(data)) throw badResponse('with its build information')
    const text = (name: string): string | null => {
      const value = data[name]
      return typeof value === 'string' ? value : null
    }
    return {
      version: text('version'),
      revision: text('revision'),
      branch: text('branch'),
      buildUser: text('buildUser'),
      buildDate: text('buildDate'),
      goVersion: text('goVersion'),
    }
  },
}

const metricsResultResolvers: NonNullable<Resolvers['MetricsResult']> = {
  // The generated types allow no errors in a list.
  series: (result) => seriesFrom(result) as SeriesModel[],
  scalar: ({ resultType, result }) => (resultType === 'scalar' ? sampleFrom(result) : null),
  string: ({ resultType, result }) => (resultType === 'string' ? sampleFrom(result) : null),
  stats: ({ stats }) => statsFrom(stats),
  raw: ({ data }) => data(),
}

const metricsSeriesResolvers: NonNullable<Resolvers['MetricsSeries']> = {
  name: ({ metric }) => valueNamed(metric, '__name__'),
  labels: ({ metric }) => namedFrom(metric),
  label: ({ metric }, { name }) => valueNamed(metric, name),
  sample: ({ value }) => (value == null ? null : sampleFrom(value)),
  samples: (series) => samplesFrom(series) as Sample[],
  histogram: ({ histogram }) => (histogram == null ? null : histogramFrom(histogram)),
  histograms: (series) => histogramsFrom(series) as HistogramSampleModel[],
}

const labelled = {
  labels: ({ labels }: AlertModel | RuleModel) => namedFrom(labels),
  label: ({ labels }: AlertModel | RuleModel, { name }: { readonly name: string }) =>
    valueNamed(labels, name),
}

const annotated = {
  ...labelled,
  annotations: ({ annotations }: AlertModel | AlertingRuleModel) => namedFrom(annotations),
  annotation: ({ annotations }: AlertModel | AlertingRuleModel, { name }: { readonly name: string }) =>
    valueNamed(annotations, name),
}

export function createResolvers(): Resolvers {
  return {
    Query: {
      metrics: () => ({}),
    },
    DateTime: dateTime,
    Subscription: subscriptions,
    Metrics: metricsResolvers,
    MetricsResult: metricsResultResolvers,
    MetricsSeries: metricsSeriesResolvers,
    MetricsRule: {
      __resolveType: ({ __typename }) => __typename,
    },
    MetricsAlertingRule: annotated,
    MetricsRecordingRule: labelled,
    MetricsAlert: annotated,
  }
}
