/**
 * One attempt at a plan: every field of the operation gets a source, and with it the fetches come into being. Where
 * there are several ways it takes the one that looks cheapest, unless it is given other decisions; the ways that it
 * did not take are noted for the search. Nothing is undone: another decision is another attempt.
 */
import { print } from 'graphql'
import { type Conjunction, implies, widen } from './conditions.ts'
import { type Choice, type Cost, costsLess, DeadEnd, TooDear } from './cost.ts'
import type { Graph, SubgraphField } from './graph.ts'
import { addEntry, type ContextUse, createSelection, type FetchGroup, type Part } from './groups.ts'
import type { RequiredField } from './nodes.ts'
import { type LookupOption, type Option, optionsFor } from './options.ts'
import { mergeRequired, typenameField } from './required.ts'
import { canAsk, contextsFor, type Need, type Source } from './sources.ts'
import type { Field, Position, Tree } from './tree.ts'
import type { TypeSet, TypeSets } from './type-sets.ts'

export interface AttemptOptions {
  readonly graph: Graph
  readonly tree: Tree
  readonly sets: TypeSets
  readonly root: Position
  /** Which option is taken at the first choices; the cheapest at all others. */
  readonly decisions: readonly number[]
  /** What it must cost less than. */
  readonly bound: Cost | undefined
  /** Whether options that look worse in every respect are choices, too. */
  readonly thorough: boolean
  /** Counts the steps; throws `OutOfSteps` where there are no more. */
  readonly step: () => void
  /** Takes the choices that were met, as they are met. */
  readonly choices: Choice[]
}

export interface Attempt {
  readonly groups: readonly FetchGroup[]
  readonly cost: Cost
}

interface Quote {
  readonly stage: number
  readonly fetches: number
  readonly fields: number
}

/** What has to be there before something else, or is asked for by the client itself. */
type Purpose = 'asked' | 'needed'

// Made once: they are thrown often, and nobody reads their stack.
const deadEnd = new DeadEnd()
const tooDear = new TooDear()

const mostDepth = 200

