/**
 * How many upstream calls and units an operation costs at most, before it runs. It knows what batching,
 * paging and nesting do to calls; a bound, never less than what is then charged on a cold cache.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import {
  type FieldArguments,
  type LookupCalls,
  pagingOf,
  type ServiceCalls,
} from '../../subgraphs/lib/calls.ts'
import { mostCallsOf } from '../../subgraphs/lib/connection.ts'
import { fromGlobalId } from '../../subgraphs/lib/global-id.ts'

export interface OperationEstimate {
  readonly service: string
  readonly operation: string
  readonly calls: number
  readonly units: number
  /** What look-ups ask for, in the service's words. */
  readonly asksFor: readonly string[]
}

export interface Estimate {
  readonly units: number
  /** Calls by service. */
  readonly calls: Readonly<Record<string, number>>
  readonly operations: readonly OperationEstimate[]
}

export interface EstimatorOptions {
  readonly schema: GraphQLSchema
  readonly services: readonly ServiceCalls[]
  /** Prices that differ from the published ones. */
  readonly prices?: Readonly<Record<string, number>> | undefined
}

export type Estimator = (
  document: DocumentNode,
  operationName: string | undefined,
  variables: FieldArguments,
) => Estimate

interface Tally {
  readonly service: ServiceCalls
  calls: number
  readonly asksFor: Set<string>
}

/** Look-ups that leave together: keys wanted, by the calls that answer them. */
type Moment = Map<LookupCalls, { service: ServiceCalls; keys: number; asksFor: Set<string> }>

/** Where the walk stands: under so many parents, whose look-ups meet in `moment`, of which there are `moments`. */
interface Standing {
  readonly parents: number
  readonly moment: Moment
  /** How many times that moment happens, each with look-ups of its own. */
  readonly moments: number
}

interface Selected {
  readonly node: FieldNode
  readonly type: GraphQLCompositeType
}

