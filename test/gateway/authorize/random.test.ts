/**
 * Random valid operations and random scopes against an oracle that knows nothing of filtering: it runs the
 * whole operation, and refuses, value by value, what the rules say.
 */
import fc from 'fast-check'
import {
  type DocumentNode,
  execute,
  type FieldNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { type Answer, answer, caller, resolverOf, stage } from './kit.ts'

/** Rules as plain data, so that the oracle reads nothing that the authorizer reads. */
const rules: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'Query.guarded': [['a']],
  'Person.email': [['a'], ['b', 'c']],
  'Person.boss': [['b']],
  'Robot.name': [['c']],
  'Robot.parts': [['a', 'b']],
  'Group.members': [['c'], ['a']],
  Secret: [['b'], ['c']],
  Robot: [['a'], ['b'], ['c']],
  Vault: [['a', 'c']],
  Level: [['c']],
}
const rule = (place: string): string => {
  const found = rules[place]
  return found === undefined ? '' : `@requiresScopes(scopes: ${JSON.stringify(found)})`
}

const on = stage(`
  interface Named { name: String  also: Named }
  interface Being implements Named { name: String  also: Named  friends: [Being!]!  level: Level }
  type Query { being: Being!  named: Named  anything: Any  people: [Person!]!  all: [Any]  guarded: Group ${rule('Query.guarded')}  vault: Vault }
  type Person implements Being & Named {
    name: String  also: Named  friends: [Being!]!  level: Level  email: String ${rule('Person.email')}  boss: Person ${rule('Person.boss')}  group: Group!  thing: Any
  }
  type Robot implements Being & Named ${rule('Robot')} {
    name: String ${rule('Robot.name')}  also: Named  friends: [Being!]!  level: Level  parts: [Part!]! ${rule('Robot.parts')}
  }
  type Group implements Named { name: String  also: Named  members: [Being] ${rule('Group.members')}  size: Int! }
  type Part { label: String!  secret: Secret  of: Robot }
  type Vault ${rule('Vault')} { secret: Secret  open: Int }
  union Any = Person | Robot | Part | Vault
  scalar Secret ${rule('Secret')}
  enum Level ${rule('Level')} { HIGH LOW }
`)
const { schema } = on
const data = resolverOf(schema)
// An enum's value must be one of its own.
const resolve: typeof data = (source, args, context, info) =>
  String(getNamedType(info.returnType)) === 'Level' ? 'LOW' : data(source, args, context, info)

type Draw = (below: number) => number

/** One random operation: aliases from a small pool, so that keys meet; fragments, inline and named. */
function randomOperation(draw: Draw, everywhereTypename: boolean): string {
  const fragments: string[] = []
  const set = (typeName: string, depth: number): string => {
    const type = schema.getType(typeName)
    const parts: string[] = everywhereTypename ? ['__typename'] : []
    const count = 1 + draw(3)
    for (let index = 0; index < count; index++) {
      const kind = draw(6)
      if (kind >= 4 && depth > 0) {
        const conditions = isAbstractType(type)
          ? [
              typeName,
              ...schema.getPossibleTypes(type).map((each) => each.name),
              ...(typeName === 'Any' ? ['Being', 'Named'] : ['Being']),
            ]
          : [typeName, ...(isObjectType(type) ? type.getInterfaces().map((each) => each.name) : [])]
        const condition = conditions[draw(conditions.length)] as string
        const inner = set(condition, depth - 1)
        if (kind === 4) {
          parts.push(`... ${draw(4) === 0 && condition === typeName ? '' : `on ${condition}`} ${inner}`)
        } else {
          const name = `F${fragments.length}`
          fragments.push(`fragment ${name} on ${condition} ${inner}`)
          parts.push(`...${name}`)
        }
        continue
      }
      if (!isObjectType(type) && !isInterfaceType(type)) {
        parts.push('__typename')
        continue
      }
      const fields = Object.values(type.getFields())
      const field = fields[draw(fields.length)]
      if (field === undefined) continue
      const composite = isCompositeType(getNamedType(field.type))
      if (composite && depth === 0) continue
      const alias = draw(3) === 0 ? `${['x', 'y'][draw(2)]}${field.name}: ` : ''
      parts.push(`${alias}${field.name} ${composite ? set(getNamedType(field.type).name, depth - 1) : ''}`)
    }
    return `{ ${parts.length === 0 ? '__typename' : parts.join(' ')} }`
  }
  return [`query ${set('Query', 3 + draw(3))}`, ...fragments].join(' ')
}

