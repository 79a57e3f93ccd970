/**
 * Makes the schema of a document in steps, so that requests run meanwhile. It has the classes of graphql, and equals
 * what `buildASTSchema` makes. If the document has a fault, `buildASTSchema` gets it, and says what is wrong.
 */
import {
  buildASTSchema,
  type ConstDirectiveNode,
  type DirectiveDefinitionNode,
  type DirectiveLocation,
  type DocumentNode,
  type FieldDefinitionNode,
  GraphQLDeprecatedDirective,
  GraphQLDirective,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLNullableType,
  GraphQLObjectType,
  GraphQLOneOfDirective,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLSpecifiedByDirective,
  type GraphQLType,
  GraphQLUnionType,
  getDirectiveValues,
  type InputValueDefinitionNode,
  introspectionTypes,
  isInputObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isTypeDefinitionNode,
  Kind,
  type NamedTypeNode,
  specifiedDirectives,
  specifiedScalarTypes,
  type TypeDefinitionNode,
  type TypeNode,
  validateSchema,
  valueFromAST,
} from 'graphql'
import { exactValueOf } from '../../shared/graphql/literals.ts'
import type { Steps } from '../../shared/runtime/steps.ts'

/** Throws an Error if the document is not a valid schema. */
export function* makingSchema(document: DocumentNode): Steps<GraphQLSchema> {
  let made: GraphQLSchema
  try {
    made = yield* new SchemaInSteps(document).making()
  } catch {
    made = makeAtOnce(document)
  }
  if (made.getQueryType() == null) throw new Error('it has no query type.')
  yield
  // An invalid schema would refuse every operation.
  const [fault] = validateSchema(made)
  if (fault !== undefined) throw fault
  return made
}

/** A document with extensions of types can be made in this way alone. */
function makeAtOnce(document: DocumentNode): GraphQLSchema {
  const made = buildASTSchema(document)
  const types = Object.values(made.getTypeMap())
  for (const type of types) if (isScalarType(type) && !isSpecifiedScalarType(type)) keepDigits(type)
  for (const type of types)
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields()))
        field.defaultValue = valueFromAST(field.astNode?.defaultValue, field.type)
  return made
}

/** The defaults of variables and of inputs are sent to subgraphs, and keep their digits as other literals do. */
function keepDigits(scalar: GraphQLScalarType): GraphQLScalarType {
  scalar.parseLiteral = exactValueOf
  return scalar
}

interface Described {
  readonly description?: { readonly value: string } | undefined
}

interface Directed {
  readonly directives?: readonly ConstDirectiveNode[] | undefined
}

const descriptionOf = ({ description }: Described): string | undefined => description?.value

function deprecationOf({ directives = [] }: Directed): string | undefined {
  if (directives.length === 0) return undefined
  return getDirectiveValues(GraphQLDeprecatedDirective, { directives })?.reason as string | undefined
}

const standardTypes: ReadonlyMap<string, GraphQLNamedType> = new Map(
  [...specifiedScalarTypes, ...introspectionTypes].map((type) => [type.name, type]),
)

class SchemaInSteps {
  readonly #document: DocumentNode
  readonly #types = new Map<string, GraphQLNamedType>()

  constructor(document: DocumentNode) {
    this.#document = document
  }

