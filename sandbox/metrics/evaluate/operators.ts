/**
 * Arithmetic, comparison and set operators between scalars and vectors, with label matching. A match that is not
 * unique is an ExecutionFailure in the words of Prometheus.
 */
import { ExecutionFailure } from '../errors.ts'
import {
  createGrouping,
  dropLabels,
  keepLabels,
  type Labels,
  labelOf,
  printLabels,
  setLabel,
  withoutName,
} from '../labels.ts'
import { type BinaryNode, comparisons, setOperators } from '../promql/index.ts'
import { type Element, scalar, type Value, vector } from './value.ts'

const arithmetic = new Map<string, (left: number, right: number) => number>([
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', (left, right) => left / right],
  ['%', (left, right) => left % right],
  ['^', power],
  ['atan2', Math.atan2],
])
const relations = new Map<string, (left: number, right: number) => boolean>([
  ['==', (left, right) => left === right],
  ['!=', (left, right) => left !== right],
  ['<', (left, right) => left < right],
  ['<=', (left, right) => left <= right],
  ['>', (left, right) => left > right],
  ['>=', (left, right) => left >= right],
])

/** Go's `math.Pow` returns 1 in two cases in which JavaScript returns NaN. */
function power(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY)) return 1
  return base ** exponent
}

/** The result for one pair; undefined if a comparison filters it out. */
function operate(node: BinaryNode, left: number, right: number, kept: number): number | undefined {
  const compute = arithmetic.get(node.operator)
  if (compute !== undefined) return compute(left, right)
  const holds = relations.get(node.operator)?.(left, right) ?? false
  if (node.bool) return holds ? 1 : 0
  return holds ? kept : undefined
}

export function applyBinary(node: BinaryNode, left: Value, right: Value): Value {
  if (left.kind === 'scalar' && right.kind === 'scalar') {
    return scalar(operate(node, left.value, right.value, left.value) ?? Number.NaN)
  }
  if (left.kind === 'vector' && right.kind === 'vector') {
    const apply = setOperators.has(node.operator) ? combineSets : matchVectors
    return vector(apply(node, left.elements, right.elements))
  }
  if (left.kind === 'vector' && right.kind === 'scalar') {
    return mapVector(node, left.elements, (value) => operate(node, value, right.value, value))
  }
  if (left.kind === 'scalar' && right.kind === 'vector') {
    // A comparison keeps the value of the vector, whichever side it is.
    return mapVector(node, right.elements, (value) => operate(node, left.value, value, value))
  }
  throw new ExecutionFailure(`operator ${node.operator} between ${left.kind} and ${right.kind}`)
}

function mapVector(
  node: BinaryNode,
  elements: readonly Element[],
  compute: (value: number) => number | undefined,
): Value {
  const keepsName = comparisons.has(node.operator) && !node.bool
  const result: Element[] = []
  for (const { labels, value, histogram } of elements) {
    if (histogram !== undefined) refuseHistogram(node)
    const computed = compute(value)
    if (computed !== undefined)
      result.push({ labels: keepsName ? labels : withoutName(labels), value: computed })
  }
  return vector(result)
}

function refuseHistogram(node: BinaryNode): never {
  throw new ExecutionFailure(`operator ${node.operator} on native histograms is not supported by this server`)
}

function combineSets(node: BinaryNode, left: readonly Element[], right: readonly Element[]): Element[] {
  const signature = createGrouping(node.matching.labels, node.matching.on)
  const keysOf = (elements: readonly Element[]) =>
    new Set(elements.map(({ labels }) => signature(labels).key))
  if (node.operator === 'or') {
    const leftKeys = keysOf(left)
    return [...left, ...right.filter(({ labels }) => !leftKeys.has(signature(labels).key))]
  }
  const rightKeys = keysOf(right)
  return left.filter(({ labels }) => rightKeys.has(signature(labels).key) === (node.operator === 'and'))
}

function matchVectors(node: BinaryNode, left: readonly Element[], right: readonly Element[]): Element[] {
  const { matching } = node
  // As in Prometheus, an empty side gives an empty result, even if the other side has ambiguous matches.
  if (left.length === 0 || right.length === 0) return []
  const signature = createGrouping(matching.labels, matching.on)
  const swapped = matching.group === 'right'
  const many = swapped ? right : left
  const one = swapped ? left : right
  const partners = new Map<string, Element>()
  for (const partner of one) {
    const group = signature(partner.labels)
    const other = partners.get(group.key)
    if (other !== undefined) {
      throw new ExecutionFailure(
        `found duplicate series for the match group ${printLabels(group)} on the ${swapped ? 'left' : 'right'} hand-side of the operation: [${printLabels(other.labels)}, ${printLabels(partner.labels)}];many-to-many matching not allowed: matching labels must be unique on one side`,
      )
    }
    partners.set(group.key, partner)
  }
  const result: Element[] = []
  const seen = new Set<string>()
  for (const element of many) {
    const group = signature(element.labels)
    const partner = partners.get(group.key)
    if (partner === undefined) continue
    if (element.histogram !== undefined || partner.histogram !== undefined) refuseHistogram(node)
    const [lower, upper] = swapped ? [partner.value, element.value] : [element.value, partner.value]
    const value = operate(node, lower, upper, lower)
    if (value === undefined) continue
    const labels = resultLabels(node, element.labels, partner.labels)
    const uniqueKey = matching.group === undefined ? group.key : labels.key
    if (seen.has(uniqueKey)) {
      throw new ExecutionFailure(
        matching.group === undefined
          ? 'multiple matches for labels: many-to-one matching must be explicit (group_left/group_right)'
          : 'multiple matches for labels: grouping labels must ensure unique matches',
      )
    }
    seen.add(uniqueKey)
    result.push({ labels, value })
  }
  return result
}

function resultLabels(node: BinaryNode, many: Labels, one: Labels): Labels {
  const { matching } = node
  let labels = comparisons.has(node.operator) ? many : withoutName(many)
  if (matching.group === undefined) {
    labels = (matching.on ? keepLabels : dropLabels)(labels, new Set(matching.labels))
  }
  for (const name of matching.include) labels = setLabel(labels, name, labelOf(one, name))
  return node.bool ? withoutName(labels) : labels
}
