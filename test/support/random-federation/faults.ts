/**
 * What goes wrong in a graph, drawn from a seed: fields that fail for some objects, an entity that one subgraph does
 * not know, or a subgraph that is away. Fields that others are computed from do not fail: how much a failure of
 * them takes along is not the oracle's to say.
 */
import { Kind, type SelectionSetNode } from 'graphql'
import { diceOf } from './generate.ts'
import type { RandomGraph } from './graph.ts'
import type { TrialFaults } from './judge.ts'
import { hashOf } from './values.ts'

export type FaultKind = 'throws' | 'missing' | 'away'

export function planFaults({ world }: RandomGraph, kind: FaultKind, seed: number): TrialFaults {
  const dice = diceOf(seed)
  const services = [...world.services.values()]
  if (kind === 'away') return { away: new Set([dice.pick(services).name]) }
  if (kind === 'missing') {
    const { name } = dice.pick(services)
    return { missing: (subgraph, type, id) => subgraph === name && hashOf(`${seed}${type}${id}`) % 2 === 0 }
  }
  const needed = new Set<string>()
  const fields = new Set<string>()
  for (const { types } of services) {
    for (const type of types.values()) {
      for (const { selection } of type.keys) gather(selection, needed)
      for (const field of type.fields.values()) {
        if (field.requires !== undefined) gather(field.requires, needed)
        for (const { selection } of field.contextArguments) gather(selection, needed)
        if (type.kind === 'object') fields.add(field.name)
      }
    }
  }
  // By name alone: a field that is needed somewhere fails nowhere.
  const open = dice.shuffle([...fields].filter((name) => !needed.has(name)))
  const failing = new Set(open.slice(0, dice.upTo(5, 2)))
  return {
    throws: (type, field, id) => failing.has(field) && hashOf(`${seed}${type}${field}${id}`) % 3 !== 0,
  }
}

function gather(selection: SelectionSetNode, into: Set<string>): void {
  for (const node of selection.selections) {
    if (node.kind === Kind.FIELD) into.add(node.name.value)
    if (node.kind !== Kind.FRAGMENT_SPREAD && node.selectionSet !== undefined) gather(node.selectionSet, into)
  }
}
