/**
 * Makes a plan from the groups of the best attempt. Lookups in one subgraph at one stage become one fetch. Equal
 * lookups of several places share one list of representations. Fetches that do not depend on each other run in
 * parallel.
 */
import { print } from 'graphql'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { always, type Conjunction, conditionsOf } from '../../operation/conditions.ts'
import type { NormalisedOperation } from '../../operation/normalised.ts'
import type { Graph } from '../graph/graph.ts'
import type { Position } from '../graph/position.ts'
import { deliveryOf, requiredLists, withoutDeliveryConditions } from '../search/delivery.ts'
import type { FetchGroup } from '../search/groups.ts'
import { createMerger } from './merge-groups.ts'
import type {
  ContextVariable,
  DeliveryFetch,
  EntitiesNode,
  EntityGroup,
  FetchNode,
  FetchOperation,
  Plan,
  PlanNode,
  PlanPath,
  PlanPathStep,
  Representation,
} from './nodes.ts'
import { splitByNeed } from './split-groups.ts'
import { bundledBy, stagesOf } from './stages.ts'
import { type Static, type TextLength, type Written, writeSelection } from './write.ts'

export interface AssembleOptions {
  readonly graph: Graph
  readonly operation: NormalisedOperation
  /** Numbers the fetches of one operation, for their names. */
  readonly count: () => number
  readonly length: TextLength
  /** Receives the response key of each group's `_entities` field. */
  readonly aliases?: Map<FetchGroup, string> | undefined
}

/** Groups that become one fetch. */
interface Bundle {
  readonly groups: FetchGroup[]
  readonly after: Set<Bundle>
}

/** Puts groups that become one fetch together, with the fetches that they wait for. */
function bundlesOf(groups: readonly FetchGroup[]): readonly Bundle[] {
  const bundles = new Map<string, Bundle>()
  const bundleOf = new Map<FetchGroup, Bundle>()
  const stageOf = stagesOf(groups)
  for (const group of groups.toSorted((a, b) => (stageOf.get(a) ?? 0) - (stageOf.get(b) ?? 0))) {
    const key = `${stageOf.get(group)} ${group.graph} ${bundledBy(group)}`
    const bundle = getOrInsert(bundles, key, () => ({ groups: [], after: new Set<Bundle>() }))
    bundle.groups.push(group)
    bundleOf.set(group, bundle)
  }
  for (const [group, bundle] of bundleOf) {
    for (const each of group.after) {
      const before = bundleOf.get(each)
      if (before !== undefined) bundle.after.add(before)
    }
  }
  return [...bundles.values()]
}

export function assemble(found: readonly FetchGroup[], options: AssembleOptions): Plan {
  const bundles = bundlesOf(splitByNeed(found))
  const merger = createMerger()
  const nodes = new Map<Bundle, PlanNode>()
  for (const bundle of bundles) nodes.set(bundle, nodeFrom(merger(bundle.groups), options))
  return sequenced(bundles, nodes)
}

/**
 * The fetches of an incremental operation, each after those that it waits for. `before` are earlier fetches of the
 * same operation.
 */
export function assembleIncremental(
  found: readonly FetchGroup[],
  options: AssembleOptions,
  before: readonly DeliveryFetch[] = [],
): readonly DeliveryFetch[] {
  const groups = splitByNeed(found)
  const bundles = bundlesOf(groups)
  const required = requiredLists(groups)
  const merger = createMerger()
  const numbers = new Map<Bundle, number>()
  const first = before.flatMap(({ deliveryGroups }, index) => (deliveryGroups.includes('') ? [index] : []))
  return bundles.map((bundle, index): DeliveryFetch => {
    numbers.set(bundle, before.length + index)
    const merged = merger(bundle.groups)
    const all = merged.map(deliveryOf)
    const aliases = new Map<FetchGroup, string>()
    const plain = merged.map(withoutDeliveryConditions)
    const node = nodeFrom(plain, { ...options, aliases })
    const after = [...bundle.after].flatMap((each) => numbers.get(each) ?? [])
    return {
      node,
      deliveryGroup: merged[0]?.deliveryGroup ?? '',
      deliveryGroups: [...new Set(all.flatMap(({ deliveryGroups }) => deliveryGroups))],
      lists: all[0]?.lists ?? [],
      brings: all.flatMap(({ brings }) => brings).filter(({ list }) => !required.has(list)),
      late: all.flatMap(({ late }, at) => {
        const group = plain[at]
        const alias = group === undefined ? undefined : aliases.get(group)
        return late.map(({ path, deliveryGroup }) => ({
          path: alias === undefined ? path : [alias, ...path],
          deliveryGroup,
        }))
      }),
      after: after.length === 0 ? first : after,
    }
  })
}

