/**
 * A plan as text, for tests, logs and whoever wants to know where an operation's fields come from:
 *
 *     sequence
 *       fetch videos
 *         { video(videoId: "1") { __typename id } }
 *       entities messages
 *         video: { ... on Video { __typename id } }
 *         { ... on Video { messages { text } } }
 */
import { type DocumentNode, parse, print, type SelectionSetNode } from 'graphql'
import type {
  EntityGroup,
  Plan,
  PlanNode,
  PlanPath,
  RequiredSelection,
  Rewrite,
  RewriteStep,
} from '../plan.ts'

export function printPlan(plan: Plan): string {
  return plan === undefined ? 'nothing to fetch' : linesOf(plan).join('\n')
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

function linesOf(node: PlanNode): string[] {
  switch (node.kind) {
    case 'sequence':
      return [node.kind, ...indent(node.nodes.flatMap(linesOf))]
    case 'parallel':
      // Their order says nothing, and changes from plan to plan.
      return [node.kind, ...indent(inOrder(node.nodes.map(linesOf)))]
    case 'condition':
      return [
        ...(node.whenTrue === undefined ? [] : [`if $${node.variable}`, ...indent(linesOf(node.whenTrue))]),
        ...(node.whenFalse === undefined
          ? []
          : [`unless $${node.variable}`, ...indent(linesOf(node.whenFalse))]),
      ]
    case 'fetch': {
      const { service, kind, text } = node.operation
      return [
        `fetch ${service}`,
        ...indent([
          `${kind === 'mutation' ? 'mutation ' : ''}${oneLine(parse(text, { noLocation: true }))}`,
          ...node.outputRewrites.map((rewrite) => `answer: ${rewriteText(rewrite)}`),
        ]),
      ]
    }
    case 'entities': {
      const document = parse(node.operation.text, { noLocation: true })
      return [
        `entities ${node.operation.service}`,
        ...indent(inOrder(node.groups.map((group) => groupLines(group, document)))),
      ]
    }
  }
}

function inOrder(blocks: readonly (readonly string[])[]): string[] {
  return [...blocks].sort((a, b) => (a.join('\n') < b.join('\n') ? -1 : 1)).flat()
}

function groupLines(group: EntityGroup, document: DocumentNode): string[] {
  return [
    `${group.paths.map(pathText).sort().join(', ')}: ${selectionsText(group.requires)}`,
    ...group.inputRewrites.map((rewrite) => `  sent: ${rewriteText(rewrite)}`),
    oneLine(document, group.alias),
    ...group.outputRewrites.map((rewrite) => `  answer: ${rewriteText(rewrite)}`),
  ]
}

/** The operation's selection, or that of one of its root fields, with its fragments after it. */
function oneLine(document: DocumentNode, alias?: string): string {
  let text = ''
  for (const definition of document.definitions) {
    if (definition.kind === 'OperationDefinition') {
      const within: SelectionSetNode | undefined =
        alias === undefined
          ? definition.selectionSet
          : definition.selectionSet.selections.flatMap((selection) =>
              selection.kind === 'Field' && (selection.alias ?? selection.name).value === alias
                ? [selection.selectionSet]
                : [],
            )[0]
      text = `${within === undefined ? '' : print(within)}${text}`
    } else text += ` ${print(definition)}`
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

function selectionsText(selections: readonly RequiredSelection[]): string {
  return `{ ${selections.map(selectionText).join(' ')} }`
}

function selectionText(selection: RequiredSelection): string {
  if (selection.kind === 'field') {
    const alias = selection.key === selection.name ? '' : `${selection.name}: `
    const below = selection.selections === undefined ? '' : ` ${selectionsText(selection.selections)}`
    return `${alias}${selection.key}${below}`
  }
  const skip = selection.skipIf === undefined ? '' : ` @skip(if: $${selection.skipIf})`
  const include = selection.includeIf === undefined ? '' : ` @include(if: $${selection.includeIf})`
  return `... on ${selection.type}${skip}${include} ${selectionsText(selection.selections)}`
}

function rewriteText(rewrite: Rewrite): string {
  const path = rewrite.path.map((step: RewriteStep) =>
    step.kind === 'key' ? step.key : `|${step.types.join('|')}`,
  )
  return rewrite.kind === 'set'
    ? `${path.join('.')} = ${rewrite.value}`
    : `${path.join('.')} -> ${rewrite.to}`
}
