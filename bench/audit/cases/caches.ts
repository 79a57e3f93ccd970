/** Values for one caller never reach another one, whatever is cached, shared or joined. */
import type { Case, Json, Step } from '../lib/types.ts'
import { fieldOf } from './forms.ts'
import { deferredPlaces, livePlaces, type Place, places } from './places.ts'

const chosen = [...places, ...deferredPlaces, ...livePlaces].filter(({ name }) =>
  /^(a scalar|a field of another subgraph|entities in a list|an object found by node)\b/.test(name),
)

function stepsOf(place: Place): { readonly refused: Step; readonly granted: Step } {
  const data = (value: (at: number) => Json): Json => place.answer((at) => ({ [place.field]: value(at) }))
  return {
    refused: {
      by: place.lacking,
      expect: { data: [data(() => null)], at: [`${place.path}.${place.field}`] },
    },
    granted: { by: place.holder, expect: { whole: data(place.value) } },
  }
}

const common = (place: Place) => ({
  hole: 'caches' as const,
  road: place.road,
  graph: place.graph,
  rule: 'An answer, a plan or a fetch that is kept or shared is one caller’s: another gets what is its own.',
  operation: place.around(fieldOf(place)),
  never: place.never,
})

export const cacheCases: readonly Case[] = chosen.flatMap((place): Case[] => {
  const { refused, granted } = stepsOf(place)
  return [
    {
      ...common(place),
      id: `caches: ${place.name}, after somebody who may`,
      steps: [granted, refused, granted, refused],
    },
    {
      ...common(place),
      id: `caches: ${place.name}, before somebody who may`,
      steps: [refused, granted, refused],
    },
    {
      ...common(place),
      id: `caches: ${place.name}, at the same time`,
      together: true,
      steps: [granted, refused, granted, refused, refused, granted],
    },
  ]
})
