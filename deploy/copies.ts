/**
 * Writes deploy/kubernetes from the Helm chart, which is the only source of both, and the alerts and the dashboard to
 * where the chart reads them. `npm run generate` runs this, and a test fails if a file is old. Without `helm` on the PATH
 * the files of deploy/kubernetes stay as they are.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isMap, isScalar, type Pair, parse, parseDocument, stringify, type YAMLMap } from 'yaml'
import { hasHelm, type KubernetesDocument, patchOf, type Rendered, render } from './render.ts'

const here = (path: string): URL => new URL(path, import.meta.url)
const read = (path: string): string => readFileSync(here(path), 'utf8')

const madeFrom = (source: string): string =>
  `# Made by \`npm run generate\` from deploy/${source}: change it there.\n`
const valuesPath = 'helm/tessera/values.yaml'

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

/** The settings of the values, each part as a file. */
function settingsAt(path: readonly string[]): string {
  const document = parseDocument(read(valuesPath))
  const parent = document.getIn(path.slice(0, -1)) ?? document.contents
  const pair = isMap(parent) ? parent.items.find((each: Pair) => String(each.key) === path.at(-1)) : undefined
  if (!isMap(pair?.value)) throw new Error(`expected a map of settings at ${path.join('.')}`)
  return settings(pair.value, isScalar(pair.key) ? pair.key.commentBefore : undefined)
}

