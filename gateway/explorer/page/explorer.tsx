/**
 * The page: examples beside the editor, who one is above it, and below it what an answer holds beyond its
 * text (charts, explanations). Apollo Sandbox where it can be reached, else GraphiQL, which is ours.
 */
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { type Example, examples } from './examples.ts'
import {
  type Explanation,
  explanationIn,
  faultsIn,
  missingScopes,
  type Refusal,
  refusalsIn,
} from './explanation.ts'
import type { GraphiqlHandle } from './graphiql-pane.tsx'
import { CloseIcon, ExplainIcon, Mark, MoonIcon, SunIcon } from './icons.tsx'
import type { Operation } from './operation.ts'
import { SandboxPane } from './sandbox-pane.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { createSender, type Exchange } from './send.ts'
import { type Chart, chartsFrom } from './series.ts'
import { createSession } from './session.ts'
import { endpoint, settings, tokenAddress } from './settings.ts'
import { useTheme } from './theme.ts'

const GraphiqlPane = lazy(async () => ({ default: (await import('./graphiql-pane.tsx')).GraphiqlPane }))
const ChartPane = lazy(async () => ({ default: (await import('./chart-pane.tsx')).ChartPane }))
const ExplainPane = lazy(async () => ({ default: (await import('./explain-pane.tsx')).ExplainPane }))

type Editor = 'sandbox' | 'graphiql'
const editorKey = 'tessera:editor'

/** As chosen: by the address (`/?editor=graphiql`), or here before; else as the gateway is set. */
function firstEditor(): Editor {
  if (settings.mode !== 'auto') return settings.mode
  const asked = new URLSearchParams(location.search).get('editor') ?? localStorage.getItem(editorKey)
  return asked === 'graphiql' ? 'graphiql' : 'sandbox'
}

/** What the last answer brought beyond its text. */
interface Finding {
  readonly operation: Operation | undefined
  readonly charts: readonly Chart[]
  readonly explanation: Explanation | undefined
  readonly refusals: readonly Refusal[]
  /** Why nothing could be explained. */
  readonly faults: readonly string[]
}
const nothing: Finding = {
  operation: undefined,
  faults: [],
  charts: [],
  explanation: undefined,
  refusals: [],
}

function findingIn({ answer, operation, explained }: Exchange): Finding {
  const explanation = explained ? explanationIn(answer) : undefined
  return {
    operation,
    charts: explained ? [] : chartsFrom(answer, operation),
    explanation,
    refusals: explained ? [] : refusalsIn(answer),
    faults: explained && explanation === undefined ? faultsIn(answer) : [],
  }
}

