/** The ids of the sample messages and users. */

const firstMessageId = 1_780_000_000_000_000_000n
/** About a quarter of an hour in the timestamp of an id. */
const messageIdStep = 4_194_304_000_000n

/** Ids for tests and for trying the sandbox, by what is special about them. */
export const sampleMessages = {
  /** The user of all tokens. */
  demoUser: '2244994945',
  protectedUser: '3000000009',
  /** It has a hashtag, a mention, an address and a cashtag. */
  ordinary: messageIdOf(0),
  /** Its text is truncated. `note_tweet` has all of it. */
  long: messageIdOf(1),
  /** It has `&amp;`, `&lt;` and `&gt;` in its text. */
  escaped: messageIdOf(2),
  photo: messageIdOf(3),
  video: messageIdOf(4),
  poll: messageIdOf(5),
  place: messageIdOf(6),
  reply: messageIdOf(7),
  quote: messageIdOf(8),
  repost: messageIdOf(9),
  /** It quotes a message of a protected user. */
  quotesProtected: messageIdOf(10),
  edited: messageIdOf(11),
  withheld: messageIdOf(12),
  /** The demo user wrote it, and may read its private metrics. */
  own: messageIdOf(13),
  /** It is from the first days of the service. */
  shortId: '20',
  /** 250 users like it. The protected ones are not shown. */
  popular: messageIdOf(14),
  unliked: messageIdOf(15),
  /** Its likes always have another page, which is empty. */
  endlessLikes: messageIdOf(16),
  protected: messageIdOf(17),
  unknown: '1999999999999999999',
  malformed: 'not-an-id',
} as const

export function messageIdOf(index: number): string {
  return String(firstMessageId + BigInt(index) * messageIdStep)
}
