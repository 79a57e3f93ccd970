/**
 * What agents read by an address: parts of the schema, the rest of the budgets, alerts, and the comment threads of a
 * video. A resource is read like the call of a tool, with the same scopes, budgets and bounds. Those that change are
 * watched by subscriptions of the graph.
 */
import { type McpGraph, runsOwnOperations } from '../agent-request.ts'
import type { McpSettings } from '../config.ts'
import { ProtocolFault, rpcCodes } from '../protocol/errors.ts'
import { describeCoordinates, isInSchema } from '../tools/describe.ts'
import { type Execution, execute } from '../tools/execute.ts'
import type { CallContext, Tool, ToolResult } from '../tools/tool.ts'

export interface Watched {
  /** The subscription: each of its events means a change. */
  readonly query: string
  /** The query that reads the resource, with the same variables: who may not run it may not listen. */
  readonly reads: string
  readonly variables: Readonly<Record<string, unknown>>
}

export interface ResourceResult extends ToolResult {
  readonly mimeType: string
  /** Whether it is the same for every caller, for as long as a list is. */
  readonly isPublic: boolean
}

export interface Resource {
  /** The kind of resource, by which metrics count a call. */
  readonly name: string
  read(context: CallContext): Promise<ResourceResult>
  /** Undefined if it does not change by itself. */
  readonly watched: Watched | undefined
}

export type Resources = ReturnType<typeof createResources>

interface ResourcesOptions {
  readonly graph: McpGraph
  readonly settings: McpSettings
  readonly execution: Execution
  readonly budget: Tool
}

const json = 'application/json'
const quota = 'tessera://quota'
const alerts = 'tessera://alerts'
const commentsOf = /^tessera:\/\/videos\/([\w-]{1,64})\/comments$/

const alertsDocument =
  'query alerts { metrics { alerts { name state activeAt value labels { name value } annotations { name value } } } }'

const commentsDocument = `query comments($videoId: ID!) {
  video(videoId: $videoId) {
    commentThreads(first: 20, order: TIME) {
      nodes {
        threadId
        totalReplyCount
        topLevelComment { authorDisplayName textOriginal likeCount publishedAt }
      }
      edges { cursor }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

export function createResources(options: ResourcesOptions) {
  const { graph } = options
  const hasOwn = runsOwnOperations(graph)
  return {
    definitions: [quotaDefinition, ...(hasOwn ? [alertsDefinition] : [])],
    templates: [...(graph.showsSchema ? [schemaTemplate] : []), ...(hasOwn ? [commentsTemplate] : [])],
    /** Throws a `ProtocolFault` if there is no such resource. */
    get(uri: string): Resource {
      if (uri === quota) return quotaResource(options, hasOwn)
      const schema = graph.showsSchema ? schemaResource(graph, uri) : undefined
      if (schema !== undefined) return schema
      if (hasOwn && uri === alerts) return queried('alerts', alertsWatched, options)
      const [, videoId] = commentsOf.exec(uri) ?? []
      if (!hasOwn || videoId === undefined)
        throw new ProtocolFault(rpcCodes.invalidParams, 'Resource not found', { uri: uri.slice(0, 300) })
      const watched = { query: commentsWatched, reads: commentsDocument, variables: { videoId } }
      return queried('comments', watched, options)
    },
  }
}

const quotaDefinition = {
  uri: quota,
  name: 'quota',
  description: 'What is left to use: budgets of this grant, units of the day.',
  mimeType: json,
}
const alertsDefinition = {
  uri: alerts,
  name: 'alerts',
  description: 'Alerts that are pending or fire. Changes can be listened for.',
  mimeType: json,
}
const schemaTemplate = {
  uriTemplate: 'tessera://schema/{coordinate}',
  name: 'schema',
  description: 'SDL of a type or field, by its coordinate (Type, Type.field).',
  mimeType: 'text/plain',
}
const commentsTemplate = {
  uriTemplate: 'tessera://videos/{videoId}/comments',
  name: 'comments',
  description: 'The newest comment threads of a video. New ones can be listened for.',
  mimeType: json,
}

const alertsWatched: Watched = {
  query: 'subscription alerts { alertChanged { change } }',
  reads: alertsDocument,
  variables: {},
}
const quotaWatched: Watched = {
  query: 'subscription quota { mediaQuotaChanged { used } }',
  reads: 'query quota { mediaQuota { used } }',
  variables: {},
}
const commentsWatched =
  'subscription comments($videoId: ID!) { commentThreadAdded(videoId: $videoId) { gap } }'

const quotaResource = ({ budget }: ResourcesOptions, hasOwn: boolean): Resource => ({
  name: 'quota',
  watched: hasOwn ? quotaWatched : undefined,
  read: async (context) => ({ ...(await budget.call({}, context)), mimeType: json, isPublic: false }),
})

const coordinateOf = /^tessera:\/\/schema\/(\w{1,100}(?:\.\w{1,100})?)$/

function schemaResource({ schema }: McpGraph, uri: string): Resource | undefined {
  const [, coordinate] = coordinateOf.exec(uri) ?? []
  if (coordinate === undefined || !isInSchema(schema, coordinate)) return undefined
  return {
    name: 'schema',
    watched: undefined,
    read: async () => ({
      text: describeCoordinates(schema, [coordinate]),
      mimeType: 'text/plain',
      isPublic: true,
    }),
  }
}

const queried = (name: string, watched: Watched, { execution, settings }: ResourcesOptions): Resource => ({
  name,
  watched,
  async read(context) {
    const { reads: query, variables } = watched
    context.notes.variables = Object.keys(variables)
    const asked = { query, operationName: name, variables, refusesParts: true }
    const answer = await execute(execution, asked, settings.maxTokens, context)
    return { ...answer, mimeType: json, isPublic: false }
  },
})
