/**
 * Keeps `process.nextTick` quick, which every request passes some ten times.
 *
 * Node holds the callbacks to run next in objects made by a literal with computed keys. V8 forgets the shape of
 * objects of which none is left after a collection of everything, as between two requests; and where such a
 * literal meets a shape that is not the one it knew, V8 takes the long way through its runtime, half a
 * microsecond a time, from then on and for good. One object that stays keeps the shape.
 */
import { AsyncResource } from 'node:async_hooks'

let kept: object | undefined

/** Once at a process's start; undefined where Node names its properties otherwise, and nothing can be kept. */
export function keepTickShape(): object | undefined {
  const resource = new AsyncResource('tessera')
  const symbols = Object.getOwnPropertySymbols(resource)
  const named = (name: string): symbol | undefined => symbols.find(({ description }) => description === name)
  const id = named('async_id_symbol')
  const trigger = named('trigger_async_id_symbol')
  if (id === undefined || trigger === undefined) return undefined
  // With Node's own numbers: how V8 represents them is part of the shape.
  kept = { [id]: Reflect.get(resource, id), [trigger]: Reflect.get(resource, trigger) }
  return kept
}
