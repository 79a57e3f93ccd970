/**
 * GraphiQL, whole and from our own process: editor, workers and fonts come with the bundle. Loaded only where
 * it is shown. What it remembers, it remembers for this tab (`sessionStorage`).
 */
import { GraphiQL } from 'graphiql'
import 'graphiql/style.css'
import { ToolbarButton, useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import { type ExecutionResult, Kind, parse } from 'graphql'
import { type ReactNode, type RefObject, useImperativeHandle } from 'react'
import './editor-workers.ts'
import { type Example, examples } from './examples.ts'
import { ExplainIcon } from './icons.tsx'
import type { Operation } from './operation.ts'
import type { Sender } from './send.ts'
import type { Theme } from './theme.ts'

export interface GraphiqlHandle {
  open(example: Example): void
  run(): void
}

export interface GraphiqlPaneProps {
  readonly example: Example
  readonly sender: Sender
  readonly theme: Theme
  readonly handle: RefObject<GraphiqlHandle | null>
  readonly onExplain: (operation: Operation, headers: Readonly<Record<string, string>>) => void
}

const variablesText = (example: Example): string =>
  JSON.stringify(example.variables?.(Date.now()) ?? {}, null, 2)

/** Whether this tab has shown GraphiQL before: then what was open is open again. */
const isRemembered = (): boolean => sessionStorage.getItem('graphiql:tabState') !== null

const documents: ReadonlySet<string> = new Set(examples.map(({ document }) => document.trim()))

/** A picture whose address stands in an answer is not ours to load. */
const noPreview = (): null => null

function headersFrom(text: string | undefined): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(text ?? '')
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, string>) : {}
  } catch {
    return {}
  }
}

/** GraphiQL's word on it lags behind its text; a document with one operation needs none. */
function operationNameIn(query: string, name: string | null | undefined): string | undefined {
  try {
    const operations = parse(query).definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)
    return operations.length > 1 && operations.some((each) => each.name?.value === name)
      ? (name ?? undefined)
      : undefined
  } catch {
    return undefined
  }
}

function variablesFrom(text: string | undefined): Record<string, unknown> {
  try {
    return JSON.parse(text ?? '') as Record<string, unknown>
  } catch {
    return {}
  }
}

/** In the editor's toolbar, where its state can be reached: one more button, and the page's way in. */
function Tools({
  handle,
  onExplain,
  children,
}: Pick<GraphiqlPaneProps, 'handle' | 'onExplain'> & { readonly children: ReactNode }) {
  const { addTab, run } = useGraphiQLActions()
  const queryEditor = useGraphiQL((state) => state.queryEditor)
  const variableEditor = useGraphiQL((state) => state.variableEditor)
  const responseEditor = useGraphiQL((state) => state.responseEditor)
  const headerEditor = useGraphiQL((state) => state.headerEditor)
  const operationName = useGraphiQL((state) => state.operationName)

  useImperativeHandle(
    handle,
    () => ({
      open(example) {
        const current = queryEditor?.getValue().trim() ?? ''
        // What somebody wrote stays in its tab.
        if (current !== '' && !documents.has(current)) addTab()
        queryEditor?.setValue(example.document)
        variableEditor?.setValue(variablesText(example))
        responseEditor?.setValue('')
      },
      run,
    }),
    [addTab, run, queryEditor, variableEditor, responseEditor],
  )

  const explain = (): void => {
    const query = queryEditor?.getValue() ?? ''
    onExplain(
      {
        query,
        operationName: operationNameIn(query, operationName),
        variables: variablesFrom(variableEditor?.getValue()),
      },
      headersFrom(headerEditor?.getValue()),
    )
  }
  return (
    <>
      {children}
      <ToolbarButton label="Explain: what would this need and cost?" onClick={explain}>
        <ExplainIcon className="graphiql-toolbar-icon" />
      </ToolbarButton>
    </>
  )
}

export function GraphiqlPane({ example, sender, theme, handle, onExplain }: GraphiqlPaneProps) {
  return (
    <GraphiQL
      fetcher={(params, options) => {
        const operation = { ...params, operationName: operationNameIn(params.query, params.operationName) }
        const headers = (options?.headers ?? {}) as Record<string, string>
        return sender.send(operation, { headers }) as Promise<ExecutionResult>
      }}
      defaultTabs={[{ query: example.document, variables: variablesText(example) }]}
      {...(isRemembered() ? {} : { initialVariables: variablesText(example) })}
      defaultEditorToolsVisibility="variables"
      forcedTheme={theme}
      responseTooltip={noPreview}
      shouldPersistHeaders={false}
      storage={sessionStorage}
    >
      <GraphiQL.Logo>
        <span className="visually-hidden">GraphiQL</span>
      </GraphiQL.Logo>
      <GraphiQL.Toolbar>
        {({ prettify, copy, merge }) => (
          <Tools handle={handle} onExplain={onExplain}>
            {prettify}
            {merge}
            {copy}
          </Tools>
        )}
      </GraphiQL.Toolbar>
    </GraphiQL>
  )
}
