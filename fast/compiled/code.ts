/**
 * Generates the code of an operation: a function for each object type at each of its places, and one for each field
 * with a resolver. The code handles the common cases inline, such as a string property of a field of type String,
 * or a resolver that returns no promise. Functions of the plain executor handle the rest.
 *
 * Only names of GraphQL (letters, digits, underscores) and plain literals as JSON become part of the code.
 */
import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLField,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLObjectType,
  GraphQLScalarType,
  GraphQLString,
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { estimatedBytes, type NoteBytes } from '../../engine/index.ts'
import {
  afterOthers,
  argumentsOf,
  collectFields,
  completeLateObject,
  completeProperty,
  completeValue,
  type ExecutedField,
  fail,
  infoOf,
  type ObjectFields,
  type Program,
  whenWhole,
} from '../../engine/subgraphs/in-process/executor/index.ts'

/**
 * The most fields in the code of one operation, counted once for each type on which they occur. Compiling so many
 * takes about 10 ms.
 */
const mostFields = 1000

/** Thrown when an operation needs something for which no code is generated. */
class NotCompiled extends Error {}

/** The code of the root fields, or of each of them alone; undefined if graphql has to execute the operation. */
export function writeProgram(
  program: Program,
  root: GraphQLObjectType,
  oneByOne: boolean,
  noteBytes?: NoteBytes,
): readonly ObjectFields[] | undefined {
  const code = new Code(program)
  try {
    return code.make(root, oneByOne, noteBytes)
  } catch (error) {
    if (error instanceof NotCompiled) return undefined
    throw error
  }
}

const identity = new GraphQLScalarType({ name: 'Identity' }).serialize

/** Values that a type's `serialize` returns unchanged. */
const asTheyAre: readonly (readonly [GraphQLScalarType['serialize'], (name: string) => string])[] = [
  [GraphQLString.serialize, (name) => `typeof ${name} === 'string'`],
  [GraphQLID.serialize, (name) => `typeof ${name} === 'string'`],
  [GraphQLInt.serialize, (name) => `typeof ${name} === 'number' && (${name} | 0) === ${name}`],
  [GraphQLFloat.serialize, (name) => `typeof ${name} === 'number' && Number.isFinite(${name})`],
  [GraphQLBoolean.serialize, (name) => `typeof ${name} === 'boolean'`],
  [identity, (name) => `typeof ${name} === 'string'`],
]

