/**
 * Typed resolvers for each subgraph: schema/<service>.graphql -> subgraphs/<service>/types.generated.ts.
 * One entry a service; its `mappers` name the models that resolvers hand over (`./model.ts#VideoModel`).
 *
 * And typed operations for the examples, from the schema that clients see. (Relay's own compiler makes those
 * of examples/relay.)
 */
import { existsSync, readFileSync } from 'node:fs'
import type { CodegenConfig } from '@graphql-codegen/cli'
import { parse, print, visit } from 'graphql'
import scalars from './schema/scalars.json' with { type: 'json' }

/** The types that `node` finds, as schema/nodes.graphql has them. */
const stubs = [...readFileSync('schema/nodes.graphql', 'utf8').matchAll(/^type (\w+) implements Node/gm)].map(
  ([, type = '']) => type,
)

const mappers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  videos: {
    Video: './model.ts#VideoModel',
    Channel: './model.ts#ChannelModel',
    CommentThread: './model.ts#ThreadModel',
    Comment: './model.ts#CommentModel',
    VideoConnection: './model.ts#VideoConnectionModel',
    VideoEdge: './model.ts#VideoEdgeModel',
    CommentConnection: './model.ts#CommentConnectionModel',
    CommentEdge: './model.ts#CommentEdgeModel',
    CommentThreadConnection: './model.ts#ThreadConnectionModel',
    CommentThreadEdge: './model.ts#ThreadEdgeModel',
    MediaQuota: '../../shared/quota.ts#QuotaState',
    UpdateVideoPayload: './model.ts#UpdatedModel',
    VideoUpload: './upload/index.ts#UploadState',
    VideoUploadTarget: './upload/index.ts#UploadTarget',
    CommentThreadAdded: './model.ts#ThreadAddedModel',
  },
  agents: {
    Agent: './model.ts#AgentModel',
    Intent: './model.ts#IntentModel',
    IntentConnection: './model.ts#IntentConnectionModel',
    ExportAgentPayload: './model.ts#ExportedModel',
    ImportAgentPayload: './model.ts#ImportedModel',
    DeleteIntentPayload: './model.ts#DeletedIntentModel',
    DetectIntentPayload: '../kit/json.ts#Json',
    AgentOperation: '../kit/json.ts#Json',
    AgentStatus: '../kit/json.ts#Json',
    AgentContext: '../kit/json.ts#Json',
    IntentMessage: '../kit/json.ts#Json',
    MatchedIntent: '../kit/json.ts#Json',
  },
  messages: {
    Message: './model.ts#MessageModel',
    MessageUser: './model.ts#UserModel',
    MessageUserConnection: './model.ts#UserConnectionModel',
    LikeMessagePayload: './model.ts#LikedModel',
    UnlikeMessagePayload: './model.ts#LikedModel',
    ReferencedMessage: './model.ts#ResponseObject',
    MessageAttachments: './model.ts#ResponseObject',
    MessageMedia: './model.ts#ResponseObject',
    MessagePoll: './model.ts#ResponseObject',
    MessageGeo: './model.ts#ResponseObject',
    MessagePlace: './model.ts#ResponseObject',
    MentionEntity: './model.ts#ResponseObject',
    MessageLikeAdded: './model.ts#LikeAddedModel',
  },
  metrics: {
    Metrics: '{}',
    MetricsResult: './model.ts#ResultModel',
    MetricsSeries: './model.ts#SeriesModel',
    MetricsSample: './model.ts#Sample',
    MetricsHistogramSample: './model.ts#HistogramSampleModel',
    MetricsBucket: './model.ts#Bucket',
    MetricsHistogram: './model.ts#Histogram',
    MetricsRuleGroupConnection: './rules.ts#RuleGroupConnectionModel',
    MetricsRuleGroupEdge: './rules.ts#RuleGroupEdgeModel',
    MetricsRuleGroup: './model.ts#RuleGroupModel',
    MetricsRule: './model.ts#RuleModel',
    MetricsAlertingRule: './model.ts#AlertingRuleModel',
    MetricsRecordingRule: './model.ts#RecordingRuleModel',
    MetricsAlert: './model.ts#AlertModel',
    MetricsTail: './model.ts#TailModel',
    MetricsAlertChange: './model.ts#AlertChangeModel',
  },
  nodes: Object.fromEntries(stubs.map((type) => [type, './model.ts#Stub'])),
}

/** The SDL without descriptions, which the generated types would only repeat. */
function undescribed(sdl: string): string {
  return print(visit(parse(sdl), { StringValue: (_, key) => (key === 'description' ? null : undefined) }))
}

const generates: CodegenConfig['generates'] = {}
for (const [service, models] of Object.entries(mappers)) {
  const schema = `schema/${service}.graphql`
  if (!existsSync(schema)) continue
  generates[`subgraphs/${service}/types.generated.ts`] = {
    schema: undescribed(readFileSync(schema, 'utf8')),
    plugins: ['typescript', 'typescript-resolvers'],
    config: {
      skipTypename: true,
      federation: true,
      useTypeImports: true,
      enumsAsTypes: true,
      avoidOptionals: { field: true },
      defaultScalarType: 'unknown',
      scalars: {
        ID: { input: 'string', output: 'string' },
        UInt64: { input: 'string', output: 'string' },
        UnsignedInt: { input: 'number', output: 'number' },
        DateTime: { input: 'string', output: 'string' },
      },
      contextType: './context.ts#Context',
      makeResolverTypeCallable: true,
      mappers: models,
    },
  }
}

const operations = {
  useTypeImports: true,
  enumsAsTypes: true,
  scalars,
} as const

generates['examples/fetch/operations.generated.ts'] = {
  schema: 'schema/api.graphql',
  documents: 'examples/fetch/operations/*.graphql',
  plugins: ['typescript-operations', 'typed-document-node'],
  // Documents as text: a client without a GraphQL library needs no syntax tree.
  config: { ...operations, documentMode: 'string' },
}

generates['examples/apollo-client/src/operations.generated.ts'] = {
  schema: 'schema/api.graphql',
  documents: 'examples/apollo-client/src/*.graphql',
  plugins: ['typescript-operations', 'typed-document-node'],
  config: {
    ...operations,
    documentNodeImport: '@apollo/client#TypedDocumentNode',
    nonOptionalTypename: true,
  },
}
generates['examples/live-dashboard/src/operations.generated.ts'] = {
  schema: 'schema/api.graphql',
  documents: 'examples/live-dashboard/src/*.graphql',
  plugins: ['typescript-operations', 'typed-document-node'],
  config: {
    ...operations,
    documentNodeImport: '@apollo/client#TypedDocumentNode',
    nonOptionalTypename: true,
  },
}
generates['examples/apollo-client/src/possible-types.generated.ts'] = {
  schema: 'schema/api.graphql',
  plugins: ['./examples/apollo-client/possible-types.ts'],
}

const config: CodegenConfig = { generates, silent: true, hooks: {} }

export default config
