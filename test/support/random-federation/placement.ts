/** Spreads the types of a random graph over its subgraphs, so that every field can be reached by some key. */
import { type FieldDraft, nameOf, place, type SubgraphDraft, type TypeDraft, typeIn } from './draft.ts'
import { closureOf, type Entity, type GraphDraft, type Interface, typesOf } from './graph-draft.ts'

/** The interfaces that are objects in a subgraph. */
function interfaceObjectsIn(graph: GraphDraft, subgraph: string): Interface[] {
  return typesOf(graph, 'interface').filter(({ objects }) => objects?.guests.includes(subgraph) === true)
}

/** Whether a type can be named in a subgraph: not beside an interface object that stands for some of it. */
export function canSee(graph: GraphDraft, subgraph: SubgraphDraft, name: string): boolean {
  const objects = interfaceObjectsIn(graph, subgraph.name)
  if (objects.length === 0) return true
  const closure = closureOf(graph, name)
  return objects.every((each) => each.name === name || each.members.every((member) => !closure.has(member)))
}

const keyOf = (set: string, resolvable = true): string =>
  `@key(fields: "${set}"${resolvable ? '' : ', resolvable: false'})`

/** The fields of a key, into the type. */
function placeKey(graph: GraphDraft, subgraph: SubgraphDraft, entity: Entity, key: string): void {
  const type = typeIn(subgraph, entity.name)
  for (const field of entity.keyFields) {
    if (!new RegExp(`(^|[ {])${field.name}($|[ }])`).test(key.replace(/\{[^}]*\}/g, ''))) continue
    ensure(graph, subgraph, nameOf(field.type))
    place(type, field)
    // `boss { id }` needs the field below it as well.
    if (field.name === 'boss') {
      const boss = graph.types.get(nameOf(field.type))
      if (boss?.kind === 'entity') placeKey(graph, subgraph, boss, 'id')
    }
  }
}

/** Makes sure that a subgraph has a type which one of its fields names. */
export function ensure(graph: GraphDraft, subgraph: SubgraphDraft, name: string): void {
  const { dice } = graph
  const drawn = graph.types.get(name)
  if (drawn === undefined) return
  switch (drawn.kind) {
    case 'enum':
      if (subgraph.types.has(name)) return
      for (const value of drawn.values) typeIn(subgraph, name, 'enum').members.add(value)
      return
    case 'scalar':
      typeIn(subgraph, name, 'scalar')
      return
    case 'input':
      if (subgraph.types.has(name)) return
      for (const field of drawn.fields) {
        place(typeIn(subgraph, name, 'input'), field)
        ensure(graph, subgraph, nameOf(field.type))
      }
      return
    case 'value': {
      if (subgraph.types.has(name)) return
      const type = typeIn(subgraph, name)
      type.directives.add('@shareable')
      for (const each of drawn.interfaces) {
        type.interfaces.add(each)
        typeIn(subgraph, each, 'interface')
      }
      for (const field of drawn.fields) putField(graph, subgraph, type, field)
      return
    }
    case 'entity': {
      if (subgraph.types.has(name)) return
      const type = typeIn(subgraph, name)
      const hubKeys = needsId(graph, drawn) ? ['id'] : drawn.keys
      const key = dice.pick(hubKeys)
      placeKey(graph, subgraph, drawn, key)
      type.directives.add(keyOf(key, dice.chance(0.4)))
      return
    }
    case 'union': {
      if (subgraph.types.has(name)) return
      const members = dice.chance(0.7)
        ? drawn.members
        : drawn.members.slice(0, dice.upTo(drawn.members.length, 1))
      for (const member of members) {
        typeIn(subgraph, name, 'union').members.add(member)
        ensure(graph, subgraph, member)
      }
      return
    }
    case 'interface': {
      if (drawn.objects?.guests.includes(subgraph.name) === true || subgraph.types.has(name)) return
      typeIn(subgraph, name, 'interface')
      const members = dice.shuffle(drawn.members)
      for (const member of dice.chance(0.6) ? members : members.slice(0, 1)) ensure(graph, subgraph, member)
      return
    }
  }
}

/** Whether it is a member of an interface that has the field `id`, by which all are known if it is an object. */
function needsId({ types }: GraphDraft, { interfaces }: Entity): boolean {
  return interfaces.some((name) => {
    const type = types.get(name)
    return type?.kind === 'interface' && type.fields.some((field) => field.name === 'id')
  })
}

