/** What kustomize applies from deploy/kubernetes is what the chart makes by its defaults, and its values change it. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../support/deploy.ts'
import {
  charted,
  containerOf,
  type Document,
  environmentOf,
  finder,
  kustomized,
  podOf,
  withTool,
} from '../support/kubernetes.ts'

const isRendered = withTool('helm', 'what helm makes of deploy/helm/tessera')
const isCompared = isRendered && withTool('kustomize', 'the Helm chart against deploy/kubernetes')

/**
 * By kind and name. What makes a change of settings roll out differs: kustomize puts a hash of a config map into its
 * name, the chart one into an annotation of the pods. The namespace is Helm's to make (`--create-namespace`).
 */
function comparable(documents: readonly Document[]): Record<string, Document> {
  const withoutHashes = JSON.parse(
    JSON.stringify(documents).replace(/"(tessera-[a-z]+)-[a-z0-9]{10}"/g, '"$1"'),
  ) as Document[]
  return Object.fromEntries(
    withoutHashes
      .filter(({ kind }) => kind !== 'Namespace')
      .map((document) => {
        delete document.spec?.template?.metadata?.annotations?.['checksum/settings']
        return [`${document.kind} ${document.metadata.name}`, document]
      }),
  )
}

describe.skipIf(!isCompared)('the Helm chart', () => {
  test.each([
    ['overlays/together', { mode: 'together' }],
    ['overlays/split', {}],
    ['overlays/example', { 'ingress.enabled': true, 'monitoring.enabled': true, 'gateway.replicas.max': 30 }],
  ])('makes the documents of %s', (folder, values) => {
    const expected = comparable(kustomized(folder))
    const made = comparable(charted({ values }))
    expect(Object.keys(made).sort()).toEqual(Object.keys(expected).sort())
    for (const [name, document] of Object.entries(made)) expect(document, name).toEqual(expected[name])
  })
})