const operations = (everywhereTypename: boolean) =>
  fc
    .infiniteStream(fc.nat({ max: 1_000_000 }))
    .map((stream) => {
      const draw: Draw = (below) => (stream.next().value as number) % below
      return randomOperation(draw, everywhereTypename)
    })
    .filter((text) => validate(schema, parse(text)).length === 0)

const pathOf = (path: GraphQLResolveInfo['path'] | undefined): (string | number)[] =>
  path === undefined ? [] : [...pathOf(path.prev), path.key]

interface Judged extends Answer {
  /** The response without the refusals. */
  readonly whole: unknown
}

/** Runs everything, and throws where the rules refuse. Says nothing about what is fetched. */
function oracle(document: DocumentNode, scopes: readonly string[]): Judged {
  const held = new Set(scopes)
  const meets = (place: string): boolean =>
    rules[place]?.some((claims) => claims.every((scope) => held.has(scope))) ?? true
  const fieldMeets = (type: string, field: string): boolean => {
    const parent = schema.getType(type) as GraphQLObjectType
    const definition = parent.getFields()[field]
    return (
      definition === undefined || (meets(`${type}.${field}`) && meets(getNamedType(definition.type).name))
    )
  }
  // The type that each place stands on, and the fragments around it.
  const places = new Map<FieldNode, { parent: string; around: string[] }>()
  const info = new TypeInfo(schema)
  const around: string[][] = [[]]
  visit(
    document,
    visitWithTypeInfo(info, {
      FragmentDefinition: {
        enter: (node) => void around.push([node.typeCondition.name.value]),
        leave: () => void around.pop(),
      },
      InlineFragment: {
        enter: (node) =>
          void around.push([
            ...(around.at(-1) ?? []),
            ...(node.typeCondition ? [node.typeCondition.name.value] : []),
          ]),
        leave: () => void around.pop(),
      },
      Field: {
        enter(node) {
          places.set(node, { parent: info.getParentType()?.name ?? '', around: around.at(-1) ?? [] })
          around.push([])
        },
        leave: () => void around.pop(),
      },
    }),
  )
  const implementers = (name: string): string[] => {
    const type = schema.getType(name)
    return isInterfaceType(type)
      ? [...schema.getImplementations(type).objects, ...schema.getImplementations(type).interfaces].map(
          (each) => each.name,
        )
      : []
  }
  /** Whether a place asks in a way that the Router lets through, whatever the object turns out to be. */
  const passes = (node: FieldNode): boolean => {
    const place = places.get(node)
    if (place === undefined) return false
    const field = node.name.value
    if (!place.around.every(meets)) return false
    if (implementers(place.parent).some((name) => !fieldMeets(name, field))) return false
    const parent = schema.getType(place.parent) as GraphQLObjectType
    const output = getNamedType(parent.getFields()[field]?.type)?.name ?? ''
    const direct = node.selectionSet?.selections.some(
      (each) => each.kind === Kind.FIELD && each.name.value !== '__typename',
    )
    return direct !== true || implementers(output).every(meets)
  }
  const run = (judging: boolean) =>
    execute({
      schema,
      document,
      typeResolver: (value) => (value as { type: string }).type,
      fieldResolver: (source, args, context, info) => {
        const type = info.parentType.name
        const refused =
          judging &&
          !(meets(type) && fieldMeets(type, info.fieldName) && info.fieldNodes.some((node) => passes(node)))
        if (refused)
          throw new GraphQLError('refused', {
            path: pathOf(info.path),
            extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' },
          })
        return resolve(source, args, context, info)
      },
    }) as { data?: unknown; errors?: readonly GraphQLError[] }
  const { data: result, errors = [] } = run(true)
  return {
    data: JSON.parse(JSON.stringify(result ?? null)),
    errors: errors
      .map((error) => ({ path: error.path ?? [], code: error.extensions.code }))
      .sort((a, b) => (String(a.path) < String(b.path) ? -1 : 1)),
    whole: JSON.parse(JSON.stringify(run(false).data ?? null)),
  }
}

