/** The page: who asks, the chart, and the video that was opened. */
import { type ReactNode, StrictMode, Suspense, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { RelayEnvironmentProvider } from 'react-relay'
import { Chart } from './chart.tsx'
import { type AnswerError, createEnvironment, type Session } from './environment.ts'
import { Alerts, Boundary } from './faults.tsx'
import { Video } from './video.tsx'
import { inWords } from '../../words.ts'
import '../../style.css'

const session: Session = { token: '', onErrors: () => {} }
const environment = createEnvironment('/graphql', session)

function App(): ReactNode {
  const [id, open] = useState<string>()
  const [spent, setSpent] = useState(0)
  const [errors, setErrors] = useState<readonly AnswerError[]>([])
  useEffect(() => {
    session.onSpent = (units) => setSpent((before) => before + units)
    // A mutation's form tells its own errors.
    session.onErrors = (operation, found) => {
      if (!operation.endsWith('Mutation')) setErrors(found)
    }
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
      <Alerts words={errors.map(inWords)} />
      <Boundary>
        {(attempt) => (
          <Suspense fallback={<p>Loading the chart</p>}>
            <Chart
              attempt={attempt}
              onOpen={(video) => {
                setErrors([])
                open(video)
              }}
            />
          </Suspense>
        )}
      </Boundary>
      {id !== undefined && (
        <Boundary key={id}>
          {(attempt) => (
            <Suspense fallback={<p>Loading the video</p>}>
              <Video id={id} attempt={attempt} />
            </Suspense>
          )}
        </Boundary>
      )}
    </main>
  )
}

const app = document.getElementById('app')
if (app !== null) {
  createRoot(app).render(
    <StrictMode>
      <RelayEnvironmentProvider environment={environment}>
        <App />
      </RelayEnvironmentProvider>
    </StrictMode>,
  )
}
