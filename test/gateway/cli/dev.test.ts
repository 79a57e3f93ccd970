/** `npm run dev`: a file is edited, the gateway is another one, and what was written to the sandbox is still there. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { postJson } from '../../support/post-json.ts'
import { environment, startProcess, command as tessera } from '../../support/process.ts'
import { copyOfTree } from '../../support/tree-copy.ts'

test('a change of the source starts the gateway again, and keeps data and tokens of the sandbox', async () => {
  const folder = copyOfTree()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: { dev: string }
  }
  const [command, ...args] = scripts.dev.split(' ')
  expect(command).toBe('node')
  const dev = startProcess(process.execPath, [...args, '--port', '0'], { cwd: folder })
  try {
    await dev.said('graph')
    const addresses = (): string[] =>
      [...dev.output().matchAll(/^graph +(\S+)/gm)].map(([, address]) => address ?? '')
    const eventually = <T>(look: () => T) => expect.poll(look, { interval: 100 })
    const token = execFileSync(
      process.execPath,
      [...tessera, 'token', '--scope', 'tweet.read users.read like.read like.write media.write'],
      { cwd: folder, env: environment(), encoding: 'utf8' },
    ).trim()
    const ask = async (query: string): Promise<unknown> => {
      const response = await postJson(
        addresses().at(-1) ?? '',
        { query },
        { authorization: `Bearer ${token}` },
      )
      return response.json()
    }
    const titles = '{ video(videoId: "u62wyH56M7e") { snippet { title } } }'
    expect(await ask(titles)).toEqual({ data: { video: { snippet: { title: 'The first soup' } } } })
    const change =
      'mutation { updateVideo(input: { videoId: "u62wyH56M7e", snippet: { title: "Another soup", categoryId: "26" } }) { video { videoId } } }'
    expect(await ask(change)).toMatchObject({ data: { updateVideo: { video: { videoId: 'u62wyH56M7e' } } } })

    const page = join(folder, 'explorer/index.ts')
    const source = readFileSync(page, 'utf8')
    const front = async (): Promise<string> =>
      (await fetch(new URL('/', addresses().at(-1)), { headers: { accept: 'text/plain' } })).text()
    expect(await front()).toMatch(/^Tessera: a GraphQL gateway\./)
    writeFileSync(page, source.replace('Tessera: a GraphQL gateway.', 'Tessera, edited.'))
    await eventually(() => addresses().length).toBe(2)
    expect(dev.output()).toMatch(/^dev +explorer\/index\.ts changed/m)
    expect(await front()).toMatch(/^Tessera, edited\./)
    expect(await ask(titles)).toEqual({ data: { video: { snippet: { title: 'Another soup' } } } })

    // What cannot start is waited for, and the next change is taken.
    writeFileSync(page, `${source}\nthrow new Error('halfway')\n`)
    await eventually(() => dev.output()).toMatch(/waiting for a change/)
    writeFileSync(page, source)
    await eventually(() => addresses().length).toBe(3)
    expect(await front()).toMatch(/^Tessera: a GraphQL gateway\./)
    expect(await ask(titles)).toEqual({ data: { video: { snippet: { title: 'Another soup' } } } })

    writeFileSync(join(folder, 'sandbox/changed.ts'), 'export const changed = true\n')
    await eventually(() => addresses().length).toBe(4)
    expect(await ask(titles)).toEqual({ data: { video: { snippet: { title: 'The first soup' } } } })
  } finally {
    dev.child.kill('SIGTERM')
    expect(await dev.ended).toBe(0)
  }
})
