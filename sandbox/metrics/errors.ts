/**
 * The errors that the metrics service answers, each with its `errorType`. Any other error is a fault of the stand-in.
 */

/** The expression or a parameter is malformed: answered with status 400. */
export class BadData extends Error {
  readonly errorType = 'bad_data'
}

/** The expression is valid and cannot be evaluated: answered with status 422. */
export class ExecutionFailure extends Error {
  readonly errorType = 'execution'
}

/** The evaluation ran into its timeout: answered with status 503. */
export class QueryTimeout extends Error {
  readonly errorType = 'timeout'
}
