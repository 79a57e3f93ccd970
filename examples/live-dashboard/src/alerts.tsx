/** Alerts as they begin and cease to fire. */
import { useSubscription } from '@apollo/client/react'
import { type ReactNode, useState } from 'react'
import { Card } from './card.tsx'
import { AlertsDocument, type AlertsSubscription } from './operations.generated.ts'

type Change = NonNullable<AlertsSubscription['alertChanged']>
/** The most alerts that are shown after they are over. */
const mostResolved = 5

export function Alerts(): ReactNode {
  const [changes, setChanges] = useState<readonly Change[]>([])
  const { error, loading } = useSubscription(AlertsDocument, {
    fetchPolicy: 'no-cache',
    onData({ data: { data } }) {
      const change = data?.alertChanged
      // An alert is known by its fingerprint; its newest change stands first.
      if (change)
        setChanges((before) => [
          change,
          ...before.filter(({ fingerprint }) => fingerprint !== change.fingerprint),
        ])
    },
  })
  const firing = changes.filter(({ change }) => change === 'FIRING')
  const resolved = changes.filter(({ change }) => change === 'RESOLVED').slice(0, mostResolved)
  return (
    <Card
      title="Alerts"
      className="alerts"
      error={error}
      aside={
        // Users who may not see alerts must not read that there are none.
        <span className={firing.length > 0 ? 'count count-firing' : 'count'}>
          {error === undefined ? `${firing.length} firing` : 'Unknown'}
        </span>
      }
    >
      {changes.length === 0 && error === undefined ? (
        <p className="quiet">{loading ? 'Waiting for the service…' : 'Nothing fires.'}</p>
      ) : null}
      <ul aria-live="polite">
        {[...firing, ...resolved].map(({ change, fingerprint, alert }) => (
          <li key={fingerprint} className={change === 'FIRING' ? 'firing' : 'resolved'}>
            <span className="state">{change === 'FIRING' ? 'Firing' : 'Resolved'}</span>
            <b>{alert?.name ?? fingerprint}</b>
            <span className="quiet">
              {[alert?.severity, alert?.instance, alert?.summary].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
