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
  DateTime: { input: string; output: string; }
  JSON: { input: unknown; output: unknown; }
  MetricsDuration: { input: unknown; output: unknown; }
  MetricsTime: { input: unknown; output: unknown; }
  _FieldSet: { input: unknown; output: unknown; }
};

export type Metrics = {
  alerts: Maybe<Array<MetricsAlert>>;
  buildInfo: Maybe<MetricsBuildInfo>;
  query: Maybe<MetricsResult>;
  queryRange: Maybe<MetricsResult>;
  ruleGroups: Maybe<Array<MetricsRuleGroup>>;
  ruleGroupsConnection: Maybe<MetricsRuleGroupConnection>;
};


export type MetricsQueryArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  lookbackDelta?: InputMaybe<Scalars['MetricsDuration']['input']>;
  query: Scalars['String']['input'];
  time?: InputMaybe<Scalars['MetricsTime']['input']>;
  timeout?: InputMaybe<Scalars['MetricsDuration']['input']>;
};


export type MetricsQueryRangeArgs = {
  end: Scalars['MetricsTime']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  lookbackDelta?: InputMaybe<Scalars['MetricsDuration']['input']>;
  query: Scalars['String']['input'];
  start: Scalars['MetricsTime']['input'];
  step: Scalars['MetricsDuration']['input'];
  timeout?: InputMaybe<Scalars['MetricsDuration']['input']>;
};


export type MetricsRuleGroupsArgs = {
  excludeAlerts?: InputMaybe<Scalars['Boolean']['input']>;
  files?: InputMaybe<Array<Scalars['String']['input']>>;
  match?: InputMaybe<Array<Scalars['String']['input']>>;
  ruleGroups?: InputMaybe<Array<Scalars['String']['input']>>;
  ruleNames?: InputMaybe<Array<Scalars['String']['input']>>;
  type?: InputMaybe<MetricsRuleType>;
};


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

export type MetricsAlert = {
  activeAt: Maybe<Scalars['DateTime']['output']>;
  annotation: Maybe<Scalars['String']['output']>;
  annotations: Array<MetricsAnnotation>;
  float: Maybe<Scalars['Float']['output']>;
  keepFiringSince: Maybe<Scalars['DateTime']['output']>;
  label: Maybe<Scalars['String']['output']>;
  labels: Array<MetricsLabel>;
  name: Maybe<Scalars['String']['output']>;
  state: MetricsAlertState;
  value: Maybe<Scalars['String']['output']>;
};


export type MetricsAlertAnnotationArgs = {
  name: Scalars['String']['input'];
};


export type MetricsAlertLabelArgs = {
  name: Scalars['String']['input'];
};

export type MetricsAlertChange = {
  after: Scalars['String']['output'];
  alert: Maybe<MetricsAlert>;
  change: MetricsAlertChangeKind;
  fingerprint: Scalars['ID']['output'];
};

export type MetricsAlertChangeKind =
  | 'FIRING'
  | 'RESOLVED';

export type MetricsAlertState =
  | 'FIRING'
  | 'INACTIVE'
  | 'PENDING'
  | 'UNKNOWN';

export type MetricsAlertingRule = MetricsRule & {
  alerts: Array<MetricsAlert>;
  annotation: Maybe<Scalars['String']['output']>;
  annotations: Array<MetricsAnnotation>;
  duration: Scalars['Float']['output'];
  evaluationTime: Maybe<Scalars['Float']['output']>;
  health: MetricsRuleHealth;
  keepFiringFor: Maybe<Scalars['Float']['output']>;
  label: Maybe<Scalars['String']['output']>;
  labels: Array<MetricsLabel>;
  lastError: Maybe<Scalars['String']['output']>;
  lastEvaluation: Maybe<Scalars['DateTime']['output']>;
  name: Scalars['String']['output'];
  query: Scalars['String']['output'];
  state: MetricsAlertState;
};


export type MetricsAlertingRuleAnnotationArgs = {
  name: Scalars['String']['input'];
};


