/**
 * The commands of the command palette: those of the page, its examples, saved operations, and names of the schema.
 */
import type { GraphQLSchema } from 'graphql'
import { rootsOf } from '../../examples/operation-for.ts'
import type { Command } from '../frame/palette.tsx'
import { theme } from '../frame/theme.ts'
import { findKeys, runKeys, saveKeys } from '../keys.ts'
import { nameOf, type Place } from '../schema/search.ts'
import { apolloAddress, settings } from '../settings.ts'
import type { Saved } from './saved.ts'
import { type Bench, shelves } from './use-bench.ts'
import { draftOf, emptyDraft } from './workspace.ts'

type Entry = readonly [
  id: string,
  title: string,
  /** Undefined if the command is not available now. */
  run: (() => void) | undefined,
  keys?: string | undefined,
  words?: string | undefined,
]

const openApollo = apolloAddress === undefined ? undefined : (): void => location.assign(apolloAddress ?? '')

export function pageCommands(bench: Bench, saved: readonly Saved[]): readonly Command[] {
  const { actions, shareItems, loaded: schema, running } = bench
  const own: readonly Entry[] = [
    running.isRunning ? ['stop', 'Stop', actions.stop] : ['run', 'Run', actions.run, runKeys],
    ['explain', 'Explain', actions.explain, undefined, 'price cost units plan scopes'],
    ['save', 'Save the operation', actions.save, saveKeys],
    ['format', 'Format', actions.format, undefined, 'prettify'],
    ['new', 'New operation', () => actions.open(emptyDraft)],
    ['find', 'Find in the answer', actions.find, findKeys, 'search'],
    ...shareItems.map(({ id, title, run }): Entry => [`share-${id}`, title, run, undefined, 'share']),
    ...shelves.map(({ id, title }): Entry => [`shelf-${id}`, `Show ${title}`, () => actions.shelf(id)]),
    ['map', 'Map of types', schema && actions.map, undefined, 'graph schema'],
    ['sdl', 'Download the schema as SDL', schema && actions.sdl],
    ['upload', 'Upload a file', actions.upload],
    ['scopes', 'Scopes and token', actions.scopes, undefined, 'sign in authorization'],
    [
      'theme',
      theme.current() === 'dark' ? 'Light colours' : 'Dark colours',
      actions.theme,
      undefined,
      'theme',
    ],
    ['shortcuts', 'Keyboard shortcuts', actions.shortcuts, '?', 'keys help'],
    ['apollo', 'Open in Apollo Sandbox', openApollo],
  ]
  return [
    ...own.flatMap(([id, title, run, keys, words]): Command[] =>
      run === undefined ? [] : [{ id, title, run, keys, words, group: 'Command' }],
    ),
    ...settings.examples.map(
      (example): Command => ({
        id: `example-${example.id}`,
        title: example.title,
        group: 'Example',
        words: example.note,
        isFoundOnly: true,
        run: () => actions.open(draftOf(example)),
      }),
    ),
    ...saved.map(
      (each): Command => ({
        id: `saved-${each.id}`,
        title: each.title,
        group: each.folder === '' ? 'Saved' : `Saved in ${each.folder}`,
        isFoundOnly: true,
        run: () => actions.open(each),
      }),
    ),
    ...namesOf(schema).map(([place, group]): Command => {
      const title = nameOf(place)
      return { id: `name-${title}`, title, group, isFoundOnly: true, run: () => actions.go(place) }
    }),
  ]
}

/** The types, and the root fields. */
function namesOf(schema: GraphQLSchema | undefined): readonly (readonly [Place, string])[] {
  if (schema === undefined) return []
  const types = Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith('__'))
  return [
    ...rootsOf(schema).flatMap(([, root]) =>
      Object.keys(root.getFields()).map((field) => [{ type: root.name, field }, 'Field'] as const),
    ),
    ...types.map((type) => [{ type }, 'Type'] as const),
  ]
}
