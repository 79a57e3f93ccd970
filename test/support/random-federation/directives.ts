/** Gives single fields of a random graph the directives of Federation that depend on where other fields are. */
import { type FieldDraft, nameOf, type PlacedField, place, type SubgraphDraft, typeIn } from './draft.ts'
import { type Entity, type GraphDraft, typesOf } from './graph-draft.ts'
import { canSee, putField } from './placement.ts'

const isLeaf = (graph: GraphDraft, field: FieldDraft): boolean => {
  const kind = graph.types.get(nameOf(field.type))?.kind
  return kind === undefined || kind === 'enum' || kind === 'scalar'
}

const isOwn = (field: PlacedField): boolean =>
  ![...field.directives].some((each) => each === '@external' || each.startsWith('@override'))

/** The subgraphs that answer a field of an entity. */
function holdersOf({ subgraphs }: GraphDraft, entity: Entity, name: string): SubgraphDraft[] {
  return subgraphs.filter((each) => {
    const field = each.types.get(entity.name)?.fields.get(name)
    return field !== undefined && isOwn(field)
  })
}

const argumentsText = ({ args }: FieldDraft): string =>
  args.length === 0 ? '' : `(${args.map(({ name, literal }) => `${name}: ${literal}`).join(', ')})`

/** A field with some of what is below it, as `@requires` and `@provides` write it; undefined if it cannot be. */
function selectionOf(
  graph: GraphDraft,
  subgraph: SubgraphDraft,
  field: FieldDraft,
  depth: number,
  withArguments: boolean,
): string | undefined {
  const { dice } = graph
  if (field.args.length > 0 && !withArguments) return undefined
  const head = `${field.name}${argumentsText(field).replaceAll('"', '\\"')}`
  const type = graph.types.get(nameOf(field.type))
  if (isLeaf(graph, field)) return head
  if (depth === 0 || type === undefined) return undefined
  const of = (name: string): string | undefined => {
    const below = graph.types.get(name)
    if (below?.kind === 'value') {
      const parts = dice
        .shuffle(below.fields)
        .slice(0, 2)
        .flatMap((each) => selectionOf(graph, subgraph, each, depth - 1, withArguments) ?? [])
      return parts.length === 0 ? undefined : parts.join(' ')
    }
    if (below?.kind !== 'entity') return undefined
    // A leaf of another entity, external unless the subgraph has it itself.
    const leaves = below.fields.filter((each) => isLeaf(graph, each) && each.args.length === 0)
    const [leaf] = dice.shuffle(leaves).filter((each) => holdersOf(graph, below, each.name).length > 0)
    if (leaf === undefined) return undefined
    const own = typeIn(subgraph, name)
    if (!own.fields.has(leaf.name)) putField(graph, subgraph, own, leaf, '@external')
    return leaf.name
  }
  if (type.kind === 'value' || type.kind === 'entity') {
    const parts = of(type.name)
    return parts === undefined ? undefined : `${head} { ${parts} }`
  }
  if (type.kind !== 'interface' && type.kind !== 'union') return undefined
  if (subgraph.types.get(type.name)?.keyword === 'type') return undefined
  const parts = type.members
    .filter((member) => subgraph.types.has(member))
    .flatMap((member) => {
      const inside = of(member)
      return inside === undefined ? [] : [`... on ${member} { ${inside} }`]
    })
  return parts.length === 0 ? undefined : `${head} { ${parts.join(' ')} }`
}

export function addRequires(graph: GraphDraft): void {
  const { dice, subgraphs } = graph
  for (let i = 0, count = dice.upTo(4); i < count; i++) {
    const entity = dice.pick(typesOf(graph, 'entity'))
    const homes = subgraphs.filter(({ name }) => entity.homes.has(name))
    if (homes.length < 2) continue
    const subgraph = dice.pick(homes)
    const own = typeIn(subgraph, entity.name)
    const able = entity.fields.filter(
      ({ name, type }) =>
        !own.fields.has(name) &&
        holdersOf(graph, entity, name).length > 0 &&
        canSee(graph, subgraph, nameOf(type)),
    )
    const wanted = dice.shuffle(able).slice(0, dice.upTo(2, 1))
    const parts: string[] = []
    for (const field of wanted) {
      putField(graph, subgraph, own, field, '@external')
      const part = selectionOf(graph, subgraph, field, 2, true)
      if (part === undefined) own.fields.delete(field.name)
      else parts.push(part)
    }
    if (parts.length === 0) continue
    const field: FieldDraft = {
      name: `needs${i}`,
      type: dice.pick([
        'String',
        'Int',
        'String!',
        '[Int]',
        ...(entity.keys.includes('id') ? [entity.name] : []),
      ]),
      args: dice.chance(0.2) ? [{ name: 'n', type: 'Int', literal: '1' }] : [],
    }
    putField(graph, subgraph, own, field, `@requires(fields: "${parts.join(' ')}")`)
    // So that a later one can require it in turn.
    entity.fields.push(field)
  }
}