class Code {
  readonly #program: Program
  readonly #functions: string[] = []
  /** The values that the code uses, by name. */
  readonly #known = new Map<string, unknown>(
    Object.entries({
      afterOthers,
      argumentsOf,
      fail,
      infoOf,
      none: Object.freeze({}),
      completeValue,
      completeLateObject,
      completeProperty,
      whenWhole,
    }),
  )
  /** Places that get their function once all functions exist. */
  readonly #places: { readonly name: string; take(made: ObjectFields): void }[] = []
  #names = 0
  #fields = 0

  constructor(program: Program) {
    this.#program = program
  }

  make(root: GraphQLObjectType, oneByOne: boolean, noteBytes?: NoteBytes): readonly ObjectFields[] {
    const { operation } = this.#program
    const fields = this.#collect(root, [operation.selectionSet])
    const groups = oneByOne ? [...fields].map(([key, nodes]) => new Map([[key, nodes]])) : [fields]
    const roots = groups.map((group) => this.#object(root, group))
    const made: ObjectFields[] = []
    const names = [...this.#known.keys()]
    const all = [...roots, ...this.#places.map(({ name }) => name)]
    const text = `'use strict';\n${this.#functions.join('\n')}\nreturn [${all.join()}];`
    noteBytes?.(
      text.length * estimatedBytes.codeCharacter + this.#fields * estimatedBytes.executedField,
      text.length,
    )
    const functions = new Function(...names, text)(...this.#known.values()) as ObjectFields[]
    functions.forEach((each, at) => {
      if (at < roots.length) made.push(each)
      else this.#places[at - roots.length]?.take(each)
    })
    return made
  }

  #name(prefix: string): string {
    this.#names += 1
    return `${prefix}${this.#names}`
  }

  #knownAs(prefix: string, value: unknown): string {
    const name = this.#name(prefix)
    this.#known.set(name, value)
    return name
  }

  #collect(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
  ): ReadonlyMap<string, readonly FieldNode[]> {
    const { schema, fragments } = this.#program
    const fields = collectFields(schema, fragments, type, sets)
    this.#fields += fields.size
    if (this.#fields > mostFields) throw new NotCompiled()
    return fields
  }

  /** Writes the function for the fields of an object of this type. Returns its name. */
  #object(type: GraphQLObjectType, fields: ReadonlyMap<string, readonly FieldNode[]>): string {
    const name = this.#name('object')
    const values: string[] = []
    const lines: string[] = []
    const members: string[] = []
    for (const [key, nodes] of fields) {
      // In an object literal, a key of that name would set the prototype.
      if (key === '__proto__') throw new NotCompiled()
      const [node] = nodes
      const { value: fieldName } = (node as FieldNode).name
      if (fieldName === '__typename') {
        members.push(`${JSON.stringify(key)}: ${JSON.stringify(type.name)}`)
        continue
      }
      // An introspection field, or one that validation would refuse.
      const definition = type.getFields()[fieldName]
      if (definition === undefined) throw new NotCompiled()
      const value = this.#name('v')
      values.push(value)
      members.push(`${JSON.stringify(key)}: ${value}`)
      lines.push(...this.#field(type, definition, key, nodes, value))
    }
    const whole = `{ ${members.join(', ')} }`
    const text =
      values.length === 0
        ? [`return ${whole};`]
        : [
            "const data = typeof source === 'object' && source !== null || typeof source === 'function' ? source : none;",
            `let late = false, ${values.join(', ')};`,
            'try {',
            ...lines,
            '} catch (error) {',
            'if (!late) throw error;',
            `return afterOthers([${values.join(', ')}], error);`,
            '}',
            `const object = ${whole};`,
            'return late ? whenWhole(object) : object;',
          ]
    this.#functions.push(`function ${name}(execution, source, path) {\n${text.join('\n')}\n}`)
    return name
  }

  /** Lines that set `value`, and `late` if it is a promise. */
  #field(
    parent: GraphQLObjectType,
    definition: GraphQLField<unknown, unknown>,
    key: string,
    nodes: readonly FieldNode[],
    value: string,
  ): string[] {
    const objects = new Map<GraphQLObjectType, ObjectFields>()
    const field: ExecutedField = { program: this.#program, key, nodes, parent, definition, objects }
    const only = this.#objectsOf(field, objects)
    const known = this.#knownAs('field', field)
    const maybeLate = `if (${value} instanceof Promise) late = true;`
    const resolver = definition.resolve ?? defaultFieldResolver
    if (resolver !== defaultFieldResolver || definition.args.length > 0)
      return [
        `${value} = ${this.#resolved(field, known, resolver, only)}(execution, source, path);`,
        maybeLate,
      ]

    const property = `${value} = data[${JSON.stringify(definition.name)}];`
    const ready = usual(definition, value)
    const rest =
      only === undefined
        ? `${value} = completeProperty(execution, ${known}, path, source, ${value});`
        : `${value} = ${this.#below(field, known, only)}(execution, source, path, ${value});`
    if (isNonNullType(definition.type)) {
      return ready === undefined
        ? [property, rest, maybeLate]
        : [property, `if (!(${ready})) {`, rest, maybeLate, '}']
    }
    return [
      property,
      `if (${value} === undefined || ${value} === null) ${value} = null;`,
      ready === undefined ? 'else {' : `else if (!(${ready})) {`,
      rest,
      maybeLate,
      '}',
    ]
  }

  /** Writes a function that calls the resolver and completes its result. Returns its name. */
  #resolved(field: ExecutedField, known: string, resolver: unknown, only: string | undefined): string {
    const { definition } = field
    const name = this.#name('resolved')
    const ready = usual(definition, 'value')
    this.#functions.push(
      [
        `function ${name}(execution, source, path) {`,
        hereCode(field),
        'let value;',
        'try {',
        `value = ${this.#knownAs('resolve', resolver)}(source, ${this.#arguments(field, known)}, execution.context, infoOf(execution, ${known}, here));`,
        '} catch (error) {',
        `return fail(execution, ${known}, ${known}.definition.type, here, error);`,
        '}',
        ...(ready === undefined ? [] : [`if (${ready}) return value;`]),
        ...(isNonNullType(definition.type)
          ? []
          : ['if (value === undefined || value === null) return null;']),
        ...(only === undefined ? [] : objectCode(known, only)),
        `return completeValue(execution, ${known}, here, value);`,
        '}',
      ].join('\n'),
    )
    return name
  }

  /** Writes a function that completes an object which the model has under the field's name. Returns its name. */
  #below(field: ExecutedField, known: string, only: string): string {
    const name = this.#name('below')
    this.#functions.push(
      [
        `function ${name}(execution, source, path, value) {`,
        hereCode(field),
        ...objectCode(known, only),
        `return completeProperty(execution, ${known}, path, source, value);`,
        '}',
      ].join('\n'),
    )
    return name
  }

  /** An expression for the values of a field's arguments. It throws if they are wrong. */
  #arguments({ nodes, definition }: ExecutedField, known: string): string {
    const exactly = `argumentsOf(${known}.definition, ${known}.nodes[0], execution.variables)`
    const given = new Map((nodes[0]?.arguments ?? []).map(({ name, value }) => [name.value, value] as const))
    const members: string[] = []
    const conditions: string[] = []
    for (const argument of definition.args) {
      const value = given.get(argument.name)
      const plain = value === undefined ? plainDefault(argument) : plainValue(value, argument)
      if (plain === undefined) return exactly
      if (plain === '') continue
      members.push(`${JSON.stringify(argument.name)}: ${plain}`)
      if (value?.kind === Kind.VARIABLE)
        conditions.push(
          isNonNullType(argument.type)
            ? `${plain} !== undefined && ${plain} !== null`
            : `${plain} !== undefined`,
        )
    }
    const literal = `{ ${members.join(', ')} }`
    return conditions.length === 0 ? literal : `(${conditions.join(' && ')} ? ${literal} : ${exactly})`
  }

  /**
   * Writes the functions for all types that objects of the field may have. If there is only one such type, returns
   * the name of its function.
   */
  #objectsOf(field: ExecutedField, objects: Map<GraphQLObjectType, ObjectFields>): string | undefined {
    const type = getNamedType(field.definition.type)
    const { schema } = this.#program
    const types = isObjectType(type) ? [type] : isAbstractType(type) ? schema.getPossibleTypes(type) : []
    const sets = field.nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]))
    let name = ''
    for (const each of types) {
      name = this.#object(each, this.#collect(each, sets))
      this.#places.push({ name, take: (made) => objects.set(each, made) })
    }
    const nullable = getNullableType(field.definition.type)
    return isObjectType(nullable) && nullable.isTypeOf == null ? name : undefined
  }
}

