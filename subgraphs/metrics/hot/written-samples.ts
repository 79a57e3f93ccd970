/**
 * Samples whose JSON is written from the service's own bytes: `[1795206056,"0.25"]` becomes
 * `{"time":1795206056,"value":"0.25"}` where it stands.
 *
 * Replaces the plain field `MetricsSeries.samples` (model.ts, `samplesFrom`), which parses each pair into an object that
 * the executor copies and the writer prints: for a hundred thousand samples that costs ten times what the rewriting
 * takes (Q5typed of `npm run bench -- --only ceiling,tessera`). Within the process, and only there, the
 * selection is asked for as one JSON value, through a field that no schema of ours shows. What is not of the common
 * form is parsed as ever. `TESSERA_PLAIN` runs without it; test/subgraphs/metrics/hot/written-samples.test.ts compares both ways.
 */
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { runsPlainly } from '../../../contract/hot/switch.ts'
import { type PartialErrors, reportPartial } from '../../../contract/partial-errors.ts'
import { RawJson, type RawRows, type RowMember, writtenRows } from '../../../contract/json/raw.ts'
import type { SubgraphParts } from '../../kit/subgraph.ts'
import { type Sample, type SeriesModel, samplesFrom } from '../model.ts'
import { floatFrom } from '../values.ts'

const writtenTypeDefs = 'extend type MetricsSeries { samplesWritten(members: [String!]!): JSON! }'

/** The name of the field that stands for `samples` in this process. */
export const writtenField = 'samplesWritten'

const names = ['time', 'value', 'float', '__typename'] as const
type Name = (typeof names)[number]

/** A member of each sample's object: its key in the answer, and the field. */
interface Member {
  readonly key: string
  readonly name: Name
}

/** What the subgraph has for a gateway in its own process; undefined where it goes without. */
export function writtenSamples(): SubgraphParts['inProcess'] {
  if (runsPlainly('written-samples')) return undefined
  const written = (
    series: SeriesModel,
    { members }: { members: readonly string[] },
    context: PartialErrors,
    info: GraphQLResolveInfo,
  ): unknown => resolveWritten(series, members, context, info)
  return {
    typeDefs: writtenTypeDefs,
    resolvers: { MetricsSeries: { [writtenField]: written } },
    rewrite: withWrittenSamples,
  }
}

/** Of a field, what the client's response had last, and what of a sample that is. */
interface Asked {
  readonly members: readonly RowMember[]
  readonly wanted: readonly Member[]
}

/** What is written first is what was asked last: then nothing is written twice. */
const askedOf = new WeakMap<FieldNode, Asked>()

function resolveWritten(
  series: SeriesModel,
  members: readonly string[],
  context: PartialErrors,
  info: GraphQLResolveInfo,
): unknown {
  const [node] = info.fieldNodes
  const planned = members.map(memberFrom)
  const asked = node && askedOf.get(node)
  const wanted = asked?.wanted ?? planned
  if (series.values instanceof RawJson) {
    const { bytes } = series.values
    const written = writeSamples(bytes, wanted)
    const as = (own: RawRows, members: readonly RowMember[]): RawJson | undefined => {
      if (asked?.members === members) return own
      const now = wantedFrom(members, planned)
      if (now === undefined) return undefined
      // What the plan asks for must be there for whoever parses it.
      const holdsAll = planned.every(({ key }) => now.some((member) => member.key === key))
      if (node !== undefined && holdsAll) askedOf.set(node, { members, wanted: now })
      if (isSame(now, wanted)) return own
      const again = writeSamples(bytes, now)
      return again && writtenRows(again, as)
    }
    if (written !== undefined) return writtenRows(written, as)
  }
  return samplesFrom(series).flatMap((sample, index) => {
    if (!(sample instanceof Error))
      return [Object.fromEntries(wanted.map(({ key, name }) => [key, memberOf(sample, name)]))]
    if (sample instanceof GraphQLError && context.partialErrors.length <= mostReported)
      reportPartial(context, sample, { ...info, path: { prev: info.path, key: index, typename: undefined } })
    return []
  })
}

/** More errors than one execution has are not told. */
const mostReported = 100

const typeName = 'MetricsSample'
const typeText = JSON.stringify(typeName)

/** Undefined if a member is none of those that are planned. */
function wantedFrom(asked: readonly RowMember[], planned: readonly Member[]): readonly Member[] | undefined {
  const wanted: Member[] = []
  for (const { key, text } of asked) {
    const name = text === typeText ? '__typename' : planned.find((member) => member.key === key)?.name
    if (name === undefined) return undefined
    wanted.push({ key, name })
  }
  return wanted
}

function isSame(a: readonly Member[], b: readonly Member[]): boolean {
  return a.length === b.length && a.every(({ key, name }, i) => b[i]?.key === key && b[i].name === name)
}

function memberOf(sample: Sample, name: Name): unknown {
  return name === '__typename' ? typeName : sample[name]
}

function memberFrom(text: string): Member {
  const [key = '', name] = text.split(':')
  const known = names.find((each) => each === name)
  if (known === undefined) throw new Error(`there is no member ${text} of a sample`)
  return { key, name: known }
}

// --- the document ---------------------------------------------------------------------------------------

