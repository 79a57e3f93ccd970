/**
 * Merges what a subgraph answered about entities into their objects, by code that names the fields of the look-up: V8
 * then knows where each stands in an object. In one loop over the keys of all look-ups it knows none.
 *
 * The plain way is `merge` of `../merge.ts`, which takes over for a field that is there already. For the query of the
 * federated comparison a gateway took 395 us so, and takes 365 with `objects-at.ts` (November 2026).
 * `npm run bench -- --federated --only tessera-changing`; test/gateway/engine/execute/hot compares both ways.
 */
import { runsPlainly } from '../../../../contract/hot/switch.ts'
import { keptBytes, type NoteKept } from '../../kept.ts'
import * as thresholds from '../../thresholds.ts'
import { type JsonObject, merge, mergeMember } from '../merge.ts'

type Take = <T>(value: T) => T

/** As `merge`; once there is code, a field that was not asked for is left out. */
export type MergeEntity = (target: JsonObject, source: JsonObject, take?: Take) => void

type Generated = (target: JsonObject, source: JsonObject, take: Take) => void

/** V8 leaves giants unoptimized. */
const mostKeys = 100

export interface EntityMergeOptions {
  /** The response keys of the fields that are looked up. */
  readonly keys: readonly string[]
  readonly abstractTypes: ReadonlyMap<string, unknown>
  readonly noteKept?: NoteKept | undefined
}

export function compileEntityMerge({ keys, abstractTypes, noteKept }: EntityMergeOptions): MergeEntity {
  const isKnown = keys.length <= mostKeys && keys.every((key) => !(key in Object.prototype))
  let merged = 0
  let generated: Generated | undefined
  return (target, source, take) => {
    if (generated === undefined) {
      merged += 1
      if (!isKnown || merged < thresholds.objectsAfter || runsPlainly('entity-merge')) {
        merge(target, source, abstractTypes, take)
        return
      }
      generated = generate(keys, abstractTypes, noteKept)
    }
    generated(target, source, take ?? itself)
  }
}

const itself: Take = (value) => value

/** What gets into the code are response keys, which are names of GraphQL. */
function generate(
  keys: readonly string[],
  abstractTypes: ReadonlyMap<string, unknown>,
  noteKept: NoteKept | undefined,
): Generated {
  const member = (target: JsonObject, key: string, present: unknown, given: unknown, take: Take): void =>
    mergeMember(target, key, present, given, abstractTypes, take)
  const lines = ['__typename', ...keys].map((key) => {
    const name = JSON.stringify(key)
    return `given = source[${name}];
      if (given !== undefined) {
        present = target[${name}];
        if (present !== undefined && present !== null) member(target, ${name}, present, given, take);
        else target[${name}] = typeof given === 'object' ? take(given) : given;
      }`
  })
  const code = `'use strict';
    return (target, source, take) => {
      let given, present;
      ${lines.join('\n')}
    }`
  noteKept?.(code.length * keptBytes.codeCharacter)
  return new Function('member', code)(member) as Generated
}