  /** Throws if the document has a fault, or something else than definitions. */
  *making(): Steps<GraphQLSchema> {
    const own: DirectiveDefinitionNode[] = []
    for (const definition of this.#document.definitions) {
      if (definition.kind === Kind.DIRECTIVE_DEFINITION) own.push(definition)
      else if (isTypeDefinitionNode(definition)) this.#add(definition)
      else throw new Error('The document has more than definitions.')
    }
    yield
    // Each reads its fields now, and the schema below only collects them.
    for (const type of this.#types.values()) {
      if ('getFields' in type) type.getFields()
      if ('getInterfaces' in type) type.getInterfaces()
      yield
    }
    const directives = once(own, ({ name }) => name.value).map((node) => this.#directive(node))
    const others = specifiedDirectives.filter(({ name }) => directives.every((each) => each.name !== name))
    return new GraphQLSchema({
      query: this.#root('Query'),
      mutation: this.#root('Mutation'),
      subscription: this.#root('Subscription'),
      types: [...this.#types.values()],
      directives: [...directives, ...others],
    })
  }

  #add(node: TypeDefinitionNode): void {
    const name = node.name.value
    if (this.#types.has(name)) throw new Error(`There are two types ${name}.`)
    this.#types.set(name, standardTypes.get(name) ?? this.#type(node))
  }

  /** The type with this name, of any kind. Validation reports one that is not an object. */
  #root(name: string): GraphQLObjectType | undefined {
    return this.#types.get(name) as GraphQLObjectType | undefined
  }

  #type(node: TypeDefinitionNode): GraphQLNamedType {
    const about = { name: node.name.value, description: descriptionOf(node) }
    switch (node.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_DEFINITION: {
        const fields = () => this.#fields(node.fields)
        const interfaces = () => this.#all<GraphQLInterfaceType>(node.interfaces)
        return node.kind === Kind.OBJECT_TYPE_DEFINITION
          ? new GraphQLObjectType({ ...about, fields, interfaces, astNode: node })
          : new GraphQLInterfaceType({ ...about, fields, interfaces, astNode: node })
      }
      case Kind.UNION_TYPE_DEFINITION: {
        const types = () => this.#all<GraphQLObjectType>(node.types)
        return new GraphQLUnionType({ ...about, types, astNode: node })
      }
      case Kind.ENUM_TYPE_DEFINITION: {
        const values = once(node.values, ({ name }) => name.value).map((value) => [
          value.name.value,
          { description: descriptionOf(value), deprecationReason: deprecationOf(value), astNode: value },
        ])
        return new GraphQLEnumType({ ...about, values: Object.fromEntries(values), astNode: node })
      }
      case Kind.INPUT_OBJECT_TYPE_DEFINITION: {
        const fields = () => this.#inputs(node.fields)
        const isOneOf = getDirectiveValues(GraphQLOneOfDirective, node) !== undefined
        return new GraphQLInputObjectType({ ...about, fields, isOneOf, astNode: node })
      }
      case Kind.SCALAR_TYPE_DEFINITION: {
        const specifiedByURL = getDirectiveValues(GraphQLSpecifiedByDirective, node)?.url as
          | string
          | undefined
        return keepDigits(new GraphQLScalarType({ ...about, specifiedByURL, astNode: node }))
      }
    }
  }

  #directive(node: DirectiveDefinitionNode): GraphQLDirective {
    return new GraphQLDirective({
      name: node.name.value,
      description: descriptionOf(node),
      locations: node.locations.map(({ value }) => value as DirectiveLocation),
      isRepeatable: node.repeatable,
      args: this.#inputs(node.arguments),
      astNode: node,
    })
  }

  #fields(nodes: readonly FieldDefinitionNode[] | undefined) {
    const fields: Record<string, GraphQLFieldConfig<unknown, unknown>> = Object.create(null)
    for (const node of once(nodes, ({ name }) => name.value)) {
      fields[node.name.value] = {
        type: this.#wrapped(node.type) as GraphQLOutputType,
        description: descriptionOf(node),
        args: this.#inputs(node.arguments),
        deprecationReason: deprecationOf(node),
        astNode: node,
      }
    }
    return fields
  }

  /** Arguments, or the fields of an input object. */
  #inputs(nodes: readonly InputValueDefinitionNode[] | undefined) {
    return Object.fromEntries(
      once(nodes, ({ name }) => name.value).map((node) => {
        const type = this.#wrapped(node.type) as GraphQLInputType
        const input = {
          type,
          description: descriptionOf(node),
          defaultValue: valueFromAST(node.defaultValue, type),
          deprecationReason: deprecationOf(node),
          astNode: node,
        }
        return [node.name.value, input]
      }),
    )
  }

  #all<Type>(nodes: readonly NamedTypeNode[] = []): Type[] {
    return nodes.map((node) => this.#named(node) as Type)
  }

  #wrapped(node: TypeNode): GraphQLType {
    if (node.kind === Kind.LIST_TYPE) return new GraphQLList(this.#wrapped(node.type))
    if (node.kind === Kind.NON_NULL_TYPE)
      return new GraphQLNonNull(this.#wrapped(node.type) as GraphQLNullableType)
    return this.#named(node)
  }

  #named({ name }: NamedTypeNode): GraphQLNamedType {
    const type = standardTypes.get(name.value) ?? this.#types.get(name.value)
    if (type === undefined) throw new Error(`Unknown type: "${name.value}".`)
    return type
  }
}

/** The nodes. Throws if two of them have one name. */
function once<Node>(nodes: readonly Node[] = [], nameOf: (node: Node) => string): readonly Node[] {
  if (nodes.length > 1 && new Set(nodes.map(nameOf)).size < nodes.length)
    throw new Error('There are two of one name.')
  return nodes
}
