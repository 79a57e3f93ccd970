import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { ResultModel, SeriesModel, Sample, HistogramSampleModel, Bucket, Histogram, RuleGroupModel, RuleModel, AlertingRuleModel, RecordingRuleModel, AlertModel, TailModel, AlertChangeModel } from './model.ts';
import type { RuleGroupConnectionModel, RuleGroupEdgeModel } from './rules.ts';
import type { Context } from './context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A point in time in RFC 3339 form with an offset, such as `2026-11-20T20:21:07.389276077Z`. */
  DateTime: { input: string; output: string; }
  /** Any JSON value: an object, a list, a string, a number, a boolean or null. */
  JSON: { input: unknown; output: unknown; }
  /**
   * A duration as an argument: a number of seconds (`30`, `0.5`, `"15"`), or whole numbers with the units `y w d h m s
   * ms`, longest first and each at most once (`"15s"`, `"1h30m"`, `"54s321ms"`; not `"1.5h"`, not `"1m1h"`). A year is
   * 365 days. At most 292 years.
   */
  MetricsDuration: { input: unknown; output: unknown; }
  /**
   * A point in time as an argument: an RFC 3339 text with an offset (`"2026-11-20T20:21:07.5Z"`,
   * `"2026-11-20T21:21:07+01:00"`) or Unix seconds, as a number or as text (`1795206067.5`, `"1795206067.5"`).
   * Milliseconds, a date alone and `now` are refused. The service keeps milliseconds. The range is from 1678 to 2262,
   * because servers count nanoseconds in 64 bits; VictoriaMetrics accepts no time before 1970.
   */
  MetricsTime: { input: unknown; output: unknown; }
  _FieldSet: { input: unknown; output: unknown; }
};

/**
 * The metrics service: queries of expressions, rules, alerts and build information.
 *
 * Each field costs one call. A field that fails is null, with an error at its path. `BAD_USER_INPUT`: the service
 * refuses the expression or an argument, and the error has its own words (such as a parse error, a matching that is
 * not one-to-one, or too many points or samples). `UPSTREAM_TIMEOUT`: the query reached its timeout, perhaps while it
 * waited for its turn. `UPSTREAM_UNAVAILABLE`: the service is down, starting or shutting down, or its storage fails.
 */
export type Metrics = {
  __typename?: 'Metrics';
  /**
   * All active alerts (`GET /api/v1/alerts`), in no particular order. If the service warns that some may be missing,
   * the response also has an error `UPSTREAM_UNAVAILABLE` with the reason `partial`.
   */
  alerts: Maybe<Array<MetricsAlert>>;
  /** Information about the service's build (`GET /api/v1/status/buildinfo`). */
  buildInfo: Maybe<MetricsBuildInfo>;
  /** Evaluates an expression at one instant (`GET /api/v1/query`; a long expression is sent by `POST`). */
  query: Maybe<MetricsResult>;
  /**
   * Evaluates an expression at every step of a time range (`GET /api/v1/query_range`; a long expression is sent by `POST`).
   * The result is a matrix; the expression must give numbers or instant vectors.
   */
  queryRange: Maybe<MetricsResult>;
  /**
   * The loaded rules, group by group, and the active alerts of each alerting rule (`GET /api/v1/rules`). Filters are
   * combined; a missing, null or empty one does not filter. A group without a matching rule is not returned. If the
   * service warns that some may be missing, the response also has an error `UPSTREAM_UNAVAILABLE` with the reason
   * `partial`.
   */
  ruleGroups: Maybe<Array<MetricsRuleGroup>>;
  /**
   * The same rule groups in pages, in the order of the service. Prometheus before 3.0 and VictoriaMetrics have no
   * pages, so each page costs a call that returns all groups. If a group disappears between two pages, the next one
   * fails with `BAD_USER_INPUT`; then start again. From the metrics service, rules; a call for every 500 groups.
   */
  ruleGroupsConnection: Maybe<MetricsRuleGroupConnection>;
};


/**
 * The metrics service: queries of expressions, rules, alerts and build information.
 *
 * Each field costs one call. A field that fails is null, with an error at its path. `BAD_USER_INPUT`: the service
 * refuses the expression or an argument, and the error has its own words (such as a parse error, a matching that is
 * not one-to-one, or too many points or samples). `UPSTREAM_TIMEOUT`: the query reached its timeout, perhaps while it
 * waited for its turn. `UPSTREAM_UNAVAILABLE`: the service is down, starting or shutting down, or its storage fails.
 */
export type MetricsQueryArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  lookbackDelta?: InputMaybe<Scalars['MetricsDuration']['input']>;
  query: Scalars['String']['input'];
  time?: InputMaybe<Scalars['MetricsTime']['input']>;
  timeout?: InputMaybe<Scalars['MetricsDuration']['input']>;
};


/**
 * The metrics service: queries of expressions, rules, alerts and build information.
 *
 * Each field costs one call. A field that fails is null, with an error at its path. `BAD_USER_INPUT`: the service
 * refuses the expression or an argument, and the error has its own words (such as a parse error, a matching that is
 * not one-to-one, or too many points or samples). `UPSTREAM_TIMEOUT`: the query reached its timeout, perhaps while it
 * waited for its turn. `UPSTREAM_UNAVAILABLE`: the service is down, starting or shutting down, or its storage fails.
 */
export type MetricsQueryRangeArgs = {
  end: Scalars['MetricsTime']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  lookbackDelta?: InputMaybe<Scalars['MetricsDuration']['input']>;
  query: Scalars['String']['input'];
  start: Scalars['MetricsTime']['input'];
  step: Scalars['MetricsDuration']['input'];
  timeout?: InputMaybe<Scalars['MetricsDuration']['input']>;
};


/**
 * The metrics service: queries of expressions, rules, alerts and build information.
 *
 * Each field costs one call. A field that fails is null, with an error at its path. `BAD_USER_INPUT`: the service
 * refuses the expression or an argument, and the error has its own words (such as a parse error, a matching that is
 * not one-to-one, or too many points or samples). `UPSTREAM_TIMEOUT`: the query reached its timeout, perhaps while it
 * waited for its turn. `UPSTREAM_UNAVAILABLE`: the service is down, starting or shutting down, or its storage fails.
 */