export function createEstimator({ schema, services, prices }: EstimatorOptions): Estimator {
  const fields = new Map(
    services.flatMap((service) =>
      Object.entries(service.fields).map(([name, calls]) => [name, { service, calls }] as const),
    ),
  )
  const entities = new Map(
    services.flatMap((service) =>
      Object.entries(service.entities).map(([name, calls]) => [name, { service, calls }] as const),
    ),
  )
  const apart = new Map(
    services.flatMap((service) =>
      Object.entries(service.apart).map(([name, calls]) => [name, { service, calls }] as const),
    ),
  )

  return (document, operationName, variables) => {
    const tallies = new Map<string, Tally>()
    const fragments = new Map(
      document.definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
      ),
    )

    const add = (
      service: ServiceCalls,
      operation: string,
      calls: number,
      asksFor: Iterable<string> = [],
    ): void => {
      let tally = tallies.get(operation)
      if (tally === undefined) {
        tally = { service, calls: 0, asksFor: new Set() }
        tallies.set(operation, tally)
      }
      tally.calls += calls
      for (const text of asksFor) if (text !== '') tally.asksFor.add(text)
    }
    const close = (moment: Moment, moments: number): void => {
      for (const [calls, { service, keys, asksFor }] of moment) {
        if (keys > 0) add(service, calls.operation, moments * Math.ceil(keys / calls.batch), asksFor)
      }
    }
    const want = (
      standing: Standing,
      service: ServiceCalls,
      calls: LookupCalls,
      keys: number,
      asksFor: string,
    ): void => {
      let wanted = standing.moment.get(calls)
      if (wanted === undefined) {
        wanted = { service, keys: 0, asksFor: new Set() }
        standing.moment.set(calls, wanted)
      }
      wanted.keys += keys
      wanted.asksFor.add(asksFor)
    }

    const isLeftOut = (node: SelectionNode): boolean =>
      (node.directives ?? []).some((directive) => {
        const name = directive.name.value
        if (name !== 'skip' && name !== 'include') return false
        const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value
        const holds =
          value?.kind === Kind.VARIABLE
            ? variables[value.name.value] === true
            : value?.kind === Kind.BOOLEAN && value.value
        return holds === (name === 'skip')
      })

    /** The fields of a selection on objects of `type`, those of every fragment that may apply included. */
    const selected = (set: SelectionSetNode | undefined, type: GraphQLCompositeType): Selected[] =>
      (set?.selections ?? []).flatMap((selection): Selected[] => {
        if (isLeftOut(selection)) return []
        if (selection.kind === Kind.FIELD) return [{ node: selection, type }]
        const fragment =
          selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
        if (fragment === undefined) return []
        const condition = fragment.typeCondition?.name.value
        const named = condition === undefined ? type : schema.getType(condition)
        return isCompositeType(named) ? selected(fragment.selectionSet, named) : []
      })

    const namesIn = (set: SelectionSetNode | undefined, type: GraphQLCompositeType): Set<string> =>
      new Set(selected(set, type).map(({ node }) => node.name.value))

    const walk = (
      set: SelectionSetNode | undefined,
      type: GraphQLCompositeType,
      standing: Standing,
    ): void => {
      for (const { node, type: owner } of selected(set, type)) walkField(node, owner, standing)
    }

    /** What is selected of one field of a field's result. */
    const namesBelow = (
      node: FieldNode,
      type: GraphQLCompositeType | undefined,
      inside: string,
    ): Set<string> => {
      const names = new Set<string>()
      if (type === undefined) return names
      for (const { node: part, type: owner } of selected(node.selectionSet, type)) {
        if (part.name.value !== inside || !isObjectType(owner)) continue
        const inner = getNamedType(owner.getFields()[inside]?.type)
        if (isCompositeType(inner)) for (const each of namesIn(part.selectionSet, inner)) names.add(each)
      }
      return names
    }

    const walkField = (node: FieldNode, owner: GraphQLCompositeType, standing: Standing): void => {
      const name = node.name.value
      const field = isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[name] : undefined
      if (field === undefined) return
      const inner = getNamedType(field.type)
      const below = isCompositeType(inner) ? inner : undefined
      const coordinate = `${owner.name}.${name}`
      const own = apart.get(coordinate)
      if (own !== undefined) want(standing, own.service, own.calls, standing.parents, '')
      const known = fields.get(coordinate)
      const args = getArgumentValues(field, node, variables)
      if (owner === schema.getQueryType() && (name === 'node' || name === 'nodes')) {
        if (below !== undefined) walkNodes(node, args, standing)
        return
      }
      if (known === undefined) {
        if (below === undefined) return
        const items = isList(field.type) ? sizeOf(args) : 1
        walk(node.selectionSet, below, { ...standing, parents: standing.parents * items })
        return
      }
      const { service, calls } = known
      const names = below === undefined ? new Set<string>() : namesIn(node.selectionSet, below)
      switch (calls.kind) {
        case 'plain':
          for (const operation of calls.calls(args, (inside) =>
            inside === undefined ? names : namesBelow(node, below, inside),
          )) {
            add(service, operation, standing.parents)
          }
          if (below !== undefined) walkApart(node, below, standing)
          return
        case 'lookup': {
          const keys = calls.keys?.(args) ?? 1
          if (below === undefined) return
          const needed = calls.free === undefined || [...names].some((each) => !calls.free?.has(each))
          if (needed)
            want(
              standing,
              service,
              calls,
              standing.parents * keys,
              service.asksFor?.(below.name, names) ?? '',
            )
          // What hangs on a look-up goes on when it is back: at another moment.
          walkApart(node, below, { ...standing, parents: standing.parents * keys })
          return
        }
        case 'list': {
          const paging = pagingOf(args)
          const count = paging.first ?? paging.last ?? calls.defaultPageSize
          const nodes = below === undefined ? undefined : nodesOf(node, below)
          const asksFor = nodes === undefined ? '' : (service.asksFor?.(nodes.type.name, nodes.names) ?? '')
          const lists = standing.parents * standing.moments
          add(
            service,
            calls.operation,
            lists * mostCallsOf(paging, calls.maxPageSize, calls.defaultPageSize),
            [asksFor],
          )
          if (below === undefined || count === 0) return
          // Each list comes back by itself, and what hangs on its items leaves then.
          const moment: Moment = new Map()
          walkConnection(node, below, { parents: count, moment, moments: lists })
          close(moment, lists)
          return
        }
      }
    }

    /** What hangs on something that has to come back first. */
    const walkApart = (node: FieldNode, type: GraphQLCompositeType, standing: Standing): void => {
      const moment: Moment = new Map()
      walk(node.selectionSet, type, { ...standing, moment })
      close(moment, standing.moments)
    }

    /** Through `nodes`, `edges` and `node` of a connection to its items, which share one moment. */
    const walkConnection = (node: FieldNode, type: GraphQLCompositeType, standing: Standing): void => {
      for (const { node: part, type: owner } of selected(node.selectionSet, type)) {
        const field = isObjectType(owner) ? owner.getFields()[part.name.value] : undefined
        const inner = field === undefined ? undefined : getNamedType(field.type)
        if (!isCompositeType(inner)) continue
        if (part.name.value === 'nodes') walk(part.selectionSet, inner, standing)
        else if (part.name.value === 'edges') {
          for (const { node: item } of selected(part.selectionSet, inner)) {
            const itemField = isObjectType(inner) ? inner.getFields()[item.name.value] : undefined
            const itemType = itemField === undefined ? undefined : getNamedType(itemField.type)
            if (item.name.value === 'node' && isCompositeType(itemType))
              walk(item.selectionSet, itemType, standing)
          }
        }
      }
    }

    const nodesOf = (
      node: FieldNode,
      type: GraphQLCompositeType,
    ): { readonly type: GraphQLCompositeType; readonly names: Set<string> } | undefined => {
      const names = new Set<string>()
      let of: GraphQLCompositeType | undefined
      for (const { node: part, type: owner } of selected(node.selectionSet, type)) {
        const field = isObjectType(owner) ? owner.getFields()[part.name.value] : undefined
        const inner = field === undefined ? undefined : getNamedType(field.type)
        if (!isCompositeType(inner)) continue
        if (part.name.value === 'nodes') {
          of = inner
          for (const each of namesIn(part.selectionSet, inner)) names.add(each)
        } else if (part.name.value === 'edges') {
          for (const { node: item } of selected(part.selectionSet, inner)) {
            const itemField = isObjectType(inner) ? inner.getFields()[item.name.value] : undefined
            const itemType = itemField === undefined ? undefined : getNamedType(itemField.type)
            if (item.name.value !== 'node' || !isCompositeType(itemType)) continue
            of = itemType
            for (const each of namesIn(item.selectionSet, itemType)) names.add(each)
          }
        }
      }
      return of === undefined ? undefined : { type: of, names }
    }

    /** Objects by their global ids: each type is looked up by its own service once the ids are read. */
    const walkNodes = (node: FieldNode, args: FieldArguments, standing: Standing): void => {
      const ids = Array.isArray(args.ids) ? (args.ids as unknown[]) : [args.id]
      const byType = new Map<string, number>()
      for (const id of new Set(ids)) {
        const typeName = typeof id === 'string' ? fromGlobalId(id)?.type : undefined
        if (typeName !== undefined) byType.set(typeName, (byType.get(typeName) ?? 0) + 1)
      }
      for (const [typeName, count] of byType) {
        const concrete = schema.getType(typeName)
        const entity = entities.get(typeName)
        if (!isObjectType(concrete) || entity === undefined) {
          if (isObjectType(concrete))
            walkApart(onlyFor(node, concrete), concrete, { ...standing, parents: count })
          continue
        }
        const narrowed = onlyFor(node, concrete)
        const names = namesIn(narrowed.selectionSet, concrete)
        const moment: Moment = new Map()
        if ([...names].some((each) => !entity.calls.free?.has(each))) {
          want(
            { parents: count, moment, moments: 1 },
            entity.service,
            entity.calls,
            count,
            entity.service.asksFor?.(typeName, names) ?? '',
          )
        }
        close(moment, 1)
        walkApart(narrowed, concrete, { ...standing, parents: count })
      }
    }

    /** The part of a selection that applies to objects of one type. */
    const onlyFor = (node: FieldNode, concrete: GraphQLCompositeType): FieldNode => {
      const keep = (set: SelectionSetNode): SelectionNode[] =>
        set.selections.flatMap((selection): SelectionNode[] => {
          if (isLeftOut(selection)) return []
          if (selection.kind === Kind.FIELD) return [selection]
          const fragment =
            selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
          if (fragment === undefined) return []
          const condition = fragment.typeCondition?.name.value
          const named = condition === undefined ? concrete : schema.getType(condition)
          const applies =
            named === concrete ||
            (isInterfaceType(named) && isObjectType(concrete) && schema.isSubType(named, concrete))
          return applies ? keep(fragment.selectionSet) : []
        })
      return {
        ...node,
        selectionSet: {
          kind: Kind.SELECTION_SET,
          selections: keep(node.selectionSet ?? { kind: Kind.SELECTION_SET, selections: [] }),
        },
      }
    }

    const operation = getOperationAST(document, operationName)
    const root =
      operation === null || operation === undefined ? undefined : schema.getRootType(operation.operation)
    if (operation !== null && operation !== undefined && root !== undefined && root !== null) {
      if (operation.operation === 'mutation') {
        // Mutations run one after the other: nothing of two of them leaves together.
        for (const { node, type } of selected(operation.selectionSet, root)) {
          const moment: Moment = new Map()
          walkField(node, type, { parents: 1, moment, moments: 1 })
          close(moment, 1)
        }
      } else {
        const moment: Moment = new Map()
        walk(operation.selectionSet, root, { parents: 1, moment, moments: 1 })
        close(moment, 1)
      }
    }

    const operations = [...tallies].map(([name, { service, calls, asksFor }]): OperationEstimate => {
      const price = prices?.[name] ?? service.prices[name] ?? 0
      return { service: service.service, operation: name, calls, units: calls * price, asksFor: [...asksFor] }
    })
    const calls: Record<string, number> = {}
    for (const each of operations) calls[each.service] = (calls[each.service] ?? 0) + each.calls
    return { units: operations.reduce((sum, { units }) => sum + units, 0), calls, operations }
  }
}

/** What a plain list holds at most, as far as anybody knows. */
const assumedItems = 50

function sizeOf(args: FieldArguments): number {
  return typeof args.first === 'number' ? args.first : assumedItems
}

function isList(type: unknown): boolean {
  if (isNonNullType(type)) return isList(type.ofType)
  return isListType(type)
}