/**
 * The document with plain selections of samples asked for as JSON. Fragments, conditions and fields that come
 * twice are left as they are: what belongs together there is for an executor to find out.
 */
export function withWrittenSamples(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  if (document.definitions.some(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)) return document
  const types = new TypeInfo(schema)
  const path: string[] = []
  const seen = new Set<string>()
  let twice = false
  const rewritten = visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        enter(node) {
          path.push((node.alias ?? node.name).value)
        },
        leave(node) {
          const place = path.join('.')
          path.pop()
          if (node.name.value !== 'samples' || types.getParentType()?.name !== 'MetricsSeries')
            return undefined
          twice ||= seen.has(place)
          seen.add(place)
          return written(node)
        },
      },
    }),
  )
  return twice ? document : rewritten
}

function written(node: FieldNode): FieldNode | undefined {
  if ((node.directives?.length ?? 0) > 0) return undefined
  const members = new Map<string, string>()
  for (const selection of node.selectionSet?.selections ?? []) {
    if (selection.kind !== Kind.FIELD || (selection.directives?.length ?? 0) > 0) return undefined
    const { name, alias } = selection
    if (!names.some((each) => each === name.value)) return undefined
    members.set((alias ?? name).value, name.value)
  }
  const { selectionSet: _, ...field } = node
  return {
    ...field,
    alias: node.alias ?? node.name,
    name: { kind: Kind.NAME, value: writtenField },
    arguments: [
      {
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: 'members' },
        value: {
          kind: Kind.LIST,
          values: [...members].map(([key, name]) => ({ kind: Kind.STRING, value: `${key}:${name}` })),
        },
      },
    ],
  }
}

// --- the bytes ------------------------------------------------------------------------------------------

const quote = 0x22
const comma = 0x2c
const dot = 0x2e
const zero = 0x30
const nine = 0x39
const backslash = 0x5c
const openList = 0x5b
const closeList = 0x5d
const closeObject = 0x7d

/** Digits of a time before and after the point that a double holds exactly enough to print them again. */
const mostWhole = 12
const mostFraction = 3

/** What a number that is not a whole one takes as text, at most. */
const longestFloat = 32

/** A sample's object, piece by piece: text as bytes, and what of the pair follows it. */
interface Piece {
  readonly lead: Buffer
  readonly name: Name
}

/**
 * The JSON of a list of samples from the service's `[[time,"value"],…]`, which is known to be well-formed
 * JSON; undefined where it has another form than most have.
 */
function writeSamples(values: Buffer, members: readonly Member[]): Buffer | undefined {
  const pieces: Piece[] = members.map(({ key, name }, index) => ({
    lead: Buffer.from(
      `${index === 0 ? '{' : ','}"${key}":${name === 'value' ? '"' : name === '__typename' ? typeText : ''}`,
    ),
    name,
  }))
  const fixed = pieces.reduce((sum, { lead }) => sum + lead.length + 1, 2)
  const floats = members.filter(({ name }) => name === 'float').length * longestFloat
  let out: Buffer = Buffer.allocUnsafe(values.length * 2 + 64)
  let at = 0
  out[at++] = openList
  if (values[0] !== openList) return undefined
  let i = 1
  if (values[i] === closeList && values.length === 2) i += 1
  else {
    for (;;) {
      if (values[i] !== openList) return undefined
      const timeStart = ++i
      let byte = values[i] as number
      if (!(byte > zero && byte <= nine)) return undefined
      do byte = values[++i] as number
      while (byte >= zero && byte <= nine)
      if (i - timeStart > mostWhole) return undefined
      if (byte === dot) {
        const point = i
        do byte = values[++i] as number
        while (byte >= zero && byte <= nine)
        // A zero at the end would be printed otherwise.
        if (i - point > mostFraction + 1 || values[i - 1] === zero) return undefined
      }
      const timeEnd = i
      if (byte !== comma || values[i + 1] !== quote) return undefined
      i += 2
      const valueStart = i
      byte = values[i] as number
      while (byte !== quote && byte !== backslash) byte = values[++i] as number
      const valueEnd = i
      if (byte !== quote || values[i + 1] !== closeList) return undefined
      i += 2

      const need = at + fixed + floats + (timeEnd - timeStart + valueEnd - valueStart) * pieces.length
      if (need + 2 > out.length) out = grown(out, at, need * 2)
      for (const { lead, name } of pieces) {
        for (let k = 0; k < lead.length; k++) out[at++] = lead[k] as number
        if (name === 'time') for (let k = timeStart; k < timeEnd; k++) out[at++] = values[k] as number
        else if (name === 'value') {
          for (let k = valueStart; k < valueEnd; k++) out[at++] = values[k] as number
          out[at++] = quote
        } else if (name === 'float') at += out.write(floatText(values, valueStart, valueEnd), at, 'latin1')
      }
      out[at++] = closeObject
      const next = values[i++]
      if (next === closeList) break
      if (next !== comma) return undefined
      out[at++] = comma
    }
  }
  if (i !== values.length) return undefined
  out[at++] = closeList
  return out.subarray(0, at)
}

function floatText(values: Buffer, start: number, end: number): string {
  return String(floatFrom(values.toString('latin1', start, end)))
}

function grown(out: Buffer, used: number, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size)
  out.copy(larger, 0, 0, used)
  return larger
}
