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
  Kind,
  OverlappingFieldsCanBeMergedRule,
  parse,
  parseValue,
  validate,
  valueFromASTUntyped,
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
  readonly kind?: 'query' | 'mutation'
  /**
   * Also response keys that several fields share, if their types cannot meet; variables of any type, some with
   * a default, some not given; the executable directive `@mark(tag:)` if the schema has it.
   */
  readonly rich?: boolean
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

/** Undefined if what came out is not valid: two fragments that ask for one key differently. */
export function randomOperation(schema: GraphQLSchema, options: RandomOptions): RandomOperation | undefined {
  const random = randomness(options.seed)
  const chance = (probability: number): boolean => random() < probability
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const variables: Record<string, unknown> = {}
  const declared: string[] = []
  const fragments: string[] = []
  let left = options.size
  const marks = options.rich === true && schema.getDirective('mark') != null

  const condition = (): string => {
    if (chance(0.85)) return ''
    const directive = chance(0.5) ? 'skip' : 'include'
    if (chance(0.3)) return ` @${directive}(if: ${chance(0.5)})`
    const name = `c${Math.floor(random() * (options.rich === true ? 8 : 3))}`
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
      const leaf =
        options.rich === true || (isScalarType(getNamedType(argument.type)) && !value.startsWith('['))
      if (!leaf || chance(0.6)) return `${argument.name}: ${value}`
      const name = `v${declared.length}`
      const fallback = options.rich === true && chance(0.3) ? ` = ${value}` : ''
      if (
        fallback === '' ? isNonNullType(argument.type) || options.rich !== true || chance(0.8) : chance(0.3)
      )
        variables[name] = valueFromASTUntyped(parseValue(value))
      declared.push(`$${name}: ${String(argument.type)}${fallback}`)
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
          const below = isComposite(named) ? ` ${selection(named, depth - 1)}` : ''
          const mark = below === '' && marks && chance(0.1) ? ` @mark(tag: "${pick(['x', 'y'])}")` : ''
          let alias = ''
          if (mark !== '') alias = `m${Math.floor(random() * 1e9)}: `
          else if (options.rich === true) alias = chance(0.25) ? `k${Math.floor(random() * 4)}: ` : ''
          else if (args !== '' || chance(0.15)) alias = `${field.name}_${Math.floor(random() * 1000)}: `
          parts.push(`${alias}${field.name}${args}${condition()}${mark}${below}`)
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

  const { kind = 'query' } = options
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType()
  if (root == null) throw new Error(`The schema has no ${kind} type`)
  const body = selection(root, 5)
  const query = [
    `${kind}${declared.length === 0 ? '' : `(${declared.join(', ')})`} ${body}`,
    ...fragments,
  ].join('\n')
  const valid = options.rich === true ? withoutConflicts(schema, query) : query
  if (valid === undefined || validate(schema, parse(valid)).length > 0) return undefined
  return { query: valid, variables }
}

/** Gives fields that share a response key and cannot be merged keys of their own; undefined if that fails. */
function withoutConflicts(schema: GraphQLSchema, query: string): string | undefined {
  let text = query
  for (let turn = 0; turn < 25; turn++) {
    const [conflict] = validate(schema, parse(text), [OverlappingFieldsCanBeMergedRule])
    // The last node is the field of the other side, or stands below it.
    const node = conflict?.nodes?.at(-1)
    if (conflict === undefined) return text
    if (node?.kind !== Kind.FIELD || node.loc === undefined) return undefined
    const { start } = node.loc
    const end = node.name.loc?.end ?? start
    text = `${text.slice(0, start)}u${turn}: ${node.name.value}${text.slice(end)}`
  }
  return undefined
}

function isComposite(type: GraphQLNamedType): boolean {
  return isObjectType(type) || isAbstractType(type)
}
