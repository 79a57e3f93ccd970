/** The state of the editor and its actions, for all parts of the workbench. */
import type { EditorView } from '@codemirror/view'
import { type GraphQLSchema, printSchema } from 'graphql'
import { useEffect, useMemo, useRef, useState } from 'react'
import { say } from '../frame/feedback.tsx'
import { download } from '../frame/hand-out.ts'
import { overlay } from '../frame/overlay.ts'
import { switchTheme } from '../frame/theme.ts'
import { showTokenPicker } from '../frame/token-picker.tsx'
import { type Operation, operationNameAt, operationNamesIn } from '../graph/operation.ts'
import { session } from '../graph/session.ts'
import { formatJson, objectFrom } from '../json.ts'
import { usePageKeys } from '../keys.ts'
import { clearFindings, findings } from '../result/findings.ts'
import { type ChosenView, type ResultPaneProps, viewShown } from '../result/result-pane.tsx'
import { useSchema } from '../schema/load.ts'
import type { Place } from '../schema/search.ts'
import { shareItems } from '../share/share-items.ts'
import { uploadField } from '../upload/upload-dialog.tsx'
import { notePrice } from './history.ts'
import { useArrivals } from './use-arrivals.ts'
import { usePrice } from './use-price.ts'
import { useRun } from './use-run.ts'
import { variableFaults } from './variable-faults.ts'
import { type OpenDraft, type OperationText, useWorkspace, type Workspace } from './workspace.ts'

export type Bench = ReturnType<typeof useBench>

/** The panels beside the operation. */
export const shelves = [
  { id: 'examples', title: 'Examples' },
  { id: 'schema', title: 'Schema' },
  { id: 'builder', title: 'Build' },
  { id: 'history', title: 'History' },
  { id: 'saved', title: 'Saved' },
] as const

type Shelf = (typeof shelves)[number]['id']

/**
 * What the user looks at: the part on a narrow screen, the panel beside the operation, and the page of the schema.
 */
function usePlaces() {
  const [panel, setPanel] = useState<'library' | 'operation' | 'result'>('operation')
  const [shelf, setShelf] = useState<Shelf>('examples')
  const [trail, setTrail] = useState<readonly Place[]>([])
  const showShelf = (next: Shelf): void => {
    setShelf(next)
    setPanel('library')
  }
  const go = (place: Place): void => {
    showShelf('schema')
    setTrail([...trail, place])
  }
  return { panel, setPanel, shelf, setShelf, trail, setTrail, go, showShelf }
}

/** What follows from the current text: its operations, its faults, its price. */
function useWritten(current: OpenDraft) {
  const { query, variables } = current
  const { token } = session.use()
  const names = useMemo(() => operationNamesIn(query), [query])
  const [picked, setPicked] = useState<string>()
  const operationName = names.length > 1 ? (names.find((name) => name === picked) ?? names[0]) : undefined
  const faults = useMemo(
    () => variableFaults(query, variables, operationName),
    [query, variables, operationName],
  )
  const isComplete = faults.missing.length === 0
  const price = usePrice({ draft: current, operationName, isComplete, token })
  useEffect(() => {
    if (price !== undefined) notePrice({ query, variables }, price.units)
  }, [price, query, variables])
  return { names, onPick: setPicked, operationName, faults, price, hasToken: token !== undefined }
}

/** Prettier keeps comments. It is loaded when it is first used. Rejects if the text is not valid GraphQL. */
async function formatGraphql(text: string): Promise<string> {
  const [{ format }, graphql] = await Promise.all([
    import('prettier/standalone'),
    import('prettier/plugins/graphql'),
  ])
  return format(text, { parser: 'graphql', plugins: [graphql] })
}

function useFormat({ current, change }: Workspace): () => void {
  return () => {
    change({ variables: formatJson(current.variables), headers: formatJson(current.headers) })
    formatGraphql(current.query).then(
      (query) => change({ query }),
      () => say('This cannot be formatted: it is not valid GraphQL.', true),
    )
  }
}

