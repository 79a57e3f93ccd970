/** The types of a random graph before they are spread over subgraphs, and the dice that all of it is drawn with. */
import { type ArgumentDraft, type FieldDraft, nameOf, type SubgraphDraft } from './draft.ts'

export interface Dice {
  chance(probability: number): boolean
  /** A whole number from `least` (0 unless given) to `most`. */
  upTo(most: number, least?: number): number
  pick<T>(items: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
}

export interface Entity {
  readonly kind: 'entity'
  readonly name: string
  /** Field sets, as `@key` takes them. */
  readonly keys: readonly string[]
  readonly keyFields: readonly FieldDraft[]
  /** Without those of keys. */
  readonly fields: FieldDraft[]
  readonly interfaces: string[]
  /** Subgraphs that contribute to it, and the keys by which they do. */
  readonly homes: Map<string, readonly string[]>
}

export interface ValueType {
  readonly kind: 'value'
  readonly name: string
  readonly fields: readonly FieldDraft[]
  readonly interfaces: string[]
}

export interface Interface {
  readonly kind: 'interface'
  readonly name: string
  readonly members: readonly string[]
  readonly fields: readonly FieldDraft[]
  /** The interface that this one implements. */
  readonly parent: string | undefined
  /** The subgraph that has all of it with a key, and those if it is an object. */
  objects: { readonly host: string; readonly guests: readonly string[] } | undefined
}

export interface Union {
  readonly kind: 'union'
  readonly name: string
  readonly members: readonly string[]
}

export interface Enum {
  readonly kind: 'enum'
  readonly name: string
  readonly values: readonly string[]
}

export interface Scalar {
  readonly kind: 'scalar'
  readonly name: string
}

export interface Input {
  readonly kind: 'input'
  readonly name: string
  readonly fields: readonly FieldDraft[]
}

export type GraphType = Entity | ValueType | Interface | Union | Enum | Scalar | Input

export interface GraphDraft {
  readonly dice: Dice
  readonly subgraphs: readonly SubgraphDraft[]
  readonly types: Map<string, GraphType>
}

const names = ['alpha', 'bravo', 'carol', 'delta', 'echo', 'frank', 'golf', 'hotel']

export function createGraphDraft(dice: Dice): GraphDraft {
  const count = dice.chance(0.75) ? dice.upTo(4, 2) : dice.upTo(8, 5)
  const chosen = dice.shuffle(names).slice(0, count)
  return { dice, subgraphs: chosen.map((name) => ({ name, types: new Map() })), types: new Map() }
}

export function typesOf<Kind extends GraphType['kind']>(
  { types }: GraphDraft,
  kind: Kind,
): Extract<GraphType, { kind: Kind }>[] {
  return [...types.values()].filter((type): type is Extract<GraphType, { kind: Kind }> => type.kind === kind)
}

const scalars = ['String', 'Int', 'ID', 'Float', 'Boolean']

/** A leaf type of the graph. */
function leafType(graph: GraphDraft): string {
  const { dice, types } = graph
  const own = [...types.values()].filter(({ kind }) => kind === 'enum' || kind === 'scalar')
  return own.length > 0 && dice.chance(0.3) ? dice.pick(own).name : dice.pick(scalars)
}

/** The type in lists and without null, as it comes. */
function wrapped({ dice }: GraphDraft, name: string, lists = 0.3): string {
  const bang = dice.chance(0.25) ? '!' : ''
  const item = dice.chance(0.4) ? '!' : ''
  if (!dice.chance(lists)) return name + bang
  return dice.chance(0.15) ? `[[${name}${item}]]${bang}` : `[${name}${item}]${bang}`
}

function randomArguments(graph: GraphDraft): ArgumentDraft[] {
  const { dice } = graph
  const enums = typesOf(graph, 'enum')
  const inputs = typesOf(graph, 'input')
  const some = (): ArgumentDraft => {
    switch (dice.upTo(6)) {
      case 0:
        return { name: 'n', type: 'Int', literal: '2', fallback: '3' }
      case 1:
        return { name: 's', type: 'String', literal: '"q"' }
      case 2:
        return { name: 'l', type: '[Int!]', literal: '[1, 2]' }
      case 3: {
        const [type] = enums
        const [value] = type?.values ?? []
        if (type !== undefined && value !== undefined) return { name: 'e', type: type.name, literal: value }
        return { name: 'b', type: 'Boolean', literal: 'true' }
      }
      case 4: {
        const [type] = inputs
        if (type !== undefined) return { name: 'i', type: type.name, literal: '{ a: 1 }' }
        return { name: 'f', type: 'Float', literal: '1.5' }
      }
      case 5:
        return { name: 'r', type: 'Int!', literal: '4' }
      default:
        return { name: 'n', type: 'Int', literal: '1' }
    }
  }
  if (!dice.chance(0.25)) return []
  const first = some()
  const second = some()
  return dice.chance(0.2) && second.name !== first.name ? [first, second] : [first]
}

const fieldNames = ['a', 'b', 'c', 'd', 'e', 'name', 'size', 'owner', 'items', 'part']

/** A field of an entity, of any type. */
function randomField(graph: GraphDraft, name: string): FieldDraft {
  const { dice, types } = graph
  const composite = [...types.values()].filter(({ kind }) =>
    ['entity', 'value', 'interface', 'union'].includes(kind),
  )
  const type = dice.chance(0.5) ? leafType(graph) : dice.pick(composite).name
  return { name, type: wrapped(graph, type), args: randomArguments(graph) }
}

export function drawTypes(graph: GraphDraft): void {
  const { dice, types } = graph
  const add = (type: GraphType): void => void types.set(type.name, type)
  for (let i = 0, count = dice.upTo(2); i < count; i++)
    add({ kind: 'enum', name: `Kind${i}`, values: ['RED', 'GREEN', 'BLUE'] })
  if (dice.chance(0.4)) add({ kind: 'scalar', name: 'Blob' })
  if (dice.chance(0.5)) {
    const fields = [
      { name: 'a', type: 'Int', args: [] },
      { name: 'b', type: '[String!]', args: [] },
      ...typesOf(graph, 'enum').map(({ name }) => ({ name: 'kind', type: name, args: [] })),
    ].slice(0, 3)
    add({ kind: 'input', name: 'Filter', fields })
  }
  const entityNames = Array.from({ length: dice.upTo(6, 2) }, (_, i) => `E${i}`)
  drawValueTypes(graph, entityNames)
  for (const name of entityNames) add(drawEntity(graph, name))
  drawInterfaces(graph)
  for (let i = 0, count = dice.upTo(2); i < count; i++) {
    const open = [...typesOf(graph, 'entity'), ...typesOf(graph, 'value')].filter(
      ({ name }) => name !== 'Ref',
    )
    add({
      kind: 'union',
      name: `U${i}`,
      members: dice.shuffle(open.map(({ name }) => name)).slice(0, dice.upTo(3, 2)),
    })
  }
  for (const entity of typesOf(graph, 'entity')) {
    const free = dice.shuffle(fieldNames)
    for (let i = 0, count = dice.upTo(5, 2); i < count; i++)
      entity.fields.push(randomField(graph, free[i] as string))
  }
}

function drawValueTypes(graph: GraphDraft, entityNames: readonly string[]): void {
  const { dice, types } = graph
  // Always there: what nested keys go through.
  types.set('Ref', {
    kind: 'value',
    name: 'Ref',
    interfaces: [],
    fields: [
      { name: 'code', type: 'String!', args: [] },
      { name: 'note', type: 'String', args: [] },
    ],
  })
  for (let i = 0, count = dice.upTo(3); i < count; i++) {
    const fields: FieldDraft[] = []
    for (const name of dice.shuffle(['x', 'y', 'name', 'a', 'size']).slice(0, dice.upTo(4, 1))) {
      const lower = typesOf(graph, 'value').map((each) => each.name)
      const type = dice.chance(0.6) ? leafType(graph) : dice.pick([...lower, ...entityNames])
      fields.push({
        name,
        type: wrapped(graph, type, 0.2),
        args: dice.chance(0.3) ? randomArguments(graph) : [],
      })
    }
    types.set(`V${i}`, { kind: 'value', name: `V${i}`, interfaces: [], fields })
  }
}

function drawEntity({ dice, types }: GraphDraft, name: string): Entity {
  const id: FieldDraft = { name: 'id', type: dice.chance(0.8) ? 'ID!' : 'String!', args: [] }
  const sku: FieldDraft = { name: 'sku', type: dice.chance(0.5) ? 'String!' : 'Int!', args: [] }
  const region: FieldDraft = { name: 'region', type: 'ID!', args: [] }
  const ref: FieldDraft = { name: 'ref', type: 'Ref!', args: [] }
  const earlier = [...types.values()].filter((type) => type.kind === 'entity' && type.keys.includes('id'))
  const boss: FieldDraft | undefined =
    earlier.length === 0 ? undefined : { name: 'boss', type: `${dice.pick(earlier).name}!`, args: [] }
  const more = [
    { key: 'sku', fields: [sku] },
    { key: 'sku region', fields: [sku, region] },
    { key: 'ref { code }', fields: [ref] },
    { key: 'ref { code } region', fields: [ref, region] },
    ...(boss === undefined ? [] : [{ key: 'boss { id } sku', fields: [boss, sku] }]),
  ]
  const others = dice.chance(0.5) ? [] : dice.shuffle(more).slice(0, dice.upTo(2, 1))
  const all = [{ key: 'id', fields: [id] }, ...others]
  return {
    kind: 'entity',
    name,
    keys: all.map(({ key }) => key),
    keyFields: [...new Map(all.flatMap(({ fields }) => fields.map((field) => [field.name, field]))).values()],
    fields: [],
    interfaces: [],
    homes: new Map(),
  }
}

function drawInterfaces(graph: GraphDraft): void {
  const { dice, types, subgraphs } = graph
  for (let i = 0, count = dice.upTo(2); i < count; i++) {
    const name = `I${i}`
    const ofValues = dice.chance(0.25)
    const most = dice.upTo(3, 2)
    const values = dice.shuffle(typesOf(graph, 'value').filter((each) => each.name !== 'Ref')).slice(0, most)
    const entities = dice
      .shuffle(typesOf(graph, 'entity').filter(({ interfaces }) => interfaces.length < 2))
      .slice(0, most)
    const members = ofValues ? values : entities
    if (members.length < 2) continue
    const common: FieldDraft[] = []
    if (ofValues) {
      const [first, ...others] = values
      for (const field of first?.fields ?? []) {
        const equal = (each: FieldDraft) => JSON.stringify(each) === JSON.stringify(field)
        if (others.every(({ fields }) => fields.some(equal))) common.push(field)
      }
      if (common.length === 0) continue
    } else {
      const idType = entities.map(({ keyFields }) => keyFields.find((field) => field.name === 'id')?.type)
      if (new Set(idType).size > 1) continue
      common.push({ name: 'id', type: idType[0] ?? 'ID!', args: [] })
      if (dice.chance(0.7)) {
        const type = dice.chance(0.6)
          ? leafType(graph)
          : dice.pick([...typesOf(graph, 'value'), ...typesOf(graph, 'entity')]).name
        const field = { name: `common${i}`, type: wrapped(graph, type), args: randomArguments(graph) }
        common.push(field)
        for (const member of entities) {
          const stricter = dice.chance(0.2) && !field.type.endsWith('!')
          member.fields.push(stricter ? { ...field, type: `${field.type}!` } : field)
        }
      }
    }
    for (const member of members) member.interfaces.push(name)
    const [host, ...guests] = dice.shuffle(subgraphs.map((subgraph) => subgraph.name))
    const objects =
      !ofValues && guests.length > 0 && host !== undefined && dice.chance(0.5)
        ? { host, guests: guests.slice(0, dice.upTo(2, 1)) }
        : undefined
    // Without the id in the interface, members may be known by other keys.
    if (!ofValues && objects === undefined && common.length > 1 && dice.chance(0.5)) common.shift()
    const names = members.map((each) => each.name)
    const parent = !ofValues && dice.chance(0.2) ? `P${i}` : undefined
    types.set(name, { kind: 'interface', name, members: names, fields: common, parent, objects })
    if (parent === undefined) continue
    for (const member of members) member.interfaces.push(parent)
    const fields = common.slice(0, 1)
    types.set(parent, {
      kind: 'interface',
      name: parent,
      members: names,
      fields,
      parent: undefined,
      objects: undefined,
    })
  }
}

/** The object types that come into a subgraph with a type; of entities only what their keys need. */
export function closureOf(graph: GraphDraft, name: string, into = new Set<string>()): Set<string> {
  const type = graph.types.get(name)
  if (type === undefined || into.has(name)) return into
  into.add(name)
  for (const each of namedBy(type)) closureOf(graph, each, into)
  return into
}

function namedBy(type: GraphType): readonly string[] {
  switch (type.kind) {
    case 'interface':
    case 'union':
      return type.members
    case 'entity':
      return type.keyFields.map((field) => nameOf(field.type))
    case 'value':
    case 'input':
      return type.fields.map((field) => nameOf(field.type))
    default:
      return []
  }
}
