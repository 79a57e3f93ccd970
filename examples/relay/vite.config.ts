/** The app's own pages, and the graph behind the same origin: GRAPH_URL, or if `npm start` serves it. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { relay } from './relay-plugin.ts'

const graph = process.env.GRAPH_URL ?? 'http://127.0.0.1:4000'

export default defineConfig({
  root: import.meta.dirname,
  // Of its own: two examples that run side by side would undo each other's prepared dependencies.
  cacheDir: '../../node_modules/.vite/relay',
  plugins: [relay(), react()],
  server: { proxy: { '/graphql': graph } },
})
