/**
 * The Kubernetes documents that kustomize makes of deploy/kubernetes, without a cluster: each is what its kind wants,
 * what refers to another is there, the product takes the containers' settings, and the probes ask for what there is.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PodMonitor, PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Secret, Service } from 'kubernetes-models/v1'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { defaultSubgraphPort, subgraphNames } from '../../subgraphs/index.ts'
import { configOf, documentsIn, filled, placeholder, readDeployed, root } from '../support/deploy.ts'
import { startGraph } from '../support/graph.ts'
import {
  containerOf,
  type Document,
  environmentOf,
  finder,
  kustomized,
  podLabels,
  podOf,
  portOf,
  withTool,
} from '../support/kubernetes.ts'
import { startServices } from '../support/services.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** By API version and kind: the model, and where its type comes from. */
const kinds = {
  'v1 Namespace': [Namespace, 'kubernetes-models/v1'],
  'v1 ConfigMap': [ConfigMap, 'kubernetes-models/v1'],
  'v1 Secret': [Secret, 'kubernetes-models/v1'],
  'v1 Service': [Service, 'kubernetes-models/v1'],
  'apps/v1 Deployment': [Deployment, 'kubernetes-models/apps/v1'],
  'apps/v1 StatefulSet': [StatefulSet, 'kubernetes-models/apps/v1'],
  'autoscaling/v2 HorizontalPodAutoscaler': [HorizontalPodAutoscaler, 'kubernetes-models/autoscaling/v2'],
  'networking.k8s.io/v1 Ingress': [Ingress, 'kubernetes-models/networking.k8s.io/v1'],
  'networking.k8s.io/v1 NetworkPolicy': [NetworkPolicy, 'kubernetes-models/networking.k8s.io/v1'],
  'policy/v1 PodDisruptionBudget': [PodDisruptionBudget, 'kubernetes-models/policy/v1'],
  'monitoring.coreos.com/v1 PodMonitor': [
    PodMonitor,
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  ],
  'monitoring.coreos.com/v1 PrometheusRule': [
    PrometheusRule,
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  ],
} as const

const kindOf = (document: Document): string => `${document.apiVersion} ${document.kind}`
const labelled = (document: Document): string => `${document.kind} ${document.metadata.name}`

function check(document: Document): void {
  const [model] = kinds[kindOf(document) as keyof typeof kinds]
  ;new (model as new (data: Document) => { validate(): void })(document).validate()
}

/** The shapes that somebody deploys, each with the secrets that it wants. */
const shapes = [
  ['overlays/together', 'secrets/together.yaml'],
  ['overlays/split', 'secrets/split.yaml'],
  ['overlays/example', 'secrets/split.yaml'],
] as const

const isRendered = withTool('kustomize', 'what kustomize makes of deploy/kubernetes')