/** Sequences the fetches by their dependencies. Independent fetches run in parallel. */
function sequenced(bundles: readonly Bundle[], nodes: ReadonlyMap<Bundle, PlanNode>): Plan {
  if (bundles.length === 0) return undefined
  const components = connected(bundles)
  if (components.length > 1)
    return combined(
      'parallel',
      components.map((component) => sequenced(component, nodes)),
    )
  const here = new Set(bundles)
  const first = bundles.filter(({ after }) => ![...after].some((each) => here.has(each)))
  const rest = bundles.filter((bundle) => !first.includes(bundle))
  return combined('sequence', [
    combined(
      'parallel',
      first.map((bundle) => nodes.get(bundle)),
    ),
    sequenced(rest, nodes),
  ])
}

export function combined(kind: 'sequence' | 'parallel', plans: readonly Plan[]): Plan {
  const nodes = plans.flatMap((plan) => (plan === undefined ? [] : plan.kind === kind ? plan.nodes : [plan]))
  return nodes.length < 2 ? nodes[0] : { kind, nodes }
}

function connected(bundles: readonly Bundle[]): readonly (readonly Bundle[])[] {
  const componentOf = new Map<Bundle, Bundle[]>()
  for (const bundle of bundles) componentOf.set(bundle, [bundle])
  for (const bundle of bundles) {
    for (const before of bundle.after) {
      const [one, other] = [componentOf.get(bundle), componentOf.get(before)]
      if (one === undefined || other === undefined || one === other) continue
      for (const each of other) {
        one.push(each)
        componentOf.set(each, one)
      }
    }
  }
  const components = new Set(componentOf.values())
  return [...components].map((component) => bundles.filter((bundle) => component.includes(bundle)))
}

function nodeFrom(groups: readonly FetchGroup[], options: AssembleOptions): PlanNode {
  const [first] = groups
  if (first === undefined) throw new Error('A fetch has nothing to ask for.')
  return first.kind === 'root' ? fetchFrom(first, options) : entitiesFrom(groups, options)
}

function fetchFrom(group: FetchGroup, options: AssembleOptions): FetchNode {
  const { graph, operation } = options
  const variables = new Set<string>()
  const at: Static = group.as ?? { kind: 'any', graph: group.graph, members: [] }
  const { text, renames } = writeSelection(
    { graph, variables, serial: operation.kind === 'mutation' },
    group.selection,
    at,
    givenFor(group),
  )
  options.length.add(text)
  const path = group.at.field === undefined ? undefined : pathTo(graph, group.at)
  const kind = path === undefined ? operation.kind : 'query'
  return {
    kind: 'fetch',
    operation: fetchOperation(options, group.graph, kind, { variables, definitions: [], selection: text }),
    renames,
    path,
    when: conditionsOf(group.when),
  }
}

/** A fetch that is only sent under one conjunction need not repeat it in its text. */
function givenFor({ when }: FetchGroup): Conjunction {
  const [only] = when
  return when.length === 1 && only !== undefined ? only : always
}

interface LookupText {
  readonly group: FetchGroup
  /** The groups that share it. */
  readonly groups: FetchGroup[]
  readonly paths: PlanPath[]
  readonly written: Written
  readonly representations: readonly Representation[]
  readonly contexts: readonly ContextVariable[]
}

