/**
 * Requirements on the sign-in that the configuration adds to a supergraph. They are written into its document as
 * `@stepUp`, so that every reader of the graph's rules sees them.
 */

import {
  type ConstArgumentNode,
  type ConstDirectiveNode,
  type ConstValueNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  type InterfaceTypeExtensionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type ObjectTypeExtensionNode,
} from 'graphql'
import { directiveNames } from '../../engine/supergraph/directives.ts'

export interface StepUpRule {
  /** Authentication context classes, any of which is sufficient. */
  readonly acrValues?: readonly string[] | undefined
  /** The maximum age of the sign-in, in seconds. */
  readonly maxAge?: number | undefined
}

const kindsWithFields: ReadonlySet<Kind> = new Set([
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.OBJECT_TYPE_EXTENSION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_EXTENSION,
])

type WithFields =
  | ObjectTypeDefinitionNode
  | ObjectTypeExtensionNode
  | InterfaceTypeDefinitionNode
  | InterfaceTypeExtensionNode

const hasFields = (node: DefinitionNode): node is WithFields => kindsWithFields.has(node.kind)

/** By coordinate: `Mutation.deleteVideo`. */
export type StepUpRules = Readonly<Record<string, StepUpRule>>

function argument(name: string, value: ConstValueNode): ConstArgumentNode {
  return { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value }
}

function directiveOf(name: string, { acrValues, maxAge }: StepUpRule): ConstDirectiveNode {
  const values = (acrValues ?? []).map((value) => ({ kind: Kind.STRING as const, value }))
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: name },
    arguments: [
      argument('acrValues', { kind: Kind.LIST, values }),
      ...(maxAge === undefined ? [] : [argument('maxAge', { kind: Kind.INT, value: String(maxAge) })]),
    ],
  }
}

/**
 * Throws if a rule names a field that the graph does not have. `isPart`: the document is one subgraph's, and missing
 * fields belong to another one.
 */
export function withStepUpRules(
  document: DocumentNode,
  rules: StepUpRules,
  { isPart = false }: { readonly isPart?: boolean } = {},
): DocumentNode {
  const open = new Set(Object.keys(rules))
  if (open.size === 0) return document
  const [name] = directiveNames(document).stepUp
  if (name === undefined) throw new Error('TESSERA_STEP_UP: the schema has its own directive @stepUp')
  const ruled = (type: string, field: FieldDefinitionNode): FieldDefinitionNode => {
    const coordinate = `${type}.${field.name.value}`
    const rule = Object.hasOwn(rules, coordinate) ? rules[coordinate] : undefined
    if (rule === undefined) return field
    open.delete(coordinate)
    return { ...field, directives: [...(field.directives ?? []), directiveOf(name, rule)] }
  }
  const definitions = document.definitions.map((definition) => {
    if (!hasFields(definition)) return definition
    const type = definition.name.value
    return { ...definition, fields: (definition.fields ?? []).map((field) => ruled(type, field)) }
  })
  if (open.size > 0 && !isPart) throw new Error(`TESSERA_STEP_UP: the graph has no ${[...open].join(', ')}`)
  return { ...document, definitions }
}