export type MetricsAlertingRuleLabelArgs = {
  name: Scalars['String']['input'];
};

export type MetricsAnnotation = {
  name: Scalars['String']['output'];
  value: Scalars['String']['output'];
};

export type MetricsBucket = {
  boundaries: Maybe<MetricsBucketBoundaries>;
  count: Scalars['String']['output'];
  countFloat: Maybe<Scalars['Float']['output']>;
  left: Scalars['String']['output'];
  leftClosed: Maybe<Scalars['Boolean']['output']>;
  leftFloat: Maybe<Scalars['Float']['output']>;
  right: Scalars['String']['output'];
  rightClosed: Maybe<Scalars['Boolean']['output']>;
  rightFloat: Maybe<Scalars['Float']['output']>;
};

export type MetricsBucketBoundaries =
  | 'CLOSED_BOTH'
  | 'OPEN_BOTH'
  | 'OPEN_LEFT'
  | 'OPEN_RIGHT';

export type MetricsBuildInfo = {
  branch: Maybe<Scalars['String']['output']>;
  buildDate: Maybe<Scalars['String']['output']>;
  buildUser: Maybe<Scalars['String']['output']>;
  goVersion: Maybe<Scalars['String']['output']>;
  revision: Maybe<Scalars['String']['output']>;
  version: Maybe<Scalars['String']['output']>;
};

export type MetricsError = {
  message: Scalars['String']['output'];
  type: Scalars['String']['output'];
};

export type MetricsHistogram = {
  buckets: Array<MetricsBucket>;
  count: Scalars['String']['output'];
  countFloat: Maybe<Scalars['Float']['output']>;
  sum: Scalars['String']['output'];
  sumFloat: Maybe<Scalars['Float']['output']>;
};

export type MetricsHistogramSample = {
  histogram: MetricsHistogram;
  time: Scalars['Float']['output'];
};

export type MetricsLabel = {
  name: Scalars['String']['output'];
  value: Scalars['String']['output'];
};

export type MetricsLabelMatch =
  | 'EQUAL'
  | 'NOT_EQUAL'
  | 'NOT_REGEX'
  | 'REGEX';

export type MetricsLabelMatcherInput = {
  match?: InputMaybe<MetricsLabelMatch>;
  name: Scalars['String']['input'];
  value: Scalars['String']['input'];
};

export type MetricsRecordingRule = MetricsRule & {
  evaluationTime: Maybe<Scalars['Float']['output']>;
  health: MetricsRuleHealth;
  label: Maybe<Scalars['String']['output']>;
  labels: Array<MetricsLabel>;
  lastError: Maybe<Scalars['String']['output']>;
  lastEvaluation: Maybe<Scalars['DateTime']['output']>;
  name: Scalars['String']['output'];
  query: Scalars['String']['output'];
};


export type MetricsRecordingRuleLabelArgs = {
  name: Scalars['String']['input'];
};

export type MetricsResult = {
  error: Maybe<MetricsError>;
  infos: Array<Scalars['String']['output']>;
  raw: Scalars['JSON']['output'];
  resultType: Scalars['String']['output'];
  scalar: Maybe<MetricsSample>;
  series: Array<MetricsSeries>;
  stats: Maybe<MetricsStats>;
  string: Maybe<MetricsString>;
  warnings: Array<Scalars['String']['output']>;
};

export type MetricsRule = {
  evaluationTime: Maybe<Scalars['Float']['output']>;
  health: MetricsRuleHealth;
  label: Maybe<Scalars['String']['output']>;
  labels: Array<MetricsLabel>;
  lastError: Maybe<Scalars['String']['output']>;
  lastEvaluation: Maybe<Scalars['DateTime']['output']>;
  name: Scalars['String']['output'];
  query: Scalars['String']['output'];
};


export type MetricsRuleLabelArgs = {
  name: Scalars['String']['input'];
};

