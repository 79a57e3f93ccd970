/** The example of a graph that is there already, started by its one command. It starts eight processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isFull } from '../support/campaign-size.ts'
import { root } from '../support/deploy.ts'
import { postJson } from '../support/post-json.ts'

test.skipIf(!isFull)('one command starts all of it on free ports, and ends all of it', async () => {
  const child = spawn(process.execPath, ['examples/existing-graph/start.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  try {
    let said = ''
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (text) => {
        said += text
        const [, graph] = /^graph +(\S+)/m.exec(said) ?? []
        if (graph !== undefined) resolve(graph)
      })
      void closed.then(() => reject(new Error(`it ended: ${said}`)))
    })
    const query = '{ product(sku: "lamp") { name video { products { name } } } }'
    const response = await postJson(url, { query })
    expect(await response.json()).toEqual({
      data: { product: { name: 'Lamp', video: { products: [{ name: 'Lamp' }, { name: 'Rope' }] } } },
    })
  } finally {
    child.kill()
    await closed
  }
})
