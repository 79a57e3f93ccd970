/** The page: its head, and below it our own editor or, at its own address, Apollo Sandbox. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { editor } from './settings.ts'
import { Toasts } from './ui/feedback.tsx'
import { Header } from './ui/header.tsx'
import './style/base.css'
import './style/frame.css'
import './style/editor.css'
import './style/result.css'
import './style/library.css'
import './style/dialogs.css'
import './style/narrow.css'

/** The outline in `index.html` is shown until this has loaded. */
async function loadStage() {
  if (editor === 'sandbox') return (await import('./sandbox/sandbox-stage.tsx')).SandboxStage
  return (await import('./editor/workbench.tsx')).Workbench
}

async function show(): Promise<void> {
  const Stage = await loadStage().catch(() => undefined)
  const element = document.getElementById('explorer')
  if (element === null) return
  const root = createRoot(element)
  if (Stage === undefined) {
    root.render(
      <p className="empty" role="alert">
        Part of this page could not be loaded. Reload it to try again.
      </p>,
    )
    return
  }
  root.render(
    <StrictMode>
      <div className="page">
        <Header />
        <main className="column">
          <Stage />
        </main>
      </div>
      <Toasts />
    </StrictMode>,
  )
}

void show()
