/** The dialog over the editor; undefined if none is open. */
import { createStore } from './store.ts'

export type Overlay = 'palette' | 'shortcuts' | 'save' | 'upload' | 'map'

export const overlay = createStore<Overlay | undefined>(undefined)

export const closeOverlay = (): void => overlay.set(undefined)