/** A field with all that it names. */
export function putField(
  graph: GraphDraft,
  subgraph: SubgraphDraft,
  type: TypeDraft,
  field: FieldDraft,
  ...directives: readonly string[]
): void {
  place(type, field, ...directives)
  ensure(graph, subgraph, nameOf(field.type))
  for (const argument of field.args) ensure(graph, subgraph, nameOf(argument.type))
}

export function placeEntities(graph: GraphDraft): void {
  const { dice, subgraphs } = graph
  const objects = typesOf(graph, 'interface').filter((each) => each.objects !== undefined)
  for (const entity of typesOf(graph, 'entity')) {
    const open = dice.shuffle(subgraphs.filter((each) => canSee(graph, each, entity.name)))
    const hosts = objects.flatMap((each) => (each.members.includes(entity.name) ? [each.objects?.host] : []))
    const chosen = open.slice(0, dice.chance(0.8) ? dice.upTo(3, 1) : dice.upTo(5, 1))
    for (const host of hosts) {
      const found = open.find(({ name }) => name === host)
      if (found !== undefined && !chosen.includes(found)) chosen.push(found)
    }
    // The first one has every key; the others meet there.
    chosen.forEach((subgraph, i) => {
      const type = typeIn(subgraph, entity.name)
      const held =
        i === 0 ? entity.keys : dice.shuffle(entity.keys).slice(0, dice.upTo(entity.keys.length, 1))
      const withId = needsId(graph, entity) || (entity.interfaces.length > 0 && dice.chance(0.5))
      const keys = withId ? [...new Set(['id', ...held])] : held
      for (const key of keys) {
        placeKey(graph, subgraph, entity, key)
        type.directives.add(keyOf(key))
      }
      entity.homes.set(subgraph.name, keys)
    })
  }
  for (const entity of typesOf(graph, 'entity')) {
    const homes = subgraphs.filter(({ name }) => entity.homes.has(name))
    for (const field of entity.fields) {
      const able = homes.filter((each) => canSee(graph, each, nameOf(field.type)))
      if (able.length === 0) continue
      const shared = able.length > 1 && dice.chance(0.25)
      const chosen = dice.shuffle(able).slice(0, shared ? dice.upTo(able.length, 2) : 1)
      for (const subgraph of chosen)
        putField(graph, subgraph, typeIn(subgraph, entity.name), field, ...(shared ? ['@shareable'] : []))
    }
  }
}

/** Interface objects, with fields of their own. */
export function addShared(graph: GraphDraft): void {
  const { dice, subgraphs } = graph
  for (const type of typesOf(graph, 'interface')) {
    const { objects } = type
    if (objects === undefined) continue
    const id = type.fields.find(({ name }) => name === 'id')
    const host = subgraphs.find(({ name }) => name === objects.host)
    if (id === undefined || host === undefined) continue
    typeIn(host, type.name, 'interface').directives.add('@key(fields: "id")')
    for (const guest of subgraphs.filter(({ name }) => objects.guests.includes(name))) {
      const object = typeIn(guest, type.name)
      object.directives.add('@key(fields: "id")')
      object.directives.add('@interfaceObject')
      place(object, id)
      const open = ['String', 'Int', '[Int!]', 'Float!', type.name, `[${type.name}]`]
      const seen = [...typesOf(graph, 'value'), ...typesOf(graph, 'entity')]
        .map(({ name }) => name)
        .filter((name) => canSee(graph, guest, name))
      for (let i = 0, count = dice.upTo(3, 1); i < count; i++) {
        const field: FieldDraft = {
          // Named by its interface, too: an entity can implement several that are objects here.
          name: `of${guest.name}${type.name}${i}`,
          type: dice.pick([...open, ...seen]),
          args: dice.chance(0.2) ? [{ name: 'n', type: 'Int', literal: '1' }] : [],
        }
        putField(graph, guest, object, field)
      }
      const common = type.fields.find(({ name }) => name.startsWith('common'))
      if (common === undefined || common.args.length > 0 || !canSee(graph, guest, nameOf(common.type)))
        continue
      if (!dice.chance(0.4) || ['value', 'entity'].includes(graph.types.get(nameOf(common.type))?.kind ?? ''))
        continue
      putField(graph, guest, object, common, '@external')
      const needs: FieldDraft = { name: `needs${guest.name}${type.name}`, type: 'String', args: [] }
      putField(graph, guest, object, needs, `@requires(fields: "${common.name}")`)
    }
  }
}