function hereCode({ key, parent }: ExecutedField): string {
  return `const here = { prev: path, key: ${JSON.stringify(key)}, typename: ${JSON.stringify(parent.name)} };`
}

/** Lines that complete `value` if it is an object. */
function objectCode(known: string, only: string): string[] {
  return [
    "if (typeof value === 'object' && value !== null && typeof value.then !== 'function' && !(value instanceof Error)) {",
    'try {',
    `return completeLateObject(execution, ${known}, here, ${only}(execution, value, here));`,
    '} catch (error) {',
    `return fail(execution, ${known}, ${known}.definition.type, here, error);`,
    '}',
    '}',
  ]
}

/** A test for values that need no conversion; undefined if there is none. */
function usual({ type }: GraphQLField<unknown, unknown>, name: string): string | undefined {
  const nullable = getNullableType(type)
  return isLeafType(nullable) ? defaultLeaf(nullable)?.(name) : undefined
}

function defaultLeaf(type: GraphQLLeafType): ((name: string) => string) | undefined {
  if (!(type instanceof GraphQLScalarType)) return undefined
  return asTheyAre.find(([serialize]) => type.serialize === serialize)?.[1]
}

/** Code for the value of a missing argument: empty if there is none; undefined if graphql has to compute it. */
function plainDefault({ type, defaultValue }: GraphQLArgument): string | undefined {
  if (defaultValue === undefined) return isNonNullType(type) ? undefined : ''
  return plainLiteral(defaultValue)
}

/** The same for an argument that is set. */
function plainValue(node: ValueNode, { type }: GraphQLArgument): string | undefined {
  if (node.kind === Kind.VARIABLE) {
    const { value: name } = node.name
    return name in Object.prototype ? undefined : `execution.variables[${JSON.stringify(name)}]`
  }
  const nullable = getNullableType(type)
  // Other types may convert a literal in their own way.
  if (node.kind === Kind.STRING && (nullable === GraphQLString || nullable === GraphQLID))
    return plainLiteral(node.value)
  if (node.kind === Kind.BOOLEAN && nullable === GraphQLBoolean) return String(node.value)
  if (node.kind === Kind.INT && nullable === GraphQLInt) {
    const value = Number(node.value)
    return (value | 0) === value ? String(value) : undefined
  }
  return undefined
}

function plainLiteral(value: unknown): string | undefined {
  const isPlain =
    value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  // Line separators are allowed in strings of JSON, and since 2019 in those of JavaScript.
  return isPlain ? JSON.stringify(value) : undefined
}
