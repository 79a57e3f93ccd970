/**
 * The Kubernetes manifests without a cluster: each document is what its kind wants, what refers to another is
 * answered, the containers' settings are taken by the product, and the probes ask for what is there.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Secret, Service } from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { defaultSubgraphPort, subgraphNames } from '../../subgraphs/index.ts'
import { configOf, documentsIn, filled, placeholder, readDeployed, root } from '../support/deploy.ts'
import { startGraph } from '../support/graph.ts'
import { startServices } from '../support/services.ts'

/** By API version and kind: the model, and where its type comes from. */
const kinds = {
  'v1 Namespace': [Namespace, 'v1'],
  'v1 ConfigMap': [ConfigMap, 'v1'],
  'v1 Secret': [Secret, 'v1'],
  'v1 Service': [Service, 'v1'],
  'apps/v1 Deployment': [Deployment, 'apps/v1'],
  'apps/v1 StatefulSet': [StatefulSet, 'apps/v1'],
  'autoscaling/v2 HorizontalPodAutoscaler': [HorizontalPodAutoscaler, 'autoscaling/v2'],
  'networking.k8s.io/v1 Ingress': [Ingress, 'networking.k8s.io/v1'],
  'networking.k8s.io/v1 NetworkPolicy': [NetworkPolicy, 'networking.k8s.io/v1'],
  'policy/v1 PodDisruptionBudget': [PodDisruptionBudget, 'policy/v1'],
} as const

// biome-ignore lint/suspicious/noExplicitAny: documents are looked at by path, and checked as a whole
type Document = any

const files = readdirSync(join(root, 'deploy/kubernetes'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.yaml'),
)
const documents: Document[] = files.flatMap((file) => documentsIn(join('kubernetes', file)))
const ofKind = (kind: string): Document[] => documents.filter((document) => document.kind === kind)
const named = (kind: string, name: string): Document =>
  ofKind(kind).find((document) => document.metadata.name === name)
const kindOf = (document: Document): string => `${document.apiVersion} ${document.kind}`
const labelled = (document: Document): string => `${document.kind} ${document.metadata.name}`

function check(document: Document): void {
  const [model] = kinds[kindOf(document) as keyof typeof kinds]
  ;new (model as new (data: Document) => { validate(): void })(document).validate()
}

const deployments = ofKind('Deployment')
const workloads = [...deployments, ...ofKind('StatefulSet')]
const podLabels = (workload: Document): Record<string, string> => workload.spec.template.metadata.labels
const containerOf = (workload: Document): Document => workload.spec.template.spec.containers[0]
const portOf = (workload: Document): number => containerOf(workload).ports[0].containerPort

test('there is a model for every kind, and a document of every kind', () => {
  expect([...new Set(documents.map(kindOf))].sort()).toEqual(Object.keys(kinds).sort())
})

describe('each document', () => {
  test.each(documents.map((document) => [labelled(document), document] as const))(
    '%s is valid',
    (_name, document) => {
      expect(() => check(document)).not.toThrow()
    },
  )

  test('has no field that its kind does not know', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-manifests-'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const typed = (document: Document, number: number): string =>
      `import type { I${document.kind} as Kind${number} } from 'kubernetes-models/${kinds[kindOf(document) as keyof typeof kinds][1]}'\n` +
      `export const document${number}: Kind${number} = ${JSON.stringify(document)}\n`
    const misspelt = structuredClone(named('Deployment', 'tessera-gateway'))
    misspelt.spec.template.spec.containers[0].livenesProbe = { httpGet: { port: 'http' } }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'manifests.ts'), documents.map(typed).join(''))
    writeFileSync(join(folder, 'misspelt.ts'), typed(misspelt, 0))
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      '',
    ]
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...options, 'manifests.ts', 'misspelt.ts'],
      { cwd: folder, encoding: 'utf8' },
    )
    const faults = stdout.split('\n').filter((line) => line.includes('error'))
    expect(faults).toEqual([expect.stringMatching(/^misspelt\.ts.*livenesProbe/)])
  })
})

test.each([
  ['a port that is text', (gateway: Document) => (containerOf(gateway).ports[0].containerPort = 'http')],
  ['no selector', (gateway: Document) => delete gateway.spec.selector],
  ['a probe without a port', (gateway: Document) => delete containerOf(gateway).readinessProbe.httpGet.port],
  ['containers that are no list', (gateway: Document) => (gateway.spec.template.spec.containers = {})],
])('a manifest with %s is refused', (_what, spoil) => {
  const gateway = structuredClone(named('Deployment', 'tessera-gateway'))
  check(gateway)
  spoil(gateway)
  expect(() => check(gateway)).toThrow()
})

