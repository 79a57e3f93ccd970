/** The page: how the connection is, with which token, and the parts of the dashboard, which all listen over one WebSocket. */
import { ApolloProvider } from '@apollo/client/react'
import { type FormEvent, type ReactNode, StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Alerts } from './alerts.tsx'
import { type Connection, createLive, type Live } from './client.ts'
import { Comments } from './comments.tsx'
import { Metrics } from './metrics.tsx'
import './style.css'

const address = new URL('/graphql', location.href)
const words: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting…',
  connected: 'Live',
  lost: 'Connection lost, trying again…',
}

function App(): ReactNode {
  const [token, setToken] = useState('')
  const [live, setLive] = useState<Live>()
  const [connection, setConnection] = useState<Connection>('connecting')
  const [spent, setSpent] = useState(0)
  useEffect(() => {
    const made = createLive(address, token, (units) => setSpent((before) => before + units))
    setLive(made)
    const stop = made.watch(setConnection)
    return () => {
      stop()
      made.close()
    }
  }, [token])
  const use = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setToken(String(new FormData(event.currentTarget).get('token') ?? '').trim())
  }
  return (
    <>
      <header className="bar">
        <h1>Live dashboard</h1>
        <p className={`connection ${connection}`} role="status">
          {words[connection]}
        </p>
        <p className="quiet">{spent} quota units spent</p>
        <form onSubmit={use}>
          <input name="token" type="password" aria-label="Token" placeholder="Token" autoComplete="off" />
          <button type="submit">Use</button>
        </form>
      </header>
      {live === undefined ? null : (
        // Another token is another client: everything is subscribed to again.
        <ApolloProvider key={token} client={live.client}>
          <main>
            <Metrics />
            <Alerts />
            <Comments />
          </main>
        </ApolloProvider>
      )}
    </>
  )
}

const app = document.getElementById('app')
if (app !== null) {
  createRoot(app).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
