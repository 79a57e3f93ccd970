/** The page: its head, and below it our own editor or, at its own address, Apollo Sandbox. */
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { editor } from './settings.ts'
import { Toasts } from './ui/feedback.tsx'
import { Header } from './ui/header.tsx'
import { Skeleton } from './ui/skeleton.tsx'
import './style/base.css'
import './style/frame.css'
import './style/editor.css'
import './style/result.css'
import './style/library.css'
import './style/dialogs.css'
import './style/narrow.css'

/** It starts to load before the page is first rendered, so that early input is not lost. */
const workbench = editor === 'built-in' ? import('./editor/workbench.tsx') : undefined
const Workbench = lazy(async () => ({
  default: (await (workbench ?? import('./editor/workbench.tsx'))).Workbench,
}))
const SandboxStage = lazy(async () => ({
  default: (await import('./sandbox/sandbox-stage.tsx')).SandboxStage,
}))

const Explorer = () => (
  <StrictMode>
    <div className="page" data-editor={editor}>
      <Header />
      <main className="stage">
        <Suspense fallback={<Skeleton />}>{editor === 'sandbox' ? <SandboxStage /> : <Workbench />}</Suspense>
      </main>
    </div>
    <Toasts />
  </StrictMode>
)

const root = document.getElementById('explorer')
if (root !== null) createRoot(root).render(<Explorer />)