describe.skipIf(!isRendered).each(shapes)('%s', (folder, secretsFile) => {
  const rendered = isRendered ? kustomized(folder) : []
  const documents = [...rendered, ...documentsIn(join('kubernetes', secretsFile))] as Document[]
  const ofKind = (kind: string): Document[] => documents.filter((document) => document.kind === kind)
  const named = finder(documents)
  const deployments = ofKind('Deployment')
  const workloads = [...deployments, ...ofKind('StatefulSet')]
  const nameOf = (workload: Document): string => workload.metadata.name.replace('tessera-', '')

  test('is made of documents that are valid', () => {
    for (const document of documents) {
      expect(Object.keys(kinds), labelled(document)).toContain(kindOf(document))
      expect(() => check(document), labelled(document)).not.toThrow()
    }
    expect(deployments.map(nameOf).sort()).toEqual(
      folder === 'overlays/together' ? ['gateway'] : ['gateway', ...subgraphNames].sort(),
    )
  })

  test('has no field that its kind does not know', () => {
    const where = temporaryFolder()
    symlinkSync(join(root, 'node_modules'), join(where, 'node_modules'))
    const typed = (document: Document, number: number): string =>
      `import type { I${document.kind} as Kind${number} } from '${kinds[kindOf(document) as keyof typeof kinds][1]}'\n` +
      `export const document${number}: Kind${number} = ${JSON.stringify(document)}\n`
    const misspelt = structuredClone(named('Deployment', 'tessera-gateway'))
    containerOf(misspelt).livenesProbe = { httpGet: { port: 'http' } }
    writeFileSync(join(where, 'package.json'), '{"type":"module"}')
    writeFileSync(join(where, 'manifests.ts'), documents.map(typed).join(''))
    writeFileSync(join(where, 'misspelt.ts'), typed(misspelt, 0))
    const strict = ['--noEmit', '--strict', '--skipLibCheck', '--types', '']
    const modules = ['--module', 'nodenext', '--target', 'es2024']
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...strict, ...modules, 'manifests.ts', 'misspelt.ts'],
      { cwd: where, encoding: 'utf8' },
    )
    const faults = stdout.split('\n').filter((line) => line.includes('error'))
    expect(faults).toEqual([expect.stringMatching(/^misspelt\.ts.*livenesProbe/)])
  })

  test('would be refused with a fault in it', () => {
    const faults: Readonly<Record<string, (gateway: Document) => unknown>> = {
      'a port that is text': (gateway) => (containerOf(gateway).ports[0].containerPort = 'http'),
      'no selector': (gateway) => delete gateway.spec.selector,
      'a probe without a port': (gateway) => delete containerOf(gateway).readinessProbe.httpGet.port,
      'containers that are no list': (gateway) => (podOf(gateway).containers = {}),
    }
    for (const [fault, spoil] of Object.entries(faults)) {
      const gateway = structuredClone(named('Deployment', 'tessera-gateway'))
      check(gateway)
      spoil(gateway)
      expect(() => check(gateway), fault).toThrow()
    }
  })

  const fits = (selector: Record<string, string>, labels: Record<string, string>): boolean =>
    Object.keys(selector).length > 0 &&
    Object.entries(selector).every(([key, value]) => labels[key] === value)

  test('refers only to what there is: selectors, config maps, secrets, targets of scaling, ports', () => {
    for (const workload of workloads) {
      expect(fits(workload.spec.selector.matchLabels, podLabels(workload))).toBe(true)
      for (const { configMapRef } of containerOf(workload).envFrom ?? []) {
        expect(named('ConfigMap', configMapRef.name)).toBeDefined()
      }
      for (const { secret, configMap } of podOf(workload).volumes) {
        if (secret !== undefined) expect(named('Secret', secret.secretName)).toBeDefined()
        if (configMap !== undefined) expect(named('ConfigMap', configMap.name)).toBeDefined()
      }
      for (const { labelSelector } of podOf(workload).topologySpreadConstraints ?? []) {
        expect(fits(labelSelector.matchLabels, podLabels(workload))).toBe(true)
      }
      // Each is reached by a service of its name, whose port is the container's.
      const service = named('Service', workload.metadata.name)
      expect(fits(service.spec.selector, podLabels(workload))).toBe(true)
      expect(containerOf(workload).ports.map(({ name }: Document) => name)).toContain(
        service.spec.ports[0].targetPort,
      )
      expect(service.spec.ports[0].port).toBe(portOf(workload))
      // No other workload's pods answer for it.
      expect(workloads.filter((other) => fits(service.spec.selector, podLabels(other)))).toEqual([workload])
    }
    for (const { spec } of ofKind('Ingress')) {
      for (const { backend } of spec.rules[0].http.paths) {
        const service = named('Service', backend.service.name)
        expect(service.spec.ports.map(({ name }: Document) => name)).toContain(backend.service.port.name)
      }
    }
    expect(ofKind('Ingress').length).toBe(folder === 'overlays/example' ? 1 : 0)
  })

  test('scales and protects every deployment, without standing in the way of a drain', () => {
    for (const { metadata } of deployments) {
      const scaler = named('HorizontalPodAutoscaler', metadata.name)
      expect(scaler.spec.scaleTargetRef).toEqual({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: metadata.name,
      })
      const deployment = named('Deployment', metadata.name)
      const budget = named('PodDisruptionBudget', metadata.name)
      expect(budget.spec.selector.matchLabels).toEqual(deployment.spec.selector.matchLabels)
      expect(scaler.spec.minReplicas).toBeGreaterThan(budget.spec.maxUnavailable)
      // A share of what is asked for is measured only if something is asked for.
      expect(containerOf(deployment).resources.requests.cpu).toBeDefined()
    }
  })

  test('runs every container as an unprivileged process on a file system that it cannot write', () => {
    for (const workload of workloads) {
      const pod = podOf(workload)
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
    }
  })

  test('names images only in components/images', () => {
    const { images } = documentsIn('kubernetes/components/images/kustomization.yaml')[0] as Document
    const known = images.map(({ newName, newTag }: Document) => `${newName}:${newTag}`)
    const used = workloads.map((workload) => containerOf(workload).image)
    expect([...new Set(used)].sort()).toEqual(known.sort())
  })

  test.each(deployments.map((deployment) => [deployment.metadata.name, deployment] as const))(
    '%s has settings that the product takes, and none starts with a placeholder',
    (name, deployment) => {
      const container = containerOf(deployment)
      const env = environmentOf(deployment, named)
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
      expect(podOf(deployment).enableServiceLinks).toBe(false)

      const { config, faults } = configOf(env, filled(secrets))
      expect(faults).toBeUndefined()
      if (config === undefined) throw new Error('no configuration')
      const remoteSubgraphs = config.subgraph.urls
      // The time to stop fits into what Kubernetes waits before it kills, and the longest request into the grace.
      const patienceMs = podOf(deployment).terminationGracePeriodSeconds * 1000
      expect(config.shutdown.delayMs + config.shutdown.graceMs + 2000).toBeLessThanOrEqual(patienceMs)
      expect(config.shutdown.graceMs).toBeGreaterThanOrEqual(config.calls.requestTimeoutMs)
      // It says that it is not ready for longer than it takes to be noticed.
      const { periodSeconds, failureThreshold } = container.readinessProbe
      expect(config.shutdown.delayMs).toBeGreaterThan(periodSeconds * failureThreshold * 1000)
      const isSplitGateway = name === 'tessera-gateway' && folder !== 'overlays/together'
      expect(Object.keys(remoteSubgraphs).sort()).toEqual(isSplitGateway ? [...subgraphNames].sort() : [])
      for (const [subgraph, url] of Object.entries(remoteSubgraphs)) {
        const { spec } = named('Service', `tessera-${subgraph}`)
        expect(url).toBe(`http://tessera-${subgraph}:${spec.ports[0].port}/graphql`)
      }
    },
  )

  test('gives the daily budget to the workload that calls the media service, and to no other', () => {
    const holders = deployments.filter(
      (deployment) => environmentOf(deployment, named).TESSERA_QUOTA_DAILY !== undefined,
    )
    expect(holders.map(nameOf)).toEqual([folder === 'overlays/together' ? 'gateway' : 'videos'])
  })

  test('starts each container with a command that there is, on its port', () => {
    for (const deployment of deployments) {
      const name = nameOf(deployment)
      const { args } = containerOf(deployment)
      if (name === 'gateway') {
        expect([args, portOf(deployment)]).toEqual([['serve'], 4000])
        expect(readDeployed('Dockerfile')).toMatch(/PORT=4000/)
      } else {
        expect(args).toEqual(['subgraph', name, '--port', String(portOf(deployment))])
        expect(portOf(deployment)).toBe(defaultSubgraphPort(name as (typeof subgraphNames)[number]))
      }
    }
  })

  test('probes for what the gateway and every subgraph service answer', async () => {
    await using graph = await startGraph()
    await using services = await startServices(graph.sandbox.url)
    for (const deployment of deployments) {
      const name = nameOf(deployment)
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

  const selects = (selector: Document, labels: Record<string, string>): boolean =>
    Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    (selector.matchExpressions ?? []).every(({ key, operator, values }: Document) => {
      expect(operator).toBe('In')
      return values.includes(labels[key])
    })

  /** Whether a pod of a namespace may reach another pod of the product, as Kubernetes reads the policies. */
  const mayReach = (
    from: { namespace: string; labels: Record<string, string> },
    to: Record<string, string>,
  ): boolean => {
    const judging = ofKind('NetworkPolicy').filter(
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

  test('lets only the gateway reach the subgraph services, and clients only the gateway', () => {
    const strangers = [
      { name: 'ingress', namespace: 'ingress-nginx', labels: {} },
      { name: 'stranger', namespace: 'default', labels: { 'app.kubernetes.io/component': 'gateway' } },
      { name: 'stray', namespace: 'tessera', labels: {} },
      { name: 'prometheus', namespace: 'monitoring', labels: { 'app.kubernetes.io/name': 'prometheus' } },
    ]
    const ours = workloads.map((from) => ({
      name: nameOf(from),
      namespace: 'tessera',
      labels: podLabels(from),
    }))
    const reached = Object.fromEntries(
      workloads.map((to) => [
        nameOf(to),
        [...ours, ...strangers].filter((from) => mayReach(from, podLabels(to))).map(({ name }) => name),
      ]),
    )
    const scraped = folder === 'overlays/example' ? ['prometheus'] : []
    expect(reached).toEqual({
      gateway: ['ingress', ...scraped],
      ...(folder === 'overlays/together'
        ? {}
        : Object.fromEntries(subgraphNames.map((name) => [name, ['gateway', ...scraped]]))),
      redis: folder === 'overlays/together' ? ['gateway'] : ['gateway', 'videos'],
    })
  })

  if (folder === 'overlays/example')
    test('scrapes every workload of the product, with the job name of the rules and the dashboard', () => {
      const [{ spec }] = ofKind('PodMonitor')
      const scraped = workloads.filter((workload) => selects(spec.selector, podLabels(workload)))
      expect(scraped).toEqual(deployments)
      const [endpoint] = spec.podMetricsEndpoints
      for (const workload of scraped) {
        expect(containerOf(workload).ports.map(({ name }: Document) => name)).toContain(endpoint.port)
        expect(workload.spec.template.metadata.annotations['prometheus.io/path']).toBe(endpoint.path)
      }
      const [{ sourceLabels, regex, replacement, targetLabel }] = endpoint.relabelings
      expect([sourceLabels, targetLabel]).toEqual([
        ['__meta_kubernetes_pod_label_app_kubernetes_io_name'],
        'job',
      ])
      const jobs = scraped.map((workload) =>
        (podLabels(workload)['app.kubernetes.io/name'] ?? '').replace(new RegExp(`^${regex}$`), replacement),
      )
      const { scrape_configs } = parseYaml(readDeployed('prometheus.yml')) as Document
      expect(jobs.sort()).toEqual(scrape_configs.map((config: Document) => config.job_name).sort())
      const [{ spec: rules }] = ofKind('PrometheusRule')
      expect(rules).toEqual(parseYaml(readDeployed('prometheus-rules.yml')))
      const dashboard = named('ConfigMap', 'tessera-dashboard').data['grafana-dashboard.json']
      expect(JSON.parse(dashboard)).toEqual(JSON.parse(readDeployed('grafana-dashboard.json')))
    })
})

describe.skipIf(!isRendered)('components/tls', () => {
  test('has the gateway speak HTTPS, and its probes with it', () => {
    const folder = mkdtempSync(join(root, 'deploy/kubernetes/overlays/tls-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(
      join(folder, 'kustomization.yaml'),
      'resources: [../together]\ncomponents: [../../components/ingress, ../../components/tls]\n',
    )
    const documents = kustomized(`overlays/${basename(folder)}`)
    const find = finder(documents)
    const gateway = find('Deployment', 'tessera-gateway')
    for (const document of documents) expect(() => check(document), labelled(document)).not.toThrow()
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      expect(containerOf(gateway)[probe].httpGet).toMatchObject({ scheme: 'HTTPS', port: 'http' })
    expect(find('Ingress', 'tessera').metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS',
      'nginx.ingress.kubernetes.io/proxy-body-size': '0',
    })
    const env = environmentOf(gateway, find)
    const { mountPath } = containerOf(gateway).volumeMounts.find(({ name }: Document) => name === 'tls')
    expect([env.TESSERA_TLS_CERT, env.TESSERA_TLS_KEY]).toEqual([
      `${mountPath}/tls.crt`,
      `${mountPath}/tls.key`,
    ])
  })
})
