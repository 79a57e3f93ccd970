/**
 * Makes a found case small: first the operation, then the subgraphs, as long as the same thing goes wrong. What is
 * left is printed so that it can be pasted into a test: SDLs, the world's seed, the operation.
 */
import {
  type ASTNode,
  type DocumentNode,
  Kind,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import type { RandomOperation } from '../random-operation.ts'
import { composeBy } from './compose.ts'
import { isValid, openGraph, type RandomGraph } from './graph.ts'
import type { Finding } from './judge.ts'
import type { Services } from './services.ts'
import { namedType } from './world-types.ts'

export interface Case {
  readonly services: Services
  readonly worldSeed: number
  readonly operation: RandomOperation
}

export type Judge = (graph: RandomGraph, operation: RandomOperation) => Promise<Finding | undefined>

/** The smallest case that still fails as this one does, within a number of attempts. */
export async function shrink(found: Case, judge: Judge, attempts = 3000): Promise<Case> {
  let left = attempts
  const opened = new Map<string, RandomGraph | undefined>()
  const open = ({ services, worldSeed }: Case): RandomGraph | undefined => {
    const key = JSON.stringify(services)
    if (!opened.has(key)) opened.set(key, openGraph(services, worldSeed))
    if (opened.size > 50)
      for (const first of [...opened.keys()].slice(0, 25)) if (first !== key) opened.delete(first)
    return opened.get(key)
  }
  const faultOf = async (candidate: Case): Promise<string | undefined> => {
    try {
      const graph = open(candidate)
      if (graph === undefined || !isValid(graph, parse(candidate.operation.query))) return undefined
      const finding = await judge(graph, candidate.operation)
      return finding && signatureOf(finding)
    } catch {
      return undefined
    }
  }
  const fault = await faultOf(found)
  if (fault === undefined) throw new Error('There is nothing to shrink: the case does not fail.')
  // One composer alone lets some through that are no graphs.
  const composers = (['own', 'apollo'] as const).filter(
    (composer) => composeBy(composer, found.services).supergraph !== undefined,
  )
  const fails = async (candidate: Case): Promise<boolean> =>
    (await faultOf(candidate)) === fault &&
    (candidate.services === current.services ||
      composers.every((each) => composeBy(each, candidate.services).supergraph !== undefined))
  let current = found
  for (const smaller of [smallerOperations, smallerServices, smallerOperations, smallerServices]) {
    for (let progress = true; progress && left > 0; ) {
      progress = false
      let tried = 0
      for (let candidate = at(smaller(current), 0); candidate !== undefined && left > 0; left--) {
        if (await fails(candidate)) {
          // What follows has moved up to the same place.
          current = candidate
          progress = true
        } else tried += 1
        candidate = at(smaller(current), tried)
      }
    }
  }
  return current
}

function at(cases: Generator<Case>, index: number): Case | undefined {
  let i = 0
  for (const each of cases) if (i++ === index) return each
  return undefined
}

/** What went wrong, without the names and values of the case. */
export function signatureOf({ fault, message }: Finding): string {
  const [line = ''] = message.split('\n')
  const plain = line.replace(/[{[(].*[}\])]/g, '{}').replace(/"[^"]*"|`[^`]*`/g, '""')
  return `${fault}: ${plain.replace(/\b(\w+\.\w+|[A-Z]+\d+|\d+)\b/g, '_').slice(0, 120)}`
}

function* smallerOperations(found: Case): Generator<Case> {
  const document = parse(found.operation.query, { noLocation: true })
  for (const smaller of smallerDocuments(document)) {
    const operation = tidied(smaller, found.operation.variables)
    if (operation !== undefined) yield { ...found, operation }
  }
}

const operationParts = new Set<string>([
  Kind.FIELD,
  Kind.INLINE_FRAGMENT,
  Kind.FRAGMENT_SPREAD,
  Kind.DIRECTIVE,
  Kind.ARGUMENT,
])

function* smallerDocuments(document: DocumentNode): Generator<DocumentNode> {
  for (const removed of withoutEach(document, operationParts)) yield removed
  yield* replacedEach(document, (node) => {
    if (node.kind !== Kind.FIELD || node.selectionSet === undefined || isPlain(node.selectionSet))
      return undefined
    return [{ ...node, selectionSet: plain }]
  })
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [],
    ),
  )
  // Fragments in the place where they are spread, and what is in fragments without them.
  yield* replacedEach(document, (node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(node.name.value)
      if (fragment === undefined) return undefined
      const { typeCondition, selectionSet } = fragment
      return [{ kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet, directives: node.directives ?? [] }]
    }
    return node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet.selections : undefined
  })
  yield* replacedEach(document, (node) => {
    if (node.kind !== Kind.FIELD || node.alias === undefined) return undefined
    const { alias: _, ...plain } = node
    return [plain]
  })
}

