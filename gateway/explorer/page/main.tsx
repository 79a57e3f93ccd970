/** Where the page begins: the session, the way to the graph, and the page around them. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Explorer } from './explorer.tsx'
import './style.css'

const root = document.getElementById('explorer')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Explorer />
    </StrictMode>,
  )
}
