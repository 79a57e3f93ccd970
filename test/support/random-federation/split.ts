/**
 * One schema, and subgraphs that it is split into: the other way round than `generate.ts`, which draws the subgraphs. The
 * whole is known beforehand, so that what a gateway answers can be held against one server with all of it.
 */
import {
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  type TypeDefinitionNode,
  visit,
} from 'graphql'
import { diceOf } from './generate.ts'
import type { Dice } from './graph-draft.ts'
import type { Services } from './services.ts'

const leaves = ['String', 'Int', 'ID', 'Float', 'Boolean']
const fieldNames = ['name', 'size', 'owner', 'items', 'part', 'next', 'state', 'count']

/** A schema with about so many types, each of which something refers to or could. */
export function drawSchema(seed: number, types = 240): string {
  const dice = diceOf(seed)
  const numbered = (prefix: string, share: number) =>
    Array.from({ length: Math.ceil(types * share) }, (_, i) => `${prefix}${i}`)
  const entities = numbered('Entity', 0.45)
  const values = numbered('Value', 0.25)
  const enums = numbered('Kind', 0.1)
  const unions = numbered('Union', 0.08)
  const interfaces = numbered('Face', 0.07)
  const inputs = numbered('Filter', 0.05)

  const wrapped = (name: string): string => {
    const bang = dice.chance(0.25) ? '!' : ''
    if (!dice.chance(0.3)) return name + bang
    const list = `[${name}${dice.chance(0.4) ? '!' : ''}]`
    return (dice.chance(0.1) ? `[${list}]` : list) + bang
  }
  const leaf = (): string => dice.pick(dice.chance(0.25) ? enums : leaves)
  const composite = (): string =>
    dice.pick(dice.chance(0.6) ? entities : [...values, ...unions, ...interfaces, ...interfaces])
  const given = (): string => {
    if (!dice.chance(0.2)) return ''
    return dice.pick([
      '(n: Int = 3)',
      '(r: Int!)',
      '(l: [Int!])',
      `(e: ${dice.pick(enums)})`,
      `(i: ${dice.pick(inputs)})`,
    ])
  }
  const fields = (most: number, type: () => string): string =>
    dice
      .shuffle(fieldNames)
      .slice(0, dice.upTo(most, 1))
      .map((name) => `${name}${given()}: ${wrapped(type())}`)
      .join(' ')
  const facesOf = new Map(entities.map((name) => [name, dice.shuffle(interfaces).slice(0, dice.upTo(1))]))

  const parts = [
    ...entities.map((name) => {
      const faces = facesOf.get(name) ?? []
      const common = faces.map((face) => `of${face}: String`).join(' ')
      const implemented = faces.length === 0 ? '' : ` implements ${faces.join(' & ')}`
      return `type ${name}${implemented} { id: ID! ${common} ${fields(6, () => (dice.chance(0.5) ? leaf() : composite()))} }`
    }),
    // Of a value only those that come after it are parts, so that none has itself in it.
    ...values.map(
      (name, i) =>
        `type ${name} { code: String! ${fields(4, () => {
          const later = values.slice(i + 1)
          if (dice.chance(0.6)) return leaf()
          return dice.pick(dice.chance(0.5) && later.length > 0 ? later : entities)
        })} }`,
    ),
    ...enums.map((name) => `enum ${name} { RED GREEN BLUE }`),
    ...unions.map(
      (name) => `union ${name} = ${dice.shuffle(entities).slice(0, dice.upTo(4, 2)).join(' | ')}`,
    ),
    ...interfaces
      .filter((face) => [...facesOf.values()].some((faces) => faces.includes(face)))
      .map((face) => `interface ${face} { id: ID! of${face}: String }`),
    ...inputs.map((name) => `input ${name} { a: Int b: [String!] kind: ${dice.pick(enums)} }`),
    `type Query { ${Array.from({ length: 40 }, (_, i) => `root${i}${given()}: ${wrapped(dice.chance(0.15) ? leaf() : composite())}`).join(' ')} }`,
    `type Mutation { ${Array.from({ length: 6 }, (_, i) => `set${i}(n: Int!): ${wrapped(composite())}`).join(' ')} }`,
  ]
  return withoutUnknown(parts.join('\n'))
}

/** Without fields of interfaces that nothing implements. */
function withoutUnknown(sdl: string): string {
  const document = parse(sdl, { noLocation: true })
  const known = new Set<string>([...leaves, ...document.definitions.map(nameOf)])
  return print(
    visit(document, { FieldDefinition: (field) => (known.has(namedIn(field.type)) ? undefined : null) }),
  )
}

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])'
const rootNames = new Set(['Query', 'Mutation'])

/**
 * Subgraphs that are the schema together. Each field of a root or an entity (what has `id: ID!`) goes to one of them, some
 * to two; whatever else is referred to goes along whole. An interface or union is in a subgraph with all of its types.
 */
export function splitSchema(sdl: string, seed: number): Services {
  const dice = diceOf(seed)
  const document = parse(sdl, { noLocation: true })
  const names = ['north', 'east', 'south', 'west'].slice(0, dice.upTo(4, 2))
  const homes = drawHomes(document, names, dice)
  const first = names.map((name) => subgraphOf(document, name, homes, []))
  const placed = new Set(first.flatMap(({ types }) => [...types]))
  // What no field refers to goes to one of them as well.
  const others = document.definitions.map(nameOf).filter((name) => !placed.has(name))
  const all = [subgraphOf(document, names[0] ?? '', homes, others), ...first.slice(1)]
  return Object.fromEntries(names.map((name, i) => [name, all[i]?.sdl ?? '']))
}

