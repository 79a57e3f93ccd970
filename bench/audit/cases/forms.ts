/** A case for each form of a selection at each place: refused without the scope, complete with it. */
import type { Case, Hole, Json } from '../lib/types.ts'
import { deferredPlaces, livePlaces, type Place, places, withKeys } from './places.ts'

export interface Form {
  readonly name: string
  /** The selection of the field, within its object. */
  write(place: Place): string
  /** Definitions after the operation. */
  readonly fragments?: (place: Place) => string
  /** The response keys of the field. */
  readonly keys: (place: Place) => readonly string[]
  /** Other values of the selection, which are open to everybody. */
  readonly open?: (at: number) => { readonly [key: string]: Json }
  readonly variables?: Readonly<Record<string, Json>>
  /** Declared before the operation's selection. */
  readonly declares?: string
}

export const fieldOf = ({ field, below }: Place): string => `${field} ${below}`.trim()

/** Adds these variables. `text` is a selection, or a whole operation. */
const declaring = (variables: string, text: string): string => {
  const [, kind = 'query', rest = text] = /^(\w+)(.*)$/s.exec(text) ?? []
  return `${kind} (${variables}) ${rest}`
}

function caseOf(hole: Hole, rule: string, place: Place, form: Form): Case {
  const text = place.around(form.write(place))
  const keys = form.keys(place)
  const data = (value: (at: number) => Json): Json =>
    place.answer((at) => ({ ...form.open?.(at), ...withKeys(keys, value(at)) }))
  const operation = [
    form.declares === undefined ? text : declaring(form.declares, text),
    ...(form.fragments === undefined ? [] : [form.fragments(place)]),
  ].join('\n')
  return {
    id: `${hole}: ${place.name}, ${form.name}`,
    hole,
    road: place.road,
    graph: place.graph,
    rule,
    operation,
    ...(form.variables === undefined ? {} : { variables: form.variables }),
    steps: [
      {
        by: place.lacking,
        expect: { data: [data(() => null)], at: keys.map((key) => `${place.path}.${key}`) },
      },
      { by: place.holder, expect: { whole: data(place.value) } },
    ],
    never: place.never,
  }
}

export const casesOf = (hole: Hole, rule: string, forms: readonly Form[]): readonly Case[] =>
  [...places, ...deferredPlaces, ...livePlaces].flatMap((place) =>
    forms.map((form) => caseOf(hole, rule, place, form)),
  )
