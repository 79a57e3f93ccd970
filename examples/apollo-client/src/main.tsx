/** The page: who asks, the chart, and the comments of the video that was opened. */
import { ApolloProvider } from '@apollo/client/react'
import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Chart } from './chart.tsx'
import { createClient } from './client.ts'
import { Comments } from './comments.tsx'

const session = { token: '' }
const client = createClient('/graphql', session)

function App(): ReactNode {
  const [videoId, open] = useState<string>()
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
