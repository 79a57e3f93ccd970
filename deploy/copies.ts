/**
 * Writes what Kubernetes and Helm say alike from one source each: rules and dashboard from deploy/, and the workloads, their
 * settings and Redis of deploy/kubernetes from the values and templates of the Helm chart. Neither reads a file outside of
 * its own folder. `npm run generate` runs this, and a test fails if a file is old.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml'
import { z } from 'zod'

const here = (path: string): URL => new URL(path, import.meta.url)
const read = (path: string): string => readFileSync(here(path), 'utf8')

const madeFrom = (source: string): string =>
  `# Made by \`npm run generate\` from deploy/${source}: change it there.\n`
const notice = madeFrom('prometheus-rules.yml')
const valuesPath = 'helm/tessera/values.yaml'

const workload = z.object({
  port: z.number(),
  replicas: z.object({ min: z.number(), max: z.number() }),
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
})
const chartValues = z.object({
  images: z.object({ redis: z.string() }),
  redis: z.object({ storage: z.string() }),
  gateway: workload,
  subgraphs: z.record(z.string(), workload),
})

/** A kustomization that builds a workload from what all have in common. */
function kustomization(
  name: string,
  component: string,
  args: string,
  { port, replicas, resources: { requests, limits } }: z.infer<typeof workload>,
): string {
  return `${madeFrom(valuesPath)}apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [../../workload]
nameSuffix: -${name}
labels:
  - pairs: { app.kubernetes.io/name: tessera-${name} }
    includeSelectors: true
  - pairs: { app.kubernetes.io/component: ${component}, app.kubernetes.io/part-of: tessera }
    includeTemplates: true
configMapGenerator:
  - name: tessera
    envs: [settings.env]
patches:
  - patch: |-
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: tessera
      spec:
        template:
          metadata:
            annotations:
              prometheus.io/port: "${port}"
          spec:
            containers:
              - name: tessera
                args: ${args}
                ports: [{ name: http, containerPort: ${port} }]
                # One process uses one core and a little for collecting garbage; a CPU limit would only stall it.
                resources:
                  requests: { cpu: ${JSON.stringify(requests.cpu)}, memory: ${requests.memory} }
                  limits: { memory: ${limits.memory} }
            volumes:
              - name: secrets
                secret: { secretName: tessera-${name} }
  - patch: |-
      apiVersion: v1
      kind: Service
      metadata:
        name: tessera
      spec:
        ports: [{ name: http, port: ${port}, targetPort: http, appProtocol: http }]
  - patch: |-
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata:
        name: tessera
      spec:
        minReplicas: ${replicas.min}
        maxReplicas: ${replicas.max}
`
}

/** Settings as kustomize reads them into a ConfigMap, with the comments that stand above them. */
function settings(map: YAMLMap, above: string | null | undefined): string {
  const lines = map.items.flatMap(({ key, value }) => [
    ...commentOf(isScalar(key) ? key.commentBefore : undefined),
    `${String(key)}=${String(value)}`,
  ])
  return (
    madeFrom(valuesPath) + [...commentOf(above), ...commentOf(map.commentBefore), ...lines, ''].join('\n')
  )
}

const commentOf = (comment: string | null | undefined): string[] =>
  comment === null || comment === undefined ? [] : comment.split('\n').map((line) => `#${line.trimEnd()}`)

/** What the chart's defaults make, as files that kustomize builds on. */
function workloads(): Readonly<Record<string, string>> {
  const document = parseDocument(read(valuesPath))
  const values = chartValues.parse(document.toJS())
  const settingsAt = (path: readonly string[]): string => {
    const parent = document.getIn(path.slice(0, -1)) ?? document.contents
    const pair = isMap(parent)
      ? parent.items.find((each: Pair) => String(each.key) === path.at(-1))
      : undefined
    if (!isMap(pair?.value)) throw new Error(`expected a map of settings at ${path.join('.')}`)
    return settings(pair.value, isScalar(pair.key) ? pair.key.commentBefore : undefined)
  }
  const files: Record<string, string> = {
    'kubernetes/base/redis.yaml': redis(values),
    'kubernetes/base/shared.env': settingsAt(['settings']),
    'kubernetes/base/gateway/kustomization.yaml': kustomization(
      'gateway',
      'gateway',
      '[serve]',
      values.gateway,
    ),
    'kubernetes/base/gateway/settings.env': settingsAt(['gateway', 'settings']),
    'kubernetes/overlays/together/gateway.env': settingsAt(['gateway', 'together']),
  }
  const addresses: string[] = []
  for (const [name, subgraph] of Object.entries(values.subgraphs)) {
    const { port } = subgraph
    const args = `[subgraph, ${name}, --port, "${port}"]`
    const folder = `kubernetes/subgraphs/${name}`
    files[`${folder}/kustomization.yaml`] = kustomization(name, 'subgraph', args, subgraph)
    files[`${folder}/settings.env`] = settingsAt(['subgraphs', name, 'settings'])
    addresses.push(`TESSERA_${name.toUpperCase()}_SUBGRAPH_URL=http://tessera-${name}:${port}/graphql`)
  }
  files['kubernetes/overlays/split/gateway.env'] =
    madeFrom(valuesPath) + [...addresses, 'TESSERA_SUBGRAPH_SCOPES=true', ''].join('\n')
  return files
}

/** The chart's own Redis, as the release `tessera` has it. */
function redis({ images, redis: { storage } }: z.infer<typeof chartValues>): string {
  const path = 'helm/tessera/templates/redis.yaml'
  // The overlay names the image by its tag.
  const [image = ''] = images.redis.split(':')
  const written = read(path)
    .replace(/^\{\{- (?:if .*|end) \}\}\n/gm, '')
    .replaceAll('{{ .Release.Name }}', 'tessera')
    .replaceAll('{{ .Release.Namespace }}', 'tessera')
    .replaceAll('{{ .Values.images.redis }}', image)
    .replaceAll('{{ .Values.redis.storage }}', storage)
  if (written.includes('{{')) throw new Error(`${path} has an expression that is not known here`)
  return madeFrom(path) + written
}

/** By path below deploy/: what stands there. */
export function copies(): Readonly<Record<string, string>> {
  const rules = read('prometheus-rules.yml')
  const dashboard = read('grafana-dashboard.json')
  const bare = rules.slice(rules.indexOf('groups:'))
  const head = [
    'apiVersion: monitoring.coreos.com/v1',
    'kind: PrometheusRule',
    'metadata:',
    '  name: tessera',
    '  namespace: tessera',
    '  labels:',
    '    app.kubernetes.io/part-of: tessera',
    'spec:',
    '',
  ].join('\n')
  return {
    'kubernetes/components/monitoring/prometheus-rule.yaml': notice + head + bare.replace(/^(?=.)/gm, '  '),
    'kubernetes/components/monitoring/grafana-dashboard.json': dashboard,
    'helm/tessera/files/prometheus-rules.yml': notice + bare,
    'helm/tessera/files/grafana-dashboard.json': dashboard,
    ...workloads(),
  }
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(copies())) writeFileSync(here(path), text)
}