describe('what refers to another document', () => {
  const fits = (selector: Record<string, string>, labels: Record<string, string>): boolean =>
    Object.entries(selector).every(([key, value]) => labels[key] === value)

  test('finds it: selectors, config maps, secrets, targets of scaling, ports by name', () => {
    for (const workload of workloads) {
      expect(fits(workload.spec.selector.matchLabels, podLabels(workload))).toBe(true)
      for (const { configMapRef } of containerOf(workload).envFrom ?? []) {
        expect(named('ConfigMap', configMapRef.name)).toBeDefined()
      }
      for (const { secret, configMap } of workload.spec.template.spec.volumes) {
        if (secret !== undefined) expect(named('Secret', secret.secretName)).toBeDefined()
        if (configMap !== undefined) expect(named('ConfigMap', configMap.name)).toBeDefined()
      }
      for (const { labelSelector } of workload.spec.template.spec.topologySpreadConstraints ?? []) {
        expect(fits(labelSelector.matchLabels, podLabels(workload))).toBe(true)
      }
      // Each is reached by a service of its name, whose port is the container's.
      const service = named('Service', workload.metadata.name)
      expect(fits(service.spec.selector, podLabels(workload))).toBe(true)
      expect(containerOf(workload).ports.map(({ name }: Document) => name)).toContain(
        service.spec.ports[0].targetPort,
      )
      expect(service.spec.ports[0].port).toBe(portOf(workload))
    }
    for (const { spec } of ofKind('Ingress')) {
      for (const { backend } of spec.rules[0].http.paths) {
        const service = named('Service', backend.service.name)
        expect(service.spec.ports.map(({ name }: Document) => name)).toContain(backend.service.port.name)
      }
    }
  })

  test('scales and protects every deployment, without standing in the way of a drain', () => {
    for (const { metadata } of deployments) {
      const scaler = named('HorizontalPodAutoscaler', metadata.name)
      expect(scaler.spec.scaleTargetRef).toEqual({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: metadata.name,
      })
      const budget = named('PodDisruptionBudget', metadata.name)
      expect(budget.spec.selector.matchLabels).toEqual(
        named('Deployment', metadata.name).spec.selector.matchLabels,
      )
      expect(scaler.spec.minReplicas).toBeGreaterThan(budget.spec.maxUnavailable)
      // A share of what is asked for is measured only where something is asked for.
      expect(containerOf(named('Deployment', metadata.name)).resources.requests.cpu).toBeDefined()
    }
  })
})

