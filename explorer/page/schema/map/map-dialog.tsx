/**
 * The map of types over the whole page: which type leads to which, in the colours of the services, with scopes and
 * prices.
 */
import type { GraphQLSchema } from 'graphql'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { TypeOwners } from '../../../type-owners.ts'
import { goTo } from '../../editor/navigation.ts'
import { plural } from '../../result/format-numbers.ts'
import { ownersAddress } from '../../settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { closeOverlay } from '../../ui/overlay.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { type Lane, nodeSize, type TypeEdge, type TypeGraph, type TypeNode, typeGraph } from './type-graph.ts'

export function MapDialog({ schema }: { readonly schema: GraphQLSchema }) {
  const owners = useOwners()
  const [withMutations, setWithMutations] = useState(false)
  const [filter, setFilter] = useState('')
  const [zoom, setZoom] = useState(1)
  const graph = useMemo(() => typeGraph(schema, owners, withMutations), [schema, owners, withMutations])
  const colours = useMemo(() => coloursOf(owners), [owners])
  const found = graph.nodes.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))
  return (
    <Dialog label="Map of types" className="map-dialog" head={<MapCount graph={graph} />}>
      <div className="map-tools row">
        <SearchField
          label="Find a type on the map"
          placeholder="Find a type"
          value={filter}
          onText={setFilter}
        />
        <label className="check row">
          <input
            type="checkbox"
            checked={withMutations}
            onChange={(event) => setWithMutations(event.currentTarget.checked)}
          />
          Mutations
        </label>
        <span className="row">
          <Button aria-label="Smaller" onClick={() => setZoom(zoomed(zoom, -1))}>
            −
          </Button>
          <Button aria-label="Larger" onClick={() => setZoom(zoomed(zoom, 1))}>
            +
          </Button>
        </span>
        <Legend colours={colours} />
      </div>
      <TypeMap graph={graph} found={filter.trim() === '' ? undefined : found} zoom={zoom} colours={colours} />
    </Dialog>
  )
}

/** Which services own the types. Undefined until they are loaded, and if the gateway does not tell. */
function useOwners(): TypeOwners | undefined {
  const [owners, setOwners] = useState<TypeOwners>()
  useEffect(() => {
    fetch(ownersAddress)
      .then(async (response) => setOwners(response.ok ? ((await response.json()) as TypeOwners) : undefined))
      .catch(() => {})
  }, [])
  return owners
}

/** How many colours the style sheets define for services, by number. */
const mostColours = 8

const own = (colour: number | undefined): object =>
  colour === undefined ? {} : { '--own': `var(--service-${colour})` }

/** A colour for each service, by its place in the alphabet. */
const coloursOf = (owners: TypeOwners | undefined): Colours =>
  new Map(
    [...new Set(Object.values(owners?.types ?? {}).flat())]
      .sort()
      .map((service, at) => [service, at % mostColours]),
  )

const zoomed = (zoom: number, by: number): number =>
  Math.min(1.5, Math.max(0.4, Math.round((zoom + by * 0.2) * 10) / 10))

const MapCount = ({ graph: { types, nodes, edges } }: { readonly graph: TypeGraph }) => (
  <span className="quiet map-count">
    {nodes.length < types ? `the first ${nodes.length} of ` : ''}
    {plural(types, 'type')}, {plural(edges.length, 'connection')}
  </span>
)

type Colours = ReadonlyMap<string, number>

function Legend({ colours }: { readonly colours: Colours }) {
  return (
    <ul className="map-legend" aria-label="Colours">
      {[...colours].map(([service, colour]) => (
        <li key={service} className="row">
          <span className="map-swatch" style={own(colour)} />
          {service}
        </li>
      ))}
      <li className="row">
        <span className="badge badge-scope">scope</span> needs a scope
      </li>
      <li className="row">
        <span className="badge badge-price-1">1</span>
        <span className="badge badge-price-2">50</span> units
      </li>
    </ul>
  )
}

interface TypeMapProps {
  readonly graph: TypeGraph
  /** Undefined for all types. */
  readonly found: readonly TypeNode[] | undefined
  readonly zoom: number
  readonly colours: Colours
}