const plain: SelectionSetNode = {
  kind: Kind.SELECTION_SET,
  selections: [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }],
}

/** Whether there is nothing but one plain field. */
function isPlain({ selections }: SelectionSetNode): boolean {
  const [only, ...more] = selections
  return more.length === 0 && only?.kind === Kind.FIELD && only.selectionSet === undefined
}

/** The document without each of its nodes of some kinds, outer ones first. */
function* withoutEach<Root extends ASTNode>(root: Root, kinds: ReadonlySet<string>): Generator<Root> {
  let count = 0
  visit(root, { enter: (node) => void (kinds.has(node.kind) && count++) })
  for (let at = 0; at < count; at++) {
    let seen = 0
    yield visit(root, { enter: (node) => (kinds.has(node.kind) && seen++ === at ? null : undefined) })
  }
}

function* replacedEach(
  document: DocumentNode,
  replace: (node: SelectionNode) => readonly SelectionNode[] | undefined,
): Generator<DocumentNode> {
  let count = 0
  const over = (at: number): DocumentNode => {
    let seen = 0
    const result = visit(document, {
      SelectionSet(set: SelectionSetNode) {
        const selections = set.selections.flatMap((node) => {
          const others = replace(node)
          return others !== undefined && seen++ === at ? others : [node]
        })
        return { ...set, selections }
      },
    })
    count = seen
    return result
  }
  over(-1)
  for (let at = 0, most = count; at < most; at++) yield over(at)
}

/** Without fragments and variables that nothing uses; undefined if it is no document. */
function tidied(document: DocumentNode, variables: Record<string, unknown>): RandomOperation | undefined {
  let tidy = document
  for (let turn = 0; turn < 4; turn++) {
    const used = new Set<string>()
    visit(tidy, {
      FragmentSpread: (node) => void used.add(`...${node.name.value}`),
      Variable: (node, _key, parent) => {
        const declares =
          parent !== undefined &&
          !Array.isArray(parent) &&
          (parent as ASTNode).kind === Kind.VARIABLE_DEFINITION
        if (!declares) used.add(`$${node.name.value}`)
      },
    })
    tidy = visit(tidy, {
      FragmentDefinition: (node) => (used.has(`...${node.name.value}`) ? undefined : null),
      VariableDefinition: (node) => (used.has(`$${node.variable.name.value}`) ? undefined : null),
    })
  }
  try {
    const query = print(tidy)
    parse(query)
    const kept = Object.entries(variables).filter(([name]) => query.includes(`$${name}`))
    return { query, variables: Object.fromEntries(kept) }
  } catch {
    return undefined
  }
}

const typeKinds = new Set<string>([
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.UNION_TYPE_DEFINITION,
  Kind.ENUM_TYPE_DEFINITION,
  Kind.INPUT_OBJECT_TYPE_DEFINITION,
  Kind.SCALAR_TYPE_DEFINITION,
  Kind.DIRECTIVE_DEFINITION,
])
const fieldKinds = new Set<string>([Kind.FIELD_DEFINITION])
const detailKinds = new Set<string>([Kind.DIRECTIVE, Kind.INPUT_VALUE_DEFINITION])

