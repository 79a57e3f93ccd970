/** Reads the selected response keys of a fetch from its document. */
import type { DocumentNode } from 'graphql'
import { holds } from '../../shared/graphql/conditions.ts'
import { selectionsIn } from '../operation/normalised.ts'
import type { Variables } from '../operation/variables.ts'
import { type PossibleTypes, typesNamed } from './renames.ts'

interface SelectedEntity {
  readonly alias: string
  /** Undefined: any type. */
  readonly type: string | undefined
  readonly possibleTypes: PossibleTypes
}

/**
 * The response keys that a fetch selects at its root, or of an entity of a type. Restricted to fields that the
 * variables include, if they are given.
 */
export function selectedKeys(
  document: DocumentNode,
  variables?: Variables,
  entity?: SelectedEntity,
): string[] {
  const root = selectionsIn(document)
  const selections =
    entity === undefined
      ? root
      : root.flatMap(({ field }) => (field.key === entity.alias ? (field.selections ?? []) : []))
  const keys = new Set<string>()
  for (const { field, when, on } of selections) {
    if (field.name === '__typename') continue
    if (variables !== undefined && (when === undefined || !holds(when.all, variables))) continue
    if (entity === undefined || on.every((each) => isOf(entity, each))) keys.add(field.key)
  }
  return [...keys]
}

const isOf = ({ type, possibleTypes }: SelectedEntity, condition: string): boolean =>
  type === undefined || typesNamed([condition], possibleTypes).has(type)
