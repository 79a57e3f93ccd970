import { expect, test } from 'vitest'
import { type Config, readConfig } from '../../../gateway/config/index.ts'
import { withoutRestart } from '../../../gateway/config/without-restart.ts'
import { temporaryFile } from '../../support/temporary.ts'

function configWith(subgraphs: unknown, env: Record<string, string> = {}): Config {
  const path = temporaryFile('tessera.json', JSON.stringify({ headers: { subgraphs } }))
  const { config, faults } = readConfig({ TESSERA_CONFIG: path, ...env })
  if (config === undefined) throw new Error(faults?.join())
  return config
}

const rule = (value: string) => ({ request: [{ insert: { name: 'X-Tenant', value } }] })

test('rules for headers need a restart for subgraphs in this process, and for no other', () => {
  const running = configWith({ metrics: rule('a'), videos: rule('a'), products: rule('a') })
  const next = configWith({ metrics: rule('b'), videos: rule('a'), products: rule('b') })
  expect(withoutRestart(running, next).needRestart).toEqual(['headers.subgraphs.metrics'])
  const remote = {
    TESSERA_METRICS_SUBGRAPH_URL: 'http://127.0.0.1:1',
    TESSERA_SUBGRAPH_SECRET: 'a-secret-of-more-than-32-characters',
  }
  const { needRestart } = withoutRestart(
    configWith({ metrics: rule('a') }, remote),
    configWith({ metrics: rule('b') }, remote),
  )
  expect(needRestart).toEqual([])
})
