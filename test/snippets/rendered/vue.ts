/** Compiles a component of Vue and prints what it renders with urql's client at an address: `vue.ts COMPONENT ADDRESS`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { provideClient } from '@urql/vue'
import { type Component, createSSRApp, h } from 'vue'
import { compileScript, parse } from 'vue/compiler-sfc'
import { renderToString } from 'vue/server-renderer'
import { clientWith } from './client.ts'

const [file = '', url = ''] = process.argv.slice(2)
const source = readFileSync(file, 'utf8')
const { descriptor, errors } = parse(source, { filename: file })
if (errors.length > 0) throw new Error(errors.map(String).join('\n'))
const { content } = compileScript(descriptor, {
  id: 'snippet',
  inlineTemplate: true,
  templateOptions: { ssr: true, ssrCssVars: [] },
})
const compiled = `${file}.mts`
writeFileSync(compiled, content)
const { default: snippet } = (await import(pathToFileURL(compiled).href)) as { default: Component }
const client = await clientWith(source, url)
const app = createSSRApp({
  setup() {
    provideClient(client)
    return () => h(snippet)
  },
})
console.log(await renderToString(app))
