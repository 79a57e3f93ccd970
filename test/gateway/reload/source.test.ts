import { beforeEach, describe, expect, test } from 'vitest'
import { createReloadSource, type ReadingResult } from '../../../gateway/reload/source.ts'
import { temporaryFiles } from '../../support/temporary.ts'

let write: ReturnType<typeof temporaryFiles>['file']
beforeEach(() => {
  write = temporaryFiles().file
})

const levelIn = (read: ReadingResult): string | undefined =>
  'config' in read ? read.config.log.level : read.faults.join()

test('a supergraph that is given replaces the one of the settings, also in the configuration', async () => {
  const supergraph = write('supergraph.graphql', 'given')
  const env = { TESSERA_SUPERGRAPH: write('other.graphql', 'other') }
  const source = createReloadSource({ env, supergraph })
  expect(await source.read()).toMatchObject({
    supergraph: 'given',
    config: { supergraph: { places: supergraph } },
  })
  await source.close()
})

describe('a change that comes while a file is read for the first time is not lost', () => {
  test('of the configuration', async () => {
    const path = write('tessera.yaml', 'TESSERA_LOG_LEVEL: warn\n')
    const source = createReloadSource({ env: { TESSERA_CONFIG: path } })
    const reading = source.read()
    write('tessera.yaml', 'TESSERA_LOG_LEVEL: error\n')
    expect(levelIn(await reading)).toBe('error')
    await source.close()
  })

  test('of a file that the configuration names since it was read', async () => {
    const path = write('tessera.yaml', 'TESSERA_WATCH_MS: 20\n')
    const supergraph = write('supergraph.graphql', 'first')
    const source = createReloadSource({ env: { TESSERA_CONFIG: path } })
    await source.read()
    let changes = 0
    source.watch(
      () => (changes += 1),
      () => {},
    )
    write('tessera.yaml', `TESSERA_WATCH_MS: 20\nTESSERA_SUPERGRAPH: ${supergraph}\n`)
    await expect.poll(() => changes).toBe(1)
    expect(await source.read()).toMatchObject({ supergraph: 'first' })
    write('supergraph.graphql', 'second')
    await expect.poll(() => changes).toBe(2)
    expect(await source.read()).toMatchObject({ supergraph: 'second' })
    await source.close()
  })

  test('and a configuration that was right and is wrong then is refused', async () => {
    const path = write('tessera.yaml', 'TESSERA_LOG_LEVEL: warn\n')
    const source = createReloadSource({ env: { TESSERA_CONFIG: path } })
    const reading = source.read()
    write('tessera.yaml', 'TESSERA_LOG_LEVEL: loud\n')
    expect(await reading).toEqual({ faults: [expect.stringContaining('TESSERA_LOG_LEVEL')] })
    await source.close()
  })
})
