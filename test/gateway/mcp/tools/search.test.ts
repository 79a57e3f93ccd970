/** What is found by a question in plain words, over our own schema. */
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { createSchemaSearch } from '../../../../gateway/mcp/tools/search.ts'
import { readSchemaFile } from '../../../../subgraphs/kit/subgraph.ts'

const find = createSchemaSearch(buildSchema(readSchemaFile('api')))

const found = (words: string): readonly string[] => find(words, 10).map(({ at }) => at.replace(/[(:].*/, ''))

test.each([
  ['how many views does a video have', 'VideoStatistics.viewCount'],
  ['the most popular videos right now', 'Query.chartVideos'],
  ['comments of a video', 'Video.commentThreads'],
  ['how do I upload a video?', 'Mutation.insertVideo'],
  ['which users liked this message', 'Message.likingUsers'],
  ['who is the author of a message', 'Message.author'],
  ['how many units are left today', 'MediaQuota.remaining'],
  ['run a PromQL query over a range', 'Metrics.queryRange'],
  ['which alerts are firing', 'Metrics.alerts'],
  ['what are the rules for alerting and recording', 'Metrics.ruleGroups'],
  ['list the intents of the agent', 'Agent.intents'],
  ['create a new intent', 'Mutation.createIntent'],
  ['what is the duration of the video', 'VideoContentDetails.duration'],
  ['hashtags in the messages', 'MessageEntities.hashtags'],
  ['get an object by its global id', 'Query.node'],
])('the question "%s" finds %s', (words, field) => {
  expect(found(words)).toContain(field)
})

test('nothing is found that cannot be executed, or that no word fits', () => {
  expect(found('alertChanged commentThreadAdded')).not.toContain('Subscription.alertChanged')
  expect(found('xylophone')).toEqual([])
  expect(found('who')).not.toContain('Query.video')
})
