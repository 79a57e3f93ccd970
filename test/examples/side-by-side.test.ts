/**
 * The examples can be developed at the same time: what Vite prepares for one does not reach another.
 * Needs the package @babel/core.
 */
import { fileURLToPath } from 'node:url'
import { resolveConfig } from 'vite'
import { expect, test } from 'vitest'

test('each example has its own folder for what Vite prepares', async () => {
  const folders = await Promise.all(
    ['apollo-client', 'relay', 'live-dashboard'].map(async (name) => {
      const configFile = fileURLToPath(new URL(`../../examples/${name}/vite.config.ts`, import.meta.url))
      return (await resolveConfig({ configFile }, 'serve')).cacheDir
    }),
  )
  expect(new Set(folders).size).toBe(3)
  for (const folder of folders) expect(folder).toMatch(/node_modules\/\.vite\/[a-z-]+$/)
})