export type MetricsRuleGroupsArgs = {
  excludeAlerts?: InputMaybe<Scalars['Boolean']['input']>;
  files?: InputMaybe<Array<Scalars['String']['input']>>;
  match?: InputMaybe<Array<Scalars['String']['input']>>;
  ruleGroups?: InputMaybe<Array<Scalars['String']['input']>>;
  ruleNames?: InputMaybe<Array<Scalars['String']['input']>>;
  type?: InputMaybe<MetricsRuleType>;
};


/**
 * The metrics service: queries of expressions, rules, alerts and build information.
 *
 * Each field costs one call. A field that fails is null, with an error at its path. `BAD_USER_INPUT`: the service
 * refuses the expression or an argument, and the error has its own words (such as a parse error, a matching that is
 * not one-to-one, or too many points or samples). `UPSTREAM_TIMEOUT`: the query reached its timeout, perhaps while it
 * waited for its turn. `UPSTREAM_UNAVAILABLE`: the service is down, starting or shutting down, or its storage fails.
 */
export type MetricsRuleGroupsConnectionArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  excludeAlerts?: InputMaybe<Scalars['Boolean']['input']>;
  files?: InputMaybe<Array<Scalars['String']['input']>>;
  first?: InputMaybe<Scalars['Int']['input']>;
  match?: InputMaybe<Array<Scalars['String']['input']>>;
  ruleGroups?: InputMaybe<Array<Scalars['String']['input']>>;
  ruleNames?: InputMaybe<Array<Scalars['String']['input']>>;
  type?: InputMaybe<MetricsRuleType>;
};

/** An active alert. It has no id: its labels identify it within its rule. */
export type MetricsAlert = {
  __typename?: 'MetricsAlert';
  /** Since when the expression has held, with nanoseconds if the service has them. */
  activeAt: Maybe<Scalars['DateTime']['output']>;
  /** The text of one annotation; null if the alert has no such annotation. */
  annotation: Maybe<Scalars['String']['output']>;
  /** The alert's annotations, with expanded templates. */
  annotations: Array<MetricsAnnotation>;
  /**
   * `value` as a float; null for `NaN`, `+Inf` and `-Inf`. If `float` is a type in the client's language, give the
   * field an alias, such as `number: float`.
   */
  float: Maybe<Scalars['Float']['output']>;
  /** Since when the alert has only been kept firing; null while the expression holds. */
  keepFiringSince: Maybe<Scalars['DateTime']['output']>;
  /** The value of one label; null if the alert has no such label. */
  label: Maybe<Scalars['String']['output']>;
  /** The alert's labels, `alertname` included. */
  labels: Array<MetricsLabel>;
  /** The alert's name: the label `alertname`. */
  name: Maybe<Scalars['String']['output']>;
  /** Whether the alert is pending or firing. */
  state: MetricsAlertState;
  /**
   * The value of the expression at the last evaluation, as the service wrote it: exponent form (`1e+00`) from Prometheus,
   * plain (`1`) from others; also `NaN`, `+Inf`, `-Inf`.
   */
  value: Maybe<Scalars['String']['output']>;
};


/** An active alert. It has no id: its labels identify it within its rule. */
export type MetricsAlertAnnotationArgs = {
  name: Scalars['String']['input'];
};


/** An active alert. It has no id: its labels identify it within its rule. */
export type MetricsAlertLabelArgs = {
  name: Scalars['String']['input'];
};

/** An alert that started or stopped firing. */
export type MetricsAlertChange = {
  __typename?: 'MetricsAlertChange';
  /** Where to resume after this event. Opaque, and valid only for the same `labels` argument. */
  after: Scalars['String']['output'];
  /**
   * The alert as it was last seen while firing; null if only its fingerprint is known, which may happen after
   * resuming.
   */
  alert: Maybe<MetricsAlert>;
  /** Whether it fires now. */
  change: MetricsAlertChangeKind;
  /** Identifies the alert: a digest of its label names and values. */
  fingerprint: Scalars['ID']['output'];
};

/** What happened to an alert. */
export type MetricsAlertChangeKind =
  /** It started firing. */
  | 'FIRING'
  /** It stopped firing. */
  | 'RESOLVED';

/** The states of an alert and of an alerting rule. */
export type MetricsAlertState =
  /** The alert is raised. */
  | 'FIRING'
  /** The expression does not hold. */
  | 'INACTIVE'
  /** The expression holds, but not yet as long as the rule requires. */
  | 'PENDING'
  /** The rule was never evaluated, or the service returned an unknown value. */
  | 'UNKNOWN';

/** A rule that raises an alert for each series of its expression's result. */
export type MetricsAlertingRule = MetricsRule & {
  __typename?: 'MetricsAlertingRule';
  /** The rule's active alerts; empty if there are none. */
  alerts: Array<MetricsAlert>;
  /** The text of one annotation; null if the rule has no such annotation. */
  annotation: Maybe<Scalars['String']['output']>;
  /** The annotations of the rule, with unexpanded templates. */
  annotations: Array<MetricsAnnotation>;
  /** For how many seconds the expression must hold before an alert fires (`for` in the file). */
  duration: Scalars['Float']['output'];
  /** How many seconds the last evaluation took; null if unknown. */
  evaluationTime: Maybe<Scalars['Float']['output']>;
  /** How the last evaluation went. */
  health: MetricsRuleHealth;
  /**
   * For how many seconds an alert keeps firing after the expression no longer holds (`keep_firing_for` in the file);
   * null if unknown.
   */
  keepFiringFor: Maybe<Scalars['Float']['output']>;
  /** The value of one of the rule's labels; null if it has no such label. */
  label: Maybe<Scalars['String']['output']>;
  /** The labels that the rule adds, with unexpanded templates. */
  labels: Array<MetricsLabel>;
  /** The error of the last evaluation, without addresses; null if there was none. */
  lastError: Maybe<Scalars['String']['output']>;
  /** When the rule was last evaluated, with nanoseconds if the service has them; null before the first evaluation. */
  lastEvaluation: Maybe<Scalars['DateTime']['output']>;
  /** The alert's name. */
  name: Scalars['String']['output'];
  /** The expression that is evaluated. */
  query: Scalars['String']['output'];
  /** The state of the rule, which is that of its most advanced alert. */
  state: MetricsAlertState;
};


