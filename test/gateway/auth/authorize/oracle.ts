/**
 * An oracle that knows nothing of filtering: it runs the whole operation with graphql-js and refuses, value by
 * value, what rules given as plain data say. Beside it, the random operations that it is asked about.
 */
import fc from 'fast-check'
import {
  type DocumentNode,
  execute,
  type FieldNode,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
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
import { type Answer, answerFrom, pathOf } from './kit.ts'

/** OR of ANDs of scopes, by `Type` and `Type.field`. */
export type PlainRules = Readonly<Record<string, readonly (readonly string[])[]>>

/** The rule of a place as it stands in SDL. */
export function directiveFor(rules: PlainRules): (place: string) => string {
  return (place) =>
    Object.hasOwn(rules, place) ? `@requiresScopes(scopes: ${JSON.stringify(rules[place])})` : ''
}

export const meeting =
  (rules: PlainRules, scopes: readonly string[]) =>
  (place: string): boolean => {
    const rule = Object.hasOwn(rules, place) ? rules[place] : undefined
    return rule?.some((claims) => claims.every((scope) => scopes.includes(scope))) ?? true
  }

export interface World {
  readonly schema: GraphQLSchema
  readonly rules: PlainRules
  readonly resolve: GraphQLFieldResolver<unknown, unknown>
  typeOf(value: unknown): string
  /** Whether the rules of implementers are summed up on their interfaces, as newer composers do. */
  readonly summedUp?: boolean
}

/** What is refused, and everything else as it is. `judging` off: the answer to a caller with all scopes. */
export function judged(
  world: World,
  document: DocumentNode,
  scopes: readonly string[],
  judging = true,
  variableValues: Readonly<Record<string, unknown>> = {},
): Answer {
  const { schema, rules, resolve, typeOf } = world
  const meets = meeting(rules, scopes)
  const fieldMeets = (type: string, field: string): boolean => {
    const definition = (schema.getType(type) as GraphQLObjectType).getFields()[field]
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
    if (!isInterfaceType(type)) return []
    const { objects, interfaces } = schema.getImplementations(type)
    return [...objects, ...interfaces].map((each) => each.name)
  }
  /** What a composer sums up on an interface: the rules of all that implement it. */
  const conditionMeets = (name: string): boolean => meets(name) && implementers(name).every(meets)
  /** Whether a place asks in a way that the Router lets through, whatever the object turns out to be. */
  const passes = (node: FieldNode): boolean => {
    const place = places.get(node)
    if (place === undefined) return false
    const field = node.name.value
    if (!place.around.every(world.summedUp ? conditionMeets : meets)) return false
    if (implementers(place.parent).some((name) => !fieldMeets(name, field))) return false
    const parent = schema.getType(place.parent) as GraphQLObjectType
    const output = getNamedType(parent.getFields()[field]?.type)?.name ?? ''
    if (world.summedUp) return implementers(output).every(meets)
    const direct = node.selectionSet?.selections.some(
      (each) => each.kind === Kind.FIELD && each.name.value !== '__typename',
    )
    return direct !== true || implementers(output).every(meets)
  }
  return answerFrom(
    execute({
      schema,
      document,
      variableValues,
      typeResolver: typeOf,
      fieldResolver: (source, args, context, info) => {
        const { parentType, fieldName, fieldNodes, path } = info
        const refused =
          judging &&
          !(
            meets(parentType.name) &&
            fieldMeets(parentType.name, fieldName) &&
            fieldNodes.some((node) => passes(node))
          )
        if (refused)
          throw new GraphQLError('refused', {
            path: pathOf(path),
            extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' },
          })
        return resolve(source, args, context, info)
      },
    }),
  )
}

type Draw = (below: number) => number

/** One random operation: aliases from a small pool, so that keys meet; fragments, inline and named. */
function randomOperation(schema: GraphQLSchema, draw: Draw, everywhereTypename: boolean): string {
  const fragments: string[] = []
  const abstract = Object.values(schema.getTypeMap()).filter((type) => isAbstractType(type))
  /** The types that a fragment on this one can name: itself, what it can be, and what else those can be. */
  const conditionsOn = (typeName: string): string[] => {
    const type = schema.getType(typeName)
    const objects = isAbstractType(type)
      ? schema.getPossibleTypes(type)
      : [type].filter((each) => isObjectType(each))
    const wider = abstract.filter((each) => objects.some((object) => schema.isSubType(each, object)))
    return [typeName, ...[...objects, ...wider].map((each) => each.name)]
  }
  const set = (typeName: string, depth: number): string => {
    const type = schema.getType(typeName)
    const parts: string[] = everywhereTypename ? ['__typename'] : []
    const count = 1 + draw(3)
    for (let index = 0; index < count; index++) {
      const kind = draw(6)
      if (kind >= 4 && depth > 0) {
        const conditions = conditionsOn(typeName)
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

/** Valid operations, as text. */
export const operationsOn = (schema: GraphQLSchema, everywhereTypename: boolean): fc.Arbitrary<string> =>
  fc
    .infiniteStream(fc.nat({ max: 1_000_000 }))
    .map((stream) => {
      const draw: Draw = (below) => (stream.next().value as number) % below
      return randomOperation(schema, draw, everywhereTypename)
    })
    .filter((text) => validate(schema, parse(text)).length === 0)

/** The answers are equal, except that objects without any field left to request are null. */
export function sameButEmptied(ours: unknown, theirs: unknown): boolean {
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
export const isEmptied = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'object' &&
    Object.entries(value).every(([key, each]) => key === '__typename' || isEmptied(each)))

/** Whether a value's place is there in an answer, or hidden behind a null further up. */
export const isHidden = (value: unknown, [key, ...rest]: readonly (string | number)[]): boolean =>
  value === null ||
  (key !== undefined && isHidden((value as Record<string, unknown>)[key] ?? null, rest) && rest.length > 0)

export const keysOf = (path: readonly (string | number)[]): string =>
  path.filter((key) => typeof key === 'string').join('.')