export type MetricsRuleGroup = {
  evaluationTime: Maybe<Scalars['Float']['output']>;
  file: Scalars['String']['output'];
  interval: Maybe<Scalars['Float']['output']>;
  lastEvaluation: Maybe<Scalars['DateTime']['output']>;
  limit: Maybe<Scalars['Int']['output']>;
  name: Scalars['String']['output'];
  rules: Array<MetricsRule>;
};

export type MetricsRuleGroupConnection = {
  edges: Array<MetricsRuleGroupEdge>;
  nodes: Array<MetricsRuleGroup>;
  pageInfo: PageInfo;
  totalCount: Maybe<Scalars['Int']['output']>;
};

export type MetricsRuleGroupEdge = {
  cursor: Scalars['String']['output'];
  node: MetricsRuleGroup;
};

export type MetricsRuleHealth =
  | 'ERR'
  | 'OK'
  | 'UNKNOWN';

export type MetricsRuleType =
  | 'ALERT'
  | 'RECORD';

export type MetricsSample = {
  float: Maybe<Scalars['Float']['output']>;
  time: Scalars['Float']['output'];
  value: Scalars['String']['output'];
};

export type MetricsSampleStats = {
  peakSamples: Maybe<Scalars['Float']['output']>;
  samplesRead: Maybe<Scalars['Float']['output']>;
  samplesReadPerStep: Maybe<Array<MetricsStepCount>>;
  seriesTouched: Maybe<Scalars['Float']['output']>;
  totalQueryableSamples: Maybe<Scalars['Float']['output']>;
  totalQueryableSamplesPerStep: Maybe<Array<MetricsStepCount>>;
};

export type MetricsSeries = {
  histogram: Maybe<MetricsHistogramSample>;
  histograms: Array<MetricsHistogramSample>;
  label: Maybe<Scalars['String']['output']>;
  labels: Array<MetricsLabel>;
  metric: Scalars['JSON']['output'];
  name: Maybe<Scalars['String']['output']>;
  sample: Maybe<MetricsSample>;
  samples: Array<MetricsSample>;
};


export type MetricsSeriesLabelArgs = {
  name: Scalars['String']['input'];
};

export type MetricsStats = {
  samples: Maybe<MetricsSampleStats>;
  timings: Maybe<MetricsTimings>;
};

export type MetricsStepCount = {
  count: Scalars['Float']['output'];
  time: Scalars['Float']['output'];
};

export type MetricsString = {
  time: Scalars['Float']['output'];
  value: Scalars['String']['output'];
};

export type MetricsTail = {
  end: Scalars['Float']['output'];
  gap: Scalars['Boolean']['output'];
  series: Array<MetricsSeries>;
  start: Scalars['Float']['output'];
  step: Scalars['Float']['output'];
  warnings: Array<Scalars['String']['output']>;
};

export type MetricsTimings = {
  evalTotalTime: Maybe<Scalars['Float']['output']>;
  execQueueTime: Maybe<Scalars['Float']['output']>;
  execTotalTime: Maybe<Scalars['Float']['output']>;
  innerEvalTime: Maybe<Scalars['Float']['output']>;
  queryPreparationTime: Maybe<Scalars['Float']['output']>;
  resultSortTime: Maybe<Scalars['Float']['output']>;
};

export type PageInfo = {
  endCursor: Maybe<Scalars['String']['output']>;
  hasNextPage: Scalars['Boolean']['output'];
  hasPreviousPage: Scalars['Boolean']['output'];
  startCursor: Maybe<Scalars['String']['output']>;
};

export type Query = {
  metrics: Maybe<Metrics>;
};

export type Subscription = {
  alertChanged: Maybe<MetricsAlertChange>;
  metricsQuery: Maybe<MetricsResult>;
  metricsRange: Maybe<MetricsTail>;
};


export type SubscriptionAlertChangedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  labels?: InputMaybe<Array<MetricsLabelMatcherInput>>;
};


export type SubscriptionMetricsQueryArgs = {
  every?: InputMaybe<Scalars['MetricsDuration']['input']>;
  query: Scalars['String']['input'];
};


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
  seriesTouched?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
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

