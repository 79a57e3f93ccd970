/**
 * Conversations with an agent: the intent of an input by phrases, events and contexts, its parameters, questions for
 * those that are missing, and the contexts of each session with their life spans.
 */
export { createConversations, type SessionPath } from './conversations.ts'
