/** urql's client, which has the answer already to the query in a component: rendering on a server does not wait. */
import { Client, cacheExchange, fetchExchange, gql } from '@urql/core'

export async function clientWith(source: string, url: string): Promise<Client> {
  const client = new Client({ url, preferGetMethod: false, exchanges: [cacheExchange, fetchExchange] })
  const [, query = ''] = /gql`([^`]*)`/.exec(source) ?? []
  const { error } = await client.query(gql(query), {}).toPromise()
  if (error !== undefined) throw error
  return client
}
