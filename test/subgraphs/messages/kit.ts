/** The messages subgraph in front of a scripted service. */
import { createMessagesSubgraph, type MessagesOptions } from '../../../subgraphs/messages/index.ts'
import type { Arrived, Scripted } from '../../support/scripted-service.ts'
import { type ScriptedSubgraph, subgraphOver } from '../../support/scripted-subgraph.ts'

export function messagesOver(
  answer: Scripted | ((arrived: Arrived) => Scripted | Promise<Scripted>),
  options: Partial<MessagesOptions> = {},
): Promise<ScriptedSubgraph> {
  return subgraphOver(answer, (baseUrl) =>
    createMessagesSubgraph({ baseUrl, credential: { kind: 'none' }, ...options }),
  )
}

type Json = Record<string, unknown>

export const problem = (name: string, more: Json = {}): Json => ({
  type: `https://api.x.com/2/problems/${name}`,
  title: 'A Title',
  detail: 'Could not do it, see https://api.x.com/secret.',
  ...more,
})

/** A problem about an id that was asked for. */
export const problemOf = (name: string, id: string, more: Json = {}): Json =>
  problem(name, { resource_id: id, value: id, parameter: 'ids', resource_type: 'tweet', ...more })

/**
 * A lookup service in which every id below 1000 exists, 1000 to 1999 are not found and the rest may not be
 * seen; `data` is missing if nothing is shown, and comes in no particular order.
 */
export function lookup({ query }: Arrived): Scripted {
  const ids = (query.ids ?? '').split(',')
  if (ids.length > 100 || !ids.every((id) => /^[0-9]{1,19}$/.test(id))) {
    return {
      status: 400,
      body: problem('invalid-request', { errors: [{ message: 'The `ids` are wrong.' }] }),
    }
  }
  const data = ids
    .filter((id) => id.length < 4)
    .reverse()
    .map((id) => ({ id, text: `text ${id}`, author_id: `9${id}` }))
  const errors = ids
    .filter((id) => id.length >= 4)
    .map((id) => problemOf(id.startsWith('1') ? 'resource-not-found' : 'not-authorized-for-resource', id))
  return { body: { ...(data.length > 0 ? { data } : {}), ...(errors.length > 0 ? { errors } : {}) } }
}

export function params(arrived: Arrived | undefined): Record<string, string> {
  const { ids: _ids, ...rest } = arrived?.query ?? {}
  return rest
}
