/** One line below the operation: its price, which opens the explanation, and variables without a value. */
import { ExplainIcon } from '../frame/icons.tsx'
import { plural } from '../result/amounts.ts'
import type { Price } from './use-price.ts'

export interface PriceLineProps {
  readonly price: Price | undefined
  readonly missingVariables: readonly string[]
  readonly onExplain: () => void
}

export function PriceLine({ price, missingVariables, onExplain }: PriceLineProps) {
  return (
    <div className="price-line">
      <button
        type="button"
        className="price"
        title="What it needs and costs at most. Nothing is run."
        onClick={onExplain}
      >
        <ExplainIcon />
        {price === undefined ? (
          'Explain'
        ) : (
          <>
            <span className="visually-hidden">Explain: </span>
            <span>
              {plural(price.calls, 'call')} · {plural(price.units, 'unit')}
            </span>
            {price.missing === 0 ? null : (
              <span className="badge badge-scope">{plural(price.missing, 'scope')} missing</span>
            )}
          </>
        )}
      </button>
      <span className="spring" />
      {missingVariables.length === 0 ? null : (
        <span className="price-fault" role="status">
          No value: {missingVariables.map((name) => `$${name}`).join(', ')}
        </span>
      )}
    </div>
  )
}
