/** The state of the editor and its actions, for all parts of the workbench. */
import type { EditorView } from '@codemirror/view'
import { type GraphQLSchema, printSchema } from 'graphql'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Example } from '../../examples/example.ts'
import { useSay } from '../frame/feedback.tsx'
import { download } from '../frame/hand-out.ts'
import type { Theme } from '../frame/theme.ts'
import { type Operation, operationNamesIn } from '../graph/operation.ts'
import type { Sender } from '../graph/send.ts'
import { type Session, useSession } from '../graph/session.ts'
import { formatJson, objectFrom } from '../json.ts'
import { type ChosenView, type Findings, type ResultPaneProps, viewShown } from '../result/result-pane.tsx'
import { useSchema } from '../schema/load.ts'
import type { Place } from '../schema/search.ts'
import { shareItems } from '../share/share-items.ts'
import type { RefusedRun, SignInWish } from '../sign-in/types.ts'
import { uploadField } from '../upload/upload-dialog.tsx'
import { formatGraphql } from './format.ts'
import { notePrice } from './history.ts'
import type { Shelf } from './library.tsx'
import { nameAtCursor, type OperationPaneProps } from './operation-pane.tsx'
import type { PageActions } from './page-commands.ts'
import { useArrivals } from './use-arrivals.ts'
import { usePageKeys } from './use-page-keys.ts'
import { usePrice } from './use-price.ts'
import { useRun } from './use-run.ts'
import { variableFaults } from './variable-faults.ts'
import { type Draft, useWorkspace, type Workspace } from './workspace.ts'

export type Overlay = 'palette' | 'shortcuts' | 'save' | 'upload' | 'map'

export interface WorkbenchProps {
  readonly endpoint: string
  readonly examples: readonly Example[]
  readonly session: Session
  readonly sender: Sender
  readonly theme: Theme
  readonly minting: boolean
  readonly findings: Findings | undefined
  readonly onClear: () => void
  readonly onTheme: () => void
  readonly onPasteToken: () => void
  readonly onSignIn: ((wish: SignInWish) => void) | undefined
  /** Undefined if Apollo Sandbox is not offered. */
  readonly onApollo: (() => void) | undefined
  readonly overlay: Overlay | undefined
  readonly onOverlay: (overlay: Overlay | undefined) => void
  /** The operation that was refused before its user signed in. */
  readonly toRun: RefusedRun | undefined
  readonly onRan: () => void
}

export type Panel = 'library' | 'operation' | 'result'

export type Bench = ReturnType<typeof useBench>

/**
 * What the user looks at: the part on a narrow screen, the panel beside the operation, and the page of the schema.
 */
function usePlaces() {
  const [panel, setPanel] = useState<Panel>('operation')
  const [shelf, setShelf] = useState<Shelf>('examples')
  const [trail, setTrail] = useState<readonly Place[]>([])
  const go = (place: Place): void => {
    setShelf('schema')
    setTrail([...trail, place])
    setPanel('library')
  }
  const showShelf = (next: Shelf): void => {
    setShelf(next)
    setPanel('library')
  }
  return { panel, setPanel, shelf, setShelf, trail, setTrail, go, showShelf }
}

/** What follows from the current text: its operations, its faults, its price. */
function useWritten(props: WorkbenchProps, current: Draft) {
  const { sender, session } = props
  const { query, variables } = current
  const { token } = useSession(session)
  const names = useMemo(() => operationNamesIn(query), [query])
  const [picked, setPicked] = useState<string>()
  const operationName = names.length > 1 ? (names.find((name) => name === picked) ?? names[0]) : undefined
  const faults = useMemo(
    () => variableFaults(query, variables, operationName),
    [query, variables, operationName],
  )
  const isComplete = faults.missing.length === 0
  const price = usePrice({ sender, draft: current, operationName, isComplete, token })
  useEffect(() => {
    if (price !== undefined) notePrice({ query, variables, headers: '' }, price.units)
  }, [price, query, variables])
  return { names, onPick: setPicked, operationName, faults, price, hasToken: token !== undefined }
}

