/** What an operation would need and cost, as the gateway explains it without running it. */
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { WithCode } from '../ui/with-code.tsx'
import { plural } from './format-numbers.ts'
import { JsonView } from './json-view.tsx'
import type { Explanation } from './response-details.ts'

interface ExplainPaneProps {
  readonly explanation: Explanation
  readonly json: string
  /** Adds scopes; undefined if the page cannot get them. */
  readonly onOpen: ((scopes: readonly string[]) => void) | undefined
}

export function ExplainPane({ explanation, json, onOpen }: ExplainPaneProps) {
  const { refused, missing, plan } = explanation
  return (
    <div className="explain" data-testid="explain">
      <section aria-label="Price">
        <Figures {...explanation} />
        <Operations operations={explanation.operations} />
      </section>
      <section aria-label="Scopes needed">
        <h2>Scopes</h2>
        <Requirements required={explanation.required} missing={missing} />
        {refused.length > 0 ? (
          <ul className="refusals quiet">
            {refused.map(({ message }) => (
              <li key={message}>
                <WithCode text={message} />
              </li>
            ))}
            <li>Calls, units and plan are those of the remaining fields.</li>
          </ul>
        ) : null}
        {missing.length > 0 && onOpen !== undefined ? (
          <Button look="primary" onClick={() => onOpen(missing)}>
            Add {plural(missing.length, 'scope')}
          </Button>
        ) : null}
      </section>
      <section aria-label="Plan" className="plan">
        <h2>Plan</h2>
        <pre data-testid="plan">{plan === '' ? 'No fetch is needed.' : plan}</pre>
      </section>
      <Folded json={json} />
    </div>
  )
}

function Figures({ units, calls, missing: { length: missing } }: Explanation) {
  return (
    <dl className="figures">
      <div>
        <dt className="quiet">quota {units === 1 ? 'unit' : 'units'}, at most</dt>
        <dd data-testid="units">{units}</dd>
      </div>
      <div>
        <dt className="quiet">{calls === 1 ? 'call' : 'calls'} to services</dt>
        <dd>{calls}</dd>
      </div>
      <div>
        <dt className="quiet">{missing === 1 ? 'scope' : 'scopes'} missing</dt>
        <dd className={missing > 0 ? 'fault' : ''}>{missing}</dd>
      </div>
    </dl>
  )
}

function Operations({ operations }: Pick<Explanation, 'operations'>) {
  if (operations.length === 0) return <p className="quiet">No service is called.</p>
  return (
    <table>
      <thead>
        <tr>
          {['service', 'operation', 'calls', 'units'].map((column, at) => (
            <th key={column} scope="col" className={at > 1 ? 'number' : ''}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {operations.map((each) => (
          <tr key={`${each.service} ${each.operation}`}>
            <td>{each.service}</td>
            <td>
              <code>{each.operation}</code>
              {each.asksFor.map((text) => (
                <Asked key={text} text={text} />
              ))}
            </td>
            <td className="number">{each.calls}</td>
            <td className="number">{each.units}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The needed scopes, each with whether the caller holds it. */
function Requirements({ required, missing }: Pick<Explanation, 'required' | 'missing'>) {
  if (required.length === 0) return <p className="quiet">No scope is needed.</p>
  return (
    <ul className="needs">
      {required.map((alternatives) => (
        <li key={JSON.stringify(alternatives)}>
          {alternatives.map((scopes, index) => (
            <span key={scopes.join(' ')}>
              {index > 0 ? ' or ' : ''}
              {scopes.length === 0 ? 'any valid token' : null}
              {scopes.map((scope) => (
                <span
                  key={scope}
                  className={`chip ${missing.includes(scope) ? 'chip-missing' : 'chip-held'}`}
                  data-missing={missing.includes(scope)}
                >
                  {scope}
                  <span className="chip-state">{missing.includes(scope) ? 'missing' : 'held'}</span>
                </span>
              ))}
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}

/** The whole response, rendered only when it is unfolded. */
function Folded({ json }: { readonly json: string }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="explain-json" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The answer as JSON</summary>
      {open ? <JsonView label="The explanation as JSON" text={json} /> : null}
    </details>
  )
}

/** `part=snippet,statistics`: the parameter, then each of its values. */
function Asked({ text }: { readonly text: string }) {
  const [name = '', ...rest] = text.split('=')
  if (rest.length === 0) return <code className="asks quiet">{text}</code>
  return (
    <span className="asks quiet">
      <code>{name}</code>
      {rest
        .join('=')
        .split(',')
        .map((part) => (
          <code key={part} className="chip">
            {part}
          </code>
        ))}
    </span>
  )
}
