/** The errors of the video service, with its messages. */
import type { StandInAnswer } from '../stand-in.ts'

export interface Problem {
  readonly status: number
  readonly reason: string
  readonly message: string
  /** The domain after the namespace, such as `parameter`. `global` has no namespace. */
  readonly domain?: string
  readonly location?: string
  readonly locationType?: 'parameter' | 'header' | 'other'
}

/** Thrown if a call is refused. */
export class Refused extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

export function refuse(
  status: number,
  reason: string,
  message: string,
  more: Pick<Problem, 'domain' | 'location' | 'locationType'> = {},
): never {
  throw new Refused({ status, reason, message, ...more })
}

export function answerOf(problem: Problem, namespace: string): StandInAnswer {
  const { status, reason, message, domain = 'global', location, locationType } = problem
  return {
    status,
    body: {
      error: {
        code: status,
        message,
        errors: [
          {
            message,
            domain: domain === 'global' ? domain : `${namespace}.${domain}`,
            reason,
            ...(location === undefined ? {} : { location, locationType: locationType ?? 'parameter' }),
          },
        ],
      },
    },
  }
}