export function addProvides(graph: GraphDraft): void {
  const { dice, subgraphs } = graph
  for (let i = 0, count = dice.upTo(3); i < count; i++) {
    const subgraph = dice.pick(subgraphs)
    const places = [...subgraph.types.values()].flatMap((type) =>
      type.keyword === 'type' && !type.name.startsWith('Payload')
        ? [...type.fields.values()]
            .filter((field) => isOwn(field) && graph.types.get(nameOf(field.type))?.kind === 'entity')
            .map((field) => ({ type, field }))
        : [],
    )
    if (places.length === 0) continue
    const { field } = dice.pick(places)
    const target = graph.types.get(nameOf(field.type))
    if (target?.kind !== 'entity' || [...field.directives].some((each) => each.startsWith('@provides')))
      continue
    const own = typeIn(subgraph, target.name)
    const able = target.fields.filter(
      (each) =>
        !own.fields.has(each.name) &&
        !each.name.startsWith('needs') &&
        holdersOf(graph, target, each.name).length > 0 &&
        canSee(graph, subgraph, nameOf(each.type)),
    )
    const parts: string[] = []
    for (const each of dice.shuffle(able).slice(0, dice.upTo(2, 1))) {
      if (!isLeaf(graph, each) && graph.types.get(nameOf(each.type))?.kind !== 'value') continue
      putField(graph, subgraph, own, each, '@external')
      const part = selectionOf(graph, subgraph, each, 1, false)
      if (part === undefined) {
        own.fields.delete(each.name)
        continue
      }
      for (const holder of holdersOf(graph, target, each.name))
        place(typeIn(holder, target.name), each, '@shareable')
      parts.push(part)
    }
    if (parts.length > 0) field.directives.add(`@provides(fields: "${parts.join(' ')}")`)
  }
}

const labels = ['percent(0)', 'percent(100)', 'percent(50)', 'percent(1)', 'later']

export function addOverrides(graph: GraphDraft): void {
  const { dice, subgraphs } = graph
  for (let i = 0, count = dice.upTo(2); i < count; i++) {
    const entity = dice.pick(typesOf(graph, 'entity'))
    const homes = subgraphs.filter(({ name }) => entity.homes.has(name))
    const [field] = dice.shuffle(entity.fields)
    if (homes.length < 2 || field === undefined) continue
    const [from, ...others] = holdersOf(graph, entity, field.name)
    const to = homes.find(
      (each) =>
        from !== undefined &&
        each !== from &&
        !typeIn(each, entity.name).fields.has(field.name) &&
        canSee(graph, each, nameOf(field.type)),
    )
    if (from === undefined || others.length > 0 || to === undefined) continue
    const label = dice.chance(0.5) ? `, label: "${dice.pick(labels)}"` : ''
    putField(graph, to, typeIn(to, entity.name), field, `@override(from: "${from.name}"${label})`)
  }
}

/** An entity that sets a context and one below it that takes it, with what it takes in this subgraph or another. */
export function addContext(graph: GraphDraft): void {
  const { dice, subgraphs } = graph
  if (!dice.chance(0.15) || subgraphs.length < 2) return
  const [here, there] = dice.shuffle(subgraphs) as [SubgraphDraft, SubgraphDraft]
  const id: FieldDraft = { name: 'id', type: 'ID!', args: [] }
  const tone: FieldDraft = { name: 'tone', type: 'String!', args: [] }
  const holder = typeIn(here, 'Holder')
  holder.directives.add('@key(fields: "id")').add('@context(name: "holder")')
  place(holder, id)
  const far = dice.chance(0.5)
  place(holder, tone, ...(far ? ['@external'] : []))
  const held = dice.pick(['Held', '[Held!]'])
  place(holder, { name: 'held', type: held, args: [] })
  const inner = typeIn(here, 'Held')
  inner.directives.add('@key(fields: "id")')
  place(inner, id)
  place(inner, {
    name: 'shade',
    type: 'String',
    args: [
      { name: 'tone', type: 'String', literal: '""', directives: '@fromContext(field: "$holder { tone }")' },
      ...(dice.chance(0.5) ? [{ name: 'n', type: 'Int', literal: '1' }] : []),
    ],
  })
  place(typeIn(here, 'Query'), { name: 'holder', type: dice.pick(['Holder', '[Holder]']), args: [] })
  if (far) {
    const other = typeIn(there, 'Holder')
    other.directives.add('@key(fields: "id")')
    place(other, id)
    place(other, tone)
  }
  if (dice.chance(0.5)) {
    const other = typeIn(there, 'Held')
    other.directives.add('@key(fields: "id")')
    place(other, id)
    place(other, { name: 'weight', type: 'Int', args: [] })
  }
}

export function addInaccessible(graph: GraphDraft): void {
  const { dice } = graph
  for (let i = 0, count = dice.upTo(2); i < count; i++) {
    const entity = dice.pick(typesOf(graph, 'entity'))
    const open = entity.interfaces.length === 0 ? [...entity.keyFields, ...entity.fields] : []
    const [field] = dice.shuffle(open)
    if (field === undefined || open.length < 3) continue
    const [holder] = holdersOf(graph, entity, field.name)
    if (holder !== undefined) place(typeIn(holder, entity.name), field, '@inaccessible')
  }
  const [type] = typesOf(graph, 'enum')
  const subgraph = graph.subgraphs.find((each) => type !== undefined && each.types.has(type.name))
  if (type !== undefined && subgraph !== undefined && dice.chance(0.2)) {
    const members = typeIn(subgraph, type.name).members
    members.delete('BLUE')
    members.add('BLUE @inaccessible')
  }
}