function useFormat(workspace: Workspace): () => void {
  const say = useSay()
  const { current, change } = workspace
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
    operationName: () => nameAtCursor(view.current?.hasFocus === true ? view.current : undefined),
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

const isSame = (draft: Draft, { query, variables }: Operation): boolean =>
  query.trim() === draft.query.trim() &&
  JSON.stringify(variables ?? {}) === JSON.stringify(objectFrom(draft.variables) ?? {})

export function useBench(props: WorkbenchProps) {
  const { endpoint, session, sender, findings, onOverlay } = props
  const say = useSay()
  const [schema, reload] = useSchema(endpoint, session)
  const loaded = schema.kind === 'loaded' ? schema.schema : undefined
  const workspace = useWorkspace(props.examples)
  const { current } = workspace
  const places = usePlaces()
  const { hasToken, ...written } = useWritten(props, current)
  const { operationName } = written
  const cursor = useCursor()
  const showResult = () => places.setPanel('result')
  const { shown, find, setFile } = useResultView(showResult)
  const running = useRun({ draft: current, sender, units: written.price?.units, onBegin: showResult })
  const format = useFormat(workspace)

  const open = (draft: Draft): void => {
    running.leave()
    workspace.open(draft)
    props.onClear()
    places.setPanel('operation')
  }
  const { runLater } = useArrivals({
    ...{ session, running, open, toRun: props.toRun, onRan: props.onRan },
    onView: (next) => shown.onChoose({ of: 'next', view: next }),
  })
  const items = shareItems({
    ...{ endpoint, draft: current, operationName, schema: loaded, hasToken, say },
    tab: viewShown(findings, shown.chosen),
  })
  const actions: PageActions = {
    run: () => running.send(cursor.operationName() ?? operationName),
    explain: () => running.send(operationName, true),
    stop: running.stop,
    format,
    save: () => onOverlay('save'),
    find,
    upload: loaded?.getMutationType()?.getFields()[uploadField] && (() => onOverlay('upload')),
    map: () => onOverlay('map'),
    sdl: () => downloadSdl(loaded),
    shortcuts: () => onOverlay('shortcuts'),
    scopes: props.onPasteToken,
    theme: props.onTheme,
    apollo: props.onApollo,
    shelf: places.showShelf,
    open,
    go: places.go,
  }
  usePageKeys({ ...actions, palette: () => onOverlay(props.overlay === 'palette' ? undefined : 'palette') })

  return {
    ...{ workspace, running, actions, schema, loaded, reload },
    ...places,
    operationProps: {
      ...{ ...written, workspace, schema: loaded, running: running.isRunning },
      onRun: (name) => running.send(name),
      onExplain: actions.explain,
      onStop: running.stop,
      onFormat: format,
      onSave: actions.save,
      onShowInDocs: places.go,
      shareItems: items,
      onView: cursor.onView,
    } satisfies OperationPaneProps,
    resultProps: {
      ...shown,
      ...{ findings, running: running.isRunning, theme: props.theme },
      ...{ session: session.state, minting: props.minting },
      isCurrent: (operation) => isSame(current, operation),
      onRun: running.again,
      onStop: running.stop,
      onAddScopes: (scopes) => {
        session.pick([...new Set([...session.state.scopes, ...scopes])]).then(runLater.now, () => {})
      },
      addLabel: 'Add and run again',
      onPasteToken() {
        runLater.whenPasted()
        props.onPasteToken()
      },
      onSignIn: props.onSignIn && ((wish) => props.onSignIn?.({ ...wish, run: running.asked() })),
      onRetry: running.again,
    } satisfies ResultPaneProps,
    commandSources: {
      ...{ actions, shareItems: items, examples: props.examples, schema: loaded },
      ...{ theme: props.theme, running: running.isRunning },
    },
    askForUpload(chosenFile: File, draft: Draft): void {
      onOverlay(undefined)
      setFile(chosenFile)
      open(draft)
      runLater.whenOpen()
    },
  }
}
