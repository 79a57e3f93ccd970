/**
 * The Kubernetes documents that `kustomize` and `helm` make of deploy/, for tests to look at. Both are the real tools:
 * from the PATH (`kubectl kustomize` does as well), on which .ci/run puts them.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { root } from './deploy.ts'
import { canTest } from './program-on-path.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents are looked at by path, and checked as a whole
export type Document = any

type Tool = 'kustomize' | 'helm'

/** Per tool: the commands that do its work, each with an argument that tells whether it is there. */
const commands: Readonly<Record<Tool, readonly (readonly string[])[]>> = {
  kustomize: [
    ['kustomize', 'build'],
    ['kubectl', 'kustomize'],
  ],
  helm: [['helm', 'template']],
}

/** What deploy/kubernetes asks of kustomize; a kubectl of Debian 12 has an older one inside. */
const oldestKustomize = 5

function isThere(command: readonly string[]): boolean {
  const [program = '', action] = command
  if (action !== 'kustomize') {
    return spawnSync(program, ['version'], { stdio: 'ignore' }).status === 0
  }
  const { stdout, status } = spawnSync(program, ['version', '--client'], { encoding: 'utf8' })
  return status === 0 && Number(/Kustomize Version: v(\d+)/.exec(stdout)?.[1]) >= oldestKustomize
}

const found = new Map<Tool, readonly string[] | undefined>()

function commandOf(tool: Tool): readonly string[] | undefined {
  if (!found.has(tool)) found.set(tool, commands[tool].find(isThere))
  return found.get(tool)
}

export function withTool(tool: Tool, what: string): boolean {
  const wanted = commands[tool].map((command) => `"${command[0]}"`).join(' or ')
  return canTest(what, wanted, commandOf(tool) !== undefined, '.ci/tools installs them')
}

function output(tool: Tool, args: readonly string[]): string {
  const [program = '', ...first] = commandOf(tool) ?? []
  const { status, stdout, stderr } = spawnSync(program, [...first, ...args], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${tool} ${args.join(' ')} failed:\n${stderr}`)
  return stdout
}

function documentsFrom(text: string): Document[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join('\n'))
    const value: Document = document.toJS()
    return value === null ? [] : [value]
  })
}

/** What `kubectl apply -k deploy/kubernetes/FOLDER` would apply. */
export function kustomized(folder: string): Document[] {
  return documentsFrom(output('kustomize', [join(root, 'deploy/kubernetes', folder)]))
}

export interface Release {
  readonly name?: string
  readonly namespace?: string
  /** By path in values.yaml: `monitoring.enabled`. */
  readonly values?: Readonly<Record<string, string | number | boolean>>
  /** Whether the cluster knows the kinds of the Prometheus operator; it does by default. */
  readonly operator?: boolean
}

/** What `helm install` would apply. */
export function charted({
  name = 'tessera',
  namespace = 'tessera',
  values = {},
  operator = true,
}: Release = {}): Document[] {
  // A number as a file of values gives it.
  const sets = Object.entries(values).flatMap(([path, value]) => [
    typeof value === 'number' ? '--set-json' : '--set',
    `${path}=${value}`,
  ])
  const chart = join(root, 'deploy/helm/tessera')
  // A cluster is not asked; without a version the chart would be held to the one that helm was built with.
  const where = ['--namespace', namespace, '--kube-version', '1.30.0']
  const kinds = operator ? ['PodMonitor', 'PrometheusRule'] : []
  const known = kinds.flatMap((kind) => ['--api-versions', `monitoring.coreos.com/v1/${kind}`])
  return documentsFrom(output('helm', [name, chart, ...where, ...known, ...sets]))
}

/** The documents of some files that need no rendering. */
export type Find = (kind: string, name: string) => Document

export function finder(documents: readonly Document[]): Find {
  return (kind, name) =>
    documents.find((document) => document.kind === kind && document.metadata.name === name)
}

export const podOf = (workload: Document): Document => workload.spec.template.spec
export const containerOf = (workload: Document): Document => podOf(workload).containers[0]
export const portOf = (workload: Document): number => containerOf(workload).ports[0].containerPort
export const podLabels = (workload: Document): Record<string, string> =>
  workload.spec.template.metadata.labels

/** The environment of a workload's container: its config maps, later ones over earlier ones. */
export function environmentOf(workload: Document, find: Find): Record<string, string> {
  return Object.assign(
    {},
    ...containerOf(workload).envFrom.map(
      ({ configMapRef }: Document) => find('ConfigMap', configMapRef.name).data,
    ),
  )
}
