/** SDL of a subgraph with the import of the directives of Federation that it uses. */
const directives = [
  'key',
  'requires',
  'provides',
  'external',
  'shareable',
  'override',
  'inaccessible',
  'interfaceObject',
  'context',
  'fromContext',
]

export function linkedSdl(sdl: string): string {
  const used = directives.filter((name) => new RegExp(`@${name}\\b`).test(sdl))
  const imports = used.map((name) => `"@${name}"`).join(', ')
  return `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [${imports}])\n${sdl}`
}
