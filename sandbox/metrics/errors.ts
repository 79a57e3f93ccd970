/** The errors of the metrics service, each with its `errorType`. Any other error is a fault of the stand-in. */

/** The expression or a parameter is malformed. The status is 400. */
export class BadData extends Error {
  readonly errorType = 'bad_data'
}

/** The expression is valid but cannot be evaluated. The status is 422. */
export class ExecutionFailure extends Error {
  readonly errorType = 'execution'
}

/** The evaluation reached its timeout. The status is 503. */
export class QueryTimeout extends Error {
  readonly errorType = 'timeout'
}
