/** The entry of the page. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Explorer } from './explorer.tsx'
import './style/base.css'
import './style/frame.css'
import './style/editor.css'
import './style/result.css'
import './style/library.css'
import './style/dialogs.css'
import './style/narrow.css'

const root = document.getElementById('explorer')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Explorer />
    </StrictMode>,
  )
}
