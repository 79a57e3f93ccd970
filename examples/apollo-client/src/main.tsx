/** The page: who asks, the chart, and the comments of the video that was opened. */
import { ApolloProvider } from '@apollo/client/react'
import { type ReactNode, StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Chart } from './chart.tsx'
import { createClient, type Session } from './client.ts'
import { Comments } from './comments.tsx'
import '../../style.css'

const session: Session = { token: '' }
const client = createClient('/graphql', session)

function App(): ReactNode {
  const [videoId, open] = useState<string>()
  const [spent, setSpent] = useState(0)
  useEffect(() => {
    session.onSpent = (units) => setSpent((before) => before + units)
  }, [])
  return (
    <main>
      <label>
        Token{' '}
        <input
          type="password"
          onChange={({ target }) => {
            session.token = target.value.trim()
          }}
        />
      </label>
      <p className="quiet">{spent} quota units spent</p>
      <Chart onOpen={open} />
      {videoId !== undefined && <Comments key={videoId} videoId={videoId} />}
    </main>
  )
}

const app = document.getElementById('app')
if (app !== null) {
  createRoot(app).render(
    <StrictMode>
      <ApolloProvider client={client}>
        <App />
      </ApolloProvider>
    </StrictMode>,
  )
}
