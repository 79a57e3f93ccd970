/** Subgraph SDLs while they are drawn: types and fields that can still be changed, and how they are printed. */
import { linkedSdl } from '../linked-sdl.ts'

export interface ArgumentDraft {
  readonly name: string
  readonly type: string
  /** A literal that fits, for selections of `@requires`. */
  readonly literal: string
  readonly fallback?: string | undefined
  readonly directives?: string | undefined
}

/** A field as every subgraph declares it. */
export interface FieldDraft {
  readonly name: string
  readonly type: string
  readonly args: readonly ArgumentDraft[]
}

export interface PlacedField extends FieldDraft {
  readonly directives: Set<string>
}

export interface TypeDraft {
  readonly name: string
  readonly keyword: 'type' | 'interface' | 'union' | 'enum' | 'scalar' | 'input'
  readonly directives: Set<string>
  readonly interfaces: Set<string>
  readonly fields: Map<string, PlacedField>
  /** Members of a union, values of an enum. */
  readonly members: Set<string>
}

export interface SubgraphDraft {
  readonly name: string
  readonly types: Map<string, TypeDraft>
}

export function typeIn(
  subgraph: SubgraphDraft,
  name: string,
  keyword: TypeDraft['keyword'] = 'type',
): TypeDraft {
  const known = subgraph.types.get(name)
  if (known !== undefined) return known
  const type: TypeDraft = {
    name,
    keyword,
    directives: new Set(),
    interfaces: new Set(),
    fields: new Map(),
    members: new Set(),
  }
  subgraph.types.set(name, type)
  return type
}

export function place(type: TypeDraft, field: FieldDraft, ...directives: readonly string[]): PlacedField {
  const known = type.fields.get(field.name)
  const placed = known ?? { ...field, directives: new Set<string>() }
  for (const directive of directives) placed.directives.add(directive)
  type.fields.set(field.name, placed)
  return placed
}

/** The name within `[Name!]!`. */
export function nameOf(type: string): string {
  return type.replace(/[[\]!]/g, '')
}

export function printSubgraph({ types }: SubgraphDraft, definitions: string): string {
  return linkedSdl(
    [...(definitions === '' ? [] : [definitions]), ...[...types.values()].map(printType)].join('\n'),
  )
}

function printType({ name, keyword, directives, interfaces, fields, members }: TypeDraft): string {
  const implementing = interfaces.size === 0 ? '' : ` implements ${[...interfaces].join(' & ')}`
  const head = [`${keyword} ${name}${implementing}`, ...directives].join(' ')
  if (keyword === 'scalar') return head
  if (keyword === 'union') return `${head} = ${[...members].join(' | ')}`
  const lines = keyword === 'enum' ? [...members] : [...fields.values()].map(printField)
  return `${head} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`
}

function printField({ name, type, args, directives }: PlacedField): string {
  const given = args.map((argument) =>
    [
      `${argument.name}: ${argument.type}${argument.fallback === undefined ? '' : ` = ${argument.fallback}`}`,
      ...(argument.directives === undefined ? [] : [argument.directives]),
    ].join(' '),
  )
  return [`${name}${given.length === 0 ? '' : `(${given.join(', ')})`}: ${type}`, ...directives].join(' ')
}