/** A rule that raises an alert for each series of its expression's result. */
export type MetricsAlertingRuleAnnotationArgs = {
  name: Scalars['String']['input'];
};


/** A rule that raises an alert for each series of its expression's result. */
export type MetricsAlertingRuleLabelArgs = {
  name: Scalars['String']['input'];
};

/** An annotation: a name and its text. */
export type MetricsAnnotation = {
  __typename?: 'MetricsAnnotation';
  /** The annotation's name. */
  name: Scalars['String']['output'];
  /** The annotation's text. */
  value: Scalars['String']['output'];
};

/** A bucket of a native histogram: the observations between two bounds. */
export type MetricsBucket = {
  __typename?: 'MetricsBucket';
  /** Which of the two bounds belong to the bucket; null if the service returned an unknown rule. */
  boundaries: Maybe<MetricsBucketBoundaries>;
  /** How many observations; it may be a fraction. */
  count: Scalars['String']['output'];
  /** `count` as a float. */
  countFloat: Maybe<Scalars['Float']['output']>;
  /** The lower bound; may be `-Inf`. */
  left: Scalars['String']['output'];
  /** Whether observations equal to the lower bound are counted; null if `boundaries` is. */
  leftClosed: Maybe<Scalars['Boolean']['output']>;
  /** `left` as a float. */
  leftFloat: Maybe<Scalars['Float']['output']>;
  /** The upper bound; may be `+Inf`. */
  right: Scalars['String']['output'];
  /** Whether observations equal to the upper bound are counted; null if `boundaries` is. */
  rightClosed: Maybe<Scalars['Boolean']['output']>;
  /** `right` as a float. */
  rightFloat: Maybe<Scalars['Float']['output']>;
};

/** Which bounds of a bucket belong to it. */
export type MetricsBucketBoundaries =
  /** Both bounds. */
  | 'CLOSED_BOTH'
  /** Neither bound. */
  | 'OPEN_BOTH'
  /** The upper bound only. */
  | 'OPEN_LEFT'
  /** The lower bound only. */
  | 'OPEN_RIGHT';

/** Information about the service's build. Each field is free text, or null if the service does not return it. */
export type MetricsBuildInfo = {
  __typename?: 'MetricsBuildInfo';
  /** The source branch. */
  branch: Maybe<Scalars['String']['output']>;
  /** When it was built, in the builder's own form, such as `20260604-00:58:54`. */
  buildDate: Maybe<Scalars['String']['output']>;
  /** Who built it. */
  buildUser: Maybe<Scalars['String']['output']>;
  /** The version of Go that it was built with. */
  goVersion: Maybe<Scalars['String']['output']>;
  /** The source revision. */
  revision: Maybe<Scalars['String']['output']>;
  /** The version, such as `2.42.0`. Distributions append to it. */
  version: Maybe<Scalars['String']['output']>;
};

/** An error that came with data. */
export type MetricsError = {
  __typename?: 'MetricsError';
  /** What happened. */
  message: Scalars['String']['output'];
  /** The service's own class of the error, such as `execution` or `timeout`. */
  type: Scalars['String']['output'];
};

/** A native histogram. Its numbers are exact as strings. Each also has a float, which is null for `NaN` and infinities. */
export type MetricsHistogram = {
  __typename?: 'MetricsHistogram';
  /** The buckets that have observations, from the lowest up; empty if the service returned none. */
  buckets: Array<MetricsBucket>;
  /** How many observations; it may be a fraction (after `rate`). */
  count: Scalars['String']['output'];
  /** `count` as a float. */
  countFloat: Maybe<Scalars['Float']['output']>;
  /** The sum of all observations. */
  sum: Scalars['String']['output'];
  /** `sum` as a float. */
  sumFloat: Maybe<Scalars['Float']['output']>;
};

/** A native histogram at a point in time. */
export type MetricsHistogramSample = {
  __typename?: 'MetricsHistogramSample';
  /** The histogram. */
  histogram: MetricsHistogram;
  /** Unix seconds, to the millisecond. */
  time: Scalars['Float']['output'];
};

/** A label: a name and its value. */
export type MetricsLabel = {
  __typename?: 'MetricsLabel';
  /** The label's name. */
  name: Scalars['String']['output'];
  /** The label's value. */
  value: Scalars['String']['output'];
};

/** How a label's value is compared. */
export type MetricsLabelMatch =
  /** It equals this string. */
  | 'EQUAL'
  /** It differs from this string. */
  | 'NOT_EQUAL'
  /** The regular expression does not match it. */
  | 'NOT_REGEX'
  /** The regular expression matches it. */
  | 'REGEX';

/** A condition on one label of an alert. */
export type MetricsLabelMatcherInput = {
  /** How the value is compared. The default is `EQUAL`. */
  match?: InputMaybe<MetricsLabelMatch>;
  /** The label's name, such as `severity`; up to 200 characters. */
  name: Scalars['String']['input'];
  /**
   * The value, or the regular expression in RE2 form that must match the whole value; up to 1,000 characters. A
   * missing label counts as an empty string.
   */
  value: Scalars['String']['input'];
};

/** A rule that records the result of its expression as a series. */
export type MetricsRecordingRule = MetricsRule & {
  __typename?: 'MetricsRecordingRule';
  /** How many seconds the last evaluation took; null if unknown. */
  evaluationTime: Maybe<Scalars['Float']['output']>;
  /** How the last evaluation went. */
  health: MetricsRuleHealth;
  /** The value of one of the rule's labels; null if it has no such label. */
  label: Maybe<Scalars['String']['output']>;
  /** The labels that the rule adds. */
  labels: Array<MetricsLabel>;
  /** The error of the last evaluation, without addresses; null if there was none. */
  lastError: Maybe<Scalars['String']['output']>;
  /** When the rule was last evaluated, with nanoseconds if the service has them; null before the first evaluation. */
  lastEvaluation: Maybe<Scalars['DateTime']['output']>;
  /** The name of the recorded series. */
  name: Scalars['String']['output'];
  /** The expression that is evaluated. */
  query: Scalars['String']['output'];
};


