/**
 * The most upstream calls and units that an operation can cost, before it runs. The bound is never lower than what is
 * made with a cold cache. It knows no service; each describes its fields as data (shared/service-calls.ts).
 */
import { type GraphQLSchema, isObjectType } from 'graphql'
import type { NormalisedOperation } from '../../../engine/operation/normalised.ts'
import type { FieldArguments, ServiceCalls } from '../../../shared/service-calls.ts'
import { createReader } from './reader.ts'
import { createTally, type Estimate } from './tally.ts'
import { type Described, type Descriptions, Walk } from './walk.ts'

export type { Estimate } from './tally.ts'

interface EstimatorOptions {
  readonly schema: GraphQLSchema
  readonly services: readonly ServiceCalls[]
  /** Prices that differ from the published ones, by operation. */
  readonly prices?: Readonly<Record<string, number>> | undefined
}

/** An estimate, and the variables on which it depends: it is the same for all values of the others. */
export interface EstimateOfVariables extends Estimate {
  readonly variablesRead: ReadonlySet<string>
  /** Only the length of list variables counts, unless the ids of `nodes` decide. */
  readonly isRepeatable: boolean
}

export interface PollEstimate extends Estimate {
  readonly everySeconds: number
}

/** Undefined if the operation polls nothing. `variables` are coerced. */
export type PollEstimator = (
  operation: NormalisedOperation,
  variables: FieldArguments,
) => PollEstimate | undefined

/** `variables` are coerced. */
export type Estimator = (operation: NormalisedOperation, variables: FieldArguments) => EstimateOfVariables

export function createEstimator({ schema, services, prices }: EstimatorOptions): Estimator {
  const descriptions: Descriptions = {
    fields: describedBy(services, ({ fields }) => fields),
    entities: describedBy(services, ({ entities }) => entities),
  }

  // No operation over foreign subgraphs costs units, whatever its variables are.
  if (!isDescribed(schema, descriptions)) {
    const free = { ...createTally().estimate(prices), variablesRead: new Set<string>(), isRepeatable: true }
    return () => free
  }
  return (operation, variables) => {
    const reader = createReader(schema, variables)
    const tally = createTally()
    const walk = new Walk(schema, descriptions, reader, tally)
    const selected = reader.fieldsOf(operation)
    // Mutations run one after the other, so calls of two of them never leave together.
    if (operation.kind === 'mutation') for (const field of selected) walk.walkRoot([field])
    else walk.walkRoot(selected)
    return {
      ...tally.estimate(prices),
      variablesRead: reader.variablesRead,
      isRepeatable: !walk.readsIds,
    }
  }
}

function describedBy<Calls>(
  services: readonly ServiceCalls[],
  callsOf: (service: ServiceCalls) => Readonly<Record<string, Calls>>,
): ReadonlyMap<string, Described<Calls>> {
  return new Map(
    services.flatMap((service) =>
      Object.entries(callsOf(service)).map(([name, calls]) => [name, { service, calls }] as const),
    ),
  )
}

/** Whether the schema has a field or an entity of any service. */
function isDescribed(schema: GraphQLSchema, { fields, entities }: Descriptions): boolean {
  const hasField = (name: string): boolean => {
    const [type = '', field = ''] = name.split('.')
    const owner = schema.getType(type)
    return isObjectType(owner) && Object.hasOwn(owner.getFields(), field)
  }
  return (
    [...entities.keys()].some((name) => schema.getType(name) !== undefined) ||
    [...fields.keys()].some(hasField)
  )
}

/** Only the root field of a subscription counts, because the selection below it is resolved from an event. */
export function createPollEstimator({
  schema,
  services,
  prices,
  everySeconds = () => undefined,
}: EstimatorOptions & {
  /** The interval of a service, if it is not each field's own. */
  readonly everySeconds?: (service: string) => number | undefined
}): PollEstimator {
  const polled = describedBy(services, ({ polls = {} }) => polls)
  const estimate = createEstimator({
    schema,
    prices,
    services: services.map((service) => ({
      ...service,
      entities: {},
      fields: Object.fromEntries(
        Object.entries(service.polls ?? {}).map(([name, { calls }]) => [`Subscription.${name}`, calls]),
      ),
    })),
  })
  return (operation, variables) => {
    if (operation.kind !== 'subscription') return undefined
    const poll = createReader(schema, variables)
      .fieldsOf(operation)
      .map(({ field }) => polled.get(field.name))
      .find((found) => found !== undefined)
    return (
      poll && {
        ...estimate(operation, variables),
        everySeconds: everySeconds(poll.service.service) ?? poll.calls.everySeconds,
      }
    )
  }
}
