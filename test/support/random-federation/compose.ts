/** Supergraphs of subgraph SDLs: by the product's composer, and by Apollo's if that one refuses. */
import { composeServices } from '@apollo/composition'
import { parse } from 'graphql'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import type { Services } from './services.ts'

export type Composed =
  | { readonly supergraph: string; readonly errors?: undefined }
  | { readonly supergraph?: undefined; readonly errors: readonly string[] }

export type Composer = 'own' | 'apollo'

export function composeBy(
  composer: Composer,
  services: Services,
  urlOf: (name: string) => string = (name) => `http://${name}.test/graphql`,
): Composed {
  const sources = Object.entries(services).map(([name, sdl]) => ({
    name,
    url: urlOf(name),
    typeDefs: parse(sdl),
  }))
  try {
    const result =
      composer === 'own'
        ? compose(sources)
        : (({ supergraphSdl, errors }) =>
            supergraphSdl === undefined
              ? { errors: errors ?? [] }
              : { supergraph: supergraphSdl, errors: undefined })(composeServices(sources))
    return result.supergraph === undefined
      ? { errors: (result.errors ?? []).map(({ message }) => message) }
      : { supergraph: result.supergraph }
  } catch (error) {
    return { errors: [`${composer} fails: ${String(error)}`] }
  }
}

export function composeAny(services: Services, urlOf?: (name: string) => string): Composed {
  const first = composeBy('own', services, urlOf)
  if (first.supergraph !== undefined) return first
  const second = composeBy('apollo', services, urlOf)
  return second.supergraph === undefined ? first : second
}