/** A rule that records the result of its expression as a series. */
export type MetricsRecordingRuleLabelArgs = {
  name: Scalars['String']['input'];
};

/**
 * The result of a query. `resultType` says which of `series`, `scalar` and `string` has it. Another kind of server may
 * return another type for the same expression (VictoriaMetrics returns a scalar as a vector).
 */
export type MetricsResult = {
  __typename?: 'MetricsResult';
  /**
   * The error, if the service reported one and returned data with it; otherwise null. The response's `errors` has the
   * same error.
   */
  error: Maybe<MetricsError>;
  /** Remarks of the service on the expression, which need no action. */
  infos: Array<Scalars['String']['output']>;
  /**
   * The whole `data` of the service's response, unchanged: `{ resultType result }`. It is for large results: selected
   * without `series`, it is passed on unparsed.
   */
  raw: Scalars['JSON']['output'];
  /**
   * `matrix` (series over a range), `vector` (series at one instant), `scalar` or `string`. If a server has other
   * types, only `raw` has their content.
   */
  resultType: Scalars['String']['output'];
  /** The value of a `scalar` result; null for every other type. */
  scalar: Maybe<MetricsSample>;
  /**
   * The series of a matrix or vector, in the order of the service. Prometheus sorts those of a matrix by their labels,
   * and those of a vector only if the expression sorts. Empty for other types, and if nothing was found.
   */
  series: Array<MetricsSeries>;
  /** The cost of the evaluation. Collected only if it is selected; null if the service has no statistics. */
  stats: Maybe<MetricsStats>;
  /** The text of a `string` result; null for every other type. */
  string: Maybe<MetricsString>;
  /**
   * Warnings of the service that the result may be incomplete or not what was meant. The query still succeeds. A
   * partial result of VictoriaMetrics (`isPartial`) has one. At most 50, without addresses of the servers behind the
   * service.
   */
  warnings: Array<Scalars['String']['output']>;
};

/**
 * A rule of either kind. Names may repeat, even within a group. A rule is identified by its group and its position in
 * it, if the service keeps the order of the file.
 */
export type MetricsRule = {
  /** How many seconds the last evaluation took; null if unknown. */
  evaluationTime: Maybe<Scalars['Float']['output']>;
  /** How the last evaluation went. */
  health: MetricsRuleHealth;
  /** The value of one of the rule's labels; null if it has no such label. */
  label: Maybe<Scalars['String']['output']>;
  /** The labels that the rule adds. */
  labels: Array<MetricsLabel>;
  /** The error of the last evaluation, without addresses; null if there was none. */
  lastError: Maybe<Scalars['String']['output']>;
  /** When the rule was last evaluated, with nanoseconds if the service has them; null before the first evaluation. */
  lastEvaluation: Maybe<Scalars['DateTime']['output']>;
  /** The alert's name, or the name of the recorded series. */
  name: Scalars['String']['output'];
  /** The expression that is evaluated. */
  query: Scalars['String']['output'];
};


/**
 * A rule of either kind. Names may repeat, even within a group. A rule is identified by its group and its position in
 * it, if the service keeps the order of the file.
 */
export type MetricsRuleLabelArgs = {
  name: Scalars['String']['input'];
};

/**
 * Rules that are evaluated together, one after the other. `file` and `name` together identify a group; several files
 * may use the same name.
 */
export type MetricsRuleGroup = {
  __typename?: 'MetricsRuleGroup';
  /** How many seconds the last evaluation took; null if unknown. */
  evaluationTime: Maybe<Scalars['Float']['output']>;
  /** The file that defines it, as the service names it. */
  file: Scalars['String']['output'];
  /** Seconds from one evaluation to the next; null if unknown. */
  interval: Maybe<Scalars['Float']['output']>;
  /** When the group was last evaluated, with nanoseconds if the service has them; null before the first evaluation. */
  lastEvaluation: Maybe<Scalars['DateTime']['output']>;
  /** The most alerts or series that a rule of the group may produce; 0 means no bound; null if unknown. */
  limit: Maybe<Scalars['Int']['output']>;
  /** The group's name, unique within its file. */
  name: Scalars['String']['output'];
  /**
   * The group's rules that match the filters, alerting and recording rules mixed, in the order of the service
   * (Prometheus: that of the file).
   */
  rules: Array<MetricsRule>;
};