const fromTemplate = (template: string, documents: readonly Rendered[]): string =>
  madeFrom(`helm/tessera/templates/${template}`) +
  documents
    // What kustomize does by the hash in the names of config maps.
    .map(({ text }) => text.replace(/^ *# New settings are a new template.*\n *checksum\/settings:.*\n/m, ''))
    .join('---\n')

/** The documents of a workload, as files of a folder that kustomize builds. */
function workload(folder: string, name: string, documents: readonly Rendered[]): Record<string, string> {
  const own = documents.filter(
    ({ template, document }) => template === 'workloads.yaml' && document.metadata.name === `tessera-${name}`,
  )
  const map = own.find(({ document }) => document.kind === 'ConfigMap')
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: 'tessera',
    resources: ['workload.yaml'],
    configMapGenerator: [
      { name: `tessera-${name}`, envs: ['settings.env'], options: { labels: map?.document.metadata.labels } },
    ],
  }
  return {
    [`${folder}/kustomization.yaml`]: madeFrom('copies.ts') + stringify(kustomization),
    [`${folder}/workload.yaml`]: fromTemplate(
      'workloads.yaml',
      own.filter((each) => each !== map),
    ),
  }
}

/** What the gateway's HTTPS changes, as patches of a component. */
function tls(before: readonly Rendered[], after: readonly Rendered[]): string {
  const find = (documents: readonly Rendered[], kind: string, name: string): KubernetesDocument | undefined =>
    documents.find(({ document }) => document.kind === kind && document.metadata.name === name)?.document
  const changed = (kind: string, name: string): unknown =>
    patchOf(find(before, kind, name), withoutChecksum(find(after, kind, name)))
  const data = (changed('ConfigMap', 'tessera-gateway') as { data: Record<string, string> }).data
  const patch = (kind: string, name: string, apiVersion: string): object => ({
    target: { kind, name },
    patch: stringify({ apiVersion, kind, metadata: { name }, ...mergedName(changed(kind, name), name) }),
  })
  const component = {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    configMapGenerator: [
      {
        name: 'tessera-gateway',
        behavior: 'merge',
        literals: Object.entries(data).map(([key, value]) => `${key}=${value}`),
      },
    ],
    patches: [
      patch('Deployment', 'tessera-gateway', 'apps/v1'),
      patch('Ingress', 'tessera', 'networking.k8s.io/v1'),
    ],
  }
  const about =
    '# The gateway speaks HTTPS itself, with the secret tessera-tls of the type kubernetes.io/tls; probes, scraping and\n' +
    '# ingress follow. List this component after `ingress` of an overlay that has it.\n'
  return madeFrom('copies.ts') + about + stringify(component)
}

const mergedName = (patch: unknown, name: string): object => {
  const { metadata, ...others } = patch as { metadata?: object }
  return { metadata: { name, ...metadata }, ...others }
}

function withoutChecksum(document: KubernetesDocument | undefined): unknown {
  const text = JSON.stringify(document).replace(/"checksum\/settings":"\w+",?/, '')
  return JSON.parse(text)
}

/** deploy/kubernetes as the chart makes it. */
function manifests(): Readonly<Record<string, string>> {
  const images = { 'images.tessera': 'tessera', 'images.redis': 'redis' }
  const all = { ...images, 'ingress.enabled': true, 'monitoring.enabled': true }
  const together = render({ ...all, mode: 'together' })
  const split = render({ ...all, mode: 'split' })
  const secured = render({ ...all, mode: 'together', 'tls.secret': 'tessera-tls' })
  const of = (template: string, documents: readonly Rendered[] = together): Rendered[] =>
    documents.filter((each) => each.template === template)
  const monitoring = (kind: string): string =>
    fromTemplate(
      'monitoring.yaml',
      of('monitoring.yaml').filter(({ document }) => document.kind === kind),
    )
  const known = new Set(of('network-policies.yaml').map(({ document }) => document.metadata.name))
  const files: Record<string, string> = {
    'kubernetes/base/network-policies.yaml': fromTemplate(
      'network-policies.yaml',
      of('network-policies.yaml'),
    ),
    'kubernetes/base/redis.yaml': fromTemplate('redis.yaml', of('redis.yaml')),
    'kubernetes/subgraphs/network-policies.yaml': fromTemplate(
      'network-policies.yaml',
      of('network-policies.yaml', split).filter(({ document }) => !known.has(document.metadata.name)),
    ),
    'kubernetes/components/ingress/ingress.yaml': fromTemplate('ingress.yaml', of('ingress.yaml')),
    'kubernetes/components/monitoring/network-policy.yaml': monitoring('NetworkPolicy'),
    'kubernetes/components/monitoring/pod-monitor.yaml': monitoring('PodMonitor'),
    'kubernetes/components/monitoring/prometheus-rule.yaml': monitoring('PrometheusRule'),
    'kubernetes/components/images/kustomization.yaml': imageNames(),
    'kubernetes/components/tls/kustomization.yaml': tls(together, secured),
    ...workload('kubernetes/base/gateway', 'gateway', together),
  }
  for (const name of subgraphNames())
    Object.assign(files, workload(`kubernetes/subgraphs/${name}`, name, split))
  return { ...files, ...settingsFiles(split) }
}

function settingsFiles(split: readonly Rendered[]): Readonly<Record<string, string>> {
  const usual = settingsAt(['gateway', 'settings'])
  const gateway = split.find(
    ({ document }) => document.kind === 'ConfigMap' && document.metadata.name === 'tessera-gateway',
  )
  const added = Object.entries(gateway?.document.data ?? {})
    .filter(([name]) => !usual.includes(`\n${name}=`))
    .map(([name, value]) => `${name}=${value}\n`)
  return {
    'kubernetes/base/shared.env': settingsAt(['settings']),
    'kubernetes/base/gateway/settings.env': usual,
    'kubernetes/overlays/together/gateway.env': settingsAt(['gateway', 'together']),
    'kubernetes/overlays/split/gateway.env': madeFrom(valuesPath) + added.join(''),
    ...Object.fromEntries(
      subgraphNames().map((name) => [
        `kubernetes/subgraphs/${name}/settings.env`,
        settingsAt(['subgraphs', name, 'settings']),
      ]),
    ),
  }
}

interface Values {
  readonly images: Readonly<Record<string, string>>
  readonly subgraphs: object
}
const chartValues = (): Values => parse(read(valuesPath)) as Values
const subgraphNames = (): string[] => Object.keys(chartValues().subgraphs)

/** The only place of deploy/kubernetes that names images; its manifests say `tessera` and `redis`. */
function imageNames(): string {
  const images = Object.entries(chartValues().images).map(([name, image]) => {
    const at = image.lastIndexOf(':')
    return { name, newName: image.slice(0, at), newTag: image.slice(at + 1) }
  })
  const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', images }
  return madeFrom(valuesPath) + stringify(kustomization)
}

/** By path below deploy/: what stands there. */
export function copies(): Readonly<Record<string, string>> {
  const dashboard = read('grafana-dashboard.json')
  const rules = read('prometheus-rules.yml')
  return {
    'helm/tessera/files/prometheus-rules.yml':
      madeFrom('prometheus-rules.yml') + rules.slice(rules.indexOf('groups:')),
    'helm/tessera/files/grafana-dashboard.json': dashboard,
    'kubernetes/components/monitoring/grafana-dashboard.json': dashboard,
    ...(hasHelm() ? manifests() : {}),
  }
}

if (import.meta.main) {
  // The chart's own files first: what is rendered contains them.
  for (let turn = 0; turn < 2; turn += 1)
    for (const [path, text] of Object.entries(copies())) writeFileSync(here(path), text)
  if (!hasHelm()) process.stdout.write('no helm on the PATH: deploy/kubernetes stays as it is\n')
}