function TypeMap({ graph, found, zoom, colours }: TypeMapProps) {
  const [looked, setLooked] = useState<string>()
  const place = useRef<HTMLDivElement>(null)
  const [first] = found ?? []
  const near = useMemo(() => neighbours(graph.edges, looked), [graph, looked])
  useEffect(() => {
    if (first === undefined) return
    place.current?.scrollTo({ left: (first.x - 60) * zoom, top: (first.y - 80) * zoom })
  }, [first, zoom])
  const byName = useMemo(() => new Map(graph.nodes.map((node) => [node.name, node])), [graph])
  const isFar = ({ from, to }: TypeEdge): boolean => byName.get(from)?.lane !== byName.get(to)?.lane
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: this is not a set of form fields
    <div ref={place} className="map fill" role="group" aria-label="Types" tabIndex={0}>
      <div className="map-sheet" style={{ width: graph.width * zoom, height: graph.height * zoom }}>
        <div className="map-scaled" style={{ width: graph.width, height: graph.height, scale: String(zoom) }}>
          {graph.lanes.map((lane) => (
            <LaneHead key={lane.service} lane={lane} colour={colours.get(lane.service)} />
          ))}
          <svg className="map-edges" width={graph.width} height={graph.height} aria-hidden="true">
            {graph.edges.map((edge) => (
              <path
                key={`${edge.from} ${edge.to}`}
                d={pathOf(byName.get(edge.from), byName.get(edge.to))}
                className={edgeClass(edge, looked, isFar(edge))}
              />
            ))}
          </svg>
          {graph.nodes.map((node) => (
            <TypeCard
              key={node.name}
              node={node}
              colour={node.kind === 'root' ? undefined : colours.get(node.lane)}
              isDim={
                (found !== undefined && !found.includes(node)) ||
                (looked !== undefined && !near.has(node.name))
              }
              onLook={setLooked}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

function neighbours(edges: readonly TypeEdge[], name: string | undefined): ReadonlySet<string> {
  const near = new Set(name === undefined ? [] : [name])
  for (const { from, to } of edges) {
    if (from === name) near.add(to)
    if (to === name) near.add(from)
  }
  return near
}

/** Lines across several lanes are hidden at first, because they would cover everything else. */
function edgeClass(edge: TypeEdge, looked: string | undefined, isFar: boolean): string {
  const classes = ['map-edge']
  if (edge.isScoped) classes.push('map-edge-scoped')
  if (looked === edge.from) classes.push('map-edge-out')
  else if (looked === edge.to) classes.push('map-edge-in')
  else if (looked !== undefined) classes.push('map-edge-dim')
  else if (isFar) classes.push('map-edge-far')
  return classes.join(' ')
}

function pathOf(from: TypeNode | undefined, to: TypeNode | undefined): string {
  if (from === undefined || to === undefined) return ''
  const [x1, y1] = [from.x + nodeSize.width, from.y + nodeSize.height / 2]
  const [x2, y2] = [to.x, to.y + nodeSize.height / 2]
  const bend = Math.max(40, Math.abs(x2 - x1) / 2)
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}

interface LaneHeadProps {
  readonly lane: Lane
  readonly colour: number | undefined
}

const LaneHead = ({ lane: { service, y, height }, colour }: LaneHeadProps) => (
  <div className="map-lane" style={{ top: y, height, ...own(colour) }}>
    <h3>{service === '' ? 'Root types, and types that services share' : service}</h3>
  </div>
)

interface TypeCardProps {
  readonly node: TypeNode
  readonly colour: number | undefined
  readonly isDim: boolean
  readonly onLook: (name: string | undefined) => void
}

function TypeCard({ node, colour, isDim, onLook }: TypeCardProps) {
  const { name, kind, services, fields, scopes, units, x, y } = node
  const facts = [
    kind === 'object' || kind === 'root' ? plural(fields, 'field') : kind,
    ...(services.length > 1 && kind !== 'root' ? [`of ${services.length} services`] : []),
  ]
  return (
    <button
      type="button"
      className={`map-node${isDim ? ' map-node-dim' : ''}`}
      style={{ left: x, top: y, ...nodeSize, ...own(colour) }}
      title={`${name}: ${[...facts, services.join(', '), ...scopes.map((scope) => `needs ${scope}`)].join('; ')}`}
      onPointerEnter={() => onLook(name)}
      onPointerLeave={() => onLook(undefined)}
      onFocus={() => onLook(name)}
      onBlur={() => onLook(undefined)}
      onClick={() => {
        closeOverlay()
        goTo({ type: name })
      }}
    >
      <span className="map-name cut">{name}</span>
      <span className="map-facts">
        <span className="quiet cut">{facts.join(', ')}</span>
        {scopes.length === 0 ? null : (
          <span className="badge badge-scope">{plural(scopes.length, 'scope')}</span>
        )}
        {units === undefined ? null : (
          <span className={`badge ${priceClass(units)}`}>{plural(units, 'unit')}</span>
        )}
      </span>
    </button>
  )
}

const priceClass = (units: number): string => (units >= 50 ? 'badge-price-2' : 'badge-price-1')