/** A page of rule groups, as Relay's cursor connections define it. */
export type MetricsRuleGroupConnection = {
  __typename?: 'MetricsRuleGroupConnection';
  /** The groups with their cursors. */
  edges: Array<MetricsRuleGroupEdge>;
  /** The groups alone. */
  nodes: Array<MetricsRuleGroup>;
  /** The position of this page in the list. */
  pageInfo: PageInfo;
  /** How many there are; null unless this page has them all, because the service returns no total. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** A rule group in a list. */
export type MetricsRuleGroupEdge = {
  __typename?: 'MetricsRuleGroupEdge';
  /** Its cursor, for `after`. */
  cursor: Scalars['String']['output'];
  /** The group. */
  node: MetricsRuleGroup;
};

/** How the last evaluation of a rule went. */
export type MetricsRuleHealth =
  /** It failed; `lastError` says why. */
  | 'ERR'
  /** It was evaluated. */
  | 'OK'
  /** It was never evaluated, or the service returned an unknown value. */
  | 'UNKNOWN';

/** The kinds of rules. */
export type MetricsRuleType =
  /** Rules that raise alerts (`alert` in the service). */
  | 'ALERT'
  /** Rules that record series (`record` in the service). */
  | 'RECORD';

/** A number at a point in time. */
export type MetricsSample = {
  __typename?: 'MetricsSample';
  /**
   * The number as a float; null for `NaN`, `+Inf` and `-Inf`, which JSON cannot express. If `float` is a type in the
   * client's language, give the field an alias, such as `number: float`.
   */
  float: Maybe<Scalars['Float']['output']>;
  /** Unix seconds, to the millisecond. */
  time: Scalars['Float']['output'];
  /** The number exactly as the service wrote it; also `NaN`, `+Inf`, `-Inf`, and exponent form (`1e-07`). */
  value: Scalars['String']['output'];
};

/** How many samples an evaluation touched. */
export type MetricsSampleStats = {
  __typename?: 'MetricsSampleStats';
  /** The most samples in memory at the same time. */
  peakSamples: Maybe<Scalars['Float']['output']>;
  /** All samples that were read from storage. */
  samplesRead: Maybe<Scalars['Float']['output']>;
  /** `samplesRead` at each step; null unless the service runs with statistics per step. */
  samplesReadPerStep: Maybe<Array<MetricsStepCount>>;
  /** All samples that the evaluation touched; a sample that is touched twice counts twice. */
  totalQueryableSamples: Maybe<Scalars['Float']['output']>;
  /** `totalQueryableSamples` at each step; null unless the service runs with statistics per step. */
  totalQueryableSamplesPerStep: Maybe<Array<MetricsStepCount>>;
};

/** One time series: its labels, and its samples or histograms. */
export type MetricsSeries = {
  __typename?: 'MetricsSeries';
  /** The native histogram of a vector's series; null in a matrix, and if the vector has a plain sample. */
  histogram: Maybe<MetricsHistogramSample>;
  /**
   * The native histograms in order of time; a vector has one. Empty if the series has only plain samples (a classic
   * histogram consists of plain series with the label `le`).
   */
  histograms: Array<MetricsHistogramSample>;
  /** The value of one label; null if the series has no such label. */
  label: Maybe<Scalars['String']['output']>;
  /** All labels, `__name__` included. */
  labels: Array<MetricsLabel>;
  /** All labels as one map from name to value. */
  metric: Scalars['JSON']['output'];
  /** The metric's name: the label `__name__`. Null after most functions and aggregations, which drop it. */
  name: Maybe<Scalars['String']['output']>;
  /** The sample of a vector's series; null in a matrix, and if the vector has a histogram. */
  sample: Maybe<MetricsSample>;
  /** The samples in order of time; a vector has one. Empty if the series has only histograms. */
  samples: Array<MetricsSample>;
};


/** One time series: its labels, and its samples or histograms. */
export type MetricsSeriesLabelArgs = {
  name: Scalars['String']['input'];
};

/** The cost of an evaluation. A number is null if the service does not return it. */
export type MetricsStats = {
  __typename?: 'MetricsStats';
  /** How many samples were read. */
  samples: Maybe<MetricsSampleStats>;
  /** How the time was spent. */
  timings: Maybe<MetricsTimings>;
};

/** A count at one step of a range. */
export type MetricsStepCount = {
  __typename?: 'MetricsStepCount';
  /** The count. */
  count: Scalars['Float']['output'];
  /** The step: Unix seconds. */
  time: Scalars['Float']['output'];
};

/** A text at a point in time. */
export type MetricsString = {
  __typename?: 'MetricsString';
  /** Unix seconds, to the millisecond. */
  time: Scalars['Float']['output'];
  /** The text. */
  value: Scalars['String']['output'];
};

/** The new part of a time range: the points of the steps from `start` to `end`. */
export type MetricsTail = {
  __typename?: 'MetricsTail';
  /** The last step, in Unix seconds, which is where to resume. */
  end: Scalars['Float']['output'];
  /**
   * Whether steps are missing between the previous event and this one, because the service was unavailable for longer
   * than the window.
   */
  gap: Scalars['Boolean']['output'];
  /** The series that have points in these steps, with only these points. Empty if there are none. */
  series: Array<MetricsSeries>;
  /** The first step, in Unix seconds: a multiple of `step`. */
  start: Scalars['Float']['output'];
  /** The time between two points, in seconds. */
  step: Scalars['Float']['output'];
  /**
   * Warnings of the service that the result may be incomplete or not what was meant. The query still succeeds. If
   * malformed series were left out, one of them says so.
   */
  warnings: Array<Scalars['String']['output']>;
};

/** How the time of an evaluation was spent, in seconds. */
export type MetricsTimings = {
  __typename?: 'MetricsTimings';
  /** Seconds of evaluation, preparation and sorting included. */
  evalTotalTime: Maybe<Scalars['Float']['output']>;
  /** Seconds spent waiting for a free slot. */
  execQueueTime: Maybe<Scalars['Float']['output']>;
  /** Seconds in all, waiting included. */
  execTotalTime: Maybe<Scalars['Float']['output']>;
  /** Seconds spent computing. */
  innerEvalTime: Maybe<Scalars['Float']['output']>;
  /** Seconds spent finding the series. */
  queryPreparationTime: Maybe<Scalars['Float']['output']>;
  /** Seconds spent sorting the result. */
  resultSortTime: Maybe<Scalars['Float']['output']>;
};

/** The position of a page in the whole list, as Relay's cursor connections define it. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** The cursor of the last edge, for `after`; null on an empty page. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** Whether there are edges after the last one. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether there are edges before the first one. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first edge; null on an empty page. */
  startCursor: Maybe<Scalars['String']['output']>;
};

/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type Query = {
  __typename?: 'Query';
  /** The metrics service: a server that speaks the Prometheus HTTP API. */
  metrics: Maybe<Metrics>;
};

