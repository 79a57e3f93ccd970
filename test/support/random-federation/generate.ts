/**
 * Random subgraphs. First the types of the whole graph are drawn, then their fields are spread over the subgraphs,
 * then single fields get what makes federation hard: `@requires`, `@provides`, `@override`, `@interfaceObject`,
 * `@inaccessible`, contexts. Most of what comes out composes; what does not is drawn again (`compose.ts`).
 */
import { randomness } from '../random-operation.ts'
import { addContext, addInaccessible, addOverrides, addProvides, addRequires } from './directives.ts'
import { printSubgraph } from './draft.ts'
import { createGraphDraft, type Dice, drawTypes, type GraphDraft } from './graph-draft.ts'
import { addMutations, addRoots, addShared, finishInterfaces, placeEntities } from './placement.ts'
import type { Services } from './services.ts'

export function diceOf(seed: number): Dice {
  const random = randomness(seed)
  return {
    chance: (probability) => random() < probability,
    upTo: (most, least = 0) => least + Math.floor(random() * (most - least + 1)),
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new Error('There is nothing to pick from.')
      return items[Math.floor(random() * items.length)] as T
    },
    shuffle: <T>(items: readonly T[]): T[] =>
      items
        .map((item) => ({ item, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  }
}

export function generateServices(seed: number): Services {
  const graph: GraphDraft = createGraphDraft(diceOf(seed))
  drawTypes(graph)
  placeEntities(graph)
  addShared(graph)
  addRoots(graph)
  addMutations(graph)
  addOverrides(graph)
  addRequires(graph)
  addProvides(graph)
  addContext(graph)
  addInaccessible(graph)
  finishInterfaces(graph)
  const marks = graph.dice.chance(0.4) ? 'directive @mark(tag: String) on FIELD' : ''
  return Object.fromEntries(graph.subgraphs.map((each) => [each.name, printSubgraph(each, marks)]))
}
