/** The services behind the graph: where they are, how they are called, and their peculiarities. */
import { z } from 'zod'
import { credential, httpUrl } from '../fields.ts'

export const servicesVariables = {
  TESSERA_VIDEOS_URL: httpUrl.optional().describe('Base URL of the video service; the sandbox without it.'),
  TESSERA_AGENTS_URL: httpUrl.optional().describe('Base URL of the agent service; the sandbox without it.'),
  TESSERA_MESSAGES_URL: httpUrl
    .optional()
    .describe('Base URL of the message service; the sandbox without it.'),
  TESSERA_METRICS_URL: httpUrl.optional().describe('Base URL of the metrics server; the sandbox without it.'),
  TESSERA_VIDEOS_NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'expected one path segment in lower case, such as youtube')
    .default('media')
    .describe('The path segment under which the video service lives.'),
  TESSERA_VIDEOS_CREDENTIAL: credential('videos')
    .default({ kind: 'none' })
    .describe('How the video service is called.'),
  TESSERA_AGENTS_CREDENTIAL: credential('agents')
    .default({ kind: 'none' })
    .describe('How the agent service is called.'),
  TESSERA_MESSAGES_CREDENTIAL: credential('messages')
    .default({ kind: 'none' })
    .describe('How the message service is called.'),
  TESSERA_METRICS_CREDENTIAL: credential('metrics')
    .default({ kind: 'none' })
    .describe('How the metrics server is called.'),
  TESSERA_MESSAGES_VOCABULARY: z
    .enum(['tweet', 'post'], { error: 'expected tweet or post' })
    .default('tweet')
    .describe("Which of the message service's two vocabularies is sent."),
} as const
