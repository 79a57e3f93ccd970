/** The scopes of the graph as checkboxes, by service, with what each opens. A filter can shorten the list. */
import { useId, useMemo, useState } from 'react'
import type { ScopeOffer } from '../../../gateway/auth/scope-offers.ts'

export interface ScopeListProps {
  readonly scopes: readonly ScopeOffer[]
  readonly picked: readonly string[]
  readonly onToggle: (name: string, on: boolean) => void
}

/** With fewer scopes, a filter would only take up space. */
const leastToFilter = 6

/** A scope of several services is listed under all their names together. */
function byService(scopes: readonly ScopeOffer[], filter: string) {
  const wanted = filter.trim().toLowerCase()
  const found = scopes.filter(({ name, opens, services }) =>
    [name, ...opens, ...services].some((text) => text.toLowerCase().includes(wanted)),
  )
  return [...Map.groupBy(found, ({ services }) => services.join(', '))].sort(([a], [b]) => a.localeCompare(b))
}

export function ScopeList({ scopes, picked, onToggle }: ScopeListProps) {
  const [filter, setFilter] = useState('')
  const id = useId()
  const groups = useMemo(() => byService(scopes, filter), [scopes, filter])
  return (
    <>
      {scopes.length < leastToFilter ? null : (
        <input
          type="search"
          className="search"
          aria-label="Filter the scopes"
          placeholder="Filter by name, field or service"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {groups.length === 0 ? <p className="quiet">No scope matches.</p> : null}
      {groups.map(([service, list], index) => (
        <section key={service} className="scope-group" aria-labelledby={`${id}-${index}`}>
          <h3 id={`${id}-${index}`}>
            {service === '' ? 'Without a service' : service}
            <span className="quiet">
              {list.filter(({ name }) => picked.includes(name)).length} of {list.length}
            </span>
          </h3>
          <ul className="scopes">
            {list.map(({ name, opens }) => (
              <li key={name}>
                <label>
                  <input
                    type="checkbox"
                    checked={picked.includes(name)}
                    onChange={(event) => onToggle(name, event.currentTarget.checked)}
                  />
                  <span className="scope-name">{name}</span>
                  <span className="scope-opens" title={opens.join(', ')}>
                    {opens.join(', ')}
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