/** The editor, of which the operation at the cursor is asked. */
function useCursor() {
  const view = useRef<EditorView>(undefined)
  return {
    onView: (made: EditorView | undefined) => {
      view.current = made
    },
    /** The name of the operation at the cursor, if the editor has the focus and the text has several. */
    operationName(): string | undefined {
      const { current } = view
      if (current?.hasFocus !== true) return undefined
      const text = current.state.doc.toString()
      const known = operationNamesIn(text)
      if (known.length < 2) return undefined
      return operationNameAt(text, current.state.selection.main.head) ?? known[0]
    },
  }
}

/** How the result is shown: the chosen view, how often the search was opened, and the file of an upload. */
function useResultView(showResult: () => void) {
  const [chosen, onChoose] = useState<ChosenView>()
  const [findAsked, setFindAsked] = useState(0)
  const [file, setFile] = useState<File>()
  const find = (): void => {
    showResult()
    setFindAsked(findAsked + 1)
  }
  return { shown: { chosen, onChoose, findAsked, file }, find, setFile }
}

function downloadSdl(schema: GraphQLSchema | undefined): void {
  if (schema !== undefined) download('schema.graphql', `${printSchema(schema)}\n`, 'application/graphql')
}

const isSame = (draft: OperationText, { query, variables }: Operation): boolean =>
  query.trim() === draft.query.trim() &&
  JSON.stringify(variables ?? {}) === JSON.stringify(objectFrom(draft.variables) ?? {})

export function useBench() {
  const [schema, reload] = useSchema()
  const loaded = schema.kind === 'loaded' ? schema.schema : undefined
  const workspace = useWorkspace()
  const { current } = workspace
  const places = usePlaces()
  const { hasToken, ...written } = useWritten(current)
  const { operationName } = written
  const cursor = useCursor()
  const showResult = () => places.setPanel('result')
  const { shown, find, setFile } = useResultView(showResult)
  const running = useRun({ draft: current, units: written.price?.units, onBegin: showResult })

  const open = (text: OperationText): void => {
    running.leave()
    workspace.open(text)
    clearFindings()
    places.setPanel('operation')
  }
  const runLater = useArrivals({
    ...{ running, open },
    onView: (next) => shown.onChoose({ of: 'next', view: next }),
  })
  const actions = {
    run: () => running.send(cursor.operationName() ?? operationName),
    explain: () => running.send(operationName, true),
    stop: running.stop,
    format: useFormat(workspace),
    save: () => overlay.set('save'),
    find,
    upload: loaded?.getMutationType()?.getFields()[uploadField] && (() => overlay.set('upload')),
    map: () => overlay.set('map'),
    sdl: () => downloadSdl(loaded),
    shortcuts: () => overlay.set('shortcuts'),
    scopes: showTokenPicker,
    theme: switchTheme,
    shelf: places.showShelf,
    open,
    go: places.go,
  }
  usePageKeys({
    ...actions,
    palette: () => overlay.set(overlay.current() === 'palette' ? undefined : 'palette'),
  })

  return {
    ...{ workspace, running, actions, schema, loaded, reload },
    ...places,
    ...written,
    onView: cursor.onView,
    shareItems: shareItems({
      ...{ draft: current, operationName, schema: loaded, hasToken },
      tab: viewShown(findings.use(), shown.chosen),
    }),
    resultProps: {
      ...shown,
      running: running.isRunning,
      isCurrent: (operation) => isSame(current, operation),
      onRun: running.again,
      onStop: running.stop,
      notices: {
        onAddScopes: (scopes) => void session.add(scopes).then(runLater.now),
        addLabel: 'Add and run again',
        onPasteToken() {
          runLater.whenPasted()
          showTokenPicker()
        },
        onSignIn: (wish) => session.signIn({ ...wish, run: running.asked() }),
        onRetry: running.again,
      },
    } satisfies ResultPaneProps,
    askForUpload(chosenFile: File, text: OperationText): void {
      overlay.set(undefined)
      setFile(chosenFile)
      open(text)
      runLater.whenOpen()
    },
  }
}
