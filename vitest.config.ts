import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** What these ask and answer passes every way that exists only for speed: CONTRIBUTING.md says why these. */
const bothWays = [
  'estimates',
  'existing-graph',
  'faults',
  'metrics-results',
  'operations',
  'paging-and-batching',
  'partial-failures',
  'scopes',
  'statuses',
].map((name) => `test/graph/${name}.test.ts`)

export default defineConfig({
  resolve: {
    // Vite would take graphql's ES modules for our files, while packages get its CommonJS from Node: two realms.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
  },
  test: {
    setupFiles: ['test/support/seed.ts', 'test/support/plain.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'tessera', include: ['test/**/*.test.ts'] } },
      ...(process.env.CI === 'true'
        ? [
            {
              extends: true as const,
              test: { name: 'plain', include: bothWays, env: { TESSERA_PLAIN: 'true' } },
            },
          ]
        : []),
    ],
  },
})
