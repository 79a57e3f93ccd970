/** `tessera init`: the first files of a new gateway. */
import { type Command, exitCodes } from './command.ts'
import { type Files, writeFiles } from './files.ts'

export const initCommand: Command = {
  synopsis: '[FOLDER]',
  operands: 1,
  options: {},
  example: 'tessera init my-graph',

  async run(args, io) {
    const [folder = '.'] = args.positionals
    writeFiles(folder, initialFiles)
    for (const path of Object.keys(initialFiles)) io.out(`${path}\n`)
    io.out(
      `\nIt serves the sandbox until tessera.yaml names a service. Next steps:\n${folder === '.' ? '' : `  cd ${folder}\n`}  npx tessera check --config tessera.yaml\n  npx tessera serve --config tessera.yaml\n`,
    )
    return exitCodes.done
  },
}

const configuration = `# yaml-language-server: $schema=./node_modules/tessera-graph/schema/config.schema.json
# Everything that can stand here: docs/configuration.md. \`tessera check --config tessera.yaml\` checks it.
PORT: 4000
TESSERA_HOOKS: ./hooks.ts

# The address under which clients reach the gateway.
# TESSERA_PUBLIC_URL: https://graph.example.com

# Services: the sandbox replaces each that has no address.
# TESSERA_METRICS_URL: http://127.0.0.1:9090
# TESSERA_VIDEOS_URL: https://videos.example.com
# TESSERA_VIDEOS_CREDENTIAL: key:…

# Tokens of your identity provider. Without a key for them only the sandbox's own are accepted.
# TESSERA_JWT_JWKS_URL: https://id.example.com/.well-known/jwks.json
# TESSERA_JWT_ISSUER: https://id.example.com
# TESSERA_JWT_AUDIENCE: https://graph.example.com/graphql

# Only the operations of the folder \`operations\`: \`tessera persist operations --out persisted.json\`, then
# TESSERA_PERSISTED: trusted
# TESSERA_PERSISTED_MANIFEST: ./persisted.json
`

const compose = `# The gateway with Redis, which replicas share: docker compose up
# The image is built in a checkout of Tessera: docker build -f deploy/Dockerfile -t tessera .
services:
  gateway:
    image: tessera
    command: [serve, --config, /etc/tessera/tessera.yaml]
    environment:
      TESSERA_REDIS_URL: redis://redis:6379
    ports: ["127.0.0.1:4000:4000"]
    volumes:
      - ./tessera.yaml:/etc/tessera/tessera.yaml:ro
      - ./hooks.ts:/app/hooks.ts:ro
    read_only: true
    cap_drop: [ALL]
    depends_on: [redis]
  redis:
    image: redis:8-alpine
    command: [redis-server, --save, "", --appendonly, "yes"]
`

const hooks = `/** Called at stages of each request: docs/hooks.md has worked ones. */
import { defineHooks } from 'tessera-graph/hooks'

export default defineHooks({
  onOperation({ operation }) {
    // Return refuse('Name your operations.') of 'tessera-graph/hooks' to refuse one.
    if (operation.name === undefined) return
  },
})
`

const operation = `# Each file of this folder is an operation that \`tessera persist\` lists.
query Chart($first: Int = 5) {
  chartVideos(chart: MOST_POPULAR, first: $first) {
    nodes { videoId snippet { title } statistics { viewCount } }
    pageInfo { hasNextPage endCursor }
  }
}
`

const initialFiles: Files = {
  'tessera.yaml': configuration,
  'compose.yaml': compose,
  'hooks.ts': hooks,
  'operations/chart.graphql': operation,
}