describe.skipIf(!isRendered)('the values of the Helm chart', () => {
  test('name images and limits, and reach every workload', () => {
    const documents = charted({
      values: {
        'images.tessera': 'example.org/graph:1',
        'images.redis': 'example.org/redis:2',
        imagePullPolicy: 'Always',
        'imagePullSecrets[0].name': 'pull',
        'gateway.resources.limits.memory': '2Gi',
      },
    })
    for (const deployment of documents.filter(({ kind }) => kind === 'Deployment')) {
      expect(containerOf(deployment)).toMatchObject({
        image: 'example.org/graph:1',
        imagePullPolicy: 'Always',
      })
      expect(podOf(deployment).imagePullSecrets).toEqual([{ name: 'pull' }])
    }
    const named = finder(documents)
    expect(containerOf(named('StatefulSet', 'tessera-redis')).image).toBe('example.org/redis:2')
    expect(containerOf(named('Deployment', 'tessera-gateway')).resources.limits.memory).toBe('2Gi')
  })

  test('are settings as text, and a changed one changes the pods, which rolls it out', () => {
    const changed = charted({ values: { 'subgraphs.videos.settings.TESSERA_QUOTA_DAILY': 12000000 } })
    const plain = charted()
    const videos = (documents: readonly Document[]): Document =>
      finder(documents)('Deployment', 'tessera-videos')
    expect(environmentOf(videos(changed), finder(changed))).toMatchObject({
      TESSERA_QUOTA_DAILY: '12000000',
      TESSERA_SUBGRAPH_SCOPES: 'true',
      TESSERA_SHUTDOWN_GRACE_MS: '20000',
    })
    const checksum = (documents: readonly Document[]): string =>
      videos(documents).spec.template.metadata.annotations['checksum/settings']
    expect(checksum(changed)).not.toBe(checksum(plain))
    expect(checksum(charted())).toBe(checksum(plain))
  })

  test('take another name and namespace, so that two releases do not meet', () => {
    const documents = charted({
      name: 'other',
      namespace: 'elsewhere',
      values: { 'monitoring.enabled': true },
    })
    for (const { metadata } of documents) {
      expect(metadata.namespace).toBe('elsewhere')
      expect(metadata.name).toMatch(/^other(-|$)/)
    }
    const selectors = documents.flatMap(({ spec }) => [spec?.podSelector, spec?.selector]).filter(Boolean)
    expect(selectors.length).toBeGreaterThan(10)
    for (const selector of selectors) expect(JSON.stringify(selector)).toContain('"other')
    const named = finder(documents)
    expect(environmentOf(named('Deployment', 'other-gateway'), named).TESSERA_VIDEOS_SUBGRAPH_URL).toBe(
      'http://other-videos:4001/graphql',
    )
  })

  test('have the gateway speak HTTPS with a secret, and probes, scraping and ingress with it', () => {
    const documents = charted({ values: { 'tls.secret': 'graph-tls', 'ingress.enabled': true } })
    const named = finder(documents)
    const schemes = (workload: Document): unknown[] =>
      ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
        (probe) => containerOf(workload)[probe].httpGet.scheme,
      )
    const gateway = named('Deployment', 'tessera-gateway')
    expect(schemes(gateway)).toEqual(['HTTPS', 'HTTPS', 'HTTPS'])
    expect(schemes(named('Deployment', 'tessera-videos'))).toEqual([undefined, undefined, undefined])
    expect(environmentOf(gateway, named)).toMatchObject({
      TESSERA_TLS_CERT: '/run/secrets/tls/tls.crt',
      TESSERA_TLS_KEY: '/run/secrets/tls/tls.key',
    })
    expect(podOf(gateway).volumes).toContainEqual(
      expect.objectContaining({ name: 'tls', secret: expect.objectContaining({ secretName: 'graph-tls' }) }),
    )
    const { annotations } = gateway.spec.template.metadata
    expect(annotations['prometheus.io/scheme']).toBe('https')
    const [ingress] = documents.filter(({ kind }) => kind === 'Ingress')
    expect(ingress.metadata.annotations['nginx.ingress.kubernetes.io/backend-protocol']).toBe('HTTPS')
  })

  test('may leave out the annotations of the ingress, and give it any host', () => {
    const [ingress] = charted({
      values: {
        'tls.secret': 'graph-tls',
        'ingress.enabled': true,
        'ingress.annotations': 'null',
        'ingress.host': '*.example.com',
      },
    }).filter(({ kind }) => kind === 'Ingress')
    expect(ingress.metadata.annotations).toEqual({ 'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS' })
    expect(ingress.spec.rules[0].host).toBe('*.example.com')
    expect(ingress.spec.tls[0].hosts).toEqual(['*.example.com'])
  })

  test('leave out Redis if there is another one', () => {
    const documents = charted({ values: { 'redis.enabled': false } })
    expect(documents.filter(({ metadata }) => metadata.name.includes('redis'))).toEqual([])
  })

  test('are refused if the schema does not know them', () => {
    for (const [path, value, said] of [
      ['mode', 'apart', /\/mode|mode/],
      ['gatway.port', 4000, /gatway/],
      ['gateway.port', 70_000, /port/],
      ['gateway.settings.tessera_csrf', 'true', /tessera_csrf/],
      ['subgraphs.video.port', 4001, /video/],
      ['extraEnv[0].value', 'x', /name/],
      ['gateway.replicas.min', 30, /gateway: replicas\.min \(30\) is more than replicas\.max \(20\)/],
    ] as const)
      expect(() => charted({ values: { [path]: value } }), path).toThrow(said)
  })

  test('reach settings as they are written, also fractions and large numbers', () => {
    const named = finder(
      charted({
        values: { 'settings.TESSERA_TRACES_RATIO': 0.1, 'settings.TESSERA_MAX_PENDING_BYTES': 1e9 },
      }),
    )
    expect(named('ConfigMap', 'tessera-shared').data).toMatchObject({
      TESSERA_TRACES_RATIO: '0.1',
      TESSERA_MAX_PENDING_BYTES: '1000000000',
    })
  })

  test('lead the gateway to subgraph services by HTTPS if they speak it, and to other addresses that they give', () => {
    const named = finder(
      charted({
        values: {
          'subgraphs.videos.settings.TESSERA_TLS_CERT': '/run/secrets/tessera/tls.crt',
          'gateway.settings.TESSERA_NODES_SUBGRAPH_URL': 'https://nodes.example.com/graphql',
        },
      }),
    )
    expect(named('ConfigMap', 'tessera-gateway').data).toMatchObject({
      TESSERA_VIDEOS_SUBGRAPH_URL: 'https://tessera-videos:4001/graphql',
      TESSERA_AGENTS_SUBGRAPH_URL: 'http://tessera-agents:4002/graphql',
      TESSERA_NODES_SUBGRAPH_URL: 'https://nodes.example.com/graphql',
    })
  })

  test('schedule pods: for all workloads, and instead for one of them', () => {
    const named = finder(
      charted({
        values: {
          'pods.nodeSelector.disk': 'ssd',
          'pods.tolerations[0].key': 'graph',
          'pods.priorityClassName': 'high',
          'gateway.pods.nodeSelector.disk': 'none',
          'gateway.pods.affinity.nodeAffinity.x': 'y',
          'subgraphs.videos.pods.topologySpreadConstraints[0].maxSkew': 2,
          'subgraphs.videos.pods.topologySpreadConstraints[0].topologyKey': 'rack',
          'subgraphs.videos.pods.topologySpreadConstraints[0].whenUnsatisfiable': 'DoNotSchedule',
        },
      }),
    )
    const videos = podOf(named('Deployment', 'tessera-videos'))
    expect(videos).toMatchObject({ nodeSelector: { disk: 'ssd' }, priorityClassName: 'high' })
    expect(videos.tolerations).toEqual([{ key: 'graph' }])
    expect(videos.topologySpreadConstraints).toEqual([
      {
        maxSkew: 2,
        topologyKey: 'rack',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'tessera-videos' } },
      },
    ])
    const gateway = podOf(named('Deployment', 'tessera-gateway'))
    expect(gateway).toMatchObject({ nodeSelector: { disk: 'none' }, affinity: { nodeAffinity: { x: 'y' } } })
    expect(gateway.topologySpreadConstraints).toHaveLength(2)
  })

  test('add environment: to all workloads, and to one of them', () => {
    const named = finder(
      charted({
        values: {
          'extraEnv[0].name': 'TESSERA_REDIS_URL',
          'extraEnv[0].valueFrom.secretKeyRef.name': 'redis',
          'gateway.extraEnv[0].name': 'NODE_OPTIONS',
          'gateway.extraEnv[0].value': '--max-old-space-size=700',
        },
      }),
    )
    const shared = { name: 'TESSERA_REDIS_URL', valueFrom: { secretKeyRef: { name: 'redis' } } }
    expect(containerOf(named('Deployment', 'tessera-agents')).env).toEqual([shared])
    expect(containerOf(named('Deployment', 'tessera-gateway')).env).toEqual([
      shared,
      { name: 'NODE_OPTIONS', value: '--max-old-space-size=700' },
    ])
  })

  test('leave out what a cluster without the Prometheus operator does not know', () => {
    const kinds = charted({ values: { 'monitoring.enabled': true }, operator: false }).map(({ kind }) => kind)
    expect(kinds).not.toContain('PodMonitor')
    expect(kinds).not.toContain('PrometheusRule')
    expect(kinds).toContain('ConfigMap')
  })

  test('pass helm lint', () => {
    const { status, stdout } = spawnSync('helm', ['lint', join(root, 'deploy/helm/tessera')], {
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
  })
})