export function addRoots(graph: GraphDraft): void {
  const { dice, subgraphs } = graph
  for (const subgraph of subgraphs) {
    const query = typeIn(subgraph, 'Query')
    const open = [...graph.types.values()].filter(
      ({ kind, name }) =>
        ['entity', 'value', 'interface', 'union'].includes(kind) && canSee(graph, subgraph, name),
    )
    const own = open.filter(({ name }) => subgraph.types.has(name))
    for (let i = 0, count = dice.upTo(3, 1); i < count; i++) {
      const { name } = dice.pick(own.length > 0 && dice.chance(0.8) ? own : open)
      const type = dice.pick([name, `${name}!`, `[${name}]`, `[${name}!]!`, name])
      const args = dice.chance(0.3) ? [{ name: 'n', type: 'Int', literal: '1' }] : []
      const field = { name: `${subgraph.name}${i}`, type, args }
      putField(graph, subgraph, query, field)
      const others = subgraphs.filter(
        (each) => each !== subgraph && each.types.has(name) && canSee(graph, each, name),
      )
      if (others.length === 0 || !dice.chance(0.15)) continue
      place(query, field, '@shareable')
      const other = dice.pick(others)
      putField(graph, other, typeIn(other, 'Query'), field, '@shareable')
    }
  }
}

export function addMutations(graph: GraphDraft): void {
  const { dice, subgraphs } = graph
  if (dice.chance(0.4)) return
  for (const subgraph of dice.shuffle(subgraphs).slice(0, dice.upTo(3, 1))) {
    const mutation = typeIn(subgraph, 'Mutation')
    const payload = `Payload${subgraph.name}`
    const entities = typesOf(graph, 'entity').filter(({ name }) => subgraph.types.has(name))
    for (let i = 0, count = dice.upTo(2, 1); i < count; i++) {
      place(mutation, {
        name: `set${subgraph.name}${i}`,
        type: dice.pick([payload, `${payload}!`, ...entities.map(({ name }) => name), 'Int']),
        args: [{ name: 'n', type: 'Int!', literal: '1' }],
      })
    }
    const type = typeIn(subgraph, payload)
    place(type, { name: 'ok', type: 'Boolean!', args: [] })
    if (dice.chance(0.6)) place(type, { name: 'query', type: dice.pick(['Query', 'Query!']), args: [] })
    if (entities.length > 0) place(type, { name: 'thing', type: dice.pick(entities).name, args: [] })
  }
}

/** Which types of a subgraph implement an interface shows only at the end, and with it its fields there. */
export function finishInterfaces(graph: GraphDraft): void {
  for (const subgraph of graph.subgraphs) {
    for (const drawn of typesOf(graph, 'interface')) {
      const type = subgraph.types.get(drawn.name)
      if (type?.keyword !== 'interface') continue
      if (drawn.parent !== undefined && subgraph.types.get(drawn.parent)?.keyword === 'interface')
        type.interfaces.add(drawn.parent)
      const members = drawn.members.flatMap((name) => subgraph.types.get(name) ?? [])
      for (const member of members) {
        member.interfaces.add(drawn.name)
        if (drawn.fields.some(({ name }) => name === 'id') && !member.fields.has('id')) {
          const entity = graph.types.get(member.name)
          if (entity?.kind === 'entity') placeKey(graph, subgraph, entity, 'id')
        }
      }
      for (const field of drawn.fields) {
        const known = members.map(({ fields }) => fields.get(field.name))
        if (known.every((each) => each !== undefined && !each.directives.has('@external'))) place(type, field)
        else
          for (const each of known)
            if (each?.directives.has('@external') === true) type.fields.delete(field.name)
        for (const argument of field.args) ensure(graph, subgraph, nameOf(argument.type))
      }
      if (type.fields.size > 0) continue
      // An interface has a field, and all of its members in the graph have it, too.
      const own: FieldDraft = { name: `own${subgraph.name}${drawn.name}`, type: 'Int', args: [] }
      place(type, own)
      for (const name of drawn.members) {
        ensure(graph, subgraph, name)
        const member = typeIn(subgraph, name)
        member.interfaces.add(drawn.name)
        place(member, own)
      }
    }
  }
}
