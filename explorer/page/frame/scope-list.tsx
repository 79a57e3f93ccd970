/** The scopes of the graph with what each opens, to tick. */
import type { ScopeOffer } from '../../../gateway/auth/scope-offers.ts'

export interface ScopeListProps {
  readonly scopes: readonly ScopeOffer[]
  readonly picked: readonly string[]
  readonly onToggle: (name: string, on: boolean) => void
}

export function ScopeList({ scopes, picked, onToggle }: ScopeListProps) {
  return (
    <ul className="scopes">
      {scopes.map(({ name, opens }) => (
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
  )
}
