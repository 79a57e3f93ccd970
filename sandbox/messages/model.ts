/** Users and messages as the stand-in stores them, with names of the older vocabulary. */

export type Json = { readonly [key: string]: unknown }
export interface User extends Json {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly protected: boolean
}
export interface Message extends Json {
  readonly id: string
  readonly text: string
  readonly author_id: string
}
export interface SampleData {
  readonly users: Map<string, User>
  readonly messages: Map<string, Message>
  readonly media: ReadonlyMap<string, Json>
  readonly polls: ReadonlyMap<string, Json>
  readonly places: ReadonlyMap<string, Json>
  /** User ids by message, the newest like first, including protected users. */
  readonly likers: Map<string, readonly string[]>
}
