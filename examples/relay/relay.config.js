// What the graph's scalars are in TypeScript comes with the graph; in an app of its own they are imported from
// 'tessera-graph/schema/scalars.json'.
import scalars from '../../schema/scalars.json' with { type: 'json' }

const config = {
  src: './src',
  schema: '../../schema/api.graphql',
  language: 'typescript',
  artifactDirectory: './src/__generated__',
  eagerEsModules: true,
  customScalarTypes: scalars,
}

// The compiler reads this file by `require`.
export { config as 'module.exports' }