/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type Subscription = {
  __typename?: 'Subscription';
  /**
   * Alerts as they start and stop firing, in order, each change once. Alerts that are firing already are sent first.
   * An alert is identified by the fingerprint of its labels. A pending alert does not fire. Polled at the interval of
   * the service's rule groups. An alert that is missing in a partial list is not resolved. Fails with `BAD_USER_INPUT`
   * if a matcher is no regular expression, and with `SUBSCRIPTION_TOO_SLOW` if more than 1,000 events wait for the
   * client. From the metrics service, alerts.
   */
  alertChanged: Maybe<MetricsAlertChange>;
  /**
   * The current value of an expression (`GET /api/v1/query`), once at the start and whenever it changed. It has
   * changed if a label set appeared, disappeared or has another value (in a matrix: other values). Times of samples do
   * not count, and `NaN` equals `NaN`. For a client that reads slowly, only the newest result waits. Polled at the
   * service's own interval of scrapes and evaluations, or at `every` if that is longer. Fails as `metrics.query` does.
   */
  metricsQuery: Maybe<MetricsResult>;
  /**
   * An expression over a time range that grows (`GET /api/v1/query_range`): first all steps of the window, then each
   * new one. All events together equal one query over the whole range, with steps at multiples of `step`. A step is
   * evaluated once, after its end: what the service learns later about it is not sent. Polled 2 seconds after the end
   * of each step (VictoriaMetrics: 32 seconds, because it hides the last 30). If the service's own interval is longer
   * than a step, several steps are polled together. Fails as `metrics.queryRange` does, with `BAD_USER_INPUT` for a
   * window of more than 11,000 steps and for an expression whose value at a step depends on later samples or on the
   * bounds of the range (`smoothed`, `offset -5m`, `@ end()`, and `range_avg` and its like in MetricsQL), and with
   * `SUBSCRIPTION_TOO_SLOW` if more than 1,000 events wait for the client.
   */
  metricsRange: Maybe<MetricsTail>;
};


/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type SubscriptionAlertChangedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  labels?: InputMaybe<Array<MetricsLabelMatcherInput>>;
};


/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type SubscriptionMetricsQueryArgs = {
  every?: InputMaybe<Scalars['MetricsDuration']['input']>;
  query: Scalars['String']['input'];
};


/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type SubscriptionMetricsRangeArgs = {
  after?: InputMaybe<Scalars['MetricsTime']['input']>;
  query: Scalars['String']['input'];
  step: Scalars['MetricsDuration']['input'];
  window: Scalars['MetricsDuration']['input'];
};



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Metrics: ResolverTypeWrapper<{}>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  MetricsAlert: ResolverTypeWrapper<AlertModel>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  MetricsAlertChange: ResolverTypeWrapper<AlertChangeModel>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  MetricsAlertChangeKind: MetricsAlertChangeKind;
  MetricsAlertState: MetricsAlertState;
  MetricsAlertingRule: ResolverTypeWrapper<AlertingRuleModel>;
  MetricsAnnotation: ResolverTypeWrapper<MetricsAnnotation>;
  MetricsBucket: ResolverTypeWrapper<Bucket>;
  MetricsBucketBoundaries: MetricsBucketBoundaries;
  MetricsBuildInfo: ResolverTypeWrapper<MetricsBuildInfo>;
  MetricsDuration: ResolverTypeWrapper<Scalars['MetricsDuration']['output']>;
  MetricsError: ResolverTypeWrapper<MetricsError>;
  MetricsHistogram: ResolverTypeWrapper<Histogram>;
  MetricsHistogramSample: ResolverTypeWrapper<HistogramSampleModel>;
  MetricsLabel: ResolverTypeWrapper<MetricsLabel>;
  MetricsLabelMatch: MetricsLabelMatch;
  MetricsLabelMatcherInput: MetricsLabelMatcherInput;
  MetricsRecordingRule: ResolverTypeWrapper<RecordingRuleModel>;
  MetricsResult: ResolverTypeWrapper<ResultModel>;
  MetricsRule: ResolverTypeWrapper<RuleModel>;
  MetricsRuleGroup: ResolverTypeWrapper<RuleGroupModel>;
  MetricsRuleGroupConnection: ResolverTypeWrapper<RuleGroupConnectionModel>;
  MetricsRuleGroupEdge: ResolverTypeWrapper<RuleGroupEdgeModel>;
  MetricsRuleHealth: MetricsRuleHealth;
  MetricsRuleType: MetricsRuleType;
  MetricsSample: ResolverTypeWrapper<Sample>;
  MetricsSampleStats: ResolverTypeWrapper<MetricsSampleStats>;
  MetricsSeries: ResolverTypeWrapper<SeriesModel>;
  MetricsStats: ResolverTypeWrapper<MetricsStats>;
  MetricsStepCount: ResolverTypeWrapper<MetricsStepCount>;
  MetricsString: ResolverTypeWrapper<MetricsString>;
  MetricsTail: ResolverTypeWrapper<TailModel>;
  MetricsTime: ResolverTypeWrapper<Scalars['MetricsTime']['output']>;
  MetricsTimings: ResolverTypeWrapper<MetricsTimings>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  JSON: Scalars['JSON']['output'];
  Metrics: {};
  Int: Scalars['Int']['output'];
  String: Scalars['String']['output'];
  Boolean: Scalars['Boolean']['output'];
  MetricsAlert: AlertModel;
  Float: Scalars['Float']['output'];
  MetricsAlertChange: AlertChangeModel;
  ID: Scalars['ID']['output'];
  MetricsAlertingRule: AlertingRuleModel;
  MetricsAnnotation: MetricsAnnotation;
  MetricsBucket: Bucket;
  MetricsBuildInfo: MetricsBuildInfo;
  MetricsDuration: Scalars['MetricsDuration']['output'];
  MetricsError: MetricsError;
  MetricsHistogram: Histogram;
  MetricsHistogramSample: HistogramSampleModel;
  MetricsLabel: MetricsLabel;
  MetricsLabelMatcherInput: MetricsLabelMatcherInput;
  MetricsRecordingRule: RecordingRuleModel;
  MetricsResult: ResultModel;
  MetricsRule: RuleModel;
  MetricsRuleGroup: RuleGroupModel;
  MetricsRuleGroupConnection: RuleGroupConnectionModel;
  MetricsRuleGroupEdge: RuleGroupEdgeModel;
  MetricsSample: Sample;
  MetricsSampleStats: MetricsSampleStats;
  MetricsSeries: SeriesModel;
  MetricsStats: MetricsStats;
  MetricsStepCount: MetricsStepCount;
  MetricsString: MetricsString;
  MetricsTail: TailModel;
  MetricsTime: Scalars['MetricsTime']['output'];
  MetricsTimings: MetricsTimings;
  PageInfo: PageInfo;
  Query: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type MetricsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Metrics'] = ResolversParentTypes['Metrics']> = {
  alerts?: Resolver<Maybe<Array<ResolversTypes['MetricsAlert']>>, ParentType, ContextType>;
  buildInfo?: Resolver<Maybe<ResolversTypes['MetricsBuildInfo']>, ParentType, ContextType>;
  query?: Resolver<Maybe<ResolversTypes['MetricsResult']>, ParentType, ContextType, RequireFields<MetricsQueryArgs, 'query'>>;
  queryRange?: Resolver<Maybe<ResolversTypes['MetricsResult']>, ParentType, ContextType, RequireFields<MetricsQueryRangeArgs, 'end' | 'query' | 'start' | 'step'>>;
  ruleGroups?: Resolver<Maybe<Array<ResolversTypes['MetricsRuleGroup']>>, ParentType, ContextType, Partial<MetricsRuleGroupsArgs>>;
  ruleGroupsConnection?: Resolver<Maybe<ResolversTypes['MetricsRuleGroupConnection']>, ParentType, ContextType, Partial<MetricsRuleGroupsConnectionArgs>>;
};

