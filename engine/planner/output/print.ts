/**
 * A plan as text, for tests, logs and explanations of the sources of an operation's fields:
 *
 *     sequence
 *       fetch videos
 *         { video(videoId: "1") { __typename id } }
 *       entities messages
 *         video: { ... on Video { __typename id } }
 *         { ... on Video { messages { text } } }
 */
import { type DocumentNode, parse, print, type SelectionSetNode } from 'graphql'
import type { Conditions } from '../../operation/conditions.ts'
import type { EntityGroup, Plan, PlanNode, PlanPath, Rename, Representation, RequiredField } from './nodes.ts'

export function printPlan(plan: Plan): string {
  return plan === undefined ? 'nothing to fetch' : linesOf(plan).join('\n')
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

function linesOf(node: PlanNode): string[] {
  switch (node.kind) {
    case 'sequence':
    case 'parallel':
      return [node.kind, ...indent(node.nodes.flatMap(linesOf))]
    case 'fetch': {
      const { service, kind, text } = node.operation
      const at = node.path === undefined ? '' : ` at ${pathText(node.path)}`
      return [
        `fetch ${service}${at}${conditionsText(node.when)}`,
        ...indent([
          `${kind === 'query' ? '' : `${kind} `}${oneLine(parse(text, { noLocation: true }))}`,
          ...node.renames.map(renameText),
        ]),
      ]
    }
    case 'entities': {
      const document = parse(node.operation.text, { noLocation: true })
      return [
        `entities ${node.operation.service}`,
        ...indent(node.groups.flatMap((group) => groupLines(group, document))),
      ]
    }
  }
}

function groupLines(group: EntityGroup, document: DocumentNode): string[] {
  const paths = group.paths.map(pathText).join(', ')
  return [
    `${paths}: { ${group.representations.map(representationText).join(' ')} }${conditionsText(group.when)}`,
    ...group.contexts.map(
      ({ variable, depth, fields }) =>
        `  $${variable} = ${pathText((group.paths[0] ?? []).slice(0, depth))} ${fieldsText(fields)}`,
    ),
    oneLine(document, group.alias),
    ...group.renames.map((rename) => `  ${renameText(rename)}`),
  ]
}

function conditionsText(conditions: Conditions | undefined): string {
  if (conditions === undefined) return ''
  const texts = conditions.map(({ all }) =>
    all.map(({ variable, value }) => (value ? `$${variable}` : `not $${variable}`)).join(' and '),
  )
  return ` if ${texts.join(' or ')}`
}

/** The selection of the operation, or of one of its root fields. */
function oneLine(document: DocumentNode, alias?: string): string {
  let text = ''
  for (const definition of document.definitions) {
    if (definition.kind !== 'OperationDefinition') continue
    const within: SelectionSetNode | undefined =
      alias === undefined
        ? definition.selectionSet
        : definition.selectionSet.selections.flatMap((selection) =>
            selection.kind === 'Field' && (selection.alias ?? selection.name).value === alias
              ? [selection.selectionSet]
              : [],
          )[0]
    text += within === undefined ? '' : print(within)
  }
  return text.replace(/\s+/g, ' ').trim()
}

function pathText(path: PlanPath): string {
  let text = ''
  for (const step of path) {
    if (step.kind === 'field') text += `${text === '' ? '' : '.'}${step.key}`
    else if (step.kind === 'list') text += '.@'
    else text += `|${step.types.join('|')}`
  }
  return text
}

function representationText({ types, typename, fields }: Representation): string {
  const inside = fields.map(fieldText).join(' ')
  if (typename !== undefined) return `... as ${typename} { ${inside} }`
  return `... on ${types?.join('|') ?? '*'} { __typename ${inside} }`
}

function fieldsText(fields: readonly RequiredField[]): string {
  return `{ ${fields.map(fieldText).join(' ')} }`
}

function fieldText({ key, name, types, fields }: RequiredField): string {
  const alias = key === name ? '' : `${name}: `
  const text = `${alias}${key}${fields === undefined ? '' : ` ${fieldsText(fields)}`}`
  return types === undefined ? text : `... on ${types.join('|')} { ${text} }`
}

function renameText({ path, to }: Rename): string {
  return `answer: ${path.join('.')} -> ${to}`
}
