/**
 * Finds what can be drawn in a response: series of samples over time, wherever they are and whatever their fields
 * are called. Pure, and without a browser.
 */
import type { FieldNode } from 'graphql'
import { argumentsOf } from '../../../shared/graphql/literals.ts'
import { fragmentsOf, responseKey, selectedFields } from '../../../shared/graphql/selections.ts'
import { ExactNumber } from '../../../shared/json/exact-number.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { chosenIn, type Operation } from '../graph/operation.ts'
import { type Json, objectOf } from '../json.ts'

export interface Line {
  readonly label: string
  /** One for each time, including `NaN` and infinities; null if there is no sample. */
  readonly values: readonly (number | null)[]
}

export interface Chart {
  /** The place in the response, such as `metrics.queryRange`. */
  readonly path: string
  /** The expression, if the operation contains it. */
  readonly expression: string | undefined
  /** Unix seconds, increasing. */
  readonly times: readonly number[]
  readonly lines: readonly Line[]
}

type Sample = readonly [time: number, value: number]

/** The service writes numbers as strings, including those that JSON cannot express. */
function numberFrom(value: unknown): number {
  if (isNumber(value)) return Number(value)
  const isText = typeof value === 'string' && value.trim() !== ''
  return isText ? Number(value.replace(/^([+-]?)Inf$/, '$1Infinity')) : Number.NaN
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || value instanceof ExactNumber

function sampleFrom(item: unknown): Sample | undefined {
  if (Array.isArray(item)) {
    const [time, value] = item as unknown[]
    return isNumber(time) && typeof value === 'string' ? [Number(time), numberFrom(value)] : undefined
  }
  if (!isObject(item) || !isNumber(item.time)) return undefined
  if (!('value' in item) && !('float' in item)) return undefined
  return [Number(item.time), numberFrom(item.value ?? item.float)]
}

function samplesOf(series: Json): { readonly field: string; readonly samples: Sample[] } | undefined {
  for (const [field, value] of Object.entries(series)) {
    if (!Array.isArray(value) || value.length === 0) continue
    const samples = value.map(sampleFrom)
    if (samples.every((sample) => sample !== undefined)) return { field, samples }
  }
  return undefined
}

const quoted = ([name, value]: readonly [string, unknown]): string => `${name}=${JSON.stringify(value)}`

/**
 * A label as PromQL writes it: `up{job="api"}`. If no labels are selected, the label consists of other text of the
 * series.
 */
function labelOf(series: Json, samplesField: string | undefined, index: number): string {
  const labels = new Map<string, string>()
  for (const [field, value] of Object.entries(series)) {
    if (field === samplesField) continue
    if (Array.isArray(value)) {
      for (const item of value) {
        if (isObject(item) && typeof item.name === 'string' && typeof item.value === 'string')
          labels.set(item.name, item.value)
      }
    } else if (isObject(value)) {
      for (const [name, text] of Object.entries(value)) if (typeof text === 'string') labels.set(name, text)
    } else if (typeof value === 'string' && field !== '__typename') {
      labels.set(field === 'name' ? '__name__' : field, value)
    }
  }
  const name = labels.get('__name__') ?? ''
  labels.delete('__name__')
  const rest = [...labels].map(quoted).join(', ')
  if (name === '' && rest === '') return index === 0 ? 'value' : `series ${index + 1}`
  return rest === '' ? name : `${name}{${rest}}`
}

function linesFrom(list: readonly unknown[], least: number): Pick<Chart, 'times' | 'lines'> | undefined {
  const found = list.flatMap((item, index) => {
    const { field, samples } = samplesOf(objectOf(item)) ?? {}
    return samples === undefined ? [] : [{ samples, label: labelOf(objectOf(item), field, index) }]
  })
  if (!found.some(({ samples }) => samples.length >= least)) return undefined
  const times = inOrder(found.flatMap(({ samples }) => samples.map(([time]) => time)))
  const at = new Map(times.map((time, index) => [time, index]))
  const lines = found.map(({ samples, label }): Line => {
    const values = new Array<number | null>(times.length).fill(null)
    for (const [time, value] of samples) values[at.get(time) ?? 0] = value
    return { label, values }
  })
  return { times, lines }
}

/** Each time once, in increasing order. */
export const inOrder = (times: readonly number[]): number[] => [...new Set(times)].sort((a, b) => a - b)

/**
 * Every range in a response's data, in the order of the response. `least` is the smallest number of samples that
 * one of its series must have: a single instant is not a range, unless further ones follow.
 */
export function chartsFrom(answer: unknown, operation: Operation, least = 2): Chart[] {
  const charts: Chart[] = []
  const walk = (value: unknown, path: readonly string[]): void => {
    if (Array.isArray(value)) {
      const found = linesFrom(value, least)
      if (found !== undefined) {
        const field = path.slice(0, -1)
        charts.push({ path: field.join('.'), expression: expressionAt(field, operation), ...found })
        return
      }
      for (const [index, item] of value.entries()) walk(item, [...path, String(index)])
    } else if (isObject(value)) {
      // A raw result contains the same series again.
      const drawn = charts.length
      for (const [key, item] of Object.entries(value)) if (!isRaw(item)) walk(item, [...path, key])
      if (charts.length > drawn) return
      for (const item of Object.values(value)) {
        const found = isRaw(item) ? linesFrom(item.result, least) : undefined
        if (found !== undefined)
          charts.push({ path: path.join('.'), expression: expressionAt(path, operation), ...found })
      }
    }
  }
  if (isObject(answer)) walk(answer.data, [])
  return charts
}

function isRaw(value: unknown): value is { readonly result: readonly unknown[] } {
  return isObject(value) && value.resultType === 'matrix' && Array.isArray(value.result)
}

/** The value of the argument `query` of the field at this place; undefined if it cannot be found. */
function expressionAt(path: readonly string[], asked: Operation): string | undefined {
  const chosen = chosenIn(asked)
  if (chosen === undefined) return undefined
  const fragments = fragmentsOf(chosen.document)
  let fields: readonly FieldNode[] = []
  let sets = [chosen.operation.selectionSet]
  for (const key of path) {
    if (/^\d+$/.test(key)) continue
    fields = sets.flatMap((set) => selectedFields(set, fragments)).filter((each) => responseKey(each) === key)
    sets = fields.flatMap(({ selectionSet }) => selectionSet ?? [])
  }
  for (const field of fields) {
    const { query } = argumentsOf(field, asked.variables ?? {})
    if (typeof query === 'string') return query
  }
  return undefined
}
