/**
 * The commands of the command palette: those of the page, its examples, saved operations, and names of the schema.
 */
import type { GraphQLSchema } from 'graphql'
import { rootsOf } from '../../examples/operation-for.ts'
import { findKeys, runKeys, saveKeys } from '../keys.ts'
import { useLoadedSchema } from '../schema/load.ts'
import { nameOf, type SchemaCoordinate } from '../schema/search.ts'
import { apolloAddress, settings } from '../settings.ts'
import { shareItems } from '../share/share-items.ts'
import { type Overlay, overlay } from '../ui/overlay.ts'
import type { Command } from '../ui/palette.tsx'
import { switchTheme, theme } from '../ui/theme.ts'
import { showTokenPicker } from '../ui/token-picker.tsx'
import { uploadField } from '../upload/upload-dialog.tsx'
import { downloadSdl, explainOpen, find, format, open, reopen, runOpen } from './actions.ts'
import { goTo, shelves, showShelf } from './navigation.ts'
import { stop, useIsRunning } from './run.ts'
import { saved } from './saved.ts'
import { draftOf, emptyDraft, useHasClosed } from './workspace.ts'

type Entry = readonly [
  id: string,
  title: string,
  /** Undefined if the command is not available now. */
  run: (() => void) | undefined,
  keys?: string | undefined,
  words?: string | undefined,
]

const openApollo = apolloAddress === undefined ? undefined : (): void => location.assign(apolloAddress ?? '')

export function usePageCommands(): readonly Command[] {
  const schema = useLoadedSchema()
  const hasUploads = schema?.getMutationType()?.getFields()[uploadField] !== undefined
  const show = (name: Overlay) => (): void => overlay.set(name)
  const own: readonly Entry[] = [
    useIsRunning() ? ['stop', 'Stop', stop] : ['run', 'Run', runOpen, runKeys],
    ['explain', 'Explain', explainOpen, undefined, 'price cost units plan scopes'],
    ['save', 'Save the operation', show('save'), saveKeys],
    ['format', 'Format', () => void format(), undefined, 'prettify'],
    ['new', 'New operation', () => open(emptyDraft)],
    ['reopen', 'Reopen the closed operation', useHasClosed() ? reopen : undefined],
    ['find', 'Find in the answer', find, findKeys, 'search'],
    ...shareItems.map(({ id, title, run }): Entry => [`share-${id}`, title, run, undefined, 'share']),
    ...shelves.map(({ id, title }): Entry => [`shelf-${id}`, `Show ${title}`, () => showShelf(id)]),
    ['map', 'Map of types', schema && show('map'), undefined, 'graph schema'],
    ['sdl', 'Download the schema as SDL', schema && downloadSdl],
    ['upload', 'Upload a file', hasUploads ? show('upload') : undefined],
    ['scopes', 'Scopes and token', showTokenPicker, undefined, 'sign in authorization'],
    ['theme', theme.current() === 'dark' ? 'Light colours' : 'Dark colours', switchTheme, undefined, 'theme'],
    ['shortcuts', 'Keyboard shortcuts', show('shortcuts'), '?', 'keys help'],
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
        run: () => open(draftOf(example)),
      }),
    ),
    ...saved.use().map(
      (each): Command => ({
        id: `saved-${each.id}`,
        title: each.title,
        group: each.folder === '' ? 'Saved' : `Saved in ${each.folder}`,
        isFoundOnly: true,
        run: () => open(each),
      }),
    ),
    ...namesOf(schema).map(([place, group]): Command => {
      const title = nameOf(place)
      return { id: `name-${title}`, title, group, isFoundOnly: true, run: () => goTo(place) }
    }),
  ]
}

/** The types, and the root fields. */
function namesOf(schema: GraphQLSchema | undefined): readonly (readonly [SchemaCoordinate, string])[] {
  if (schema === undefined) return []
  const types = Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith('__'))
  return [
    ...rootsOf(schema).flatMap(([, root]) =>
      Object.keys(root.getFields()).map((field) => [{ type: root.name, field }, 'Field'] as const),
    ),
    ...types.map((type) => [{ type }, 'Type'] as const),
  ]
}
