/**
 * Adds to the served schema what introspection cannot show: the scopes and the cost of a field.
 *
 * Descriptions of an API schema get a last line, made from the directives of its supergraph: "Requires `tweet.read` and
 * `users.read`. Costs 1 quota unit." Pure, and done once when a schema is loaded.
 */

import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type StringValueNode,
  type TypeDefinitionNode,
} from 'graphql'
import { eachAppliedDirective } from '../../engine/supergraph/applied-directives.ts'
import { applies, directiveNames } from '../../engine/supergraph/directives.ts'
import type { ReadSupergraph } from '../../engine/supergraph/index.ts'
import { argumentsOf } from '../../shared/graphql/literals.ts'
import { counted } from '../../shared/runtime/counted.ts'
import {
  type AccessRequirements,
  distinctRequirements,
  type Rules,
  readRules,
} from './authorize/access-rules.ts'
import { requirementInWords } from './authorize/refusal.ts'
import { allOf } from './authorize/requirement.ts'

function requires(required: AccessRequirements): string | undefined {
  if (required.length === 0) return undefined
  const sum = allOf(required)
  const words =
    sum === undefined
      ? required.map((rule) => `(${requirementInWords(rule)})`).join(' and ')
      : requirementInWords(sum)
  return words === '' ? undefined : `Requires ${words}.`
}

function costs(directive: ConstDirectiveNode): string | undefined {
  const { weight } = argumentsOf(directive)
  const units = typeof weight === 'string' ? Number(weight) : weight
  if (typeof units !== 'number' || !Number.isFinite(units)) return undefined
  return units === 0 ? 'Costs no quota.' : `Costs ${counted(units, 'quota unit')}.`
}

/** The description with our lines appended. Lines of an earlier run are not repeated. */
function extended(
  description: StringValueNode | undefined,
  lines: readonly (string | undefined)[],
): StringValueNode | undefined {
  const text = description?.value ?? ''
  const added = lines.filter((line): line is string => line !== undefined && !text.includes(line)).join(' ')
  if (added === '') return description
  return { kind: Kind.STRING, value: text === '' ? added : `${text}\n\n${added}`, block: true }
}

/** The requirements of a field; through an interface, those of all implementing types together. */
function gateOfField(rules: Rules, type: string, field: string): AccessRequirements {
  const required = rules.fieldRequirements(type, field)
  if (!rules.isInterface(type)) return required
  return distinctRequirements([
    ...required,
    ...rules.implementers(type).flatMap((name) => rules.ownFieldRequirements(name, field)),
  ])
}

/** What clients see, with descriptions that state the rules and costs of the supergraph. */
export function describedDocument({
  document,
  apiDocument,
}: Pick<ReadSupergraph, 'document' | 'apiDocument'>): DocumentNode {
  const { authenticated, requiresScopes, policy, stepUp, cost } = directiveNames(document)
  return applies(document, authenticated, requiresScopes, policy, stepUp, cost)
    ? withDescriptions(apiDocument, document)
    : apiDocument
}

function withDescriptions(api: DocumentNode, supergraph: DocumentNode): DocumentNode {
  const rules = readRules(supergraph)
  const { cost } = directiveNames(supergraph)
  const costOf = new Map<string, string>()
  eachAppliedDirective(supergraph.definitions, (directive, place) => {
    const line = cost.has(directive.name.value) ? costs(directive) : undefined
    if (line !== undefined) costOf.set(place(), line)
  })

  const describe = <Node extends TypeDefinitionNode | FieldDefinitionNode>(
    node: Node,
    lines: readonly (string | undefined)[],
  ): Node => {
    const description = extended(node.description, lines)
    return description === node.description || description === undefined ? node : { ...node, description }
  }

  return {
    ...api,
    definitions: api.definitions.map((definition) => {
      switch (definition.kind) {
        case Kind.OBJECT_TYPE_DEFINITION:
        case Kind.INTERFACE_TYPE_DEFINITION: {
          const type = definition.name.value
          const fields = definition.fields?.map((field) =>
            describe(field, [
              requires(gateOfField(rules, type, field.name.value)),
              costOf.get(`${type}.${field.name.value}`),
            ]),
          )
          const described = describe(definition, [requires(rules.typeRequirements(type))])
          return fields === undefined ? described : { ...described, fields }
        }
        case Kind.SCALAR_TYPE_DEFINITION:
        case Kind.ENUM_TYPE_DEFINITION:
          return describe(definition, [requires(rules.typeRequirements(definition.name.value))])
        default:
          return definition
      }
    }),
  }
}
