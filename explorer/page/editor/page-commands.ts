/**
 * The commands of the command palette: those of the page, its examples, saved operations, and names of the schema.
 */
import type { GraphQLSchema } from 'graphql'
import type { Example } from '../../examples/example.ts'
import type { MenuItem } from '../frame/menu.tsx'
import type { Command } from '../frame/palette.tsx'
import type { Theme } from '../frame/theme.ts'
import { findKeys, runKeys, saveKeys } from '../keys.ts'
import { type Place, rootsOf } from '../schema/search.ts'
import { type Shelf, shelves } from './library.tsx'
import type { Saved } from './saved.ts'
import { type Draft, draftOf, emptyDraft } from './workspace.ts'

export interface PageActions {
  readonly run: () => void
  readonly explain: () => void
  readonly stop: () => void
  readonly format: () => void
  readonly save: () => void
  readonly find: () => void
  readonly upload: (() => void) | undefined
  readonly map: () => void
  readonly sdl: () => void
  readonly shortcuts: () => void
  readonly scopes: () => void
  readonly theme: () => void
  readonly apollo: (() => void) | undefined
  readonly shelf: (shelf: Shelf) => void
  readonly open: (draft: Draft) => void
  readonly go: (place: Place) => void
}

export interface CommandSources {
  readonly actions: PageActions
  readonly shareItems: readonly MenuItem[]
  readonly examples: readonly Example[]
  readonly saved: readonly Saved[]
  readonly schema: GraphQLSchema | undefined
  readonly theme: Theme
  readonly running: boolean
}

type Entry = readonly [
  id: string,
  title: string,
  /** Undefined if the command is not available now. */
  run: (() => void) | undefined,
  keys?: string | undefined,
  words?: string | undefined,
]

export function pageCommands(sources: CommandSources): readonly Command[] {
  const { actions, shareItems, examples, saved, schema, theme, running } = sources
  const own: readonly Entry[] = [
    running ? ['stop', 'Stop', actions.stop] : ['run', 'Run', actions.run, runKeys],
    ['explain', 'Explain', actions.explain, undefined, 'price cost units plan scopes'],
    ['save', 'Save the operation', actions.save, saveKeys],
    ['format', 'Format', actions.format, undefined, 'prettify'],
    ['new', 'New operation', () => actions.open(emptyDraft)],
    ['find', 'Find in the answer', actions.find, findKeys, 'search'],
    ...shareItems.map(({ id, title, run }): Entry => [`share-${id}`, title, run, undefined, 'share']),
    ...shelves.map(([id, title]): Entry => [`shelf-${id}`, `Show ${title}`, () => actions.shelf(id)]),
    ['map', 'Map of types', schema && actions.map, undefined, 'graph schema'],
    ['sdl', 'Download the schema as SDL', schema && actions.sdl],
    ['upload', 'Upload a file', actions.upload],
    ['scopes', 'Scopes and token', actions.scopes, undefined, 'sign in authorization'],
    ['theme', theme === 'dark' ? 'Light colours' : 'Dark colours', actions.theme, undefined, 'theme'],
    ['shortcuts', 'Keyboard shortcuts', actions.shortcuts, '?', 'keys help'],
    ['apollo', 'Open in Apollo Sandbox', actions.apollo],
  ]
  return [
    ...own.flatMap(([id, title, run, keys, words]): Command[] =>
      run === undefined
        ? []
        : [
            {
              ...{ id, title, run, group: 'Command' },
              ...(keys === undefined ? {} : { keys }),
              ...(words === undefined ? {} : { words }),
            },
          ],
    ),
    ...examples.map(
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
      ({ id, title, folder, query, variables }): Command => ({
        id: `saved-${id}`,
        title,
        group: folder === '' ? 'Saved' : `Saved in ${folder}`,
        isFoundOnly: true,
        run: () => actions.open({ query, variables, headers: '' }),
      }),
    ),
    ...namesOf(schema).map(([place, kind]): Command => {
      const title = place.field === undefined ? place.type : `${place.type}.${place.field}`
      return { id: `name-${title}`, title, group: kind, isFoundOnly: true, run: () => actions.go(place) }
    }),
  ]
}

/** The types, and the root fields. */
function namesOf(schema: GraphQLSchema | undefined): readonly (readonly [Place, string])[] {
  if (schema === undefined) return []
  const types = Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith('__'))
  return [
    ...rootsOf(schema).flatMap((root) =>
      Object.keys(root.getFields()).map((field) => [{ type: root.name, field }, 'Field'] as const),
    ),
    ...types.map((type) => [{ type }, 'Type'] as const),
  ]
}