export function attempt(options: AttemptOptions): Attempt {
  const { graph, tree, sets, root, decisions, bound, thorough, step, choices } = options
  const groups: FetchGroup[] = []
  const sources = new Map<Position, Source[]>()
  const fetches = new Set<string>()
  const pending = new Set<string>()
  /** What fields would cost as things stand; forgotten with every change. */
  const quotes = new Map<number, Quote | undefined>()
  let isCut = false
  let stages = 0
  let fields = 0

  const sourcesAt = (at: Position): Source[] => {
    let known = sources.get(at)
    if (known === undefined) {
      known = []
      sources.set(at, known)
    }
    return known
  }

  const checkBound = (): void => {
    if (bound !== undefined && !costsLess({ stages, fetches: fetches.size, fields }, bound)) throw tooDear
  }

  const fetchKey = (index: number, stage: number, at: Position | undefined): string =>
    at === undefined || at.field === undefined ? `${index} ${stage}` : `${index} ${stage} ${at.id}`

  function addGroup(made: Omit<FetchGroup, 'id' | 'selection' | 'when' | 'stage'>): FetchGroup {
    let stage = 0
    for (const each of made.after) stage = Math.max(stage, each.stage + 1)
    const selection = createSelection(false)
    const group: FetchGroup = { ...made, id: groups.length, stage, selection, when: [] }
    groups.push(group)
    stages = Math.max(stages, stage + 1)
    fetches.add(fetchKey(group.graph, stage, group.kind === 'root' ? group.at : undefined))
    checkBound()
    return group
  }

  /** The objects of a source come under this condition, too. */
  function open(source: Source, when: Conjunction): void {
    if (!widen(source.when, when)) return
    if (source.above !== undefined) {
      open(source.above.source, when)
      widen(source.above.entry.when, when)
      return
    }
    widen(source.group.when, when)
    for (const need of source.lookup?.needs ?? []) ask(need.source, need.field, when)
  }

  function ask(source: Source, field: Field, when: Conjunction): void {
    open(source, when)
    const { entry, isNew } = addEntry(source.selection, field, field.types, when, contextsFor(source, field))
    quotes.clear()
    if (isNew) {
      // What comes later weighs more.
      fields += 1 + source.group.stage
      checkBound()
    }
    if (field.below === undefined || entry.below === undefined) return
    const below = sourcesAt(field.below)
    const known = below.find((each) => each.selection === entry.below)
    if (known !== undefined) {
      widen(known.when, when)
      return
    }
    below.push({
      at: field.below,
      graph: source.graph,
      group: source.group,
      selection: entry.below,
      when: [when],
      above: { source, entry },
      lookup: undefined,
    })
  }

  /** Where the field can be asked for without anything new, at the earliest. */
  function existing(field: Field, only: number | undefined): Source | undefined {
    let best: Source | undefined
    for (const source of sources.get(field.at) ?? []) {
      if (only !== undefined && source.graph !== only) continue
      if (best !== undefined && best.group.stage <= source.group.stage) continue
      if (canAsk(graph, source, field)) best = source
    }
    return best
  }

  const candidatesOf = (field: Field, only: number | undefined) =>
    only === undefined ? field.candidates : field.candidates.filter((each) => each.graph === only)

  function quote(field: Field, only: number | undefined, depth: number): Quote | undefined {
    const key = only === undefined ? field.id * 4096 : field.id * 4096 + only + 1
    if (quotes.has(key)) return quotes.get(key)
    const outer = isCut
    isCut = false
    const found = newQuote(field, only, depth)
    // That nothing was found says nothing where a way was cut because it is being looked at already.
    if (found !== undefined || !isCut) quotes.set(key, found)
    isCut ||= outer
    return found
  }

  function newQuote(field: Field, only: number | undefined, depth: number): Quote | undefined {
    step()
    const here = existing(field, only)
    if (here !== undefined) return { stage: here.group.stage, fetches: 0, fields: 1 + here.group.stage }
    if (depth > mostDepth) {
      isCut = true
      return undefined
    }
    let best: Quote | undefined
    for (const candidate of candidatesOf(field, only)) {
      for (const option of optionsFor(graph, field, candidate)) {
        const offer = quoteOption(field, option, depth)
        if (offer !== undefined && (best === undefined || isNearer(offer, best))) best = offer
      }
      // A source that costs no fetch and comes first cannot be beaten by a look-up.
      if (best !== undefined && best.fetches === 0 && best.stage === 0) break
    }
    return best
  }

  function quoteOption(field: Field, option: Option, depth: number): Quote | undefined {
    const key = pendingKey(field, option)
    if (pending.has(key)) {
      isCut = true
      return undefined
    }
    pending.add(key)
    try {
      switch (option.kind) {
        case 'above': {
          const above = quote(option.field, option.graph, depth + 1)
          return above === undefined ? undefined : { ...above, fields: above.fields + 1 + above.stage }
        }
        case 'root': {
          const after = field.at.field === undefined ? undefined : quote(field.at.field, undefined, depth + 1)
          if (field.at.field !== undefined && after === undefined) return undefined
          const stage = after === undefined ? 0 : after.stage + 1
          const isNew = !fetches.has(fetchKey(option.graph, stage, field.at))
          return { stage, fetches: (after?.fetches ?? 0) + (isNew ? 1 : 0), fields: (after?.fields ?? 0) + 1 }
        }
        case 'lookup':
          return quoteLookup(field, option, depth)
      }
    } finally {
      pending.delete(key)
    }
  }

  function quoteLookup(field: Field, option: LookupOption, depth: number): Quote | undefined {
    let stage = 0
    let costs = 0
    let all = 1
    const add = (needed: Field): boolean => {
      if (needed.below !== undefined && needed.below.fields.length > 0) return needed.below.fields.every(add)
      const offer = quote(needed, undefined, depth + 1)
      if (offer === undefined) return false
      stage = Math.max(stage, offer.stage)
      costs += offer.fetches
      all += offer.fields
      return true
    }
    for (const needed of neededFields(field, option)) if (!add(needed)) return undefined
    for (const { from, set } of contextSelections(field.at, option))
      for (const needed of tree.requirement(from, from.types, set)) if (!add(needed)) return undefined
    const isNew = !fetches.has(fetchKey(option.graph, stage + 1, undefined))
    return { stage: stage + 1, fetches: costs + (isNew ? 1 : 0), fields: all + stage + 1 }
  }

  function typesByText(sent: ReadonlyMap<string, { readonly text: string }>): Map<string, string[]> {
    const byText = new Map<string, string[]>()
    for (const [type, { text }] of sent) byText.set(text, [...(byText.get(text) ?? []), type])
    return byText
  }

  /** The types of which a key is read. */
  function typesFor(field: Field, option: LookupOption, types: readonly string[]): TypeSet {
    if (option.hidden) return field.at.types
    return types.length === field.types.names.length ? field.types : sets.of(types)
  }

  function neededFields(field: Field, option: LookupOption): Field[] {
    const needed: Field[] = []
    for (const sent of [option.keys, option.requires]) {
      for (const types of typesByText(sent).values()) {
        const [first = ''] = types
        const set = sent.get(first)?.selectionSet
        if (set === undefined) continue
        const on = typesFor(field, option, types)
        needed.push(...tree.requirement(field.at, on, set))
      }
    }
    if (option.named) needed.push(...tree.typename(field.at, field.types))
    return needed
  }

  /** Where the values of arguments from above stand. */
  function contextSelections(at: Position, option: LookupOption) {
    return option.contexts.flatMap((own) =>
      own.contextArguments.map((argument) => {
        const { context } = argument
        let from: Position | undefined = at
        while (
          from !== undefined &&
          !from.types.names.some((type) => graph.contextTypes.get(context)?.has(type))
        )
          from = from.field?.at
        if (from === undefined) throw deadEnd
        return { own, argument, from, set: argument.selection.selectionSet }
      }),
    )
  }

  const isNearer = (a: Quote, b: Quote): boolean =>
    a.stage !== b.stage
      ? a.stage < b.stage
      : a.fetches !== b.fetches
        ? a.fetches < b.fetches
        : a.fields < b.fields

  const isCheaper = (a: Quote, b: Quote): boolean => {
    const [late, other] = [Math.max(a.stage + 1, stages), Math.max(b.stage + 1, stages)]
    if (late !== other) return late < other
    if (a.fetches !== b.fetches) return a.fetches < b.fetches
    if (a.fields !== b.fields) return a.fields < b.fields
    return a.stage < b.stage
  }

  /** A source in which the field can be asked for, made where there is none. */
  function sourceFor(field: Field, only: number | undefined, purpose: Purpose, when: Conjunction): Source {
    step()
    const here = existing(field, only)
    if (here !== undefined && (purpose === 'asked' || here.group.stage === 0)) return here
    const offers: { option: Option | undefined; offer: Quote }[] = []
    if (here !== undefined)
      offers.push({
        option: undefined,
        offer: { stage: here.group.stage, fetches: 0, fields: 1 + here.group.stage },
      })
    for (const candidate of candidatesOf(field, only)) {
      for (const option of optionsFor(graph, field, candidate)) {
        const offer = quoteOption(field, option, 0)
        if (offer !== undefined) offers.push({ option, offer })
      }
    }
    const isBetter = purpose === 'asked' ? isCheaper : isNearer
    offers.sort((a, b) => (isBetter(a.offer, b.offer) ? -1 : isBetter(b.offer, a.offer) ? 1 : 0))
    const chosen = choose(thorough ? offers : worthwhile(offers))
    if (chosen === undefined) throw deadEnd
    const source = chosen.option === undefined ? here : take(field, chosen.option, when)
    if (source === undefined) throw deadEnd
    return source
  }

  /** Without those that another beats in stage or fetches, and in neither is worse. */
  function worthwhile<Offer extends { option: Option | undefined; offer: Quote }>(offers: Offer[]): Offer[] {
    if (offers.length < 2) return offers
    const kept: Offer[] = []
    for (const each of offers) {
      const beaten = kept.some(
        ({ option, offer }) =>
          offer.stage <= each.offer.stage &&
          offer.fetches <= each.offer.fetches &&
          (offer.fetches === 0 ||
            offer.stage < each.offer.stage ||
            offer.fetches < each.offer.fetches ||
            (option?.graph === each.option?.graph && option?.kind === each.option?.kind)),
      )
      if (!beaten) kept.push(each)
    }
    return kept
  }

  function choose<Offer>(offers: readonly Offer[]): Offer | undefined {
    if (offers.length < 2) return offers[0]
    const taken = Math.min(decisions[choices.length] ?? 0, offers.length - 1)
    choices.push({ taken, count: offers.length })
    return offers[taken]
  }

  function take(field: Field, option: Option, when: Conjunction): Source {
    const key = pendingKey(field, option)
    if (pending.has(key)) throw deadEnd
    pending.add(key)
    let source: Source | undefined
    if (option.kind === 'above') {
      ask(sourceFor(option.field, option.graph, 'needed', when), option.field, when)
      source = existing(field, option.graph)
    } else if (option.kind === 'root') source = takeRoot(field, option.graph, when)
    else source = takeLookup(field, option, when)
    pending.delete(key)
    if (source === undefined) throw deadEnd
    return source
  }

  function takeRoot(field: Field, index: number, when: Conjunction): Source {
    const { at } = field
    const after = new Set<FetchGroup>()
    const needs: Need[] = []
    if (at.field !== undefined) {
      const source = existing(at.field, undefined) ?? sourceFor(at.field, undefined, 'needed', when)
      ask(source, at.field, when)
      after.add(source.group)
      needs.push({ source, field: at.field })
    }
    const view = field.candidates.find((each) => each.graph === index)?.views.get(at.types.names[0] ?? '')
    const group = addGroup({
      kind: 'root',
      graph: index,
      at,
      types: undefined,
      as: view,
      after,
      parts: [],
      contexts: [],
    })
    const lookup =
      at.field === undefined
        ? undefined
        : {
            views: new Map(
              at.types.names.flatMap((type) => (view === undefined ? [] : [[type, view] as const])),
            ),
            types: at.types,
            needs,
            requires: new Set<string>(),
            contexts: new Map(),
          }
    return addSource(at, group, lookup)
  }

  function addSource(at: Position, group: FetchGroup, lookup: Source['lookup']): Source {
    const { selection } = group
    const source: Source = { at, graph: group.graph, group, selection, when: [], above: undefined, lookup }
    sourcesAt(at).push(source)
    return source
  }

  function takeLookup(field: Field, option: LookupOption, when: Conjunction): Source {
    const { at } = field
    const after = new Set<FetchGroup>()
    const needs: Need[] = []
    const need = (needed: Field, on: TypeSet): RequiredField => {
      const { key, name, below } = needed
      const types = needed.types === on ? undefined : needed.types.names
      if (below !== undefined && below.fields.length > 0) {
        const inside = below.fields.map((each) => need(each, below.types))
        return { key, name, types, fields: below.abstract ? [typenameField, ...inside] : inside }
      }
      const source = sourceFor(needed, undefined, 'needed', when)
      ask(source, needed, when)
      after.add(source.group)
      needs.push({ source, field: needed })
      return { key, name, types, fields: below === undefined ? undefined : [] }
    }
    const isHidden = option.as !== undefined && !option.as.interfaceObject
    const views = isHidden
      ? option.views
      : new Map([...option.views].filter(([type]) => field.types.has(type)))
    const types = isHidden ? sets.within(at.types, new Set(views.keys())) : field.types
    const parts = partsOf(field, option, need)
    if (option.named) for (const each of tree.typename(at, field.types)) need(each, each.types)
    const contexts = new Map<SubgraphField, ContextUse[]>()
    for (const { own, argument, from, set } of contextSelections(at, option)) {
      const on = from.types
      const required = tree.requirement(from, on, set).map((each) => need(each, on))
      const variable = `context_${argument.argument}`
      const use: ContextUse = {
        argument: argument.argument,
        variable,
        type: print(argument.type),
        from,
        fields: required,
      }
      contexts.set(own, [...(contexts.get(own) ?? []), use])
    }
    const group = addGroup({
      kind: 'entities',
      graph: option.graph,
      at,
      types: isHidden || types === at.types ? undefined : types,
      as: option.as,
      after,
      parts,
      contexts: [...contexts.values()].flat(),
    })
    const requires = new Set([...option.requires.values()].map(({ text }) => text))
    return addSource(at, group, { views, types, needs, requires, contexts })
  }

  function partsOf(
    field: Field,
    option: LookupOption,
    need: (needed: Field, on: TypeSet) => RequiredField,
  ): Part[] {
    const typename = option.as?.name
    const { at } = field
    const byText = new Map<string, string[]>()
    for (const [type, key] of option.keys) {
      const text = `${key.text}\n${option.requires.get(type)?.text ?? ''}`
      byText.set(text, [...(byText.get(text) ?? []), type])
    }
    return [...byText.values()].map((names) => {
      const [first = ''] = names
      const on = typesFor(field, option, names)
      const required: RequiredField[] = []
      for (const sent of [option.keys, option.requires]) {
        const set = sent.get(first)?.selectionSet
        if (set === undefined) continue
        for (const each of tree.requirement(at, on, set)) required.push(need(each, on))
      }
      const types = typename !== undefined && names.length === field.types.names.length ? undefined : on
      return { types, typename, fields: mergeRequired(required) }
    })
  }

  /** Every field that the client asks for, those first that only one subgraph has. */
  function askedFields(): { leaves: Field[]; objects: Field[] } {
    const leaves: Field[] = []
    const objects: Field[] = []
    const walk = (at: Position): void => {
      for (const field of at.fields) {
        if (field.below === undefined) leaves.push(field)
        else {
          objects.push(field)
          walk(field.below)
        }
      }
    }
    walk(root)
    return { leaves: leaves.sort((a, b) => a.candidates.length - b.candidates.length), objects }
  }

  const { leaves, objects } = askedFields()
  for (const field of leaves) ask(sourceFor(field, undefined, 'asked', field.when), field, field.when)
  // An object is there even where nothing of it is asked for under the same conditions.
  for (const field of objects) {
    const below = field.below === undefined ? [] : sourcesAt(field.below)
    const isThere = below.some(
      ({ above, when }) => above !== undefined && when.some((each) => implies(field.when, each)),
    )
    if (!isThere) ask(sourceFor(field, undefined, 'asked', field.when), field, field.when)
  }
  return { groups, cost: { stages, fetches: fetches.size, fields } }
}

function pendingKey(field: Field, option: Option): string {
  if (option.kind === 'lookup') {
    const sent = [...option.requires.values()].map(({ text }) => text).join()
    return `${field.at.id} ${option.graph} ${option.as?.name ?? ''} ${sent}`
  }
  return `${option.kind} ${field.at.id} ${option.graph}`
}
