/**
 * The events of a subgraph in this process, from `Subscription.<field>.subscribe` of its schema (GraphQL, section
 * 6.2.3.1). Each event is the root value of an execution.
 */
import { type FieldNode, type GraphQLResolveInfo, type GraphQLSchema, getOperationAST, print } from 'graphql'
import { fragmentsOf, variablesIn } from '../../../shared/graphql/selections.ts'
import type { LiveEvent } from '../../../shared/polling.ts'
import type { Variables } from '../../operation/variables.ts'
import type { GatewayRequest } from '../../request.ts'
import type { SourceEvent, SubgraphEvents, SubgraphOperation } from '../subgraph-fetch.ts'
import { argumentsOf } from './executor/arguments.ts'
import { collectFields } from './executor/collect.ts'
import { compileResolverVariables } from './executor/variables.ts'

/** The argument for the id of the event after which to resume. */
const resumeArgument = 'after'

export function createEventSource(
  schema: GraphQLSchema,
  { document, name }: Pick<SubgraphOperation, 'document' | 'name'>,
  contextFor: (request: GatewayRequest) => object,
): Pick<SubgraphEvents, 'source' | 'sourceVariables' | 'open'> {
  const operation = getOperationAST(document, name)
  const root = schema.getSubscriptionType()
  if (operation == null || root == null) throw new Error('The schema has no subscriptions.')
  const fragments = Object.fromEntries(fragmentsOf(document))
  const coerce = compileResolverVariables(schema, operation)
  const fieldsWith = (variables: Variables) =>
    [...collectFields(schema, fragments, root, [operation.selectionSet], variables).values()].map(
      ([node]) => node as FieldNode,
    )
  const variableNames = new Set<string>()
  const sources = fieldsWith({}).map((node) => {
    const { kind, name, arguments: args = [] } = node
    const alone: FieldNode = { kind, name, arguments: args }
    for (const variable of variablesIn(alone)) variableNames.add(variable)
    return print(alone)
  })

  return {
    // The fields with their arguments, and the variables in these.
    source: sources.join(),
    sourceVariables: [...variableNames].sort(),
    async open(given, request) {
      const { variables, errors } = coerce(given)
      if (errors !== undefined) throw errors[0]
      const [node, ...others] = fieldsWith(variables)
      const definition = node === undefined ? undefined : root.getFields()[node.name.value]
      if (node === undefined || definition === undefined || others.length > 0)
        throw new Error('A subscription has one root field.')
      const args = argumentsOf(definition, node, variables)
      if (request.resumeAfter !== undefined && definition.args.some((arg) => arg.name === resumeArgument))
        args[resumeArgument] = request.resumeAfter
      const { subscribe } = definition
      if (subscribe === undefined) throw new Error(`Subscription.${definition.name} has no \`subscribe\`.`)
      const info = {
        fieldName: definition.name,
        fieldNodes: [node],
        returnType: definition.type,
        parentType: root,
        path: { prev: undefined, key: node.alias?.value ?? node.name.value, typename: root.name },
        schema,
        fragments,
        rootValue: undefined,
        operation,
        variableValues: variables as Record<string, unknown>,
      } as unknown as GraphQLResolveInfo
      const iterable: unknown = await subscribe(undefined, args, contextFor(request), info)
      if (!isAsyncIterable(iterable)) throw new Error(`Subscription.${definition.name} yields no events.`)
      return new EventIterator(iterable[Symbol.asyncIterator]())
    },
  }
}

/** Reads key, id, place and extensions of each event. A class, because there is one for each subscription. */
class EventIterator implements AsyncIterator<SourceEvent, unknown, undefined> {
  readonly #events: AsyncIterator<unknown>

  constructor(events: AsyncIterator<unknown>) {
    this.#events = events
  }

  async next(): Promise<IteratorResult<SourceEvent, unknown>> {
    const { done, value } = await this.#events.next()
    return done === true ? { done: true, value: undefined } : { done: false, value: eventFrom(value) }
  }

  async return(): Promise<IteratorResult<SourceEvent, unknown>> {
    await this.#events.return?.()
    return { done: true, value: undefined }
  }
}

function eventFrom(payload: unknown): SourceEvent {
  const { key, id, own, extensions } = (payload ?? {}) as Partial<LiveEvent>
  return { payload, key, id, own, extensions }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