type Homes = ReadonlyMap<string, readonly string[]>

function drawHomes(document: DocumentNode, names: readonly string[], dice: Dice): Homes {
  const homes = new Map<string, readonly string[]>()
  for (const type of document.definitions) {
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION || !(isEntity(type) || rootNames.has(nameOf(type))))
      continue
    for (const { name } of type.fields ?? []) {
      const shared = nameOf(type) === 'Mutation' ? 1 : dice.chance(0.15) ? 2 : 1
      homes.set(`${nameOf(type)}.${name.value}`, dice.shuffle(names).slice(0, shared))
    }
  }
  return homes
}

interface Subgraph {
  readonly sdl: string
  readonly types: ReadonlySet<string>
}

function subgraphOf(
  document: DocumentNode,
  subgraph: string,
  homes: Homes,
  more: readonly string[],
): Subgraph {
  const types = new Map(document.definitions.map((each) => [nameOf(each), each as TypeDefinitionNode]))
  const interfaces = [...types.values()].filter(({ kind }) => kind === Kind.INTERFACE_TYPE_DEFINITION)
  /** The fields of the types that are in this subgraph. */
  const here = new Map<string, Set<string>>()
  const open: string[] = []
  const add = (type: string, fields: readonly FieldDefinitionNode[]): void => {
    const known = here.get(type) ?? new Set()
    if (!here.has(type)) open.push(type)
    here.set(type, known)
    for (const field of fields) {
      if (known.has(field.name.value)) continue
      known.add(field.name.value)
      for (const argument of field.arguments ?? []) refer(namedIn(argument.type))
      refer(namedIn(field.type))
    }
  }
  const refer = (name: string): void => {
    const type = types.get(name)
    if (type === undefined || here.has(name)) return
    if (type.kind === Kind.OBJECT_TYPE_DEFINITION) add(name, ownFields(type))
    else if (type.kind === Kind.INTERFACE_TYPE_DEFINITION) add(name, type.fields ?? [])
    else add(name, [])
  }
  const ownFields = (type: ObjectTypeDefinitionNode): readonly FieldDefinitionNode[] =>
    (type.fields ?? []).filter(({ name }) => {
      const home = homes.get(`${nameOf(type)}.${name.value}`)
      return home === undefined || name.value === 'id' || home.includes(subgraph)
    })
  for (const type of types.values())
    if (
      type.kind === Kind.OBJECT_TYPE_DEFINITION &&
      homes.has(`${nameOf(type)}.${type.fields?.[0]?.name.value}`)
    ) {
      const own = ownFields(type)
      if (own.some(({ name }) => name.value !== 'id')) add(nameOf(type), own)
    }
  for (const name of more) refer(name)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const type = types.get(name)
    if (type?.kind === Kind.UNION_TYPE_DEFINITION)
      for (const member of type.types ?? []) refer(member.name.value)
    if (type?.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
      for (const field of type.fields ?? []) refer(namedIn(field.type))
    if (type?.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue
    for (const each of types.values()) {
      if (each.kind !== Kind.OBJECT_TYPE_DEFINITION) continue
      if (!each.interfaces?.some((one) => one.name.value === name)) continue
      refer(nameOf(each))
      const common = new Set((type.fields ?? []).map((field) => field.name.value))
      add(
        nameOf(each),
        (each.fields ?? []).filter((field) => common.has(field.name.value)),
      )
    }
  }
  const isShared = (type: string, field: string): boolean =>
    (homes.get(`${type}.${field}`)?.length ?? 2) > 1 ||
    interfaces.some((each) => 'fields' in each && each.fields?.some(({ name }) => name.value === field))
  const definitions = [...here].map(([name, fields]) => {
    const type = types.get(name) as TypeDefinitionNode
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION) return print(type)
    const lines = (type.fields ?? [])
      .filter((field) => fields.has(field.name.value))
      .map((field) => {
        const isKey = isEntity(type) && field.name.value === 'id'
        return `${print(field)}${!isKey && name !== 'Mutation' && isShared(name, field.name.value) ? ' @shareable' : ''}`
      })
    const faces = (type.interfaces ?? []).map((each) => each.name.value).filter((face) => here.has(face))
    const implemented = faces.length === 0 ? '' : ` implements ${faces.join(' & ')}`
    return `type ${name}${implemented}${isEntity(type) ? ' @key(fields: "id")' : ''} { ${lines.join(' ')} }`
  })
  return { sdl: [link, ...definitions].join('\n'), types: new Set(here.keys()) }
}

function isEntity(type: ObjectTypeDefinitionNode): boolean {
  return type.fields?.some((field) => field.name.value === 'id' && print(field.type) === 'ID!') === true
}

function nameOf(definition: DocumentNode['definitions'][number]): string {
  return 'name' in definition ? (definition.name?.value ?? '') : ''
}

function namedIn(type: FieldDefinitionNode['type']): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedIn(type.type)
}
