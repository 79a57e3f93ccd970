/**
 * What subgraph SDLs say, read once: which subgraph resolves which field, by which keys it finds an entity, what it
 * requires, provides, overrides and takes from a context. The world and its subgraphs are derived from this alone,
 * so that SDLs and a seed are all that a found case needs to be repeated.
 */
import {
  type ArgumentNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  parse,
  type SelectionSetNode,
  type TypeNode,
  valueFromASTUntyped,
} from 'graphql'

/** SDLs by the subgraph's name. */
export type Services = Readonly<Record<string, string>>

/** An argument that a subgraph takes from an ancestor's fields: `@fromContext`. */
export interface ContextArgument {
  readonly name: string
  readonly context: string
  readonly selection: SelectionSetNode
}

export interface ServiceField {
  readonly name: string
  readonly type: TypeNode
  /** By the arguments' names; undefined if there is none. */
  readonly defaults: ReadonlyMap<string, unknown>
  readonly external: boolean
  readonly requires: SelectionSetNode | undefined
  readonly provides: SelectionSetNode | undefined
  readonly override: { readonly from: string; readonly label: string | undefined } | undefined
  readonly contextArguments: readonly ContextArgument[]
}

export interface ServiceKey {
  readonly selection: SelectionSetNode
  readonly resolvable: boolean
}

export interface ServiceType {
  readonly name: string
  readonly kind: 'object' | 'interface' | 'union' | 'enum' | 'scalar' | 'input'
  readonly fields: ReadonlyMap<string, ServiceField>
  readonly keys: readonly ServiceKey[]
  readonly interfaces: ReadonlySet<string>
  /** Of a union. */
  readonly members: ReadonlySet<string>
  /** Of an enum, without those that are inaccessible. */
  readonly values: ReadonlySet<string>
  readonly interfaceObject: boolean
  readonly contexts: ReadonlySet<string>
}

export interface Service {
  readonly name: string
  readonly document: DocumentNode
  readonly types: ReadonlyMap<string, ServiceType>
}

const kinds: Partial<Record<Kind, ServiceType['kind']>> = {
  [Kind.OBJECT_TYPE_DEFINITION]: 'object',
  [Kind.OBJECT_TYPE_EXTENSION]: 'object',
  [Kind.INTERFACE_TYPE_DEFINITION]: 'interface',
  [Kind.UNION_TYPE_DEFINITION]: 'union',
  [Kind.ENUM_TYPE_DEFINITION]: 'enum',
  [Kind.SCALAR_TYPE_DEFINITION]: 'scalar',
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: 'input',
}

export function readServices(services: Services): Map<string, Service> {
  return new Map(Object.entries(services).map(([name, sdl]) => [name, readService(name, parse(sdl))]))
}

function readService(name: string, document: DocumentNode): Service {
  const types = new Map<string, ServiceType>()
  for (const definition of document.definitions) {
    const kind = kinds[definition.kind]
    if (kind === undefined || !('name' in definition) || definition.name === undefined) continue
    const directives = definition.directives ?? []
    const fields = new Map<string, ServiceField>()
    if ('fields' in definition && kind !== 'input') {
      for (const field of definition.fields ?? []) {
        if (field.kind === Kind.FIELD_DEFINITION) fields.set(field.name.value, readField(field, directives))
      }
    }
    const known = types.get(definition.name.value)
    types.set(definition.name.value, {
      name: definition.name.value,
      kind,
      fields: new Map([...(known?.fields ?? []), ...fields]),
      keys: [...(known?.keys ?? []), ...named(directives, 'key').map(readKey)],
      interfaces: new Set([
        ...(known?.interfaces ?? []),
        ...('interfaces' in definition ? (definition.interfaces ?? []) : []).map((each) => each.name.value),
      ]),
      members: new Set(
        definition.kind === Kind.UNION_TYPE_DEFINITION
          ? (definition.types ?? []).map((each) => each.name.value)
          : [],
      ),
      values: new Set(
        definition.kind === Kind.ENUM_TYPE_DEFINITION
          ? (definition.values ?? [])
              .filter((value) => named(value.directives ?? [], 'inaccessible').length === 0)
              .map((value) => value.name.value)
          : [],
      ),
      interfaceObject: named(directives, 'interfaceObject').length > 0,
      contexts: new Set([
        ...(known?.contexts ?? []),
        ...named(directives, 'context').map((each) => String(argumentOf(each, 'name'))),
      ]),
    })
  }
  return { name, document, types }
}

type Directives = readonly DirectiveNode[]

function named(directives: Directives, name: string): Directives {
  return directives.filter((directive) => directive.name.value === name)
}

function argumentOf(directive: { readonly arguments?: readonly ArgumentNode[] | undefined }, name: string) {
  const node = directive.arguments?.find((argument) => argument.name.value === name)
  return node === undefined ? undefined : valueFromASTUntyped(node.value)
}

/** `fields: "a b { c }"` as a selection. */
export function fieldSet(text: string): SelectionSetNode {
  const [definition] = parse(text.trim().startsWith('{') ? text : `{ ${text} }`, {
    noLocation: true,
  }).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`Expected a field set, got ${text}.`)
  return definition.selectionSet
}

function fieldSetOf(directives: Directives, name: string): SelectionSetNode | undefined {
  const [directive] = named(directives, name)
  return directive === undefined ? undefined : fieldSet(String(argumentOf(directive, 'fields')))
}

function readKey(directive: DirectiveNode): ServiceKey {
  return {
    selection: fieldSet(String(argumentOf(directive, 'fields'))),
    resolvable: argumentOf(directive, 'resolvable') !== false,
  }
}

function readField(field: FieldDefinitionNode, ofType: Directives): ServiceField {
  const directives = field.directives ?? []
  const [override] = named(directives, 'override')
  const label = override && argumentOf(override, 'label')
  return {
    name: field.name.value,
    type: field.type,
    defaults: new Map(
      (field.arguments ?? []).map((argument) => [
        argument.name.value,
        argument.defaultValue && valueFromASTUntyped(argument.defaultValue),
      ]),
    ),
    external: named(directives, 'external').length > 0 || named(ofType, 'external').length > 0,
    requires: fieldSetOf(directives, 'requires'),
    provides: fieldSetOf(directives, 'provides'),
    override: override && {
      from: String(argumentOf(override, 'from')),
      label: typeof label === 'string' ? label : undefined,
    },
    contextArguments: (field.arguments ?? []).flatMap((argument) => {
      const [from] = named(argument.directives ?? [], 'fromContext')
      const text = from && String(argumentOf(from, 'field'))
      const [, context, selection] = /^\s*\$(\w+)\s*(\{.*\})\s*$/s.exec(text ?? '') ?? []
      if (context === undefined || selection === undefined) return []
      return [{ name: argument.name.value, context, selection: fieldSet(selection) }]
    }),
  }
}