/** Without types that lost their last field; undefined if nothing is left. */
function withoutEmpty(document: DocumentNode): DocumentNode | undefined {
  const definitions = document.definitions.filter(
    (each) =>
      !(each.kind === Kind.OBJECT_TYPE_DEFINITION || each.kind === Kind.INTERFACE_TYPE_DEFINITION) ||
      (each.fields ?? []).length > 0,
  )
  return definitions.length === 0 ? undefined : { ...document, definitions }
}

/** Without a type, and if it is named as one of several; or without a field, written `Type.field`. */
function withoutPart(document: DocumentNode, part: string): DocumentNode | undefined {
  const [type, field] = part.split('.')
  const definitions = document.definitions.flatMap((each) => {
    if (!('name' in each) || each.name === undefined || !typeKinds.has(each.kind)) return [each]
    if (each.name.value === type && field === undefined) return []
    if (each.kind === Kind.UNION_TYPE_DEFINITION)
      return [{ ...each, types: (each.types ?? []).filter((member) => member.name.value !== type) }]
    if (each.kind !== Kind.OBJECT_TYPE_DEFINITION && each.kind !== Kind.INTERFACE_TYPE_DEFINITION)
      return [each]
    const interfaces = (each.interfaces ?? []).filter((other) => other.name.value !== type)
    const fields = (each.fields ?? []).filter(
      (other) =>
        (field !== undefined || namedType(other.type) !== type) &&
        !(field !== undefined && each.name.value === type && other.name.value === field),
    )
    return [{ ...each, interfaces, fields }]
  })
  return withoutEmpty({ ...document, definitions })
}

function* smallerServices(found: Case): Generator<Case> {
  const entries = Object.entries(found.services)
  const withServices = (services: Services): Case => ({ ...found, services })
  for (const [name] of entries)
    yield withServices(Object.fromEntries(entries.filter(([each]) => each !== name)))
  // Much at once: types in all subgraphs, then their fields.
  const documents = entries.map(([, sdl]) => parse(sdl, { noLocation: true }))
  const parts = new Set(
    documents.flatMap(({ definitions }) =>
      definitions.flatMap((each) =>
        'name' in each && each.name !== undefined && typeKinds.has(each.kind)
          ? [
              each.name.value,
              ...('fields' in each ? (each.fields ?? []) : []).map(
                (field) => `${each.name?.value}.${field.name.value}`,
              ),
            ]
          : [],
      ),
    ),
  )
  for (const part of [...parts].sort((a, b) => Number(a.includes('.')) - Number(b.includes('.')))) {
    const smaller = documents.map((document) => withoutPart(document, part))
    if (smaller.every((document) => document !== undefined))
      yield withServices(Object.fromEntries(smaller.map((document, i) => [entries[i]?.[0], print(document)])))
  }
  for (const kinds of [typeKinds, fieldKinds, detailKinds]) {
    for (const [name, sdl] of entries) {
      for (const smaller of withoutEach(parse(sdl, { noLocation: true }), kinds)) {
        const whole = withoutEmpty(smaller)
        if (whole !== undefined) yield withServices({ ...found.services, [name]: print(whole) })
      }
    }
  }
  for (const [name, sdl] of entries) {
    const names = [...sdl.matchAll(/ implements ([\w &]+?)(?= [@{])/g)]
    for (const [text] of names) yield withServices({ ...found.services, [name]: sdl.replace(text, '') })
  }
}

/** The case and what was found, to be pasted. */
export function printCase({ services, worldSeed, operation }: Case, finding: Finding | undefined): string {
  const sdls = Object.entries(services).map(
    ([name, sdl]) => `  ${name}: \`\n${print(parse(sdl)).replace(/^/gm, '    ')}\`,`,
  )
  return [
    `const services = {\n${sdls.join('\n')}\n}`,
    `const worldSeed = ${worldSeed}`,
    `const query = \`${print(parse(operation.query))}\``,
    `const variables = ${JSON.stringify(operation.variables)}`,
    ...(finding === undefined
      ? []
      : [
          `// ${finding.fault}: ${finding.message.split('\n')[0]}`,
          `// got      ${JSON.stringify(finding.got)}`,
          `// expected ${JSON.stringify(finding.expected)}`,
        ]),
  ].join('\n')
}
