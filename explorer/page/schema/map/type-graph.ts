/**
 * The types of a schema as a map: which type leads to which, who owns it, what it needs and costs,
 * and its position. Connections and edges are left out, as if the field returned their items. Pure.
 */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { fieldsOf } from '../../../../shared/graphql/fields.ts'
import { getOrInsert } from '../../../../shared/runtime/maps.ts'
import { pageOf, rootsOf } from '../../../examples/operation-for.ts'
import type { TypeOwners } from '../../../type-owners.ts'
import { kindOf } from '../search.ts'
import { termsOf } from '../terms.ts'

export interface TypeNode {
  readonly name: string
  /** `root`, or the kind of the type. */
  readonly kind: string
  /** Empty if the owners are unknown. */
  readonly services: readonly string[]
  readonly fields: number
  /** The scopes that the type itself or its fields need. */
  readonly scopes: readonly string[]
  /** The smallest price of a field that leads here; undefined if none has one. */
  readonly units: number | undefined
  /** The service whose lane contains it; empty for the lane without a service. */
  readonly lane: string
  readonly x: number
  readonly y: number
}

export interface TypeEdge {
  readonly from: string
  readonly to: string
  /** Whether each of the fields that lead to the other type needs a scope. */
  readonly isScoped: boolean
}

export interface Lane {
  readonly service: string
  readonly y: number
  readonly height: number
}

export interface TypeGraph {
  /** How many types there are; more than `nodes` if not all have room. */
  readonly types: number
  readonly nodes: readonly TypeNode[]
  readonly edges: readonly TypeEdge[]
  readonly lanes: readonly Lane[]
  readonly width: number
  readonly height: number
}

export const nodeSize = { width: 184, height: 46 } as const
const step = { x: 236, y: 58 } as const
const laneHead = 30
const margin = 16
/** More are slow to draw, and nobody finds a way through them. */
const mostTypes = 1000
/** If a lane has more rows, it gets a further column. */
const mostRows = 9

interface Found {
  readonly type: GraphQLNamedType
  readonly depth: number
}

const isShown = (type: GraphQLNamedType): boolean =>
  (isObjectType(type) || isInterfaceType(type) || isUnionType(type)) && !type.name.startsWith('__')

/** The type to which a field leads. For a connection, that is the type of its items. */
function targetOf(type: GraphQLNamedType): GraphQLNamedType {
  const page = pageOf(type)
  if (page === undefined) return type
  const item = page.item
  const node = isObjectType(item) && page.list === 'edges' ? item.getFields().node : undefined
  return node === undefined ? item : getNamedType(node.type)
}

function leadsOf(schema: GraphQLSchema, type: GraphQLNamedType) {
  const byTarget = new Map<
    string,
    { readonly target: GraphQLNamedType; isScoped: boolean; units: number[] }
  >()
  const note = (target: GraphQLNamedType, isScoped: boolean, units = 0): void => {
    if (!isShown(target) || target === type || target.name === 'PageInfo') return
    const known = getOrInsert(byTarget, target.name, () => ({ target, isScoped: true, units: [] }))
    known.isScoped &&= isScoped
    if (units > 0) known.units.push(units)
  }
  for (const { description, type: output } of Object.values(fieldsOf(type))) {
    const { scopes, units } = termsOf(description)
    note(targetOf(getNamedType(output)), scopes.length > 0, units)
  }
  // Relay's `Node` leads to most types, which says nothing.
  if (isAbstractType(type) && type.name !== 'Node')
    for (const possible of schema.getPossibleTypes(type)) note(possible, false)
  return byTarget
}

/** `withMutations` says whether types that only mutations return are included. */
export function typeGraph(
  schema: GraphQLSchema,
  owners: TypeOwners | undefined,
  withMutations: boolean,
): TypeGraph {
  const roots = rootsOf(schema).flatMap(([kind, type]) =>
    kind !== 'mutation' || withMutations ? [type] : [],
  )
  const found = new Map<string, Found>(roots.map((type) => [type.name, { type, depth: 0 }]))
  const edges: TypeEdge[] = []
  const prices = new Map<string, number>()
  for (const [name, { type, depth }] of found) {
    for (const [to, { target, isScoped, units }] of leadsOf(schema, type)) {
      if (!found.has(to)) found.set(to, { type: target, depth: depth + 1 })
      edges.push({ from: name, to, isScoped })
      if (units.length > 0) prices.set(to, Math.min(prices.get(to) ?? Number.POSITIVE_INFINITY, ...units))
    }
  }
  // The types nearest to the roots come first.
  const shown = [...found].slice(0, mostTypes)
  const names = new Set(shown.map(([name]) => name))
  return {
    ...placed(
      shown.map(([, each]) => each),
      new Set(roots.map(({ name }) => name)),
      owners,
      prices,
    ),
    edges: edges.filter(({ from, to }) => names.has(from) && names.has(to)),
    types: found.size,
  }
}

function placed(
  found: readonly Found[],
  roots: ReadonlySet<string>,
  owners: TypeOwners | undefined,
  prices: ReadonlyMap<string, number>,
): Omit<TypeGraph, 'edges' | 'types'> {
  const servicesOf = (name: string): readonly string[] => owners?.types[name] ?? []
  const laneOf = ({ type }: Found): string => (roots.has(type.name) ? '' : mainService(type, owners))
  // Types without a service, and the root types, come first.
  const byLane = [...Map.groupBy(found, laneOf)].sort(([a], [b]) => a.localeCompare(b))
  const nodes: TypeNode[] = []
  const lanes: Lane[] = []
  let top = margin
  let width = 0
  for (const [service, types] of byLane) {
    let column = 0
    let rows = 1
    const byDepth = [...Map.groupBy(types, ({ depth }) => depth)].sort(([a], [b]) => a - b)
    for (const [, list] of byDepth) {
      const sorted = list.toSorted((a, b) => a.type.name.localeCompare(b.type.name))
      for (const [index, { type }] of sorted.entries()) {
        const at = { column: column + Math.floor(index / mostRows), row: index % mostRows }
        rows = Math.max(rows, at.row + 1)
        nodes.push({
          ...nodeOf(type, roots),
          services: servicesOf(type.name),
          lane: service,
          units: prices.get(type.name),
          x: margin + at.column * step.x,
          y: top + laneHead + at.row * step.y,
        })
      }
      column += Math.ceil(sorted.length / mostRows)
    }
    const height = laneHead + rows * step.y
    lanes.push({ service, y: top, height })
    top += height + margin
    width = Math.max(width, margin + column * step.x)
  }
  return { nodes, lanes, width, height: top }
}

/** The service that owns most of its fields; empty if most services share the type, such as Relay's `Node`. */
function mainService(type: GraphQLNamedType, owners: TypeOwners | undefined): string {
  const services = owners?.types[type.name] ?? []
  if (services.length > 2) return ''
  const names = Object.keys(fieldsOf(type))
  const countOf = (service: string): number =>
    names.filter((name) => (owners?.fields[`${type.name}.${name}`] ?? services).includes(service)).length
  return services.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? ''
}

function nodeOf(type: GraphQLNamedType, roots: ReadonlySet<string>) {
  const fields = Object.values(fieldsOf(type))
  const kind = roots.has(type.name) ? 'root' : kindOf(type)
  const scopes = new Set(termsOf(type.description).scopes)
  for (const { description } of fields) for (const scope of termsOf(description).scopes) scopes.add(scope)
  return { name: type.name, kind, fields: fields.length, scopes: [...scopes].sort() }
}
