/**
 * Decides for which object types a selected field is open. Two readings of the rules are combined. Apollo Router's
 * refuses a field of an interface for all types if one implementing type refuses it, a field that returns an interface
 * if one implementing type is refused, and a fragment with its type condition. The other one decides type by type. It
 * also holds if the Router does not look, as in a fragment on an interface; only the refused types are removed there.
 */
import type { NormalisedField } from '../../../engine/operation/normalised.ts'
import { isMetaField, type TypeSource } from '../../../engine/operation/type-source.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { type AccessRequirements, distinctRequirements, open, type Rules } from './access-rules.ts'
import type { FieldSite } from './field-sites.ts'
import type { Requirement } from './requirement.ts'

/** The rules that apply to one field node, found once for an operation. */
export interface SiteRequirements {
  /** For the node as a whole, by the Router's reading. */
  readonly whole: AccessRequirements
  /** For each object type that is possible there. */
  readonly byType: ReadonlyMap<string, AccessRequirements>
  /** The requirements of the surrounding fragments only. */
  readonly around: AccessRequirements
}

export interface Decision {
  /** The object types for which the node runs; undefined for all possible ones. */
  readonly open: readonly string[] | undefined
  readonly refused: readonly { readonly type: string; readonly required: AccessRequirements }[]
  /** A `__typename` in a refused fragment: returned if the object is fetched anyway, and never fetched by itself. */
  readonly idle: boolean
  /** The unmet rules of the surrounding fragments, if the node is idle. */
  readonly around?: AccessRequirements | undefined
}

/** Types for which a node is open because another node opens the same response key for them. */
export type Exceptions = ReadonlyMap<NormalisedField, ReadonlySet<string>>

export const openToAll: Decision = { open: undefined, refused: [], idle: false }

/** Finds the rules of fields. Undefined for a field without any. */
type FindRequirements = (field: NormalisedField) => SiteRequirements | undefined

const ofMeta: SiteRequirements = { whole: open, byType: new Map(), around: open }

/** Most fields stand in no fragment with rules, and are then read from the schema's rules once for all operations. */
export function createFindRequirements(rules: Rules, types: TypeSource): FindRequirements {
  const known = new Map<string, SiteRequirements>()
  return (field) => {
    const { parent, name, selectsDirectly } = field
    const key = `${parent}.${name}${selectsDirectly ? ' {' : ''}`
    const own = getOrInsert(known, key, () => ownRequirements(rules, types, field))
    const around = requirementsAround(rules, field)
    if (around.length === 0) return isOpen(own) ? undefined : own
    const whole = isMetaField(name) ? open : distinctRequirements([...around, ...own.whole])
    return { ...own, whole, around }
  }
}

function requirementsAround(rules: Rules, { around }: NormalisedField): AccessRequirements {
  if (around.every((type) => rules.typeRequirements(type).length === 0)) return open
  return distinctRequirements(around.flatMap((type) => rules.typeRequirements(type)))
}

function ownRequirements(
  rules: Rules,
  types: TypeSource,
  { parent, name, output = '', selectsDirectly }: NormalisedField,
): SiteRequirements {
  if (isMetaField(name)) return ofMeta
  const whole: Requirement[] = []
  if (rules.isInterface(parent)) {
    whole.push(...rules.ownFieldRequirements(parent, name))
    for (const type of rules.implementers(parent)) whole.push(...rules.ownFieldRequirements(type, name))
  }
  if (selectsDirectly && rules.isInterface(output))
    for (const type of rules.implementers(output)) whole.push(...rules.ownTypeRequirements(type))
  const byType = new Map<string, AccessRequirements>()
  for (const type of types.possible(parent).names)
    byType.set(
      type,
      distinctRequirements([...rules.typeRequirements(type), ...rules.fieldRequirements(type, name)]),
    )
  return { whole: distinctRequirements(whole), byType, around: open }
}

function isOpen({ whole, byType }: SiteRequirements): boolean {
  if (whole.length > 0) return false
  for (const required of byType.values()) if (required.length > 0) return false
  return true
}

export function decide(
  site: FieldSite,
  requiredAt: SiteRequirements,
  meets: (requirement: Requirement) => boolean,
  exceptions: Exceptions,
): Decision {
  if (site.meta) {
    const idle = site.field.name === '__typename' && !requiredAt.around.every(meets)
    return idle ? { open: undefined, refused: [], idle, around: requiredAt.around } : openToAll
  }
  const passes = requiredAt.whole.every(meets)
  const excepted = exceptions.get(site.field)
  const opened: string[] = []
  const refused: { type: string; required: AccessRequirements }[] = []
  for (const [type, required] of requiredAt.byType) {
    if (required.every(meets) && (passes || excepted?.has(type) === true)) opened.push(type)
    else
      refused.push({
        type,
        required: passes ? required : distinctRequirements([...requiredAt.whole, ...required]),
      })
  }
  if (passes && refused.length === 0) return openToAll
  if (opened.length > 0 || !site.parentIsAbstract) return { open: opened, refused, idle: false }
  const required = passes ? distinctRequirements(refused.flatMap((each) => each.required)) : requiredAt.whole
  return { open: opened, refused: [{ type: '*', required }], idle: false }
}
