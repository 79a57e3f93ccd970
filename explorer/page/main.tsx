/** The entry of the page. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Explorer } from './explorer.tsx'
import { settings } from './settings.ts'
import { returnFromSignIn } from './sign-in/index.ts'
import './style/base.css'
import './style/frame.css'
import './style/editor.css'
import './style/result.css'
import './style/library.css'
import './style/dialogs.css'
import './style/narrow.css'

const arriving = returnFromSignIn(settings.signIn)
const root = document.getElementById('explorer')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Explorer arriving={arriving} />
    </StrictMode>,
  )
}