export type MetricsAlertResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsAlert'] = ResolversParentTypes['MetricsAlert']> = {
  activeAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  annotation?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, RequireFields<MetricsAlertAnnotationArgs, 'name'>>;
  annotations?: Resolver<Array<ResolversTypes['MetricsAnnotation']>, ParentType, ContextType>;
  float?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  keepFiringSince?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, RequireFields<MetricsAlertLabelArgs, 'name'>>;
  labels?: Resolver<Array<ResolversTypes['MetricsLabel']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['MetricsAlertState'], ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MetricsAlertChangeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsAlertChange'] = ResolversParentTypes['MetricsAlertChange']> = {
  after?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  alert?: Resolver<Maybe<ResolversTypes['MetricsAlert']>, ParentType, ContextType>;
  change?: Resolver<ResolversTypes['MetricsAlertChangeKind'], ParentType, ContextType>;
  fingerprint?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type MetricsAlertingRuleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsAlertingRule'] = ResolversParentTypes['MetricsAlertingRule']> = {
  alerts?: Resolver<Array<ResolversTypes['MetricsAlert']>, ParentType, ContextType>;
  annotation?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, RequireFields<MetricsAlertingRuleAnnotationArgs, 'name'>>;
  annotations?: Resolver<Array<ResolversTypes['MetricsAnnotation']>, ParentType, ContextType>;
  duration?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  evaluationTime?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  health?: Resolver<ResolversTypes['MetricsRuleHealth'], ParentType, ContextType>;
  keepFiringFor?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, RequireFields<MetricsAlertingRuleLabelArgs, 'name'>>;
  labels?: Resolver<Array<ResolversTypes['MetricsLabel']>, ParentType, ContextType>;
  lastError?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lastEvaluation?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  query?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['MetricsAlertState'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MetricsAnnotationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsAnnotation'] = ResolversParentTypes['MetricsAnnotation']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MetricsBucketResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsBucket'] = ResolversParentTypes['MetricsBucket']> = {
  boundaries?: Resolver<Maybe<ResolversTypes['MetricsBucketBoundaries']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  countFloat?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  left?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  leftClosed?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  leftFloat?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  right?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rightClosed?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  rightFloat?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type MetricsBuildInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsBuildInfo'] = ResolversParentTypes['MetricsBuildInfo']> = {
  branch?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  buildDate?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  buildUser?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  goVersion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  revision?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export interface MetricsDurationScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['MetricsDuration'], any> {
  name: 'MetricsDuration';
}

export type MetricsErrorResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsError'] = ResolversParentTypes['MetricsError']> = {
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MetricsHistogramResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsHistogram'] = ResolversParentTypes['MetricsHistogram']> = {
  buckets?: Resolver<Array<ResolversTypes['MetricsBucket']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  countFloat?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  sum?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sumFloat?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type MetricsHistogramSampleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsHistogramSample'] = ResolversParentTypes['MetricsHistogramSample']> = {
  histogram?: Resolver<ResolversTypes['MetricsHistogram'], ParentType, ContextType>;
  time?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type MetricsLabelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsLabel'] = ResolversParentTypes['MetricsLabel']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MetricsRecordingRuleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsRecordingRule'] = ResolversParentTypes['MetricsRecordingRule']> = {
  evaluationTime?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  health?: Resolver<ResolversTypes['MetricsRuleHealth'], ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, RequireFields<MetricsRecordingRuleLabelArgs, 'name'>>;
  labels?: Resolver<Array<ResolversTypes['MetricsLabel']>, ParentType, ContextType>;
  lastError?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lastEvaluation?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  query?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MetricsResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsResult'] = ResolversParentTypes['MetricsResult']> = {
  error?: Resolver<Maybe<ResolversTypes['MetricsError']>, ParentType, ContextType>;
  infos?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  raw?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  resultType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scalar?: Resolver<Maybe<ResolversTypes['MetricsSample']>, ParentType, ContextType>;
  series?: Resolver<Array<ResolversTypes['MetricsSeries']>, ParentType, ContextType>;
  stats?: Resolver<Maybe<ResolversTypes['MetricsStats']>, ParentType, ContextType>;
  string?: Resolver<Maybe<ResolversTypes['MetricsString']>, ParentType, ContextType>;
  warnings?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MetricsRuleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsRule'] = ResolversParentTypes['MetricsRule']> = {
  __resolveType: TypeResolveFn<'MetricsAlertingRule' | 'MetricsRecordingRule', ParentType, ContextType>;
};