function entitiesFrom(groups: readonly FetchGroup[], options: AssembleOptions): EntitiesNode {
  const { graph, operation } = options
  const variables = new Set<string>()
  const lookups = new Map<string, LookupText>()
  for (const group of groups) {
    const path = pathTo(graph, group.at, group)
    const written = writeSelection(
      { graph, variables },
      group.selection,
      staticOf(graph, group),
      givenFor(group),
    )
    options.length.add(written.text)
    const representations = group.representations.map(({ types, typename, fields }) => ({
      types: types?.names,
      typename,
      fields,
    }))
    const contexts = group.contexts.map(({ variable, from, fields }) => ({
      variable,
      depth: from === group.at ? path.length : pathTo(graph, from).length,
      fields,
    }))
    const when = conditionsOf(group.when)?.map(({ key }) => key)
    const same = JSON.stringify([written.text, group.as?.name, representations, when, contexts])
    const lookup = getOrInsert(lookups, same, () => {
      return { group, groups: [], paths: [], written, representations, contexts }
    })
    lookup.paths.push(path)
    lookup.groups.push(group)
  }
  const all = [...lookups.values()]
  const only = all.length === 1
  const made = all.map(
    ({ group, paths, written, representations, contexts }, index): EntityGroup => ({
      alias: only ? '_entities' : `_e${index}`,
      variable: freshName(operation, only ? 'representations' : `_e${index}`),
      paths,
      representations,
      renames: written.renames,
      contexts,
      when: conditionsOf(group.when),
    }),
  )
  const fields = all.map(({ group, groups: sharing, written }, index) => {
    const each = made[index]
    if (each !== undefined) for (const one of sharing) options.aliases?.set(one, each.alias)
    const inside = group.as === undefined ? written.text : `{ ... on ${group.as.name} ${written.text} }`
    const alias = only ? '' : `${each?.alias}: `
    return `${alias}_entities(representations: $${each?.variable}) ${inside}`
  })
  const definitions = [
    ...made.map(({ variable }) => `$${variable}: [_Any!]!`),
    ...all.flatMap(({ group }) => group.contexts.map(({ variable, type }) => `$${variable}: ${type}`)),
  ]
  return {
    kind: 'entities',
    operation: fetchOperation(options, groups[0]?.graph ?? 0, 'query', {
      variables,
      definitions,
      selection: `{ ${fields.join(' ')} }`,
    }),
    groups: made,
  }
}

/** A variable name that the client's operation does not use. */
function freshName({ variables }: NormalisedOperation, name: string): string {
  let fresh = name
  while (variables.some(({ variable }) => variable.name.value === fresh)) fresh = `_${fresh}`
  return fresh
}

function staticOf(graph: Graph, group: FetchGroup): Static {
  if (group.as !== undefined) return group.as
  const types = group.types ?? group.at.types
  const members = types.names.flatMap((name) => graph.in(group.graph, name) ?? [])
  return { kind: 'any', graph: group.graph, members }
}

/** The path to the objects of a position, and to some of their types if `group` restricts them. */
function pathTo(graph: Graph, at: Position, group?: FetchGroup): PlanPath {
  const steps: PlanPathStep[] = []
  const walk = ({ field }: Position): void => {
    if (field === undefined) return
    walk(field.at)
    if (field.types !== field.at.types) steps.push({ kind: 'type', types: field.types.names })
    steps.push({ kind: 'field', key: field.key })
    const type = graph.type(field.types.names[0] ?? '')?.fields.get(field.name)
    const lists = type === undefined ? 0 : print(type).split('[').length - 1
    for (let i = 0; i < lists; i++) steps.push({ kind: 'list' })
  }
  walk(at)
  if (group?.types !== undefined) steps.push({ kind: 'type', types: group.types.names })
  return steps
}

interface Sent {
  /** The client's variables in the selection, and the definitions of others. */
  readonly variables: ReadonlySet<string>
  readonly definitions: readonly string[]
  readonly selection: string
}

function fetchOperation(
  { graph, operation, count }: AssembleOptions,
  index: number,
  kind: FetchOperation['kind'],
  { variables, definitions: more, selection }: Sent,
): FetchOperation {
  const service = graph.subgraphs[index] ?? ''
  const number = count()
  const name =
    operation.name === undefined ? undefined : `${operation.name}__${service.replace(/\W/g, '_')}__${number}`
  const isSame = kind === operation.kind
  const directives = isSame ? operation.directives.map((each) => ` ${print(each)}`).join('') : ''
  const inDirectives = new Set([...directives.matchAll(/\$(\w+)/g)].map(([, variable]) => variable))
  const used = operation.variables.filter(
    ({ variable }) => variables.has(variable.name.value) || inDirectives.has(variable.name.value),
  )
  const definitions = [
    ...more,
    ...used.map(({ variable, type, defaultValue }) => {
      const assigned = defaultValue === undefined ? '' : ` = ${print(defaultValue)}`
      return `$${variable.name.value}: ${print(type)}${assigned}`
    }),
  ]
  const given = definitions.length === 0 ? '' : `(${definitions.join(', ')})`
  const isBare = kind === 'query' && name === undefined && given === '' && directives === ''
  const head = isBare ? '' : `${kind}${name === undefined ? '' : ` ${name}`}${given}${directives} `
  return {
    service,
    kind,
    text: `${head}${selection}`,
    name,
    variableNames: used.map(({ variable }) => variable.name.value),
  }
}
