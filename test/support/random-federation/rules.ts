/**
 * Random rules of scopes for random subgraphs. Fields that others require have no rule, and neither have the types that
 * have or return them: the rules of what a field requires hold for it as well (`leaks.test.ts`), which the oracle does
 * not know.
 */
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { diceOf } from './generate.ts'
import type { Dice } from './graph-draft.ts'
import { readServices, type Services } from './services.ts'
import { namedType } from './world-types.ts'

/** OR of ANDs of scopes, by `Type` and `Type.field`. */
type PlainRules = Readonly<Record<string, readonly (readonly string[])[]>>

export const scopesOfRules = ['a', 'b', 'c'] as const

/** The names of fields that others require or take from a context, and the types that have or return such fields. */
function requiredIn(services: Services): { fields: ReadonlySet<string>; types: ReadonlySet<string> } {
  const all = [...readServices(services).values()].flatMap(({ types }) => [...types.values()])
  const fields = new Set<string>()
  const add = (set: SelectionSetNode): void =>
    void visit(set, { Field: ({ name }) => void fields.add(name.value) })
  for (const type of all)
    for (const { requires, contextArguments } of type.fields.values()) {
      if (requires !== undefined) add(requires)
      for (const { selection } of contextArguments) add(selection)
    }
  const types = new Set<string>()
  for (const type of all)
    for (const { name, type: output } of type.fields.values())
      if (fields.has(name)) types.add(type.name).add(namedType(output))
  // What stands behind an interface or a union.
  for (const { name, interfaces, members } of all) {
    if ([...interfaces].some((each) => types.has(each))) types.add(name)
    if (types.has(name)) for (const member of members) types.add(member)
  }
  return { fields, types }
}

const drawRule = (dice: Dice): string[][] =>
  Array.from({ length: dice.upTo(2, 1) }, () => dice.shuffle(scopesOfRules).slice(0, dice.upTo(2, 1)))

function directiveOf(rule: readonly (readonly string[])[]): ConstDirectiveNode[] {
  const [definition] = parse(`scalar X @requiresScopes(scopes: ${JSON.stringify(rule)})`).definitions
  return definition?.kind === Kind.SCALAR_TYPE_DEFINITION ? [...(definition.directives ?? [])] : []
}

const has = (
  { directives = [] }: { directives?: readonly { name: { value: string } }[] },
  ...names: string[]
) => directives.some(({ name }) => names.includes(name.value))

/** The same services with rules. Each rule stands in one subgraph, as the composer hands it on. */
export function drawRules(services: Services, seed: number): { services: Services; rules: PlainRules } {
  const dice = diceOf(seed)
  const required = requiredIn(services)
  const rules = new Map<string, string[][]>()
  const draw = (place: string, probability: number): ConstDirectiveNode[] => {
    if (rules.has(place) || !dice.chance(probability)) return []
    const rule = drawRule(dice)
    rules.set(place, rule)
    return directiveOf(rule)
  }
  const ruled = (type: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode => {
    const name = type.name.value
    const isRoot = name === 'Query' || name === 'Mutation'
    const fields = (type.fields ?? []).map((field) => {
      const isLeft = has(field, 'external') || required.fields.has(field.name.value)
      const own = isLeft ? [] : draw(`${name}.${field.name.value}`, isRoot ? 0.08 : 0.18)
      return { ...field, directives: [...(field.directives ?? []), ...own] }
    })
    const own = isRoot || required.types.has(name) ? [] : draw(name, 0.12)
    return { ...type, fields, directives: [...(type.directives ?? []), ...own] }
  }
  const definitionOf = (definition: DefinitionNode): DefinitionNode => {
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION)
      return has(definition, 'interfaceObject') ? definition : ruled(definition)
    const isLeaf =
      definition.kind === Kind.ENUM_TYPE_DEFINITION || definition.kind === Kind.SCALAR_TYPE_DEFINITION
    if (!isLeaf || required.types.has(definition.name.value)) return definition
    return {
      ...definition,
      directives: [...(definition.directives ?? []), ...draw(definition.name.value, 0.1)],
    }
  }
  const written = Object.entries(services).map(([name, sdl]) => {
    const document = parse(sdl)
    const text = print({ ...document, definitions: document.definitions.map(definitionOf) })
    return [name, text.replace('import: [', 'import: ["@requiresScopes", ')]
  })
  return { services: Object.fromEntries(written), rules: Object.fromEntries(rules) }
}