describe('every container', () => {
  test.each(workloads.map((workload) => [workload.metadata.name, workload] as const))(
    '%s is an unprivileged process on a file system that it cannot write',
    (_name, workload) => {
      const pod = workload.spec.template.spec
      expect(pod.automountServiceAccountToken).toBe(false)
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(pod.securityContext.runAsUser).toBeGreaterThan(0)
      expect(containerOf(workload).securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(containerOf(workload).resources.limits.memory).toBeDefined()
    },
  )

  test.each(deployments.map((deployment) => [deployment.metadata.name, deployment] as const))(
    '%s has settings that the product takes, and none starts with a placeholder',
    (name, deployment) => {
      const container = containerOf(deployment)
      const env = named('ConfigMap', name).data as Record<string, string>
      const [mount] = container.volumeMounts
      expect(env.TESSERA_CONFIG).toBe(`${mount.mountPath}/tessera.yaml`)
      const secrets = named('Secret', name).stringData['tessera.yaml'] as string
      const unfilled = Object.entries(parseYaml(secrets) as Record<string, string>)
        .filter(([, value]) => value === placeholder)
        .map(([key]) => key)
      expect(unfilled.length).toBeGreaterThan(0)
      const refused = (configOf(env, secrets).faults ?? []).map((fault) => fault.split(':')[0])
      expect(refused.sort()).toEqual(unfilled.sort())

      // Variables that Kubernetes would set for our services are refused, as every unknown one: it must not.
      const links = configOf({ ...env, TESSERA_VIDEOS_PORT: 'tcp://10.0.0.1:4001' }, filled(secrets))
      expect(links.faults).toEqual([expect.stringContaining('TESSERA_VIDEOS_PORT')])
      expect(deployment.spec.template.spec.enableServiceLinks).toBe(false)

      const { config, faults } = configOf(env, filled(secrets))
      expect(faults).toBeUndefined()
      const { values, remoteSubgraphs } = config!
      // The time to stop fits into what Kubernetes waits before it kills, and the longest request into the grace.
      const patienceMs = deployment.spec.template.spec.terminationGracePeriodSeconds * 1000
      expect(values.TESSERA_SHUTDOWN_DELAY_MS + values.TESSERA_SHUTDOWN_GRACE_MS + 2000).toBeLessThanOrEqual(
        patienceMs,
      )
      expect(values.TESSERA_SHUTDOWN_GRACE_MS).toBeGreaterThanOrEqual(values.TESSERA_REQUEST_TIMEOUT_MS)
      // It says that it is not ready for longer than it takes to be noticed.
      const { periodSeconds, failureThreshold } = container.readinessProbe
      expect(values.TESSERA_SHUTDOWN_DELAY_MS).toBeGreaterThan(periodSeconds * failureThreshold * 1000)
      for (const [subgraph, url] of Object.entries(remoteSubgraphs)) {
        expect(url).toBe(
          `http://tessera-${subgraph}:${named('Service', `tessera-${subgraph}`).spec.ports[0].port}/graphql`,
        )
      }
    },
  )

  test('is started with a command that there is, on its port', () => {
    for (const deployment of deployments) {
      const name = deployment.metadata.name.replace('tessera-', '')
      const { args } = containerOf(deployment)
      if (name === 'gateway') {
        expect([args, portOf(deployment)]).toEqual([['serve'], 4000])
        expect(readDeployed('Dockerfile')).toMatch(/PORT=4000/)
      } else {
        expect(subgraphNames).toContain(name)
        expect(args).toEqual(['subgraph', name, '--port', String(portOf(deployment))])
        expect(portOf(deployment)).toBe(defaultSubgraphPort(name))
      }
    }
    expect(deployments.length).toBe(1 + subgraphNames.length)
  })
})

test('the probes ask for what the gateway and every subgraph service answer', async () => {
  await using graph = await startGraph()
  await using services = await startServices(graph.sandbox.url)
  for (const deployment of deployments) {
    const name = deployment.metadata.name.replace('tessera-', '')
    const origin = name === 'gateway' ? graph.url : services.urls[name as keyof typeof services.urls]
    const container = containerOf(deployment)
    const ports = container.ports.map((port: Document) => port.name)
    const paths: string[] = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => {
      expect(ports).toContain(container[probe].httpGet.port)
      return container[probe].httpGet.path
    })
    const { annotations } = deployment.spec.template.metadata
    expect(annotations['prometheus.io/port']).toBe(String(portOf(deployment)))
    paths.push(annotations['prometheus.io/path'])
    const statuses = await Promise.all(
      paths.map(async (path) => {
        const answer = await fetch(new URL(path, origin))
        await answer.arrayBuffer()
        return [path, answer.status]
      }),
    )
    expect(statuses).toEqual([
      ['/health/live', 200],
      ['/health/ready', 200],
      ['/health/live', 200],
      ['/metrics', 200],
    ])
  }
})

describe('the network policies', () => {
  const policies = documentsIn('kubernetes/network-policies.yaml') as Document[]
  const selects = (selector: Document, labels: Record<string, string>): boolean =>
    Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    (selector.matchExpressions ?? []).every(({ key, operator, values }: Document) => {
      expect(operator).toBe('In')
      return values.includes(labels[key])
    })

  /** Whether a pod of a namespace may reach another one of ours, as Kubernetes reads the policies. */
  const mayReach = (
    from: { namespace: string; labels: Record<string, string> },
    to: Record<string, string>,
  ): boolean => {
    const judging = policies.filter(
      ({ spec }) => spec.policyTypes.includes('Ingress') && selects(spec.podSelector, to),
    )
    if (judging.length === 0) return true
    return judging.some(({ spec }) =>
      (spec.ingress ?? []).some((rule: Document) =>
        rule.from.some(
          ({ podSelector, namespaceSelector }: Document) =>
            (namespaceSelector === undefined
              ? from.namespace === 'tessera'
              : selects(namespaceSelector, { 'kubernetes.io/metadata.name': from.namespace })) &&
            (podSelector === undefined || selects(podSelector, from.labels)),
        ),
      ),
    )
  }

  test('let the gateway alone reach the subgraph services, and clients the gateway alone', () => {
    const reached = Object.fromEntries(
      workloads.map((to) => [
        to.metadata.name,
        [
          ...workloads.map((from) => ({
            name: from.metadata.name,
            namespace: 'tessera',
            labels: podLabels(from),
          })),
          { name: 'ingress', namespace: 'ingress-nginx', labels: {} },
          { name: 'stranger', namespace: 'default', labels: { 'app.kubernetes.io/component': 'gateway' } },
          { name: 'stray', namespace: 'tessera', labels: {} },
        ]
          .filter((from) => mayReach(from, podLabels(to)))
          .map(({ name }) => name),
      ]),
    )
    expect(reached).toEqual({
      'tessera-gateway': ['ingress'],
      ...Object.fromEntries(subgraphNames.map((name) => [`tessera-${name}`, ['tessera-gateway']])),
      'tessera-redis': ['tessera-gateway', 'tessera-videos'],
    })
  })
})
