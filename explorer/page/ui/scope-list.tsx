/** The scopes of the graph as checkboxes, by service, with what each opens. A filter can shorten the list. */
import { useId, useMemo, useState } from 'react'
import { settings } from '../settings.ts'
import { Button } from './button.tsx'
import { SearchField } from './search-field.tsx'

interface Picking {
  readonly onPick: (names: readonly string[]) => void
}

const { scopes } = settings
/** With fewer scopes, a filter would only take up space. */
const leastToFilter = 6

/** A heading with buttons that pick all scopes or none. */
export const ScopesHead = ({ title, onPick }: Picking & { readonly title: string }) => (
  <div className="row">
    <h2>{title}</h2>
    <Button look="link" onClick={() => onPick(scopes.map(({ name }) => name))}>
      All
    </Button>
    <Button look="link" onClick={() => onPick([])}>
      None
    </Button>
  </div>
)

/** A scope of several services is listed under all their names together. */
function byService(filter: string) {
  const wanted = filter.trim().toLowerCase()
  const found = scopes.filter(({ name, opens, services }) =>
    [name, ...opens, ...services].some((text) => text.toLowerCase().includes(wanted)),
  )
  return [...Map.groupBy(found, ({ services }) => services.join(', '))].sort(([a], [b]) => a.localeCompare(b))
}

export function ScopeList({ picked, onPick }: Picking & { readonly picked: readonly string[] }) {
  const [filter, setFilter] = useState('')
  const id = useId()
  const groups = useMemo(() => byService(filter), [filter])
  return (
    <>
      {scopes.length < leastToFilter ? null : (
        <SearchField
          label="Filter the scopes"
          placeholder="Filter by name, field or service"
          value={filter}
          onText={setFilter}
        />
      )}
      {groups.length === 0 ? <p className="quiet">No scope matches.</p> : null}
      {groups.map(([service, list], index) => (
        <section key={service} className="scope-group" aria-labelledby={`${id}-${index}`}>
          <h3 id={`${id}-${index}`} className="row">
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
                    onChange={({ currentTarget: { checked } }) =>
                      onPick(checked ? [...picked, name] : picked.filter((each) => each !== name))
                    }
                  />
                  <span className="scope-name">{name}</span>
                  <span className="quiet cut" title={opens.join(', ')}>
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