export function Explorer() {
  const [theme, setTheme] = useTheme()
  const [editor, setEditor] = useState<Editor>(firstEditor)
  const [unreachable, setUnreachable] = useState(false)
  const [example, setExample] = useState<Example>(examples[0])
  const [explaining, setExplaining] = useState(false)
  const [finding, setFinding] = useState<Finding>(nothing)
  const graphiql = useRef<GraphiqlHandle>(null)
  const explainingNow = useRef(explaining)
  explainingNow.current = explaining

  const session = useMemo(() => createSession(tokenAddress), [])
  const sender = useMemo(
    () =>
      createSender({
        endpoint,
        session,
        explaining: () => explainingNow.current,
        onExchange: (exchange) => setFinding(findingIn(exchange)),
      }),
    [session],
  )
  const onUnreachable = useCallback(() => {
    setUnreachable(true)
    if (settings.mode === 'auto') setEditor('graphiql')
  }, [])

  const choose = (next: Editor): void => {
    localStorage.setItem(editorKey, next)
    setUnreachable(false)
    setFinding(nothing)
    setEditor(next)
  }
  const open = (next: Example): void => {
    setExample(next)
    setFinding(nothing)
    graphiql.current?.open(next)
  }
  const explain = (operation: Operation, headers: Readonly<Record<string, string>> = {}): void => {
    sender.send(operation, { headers, explain: true }).catch(() => {
      setFinding({ ...nothing, faults: ['The gateway cannot be reached.'] })
    })
  }
  /** Asks the same once more as who one has become: to be told where it was told, to run where it ran. */
  const addScopes = (scopes: readonly string[]): void => {
    session.pick([...new Set([...session.state.scopes, ...scopes])]).then(
      () => {
        if (finding.explanation === undefined) graphiql.current?.run()
        else if (finding.operation !== undefined) explain(finding.operation)
      },
      () => {},
    )
  }
  const missing = missingScopes(finding.refusals)
  const explained = finding.explanation !== undefined || finding.faults.length > 0
  const lost = unreachable && editor === 'sandbox'

  return (
    <div className="page" data-editor={editor}>
      <header className="bar">
        <h1>
          <Mark />
          Tessera
        </h1>
        <code className="endpoint">{endpoint}</code>
        <span className="spring" />
        {settings.mode === 'auto' ? (
          <fieldset className="switch">
            <legend className="visually-hidden">Editor</legend>
            {(['sandbox', 'graphiql'] as const).map((each) => (
              <label key={each}>
                <input type="radio" name="editor" checked={editor === each} onChange={() => choose(each)} />
                <span>{each === 'sandbox' ? 'Apollo Sandbox' : 'GraphiQL'}</span>
              </label>
            ))}
          </fieldset>
        ) : null}
        <button
          type="button"
          className={`tool${explaining ? ' tool-on' : ''}`}
          aria-pressed={explaining}
          title="While this is on, operations are not run: the gateway says what they would need and cost"
          onClick={() => setExplaining(!explaining)}
        >
          <ExplainIcon />
          Explain only
        </button>
        <ScopePicker session={session} scopes={settings.scopes} minting={settings.minting} />
        <button
          type="button"
          className="tool tool-bare"
          aria-label={theme === 'dark' ? 'Light colours' : 'Dark colours'}
          title={theme === 'dark' ? 'Light colours' : 'Dark colours'}
          onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
        >
          {theme === 'dark' ? <SunIcon /> : <MoonIcon />}
        </button>
      </header>

      <nav className="examples" aria-label="Examples">
        <h2>Examples</h2>
        <ul>
          {examples.map((each) => (
            <li key={each.id}>
              <button
                type="button"
                aria-current={each === example ? 'true' : undefined}
                onClick={() => open(each)}
              >
                <span className="example-title">{each.title}</span>
                <span className="example-note">{each.note}</span>
                {each.scopes === undefined ? null : (
                  <span className="example-scopes">{each.scopes.join(' + ')}</span>
                )}
              </button>
            </li>
          ))}
        </ul>
      </nav>

      <main className="stage">
        {unreachable ? (
          <p className="notice" role="status">
            {lost
              ? 'Apollo Sandbox cannot be reached from here.'
              : 'Apollo Sandbox cannot be reached from here, so this is GraphiQL, from the gateway itself.'}
            <button type="button" className="link" onClick={() => choose('sandbox')}>
              Try again
            </button>
            <span className="spring" />
            {lost ? null : (
              <button
                type="button"
                className="tool tool-bare"
                aria-label="Dismiss"
                onClick={() => setUnreachable(false)}
              >
                <CloseIcon />
              </button>
            )}
          </p>
        ) : null}
        {missing.length > 0 ? (
          <p className="notice notice-refused" role="status">
            <span>
              Refused for want of {missing.length === 1 ? 'a scope' : 'scopes'}:{' '}
              {missing.map((scope) => (
                <code key={scope}>{scope}</code>
              ))}
            </span>
            {settings.minting ? (
              <button type="button" className="tool tool-primary" onClick={() => addScopes(missing)}>
                {editor === 'graphiql' ? 'Add and run again' : 'Add to the token'}
              </button>
            ) : null}
          </p>
        ) : null}
        <div className="editor">
          {editor === 'graphiql' ? (
            <Suspense fallback={<p className="loading">Loading GraphiQL…</p>}>
              <GraphiqlPane
                example={example}
                sender={sender}
                theme={theme}
                handle={graphiql}
                onExplain={explain}
              />
            </Suspense>
          ) : lost ? null : (
            <SandboxPane
              endpoint={endpoint}
              example={example}
              session={session}
              minting={settings.minting}
              sender={sender}
              onUnreachable={onUnreachable}
            />
          )}
        </div>
        {finding.charts.length > 0 || explained ? (
          <section className="findings" aria-label={explained ? 'Explanation' : 'Charts'}>
            <div className="findings-head">
              <h2>
                {explained
                  ? 'Explanation: nothing was run'
                  : finding.charts.length === 1
                    ? 'Chart'
                    : 'Charts'}
              </h2>
              <button
                type="button"
                className="tool tool-bare"
                aria-label="Close"
                onClick={() => setFinding({ ...nothing, refusals: finding.refusals })}
              >
                <CloseIcon />
              </button>
            </div>
            {finding.faults.map((fault) => (
              <p key={fault} className="fault" role="alert">
                {fault}
              </p>
            ))}
            <Suspense fallback={null}>
              {finding.explanation === undefined ? (
                <ChartPane charts={finding.charts} theme={theme} />
              ) : (
                <ExplainPane
                  explanation={finding.explanation}
                  onOpen={settings.minting ? addScopes : undefined}
                />
              )}
            </Suspense>
          </section>
        ) : null}
      </main>
    </div>
  )
}