export type MetricsRuleGroupResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsRuleGroup'] = ResolversParentTypes['MetricsRuleGroup']> = {
  evaluationTime?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  file?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  interval?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  lastEvaluation?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  limit?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rules?: Resolver<Array<ResolversTypes['MetricsRule']>, ParentType, ContextType>;
};

export type MetricsRuleGroupConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsRuleGroupConnection'] = ResolversParentTypes['MetricsRuleGroupConnection']> = {
  edges?: Resolver<Array<ResolversTypes['MetricsRuleGroupEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['MetricsRuleGroup']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type MetricsRuleGroupEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsRuleGroupEdge'] = ResolversParentTypes['MetricsRuleGroupEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['MetricsRuleGroup'], ParentType, ContextType>;
};

export type MetricsSampleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsSample'] = ResolversParentTypes['MetricsSample']> = {
  float?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  time?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MetricsSampleStatsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsSampleStats'] = ResolversParentTypes['MetricsSampleStats']> = {
  peakSamples?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  samplesRead?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  samplesReadPerStep?: Resolver<Maybe<Array<ResolversTypes['MetricsStepCount']>>, ParentType, ContextType>;
  totalQueryableSamples?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  totalQueryableSamplesPerStep?: Resolver<Maybe<Array<ResolversTypes['MetricsStepCount']>>, ParentType, ContextType>;
};

export type MetricsSeriesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsSeries'] = ResolversParentTypes['MetricsSeries']> = {
  histogram?: Resolver<Maybe<ResolversTypes['MetricsHistogramSample']>, ParentType, ContextType>;
  histograms?: Resolver<Array<ResolversTypes['MetricsHistogramSample']>, ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, RequireFields<MetricsSeriesLabelArgs, 'name'>>;
  labels?: Resolver<Array<ResolversTypes['MetricsLabel']>, ParentType, ContextType>;
  metric?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sample?: Resolver<Maybe<ResolversTypes['MetricsSample']>, ParentType, ContextType>;
  samples?: Resolver<Array<ResolversTypes['MetricsSample']>, ParentType, ContextType>;
};

export type MetricsStatsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsStats'] = ResolversParentTypes['MetricsStats']> = {
  samples?: Resolver<Maybe<ResolversTypes['MetricsSampleStats']>, ParentType, ContextType>;
  timings?: Resolver<Maybe<ResolversTypes['MetricsTimings']>, ParentType, ContextType>;
};

export type MetricsStepCountResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsStepCount'] = ResolversParentTypes['MetricsStepCount']> = {
  count?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  time?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type MetricsStringResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsString'] = ResolversParentTypes['MetricsString']> = {
  time?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MetricsTailResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsTail'] = ResolversParentTypes['MetricsTail']> = {
  end?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  gap?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  series?: Resolver<Array<ResolversTypes['MetricsSeries']>, ParentType, ContextType>;
  start?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  step?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  warnings?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export interface MetricsTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['MetricsTime'], any> {
  name: 'MetricsTime';
}

export type MetricsTimingsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricsTimings'] = ResolversParentTypes['MetricsTimings']> = {
  evalTotalTime?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  execQueueTime?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  execTotalTime?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  innerEvalTime?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  queryPreparationTime?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  resultSortTime?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  metrics?: Resolver<Maybe<ResolversTypes['Metrics']>, ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  alertChanged?: SubscriptionResolver<Maybe<ResolversTypes['MetricsAlertChange']>, "alertChanged", ParentType, ContextType, Partial<SubscriptionAlertChangedArgs>>;
  metricsQuery?: SubscriptionResolver<Maybe<ResolversTypes['MetricsResult']>, "metricsQuery", ParentType, ContextType, RequireFields<SubscriptionMetricsQueryArgs, 'query'>>;
  metricsRange?: SubscriptionResolver<Maybe<ResolversTypes['MetricsTail']>, "metricsRange", ParentType, ContextType, RequireFields<SubscriptionMetricsRangeArgs, 'query' | 'step' | 'window'>>;
};

export type Resolvers<ContextType = Context> = {
  DateTime?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  Metrics?: MetricsResolvers<ContextType>;
  MetricsAlert?: MetricsAlertResolvers<ContextType>;
  MetricsAlertChange?: MetricsAlertChangeResolvers<ContextType>;
  MetricsAlertingRule?: MetricsAlertingRuleResolvers<ContextType>;
  MetricsAnnotation?: MetricsAnnotationResolvers<ContextType>;
  MetricsBucket?: MetricsBucketResolvers<ContextType>;
  MetricsBuildInfo?: MetricsBuildInfoResolvers<ContextType>;
  MetricsDuration?: GraphQLScalarType;
  MetricsError?: MetricsErrorResolvers<ContextType>;
  MetricsHistogram?: MetricsHistogramResolvers<ContextType>;
  MetricsHistogramSample?: MetricsHistogramSampleResolvers<ContextType>;
  MetricsLabel?: MetricsLabelResolvers<ContextType>;
  MetricsRecordingRule?: MetricsRecordingRuleResolvers<ContextType>;
  MetricsResult?: MetricsResultResolvers<ContextType>;
  MetricsRule?: MetricsRuleResolvers<ContextType>;
  MetricsRuleGroup?: MetricsRuleGroupResolvers<ContextType>;
  MetricsRuleGroupConnection?: MetricsRuleGroupConnectionResolvers<ContextType>;
  MetricsRuleGroupEdge?: MetricsRuleGroupEdgeResolvers<ContextType>;
  MetricsSample?: MetricsSampleResolvers<ContextType>;
  MetricsSampleStats?: MetricsSampleStatsResolvers<ContextType>;
  MetricsSeries?: MetricsSeriesResolvers<ContextType>;
  MetricsStats?: MetricsStatsResolvers<ContextType>;
  MetricsStepCount?: MetricsStepCountResolvers<ContextType>;
  MetricsString?: MetricsStringResolvers<ContextType>;
  MetricsTail?: MetricsTailResolvers<ContextType>;
  MetricsTime?: GraphQLScalarType;
  MetricsTimings?: MetricsTimingsResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
};