const everyScope = fc.subarray(['a', 'b', 'c'])

function filtered(document: DocumentNode, scopes: readonly string[]) {
  const requirements = on.authorizer.analyze(document)
  return requirements.filter(requirements.grant(caller(...scopes)) as number)
}

/** An answer is the other, but for objects of which nothing was left to ask for: those are null. */
function sameButEmptied(ours: unknown, theirs: unknown): boolean {
  if (ours === null) return theirs === null || isEmptied(theirs)
  if (Array.isArray(ours) && Array.isArray(theirs))
    return ours.length === theirs.length && ours.every((each, index) => sameButEmptied(each, theirs[index]))
  if (typeof ours === 'object' && typeof theirs === 'object' && theirs !== null) {
    const keys = Object.keys(ours)
    return (
      keys.length === Object.keys(theirs).length &&
      keys.every((key) => sameButEmptied(ours[key as never], theirs[key as never]))
    )
  }
  return ours === theirs
}

/** Nothing of its own: nulls, and at most the names of refused types. */
const isEmptied = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'object' &&
    Object.entries(value).every(([key, each]) => key === '__typename' || isEmptied(each)))

/** Whether a value's place is there in an answer, or hidden behind a null further up. */
const isHidden = (value: unknown, [key, ...rest]: readonly (string | number)[]): boolean =>
  value === null ||
  (key !== undefined && isHidden((value as Record<string, unknown>)[key] ?? null, rest) && rest.length > 0)

const keysOf = (path: readonly (string | number)[]): string =>
  path.filter((key) => typeof key === 'string').join('.')

describe('random operations with random scopes', () => {
  it('answer as the rules say, with an error at each refused path, and nothing else changed', () => {
    fc.assert(
      fc.property(operations(true), everyScope, (text, scopes) => {
        const document = parse(text)
        const result = filtered(document, scopes)
        const expected = oracle(document, scopes)
        for (const reading of ['every', 'some'] as const) {
          const ours = answer(on, document, result, resolve, reading)
          expect(ours.data).toEqual(expected.data)
          expect(ours.errors).toEqual(expected.errors)
        }
        if (scopes.length === 3) expect(expected.data).toEqual(expected.whole)
      }),
      { numRuns: 400 },
    )
  })

  it('are allowed to run only what is valid and what every value of it is open for', () => {
    fc.assert(
      fc.property(operations(false), everyScope, (text, scopes) => {
        const { allowed } = filtered(parse(text), scopes)
        if (allowed === null) return
        expect(validate(schema, allowed)).toEqual([])
        const held = new Set(scopes)
        const meets = (place: string) =>
          rules[place]?.some((claims) => claims.every((scope) => held.has(scope))) ?? true
        void execute({
          schema,
          document: allowed,
          typeResolver: (value) => (value as { type: string }).type,
          fieldResolver: (source, args, context, info) => {
            const { parentType, fieldName, returnType } = info
            for (const place of [
              parentType.name,
              `${parentType.name}.${fieldName}`,
              getNamedType(returnType).name,
            ])
              expect(meets(place), `${place} in ${text}`).toBe(true)
            return resolve(source, args, context, info)
          },
        })
      }),
      { numRuns: 400 },
    )
  })

  it('without __typename differ only where an object has nothing left to ask for', () => {
    fc.assert(
      fc.property(operations(false), everyScope, (text, scopes) => {
        const document = parse(text)
        const result = filtered(document, scopes)
        const expected = oracle(document, scopes)
        const ours = answer(on, document, result, resolve)
        expect(
          sameButEmptied(ours.data, expected.data),
          JSON.stringify([text, ours.data, expected.data]),
        ).toBe(true)
        // Every refused path is named, without list positions where there is no data to count in, unless the
        // null of another refusal has gone up past it.
        const named = new Set(ours.errors.map(({ path }) => keysOf(path)))
        for (const { path } of expected.errors)
          if (!named.has(keysOf(path))) expect(isHidden(ours.data, path) && named.size > 0, text).toBe(true)
        if (result.allowed === null) expect(isEmptied(expected.data)).toBe(true)
      }),
      { numRuns: 400 },
    )
  })
})
