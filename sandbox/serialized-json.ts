/**
 * Serialized JSON in UTF-8, as a string with one character for each byte. Responses for benchmarks are kept in this
 * form instead of as buffers. V8 counts the bytes of long buffers as used memory while they are sent, and would
 * collect garbage all the time.
 */
export class SerializedJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function serialize(json: unknown): SerializedJson {
  return new SerializedJson(Buffer.from(JSON.stringify(json)).toString('latin1'))
}
