/**
 * Random valid operations over any schema: fields, arguments, aliases, inline and named fragments, repeated
 * fields, `__typename`, `@skip` and `@include` on literals and variables. The same seed gives the same operation;
 * smaller sizes give smaller ones, so that a failing one can be shrunk.
 */
import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  parse,
  validate,
} from 'graphql'

export interface RandomOperation {
  readonly query: string
  readonly variables: Record<string, unknown>
}

export interface RandomOptions {
  readonly seed: number
  /** About how many fields. */
  readonly size: number
  /** Literals for arguments by `Type.field.argument`. */
  readonly values?: Readonly<Record<string, readonly string[]>>
}

/** A small generator of numbers in [0, 1): mulberry32. */
export function randomness(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Undefined where what came out is not valid: two fragments that ask for one key differently. */
export function randomOperation(schema: GraphQLSchema, options: RandomOptions): RandomOperation | undefined {
  const random = randomness(options.seed)
  const chance = (probability: number): boolean => random() < probability
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const variables: Record<string, unknown> = {}
  const declared: string[] = []
  const fragments: string[] = []
  let left = options.size

  const condition = (): string => {
    if (chance(0.85)) return ''
    const directive = chance(0.5) ? 'skip' : 'include'
    if (chance(0.3)) return ` @${directive}(if: ${chance(0.5)})`
    const name = `c${Math.floor(random() * 3)}`
    if (!(name in variables)) {
      variables[name] = chance(0.5)
      declared.push(`$${name}: Boolean!`)
    }
    return ` @${directive}(if: $${name})`
  }

  const literal = (type: GraphQLInputType, depth: number): string => {
    if (isNonNullType(type)) return literal(type.ofType, depth)
    if (isListType(type))
      return `[${Array.from({ length: Math.floor(random() * 3) }, () => literal(type.ofType, depth)).join(', ')}]`
    if (isEnumType(type)) return pick(type.getValues()).name
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isRequiredInputField(field) || (depth < 2 && chance(0.5)),
      )
      return `{${fields.map((field) => `${field.name}: ${literal(field.type, depth + 1)}`).join(', ')}}`
    }
    switch (type.name) {
      case 'Int':
        return String(Math.floor(random() * 5))
      case 'Float':
        return String(Math.floor(random() * 50) / 10)
      case 'Boolean':
        return String(chance(0.5))
      default:
        return JSON.stringify(pick(['1', '2', '3', 'x']))
    }
  }

  const argumentsOf = (
    type: string,
    field: { name: string; args: readonly import('graphql').GraphQLArgument[] },
  ): string => {
    const given = field.args.filter((argument) => isRequiredArgument(argument) || chance(0.5))
    if (given.length === 0) return ''
    const texts = given.map((argument) => {
      const values = options.values?.[`${type}.${field.name}.${argument.name}`]
      const value = values === undefined ? literal(argument.type, 0) : pick(values)
      const leaf = isScalarType(getNamedType(argument.type)) && !value.startsWith('[')
      if (!leaf || chance(0.6)) return `${argument.name}: ${value}`
      const name = `v${declared.length}`
      variables[name] = JSON.parse(value)
      declared.push(`$${name}: ${String(argument.type)}`)
      return `${argument.name}: $${name}`
    })
    return `(${texts.join(', ')})`
  }

  const selection = (type: GraphQLNamedType, depth: number): string => {
    const parts: string[] = []
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []
    const count = 1 + Math.floor(random() * 4)
    for (let i = 0; i < count && (left > 0 || parts.length === 0); i++) {
      left -= 1
      const roll = random()
      if (roll < 0.08) parts.push(`${chance(0.3) ? 't: ' : ''}__typename${condition()}`)
      else if (depth > 0 && (roll < 0.25 || fields.length === 0)) parts.push(fragment(type, depth))
      else {
        const open = fields.filter((field) => depth > 0 || !isComposite(getNamedType(field.type)))
        const field = open.length === 0 ? undefined : pick(open)
        if (field === undefined) parts.push('__typename')
        else {
          const args = argumentsOf(type.name, field)
          const named = getNamedType(field.type)
          const alias = args !== '' || chance(0.15) ? `${field.name}_${Math.floor(random() * 1000)}: ` : ''
          const below = isComposite(named) ? ` ${selection(named, depth - 1)}` : ''
          parts.push(`${alias}${field.name}${args}${condition()}${below}`)
        }
      }
    }
    return `{ ${parts.join(' ')} }`
  }

  const fragment = (type: GraphQLNamedType, depth: number): string => {
    const narrower = isAbstractType(type) ? schema.getPossibleTypes(type) : []
    const wider = isObjectType(type) ? type.getInterfaces() : []
    const target = chance(0.15) ? type : pick<GraphQLNamedType>([type, ...narrower, ...narrower, ...wider])
    const body = selection(target, depth - (chance(0.5) ? 1 : 0))
    if (chance(0.6)) {
      const on = target === type && chance(0.4) ? '' : ` on ${target.name}`
      return `...${on}${condition()} ${body}`
    }
    const name = `F${fragments.length}`
    fragments.push('')
    fragments[Number(name.slice(1))] = `fragment ${name} on ${target.name} ${body}`
    return `...${name}${condition()}`
  }

  const root = schema.getQueryType()
  if (root == null) throw new Error('The schema has no query type')
  const body = selection(root, 5)
  const query = [
    `query${declared.length === 0 ? '' : `(${declared.join(', ')})`} ${body}`,
    ...fragments,
  ].join('\n')
  return validate(schema, parse(query)).length === 0 ? { query, variables } : undefined
}

function isComposite(type: GraphQLNamedType): boolean {
  return isObjectType(type) || isAbstractType(type)
}
