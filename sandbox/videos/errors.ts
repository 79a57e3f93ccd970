/** The errors of the video service, with its messages. */
import type { StandInAnswer } from '../stand-in.ts'

interface Place {
  /** The domain after the namespace, such as `parameter`. `global` has no namespace. */
  readonly domain?: string
  /** A parameter, a header, or a field of the body. */
  readonly location?: string
}

export class Refused extends Error {
  readonly status: number
  readonly reason: string
  readonly place: Place

  constructor(status: number, reason: string, message: string, place: Place) {
    super(message)
    this.status = status
    this.reason = reason
    this.place = place
  }
}

export function refuse(status: number, reason: string, message: string, place: Place = {}): never {
  throw new Refused(status, reason, message, place)
}

export function answerOf({ status, reason, message, place }: Refused, namespace: string): StandInAnswer {
  const { domain = 'global', location } = place
  const error = {
    message,
    domain: domain === 'global' ? domain : `${namespace}.${domain}`,
    reason,
    location,
    locationType: location && locationTypeOf(location),
  }
  return { status, body: { error: { code: status, message, errors: [error] } } }
}

function locationTypeOf(location: string): string {
  if (location === 'Authorization' || location === 'Content-Range') return 'header'
  return location === 'parameters.' || location.startsWith('body') ? 'other' : 'parameter'
}
