/**
 * Conversations with an agent: matching an input to an intent by phrases, events and contexts, collecting its
 * parameters with prompts, and the contexts of each session with their lifespans.
 */
export { createConversations, type SessionPath } from './conversations.ts'
