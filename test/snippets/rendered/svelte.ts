/** Compiles a component of Svelte and prints what it renders with urql's client at an address: `svelte.ts COMPONENT ADDRESS`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from '@urql/core'
import type { Component } from 'svelte'
import { compile } from 'svelte/compiler'
import { render } from 'svelte/server'
import { clientWith } from './client.ts'

const [file = '', url = ''] = process.argv.slice(2)

/** Writes the module that a component becomes, and returns its path and what the compiler warns of. */
function compiled(source: string, path: string): { readonly path: string; readonly warned: string } {
  const { js, warnings } = compile(source, { generate: 'server', filename: path })
  writeFileSync(`${path}.mjs`, js.code)
  return { path: `${path}.mjs`, warned: warnings.map(({ message }) => message).join('\n') }
}

const source = readFileSync(file, 'utf8')
const { path, warned } = compiled(source, file)
if (warned !== '') throw new Error(warned)
const root = `<script>
  import { setContextClient } from '@urql/svelte'
  import Snippet from './${basename(path)}'
  let { client } = $props()
  setContextClient(client)
</script>
<Snippet />`
const { default: component } = (await import(pathToFileURL(compiled(root, `${file}.root`).path).href)) as {
  default: Component<{ client: Client }>
}
const { body } = await render(component, { props: { client: await clientWith(source, url) } })
console.log(body)
