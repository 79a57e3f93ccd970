/**
 * The tools that the protocol's conformance suite asks of every server, as its scenarios describe them. What a tool needs
 * of its user it asks for by a result that says so (input required).
 */
import { createHmac, randomBytes } from 'node:crypto'
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  InputRequiredSpec,
  ServerContext,
} from '@modelcontextprotocol/server'
import type { Sdk } from '../../gateway/mcp/protocol/sdk.ts'

export interface FixtureCall {
  readonly library: Sdk
  readonly context: ServerContext
  /** Tells those who listen that tools or prompts have changed. */
  changed(what: 'tools' | 'prompts'): void
}

type Answer = CallToolResult | InputRequiredResult
type FixtureTool = (call: FixtureCall) => Answer | Promise<Answer>

/** A picture of one red pixel, and a sound without a sample. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const textOf = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' }

const form = (name: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string' as const } },
  required: [name],
})

const agreement = {
  type: 'object' as const,
  properties: { ok: { type: 'boolean' as const } },
  required: ['ok'],
}

/** Waits until what was written before has left, and not longer. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const capabilitiesOf = ({ mcpReq }: ServerContext): ClientCapabilities =>
  (mcpReq.envelope as Record<string, ClientCapabilities> | undefined)?.[
    'io.modelcontextprotocol/clientCapabilities'
  ] ?? {}

/** Asks until each question has an answer of its own form. */
function asking(
  { library, context }: FixtureCall,
  questions: NonNullable<InputRequiredSpec['inputRequests']>,
  done: (answers: Readonly<Record<string, unknown>>) => Answer,
  requestState?: string,
): Answer {
  const answers = context.mcpReq.inputResponses ?? {}
  const isAnswered = Object.entries(questions).every(([name, { method }]) =>
    method === 'elicitation/create'
      ? library.acceptedContent(answers, name) !== undefined
      : typeof answers[name] === 'object',
  )
  if (isAnswered) return done(answers)
  return library.inputRequired({
    inputRequests: questions,
    ...(requestState === undefined ? {} : { requestState }),
  })
}

const secret = randomBytes(32)
const sealed = (state: string): string =>
  `${state}.${createHmac('sha256', secret).update(state).digest('base64url')}`

/** The state that came back; throws if it is not a state of this server. */
function stateOf({ library, context }: FixtureCall): string | undefined {
  const given = context.mcpReq.requestState<string>()
  if (given === undefined) return undefined
  const state = given.split('.')[0] ?? ''
  if (sealed(state) !== given)
    throw new library.ProtocolError(library.ProtocolErrorCode.InvalidParams, 'The request state was altered.')
  return state
}

const sample = (library: Sdk, text: string) =>
  library.inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  })

const confirming: FixtureTool = (call) => {
  const { library } = call
  const state = stateOf(call)
  const questions = {
    confirm: library.inputRequired.elicit({ message: 'Please confirm', requestedSchema: agreement }),
  }
  return asking(
    call,
    questions,
    () => textOf(state === 'confirm' ? 'state-ok' : 'no state'),
    sealed('confirm'),
  )
}

const severalRounds: FixtureTool = (call) => {
  const { library } = call
  const { elicit } = library.inputRequired
  if (stateOf(call) === 'two')
    return asking(
      call,
      { step2: elicit({ message: 'Step 2: What is your favorite color?', requestedSchema: form('color') }) },
      () => textOf('Both steps are done.'),
      sealed('two'),
    )
  return asking(
    call,
    { step1: elicit({ message: 'Step 1: What is your name?', requestedSchema: form('name') }) },
    () =>
      library.inputRequired({
        inputRequests: {
          step2: elicit({ message: 'Step 2: What is your favorite color?', requestedSchema: form('color') }),
        },
        requestState: sealed('two'),
      }),
    sealed('one'),
  )
}

const name = (library: Sdk) =>
  library.inputRequired.elicit({ message: 'What is your name?', requestedSchema: form('name') })

const inputTools: Readonly<Record<string, FixtureTool>> = {
  test_input_required_result_elicitation: (call) =>
    asking(call, { user_name: name(call.library) }, (answers) => {
      const { name: given } = call.library.acceptedContent(answers, 'user_name') ?? {}
      return textOf(`Hello, ${String(given)}!`)
    }),
  test_input_required_result_sampling: (call) =>
    asking(call, { capital_question: sample(call.library, 'What is the capital of France?') }, (answers) =>
      textOf(JSON.stringify(answers.capital_question)),
    ),
  test_input_required_result_list_roots: (call) =>
    asking(call, { client_roots: call.library.inputRequired.listRoots() }, (answers) =>
      textOf(JSON.stringify(answers.client_roots)),
    ),
  test_input_required_result_request_state: confirming,
  test_input_required_result_tampered_state: confirming,
  test_input_required_result_multi_round: severalRounds,
  test_input_required_result_multiple_inputs: (call) => {
    stateOf(call)
    return asking(
      call,
      {
        user_name: name(call.library),
        greeting: sample(call.library, 'Generate a greeting'),
        client_roots: call.library.inputRequired.listRoots(),
      },
      () => textOf('All is there.'),
      sealed('several'),
    )
  },
  test_input_required_result_capabilities: (call) => {
    const { elicitation, sampling } = capabilitiesOf(call.context)
    return asking(
      call,
      {
        ...(elicitation === undefined ? {} : { user_name: name(call.library) }),
        ...(sampling === undefined ? {} : { greeting: sample(call.library, 'Generate a greeting') }),
      },
      () => textOf('All is there.'),
    )
  },
  test_streaming_elicitation: (call) =>
    asking(call, { user_name: name(call.library) }, () => textOf('Done.')),
  test_missing_capability: ({ library, context }) => {
    if (capabilitiesOf(context).sampling === undefined)
      throw new library.MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return textOf('The client can sample.')
  },
}

export const fixtureTools: Readonly<Record<string, FixtureTool>> = {
  ...inputTools,
  test_simple_text: () => textOf('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: sound, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => ({
    ...textOf('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  async test_tool_with_progress({ context: { mcpReq } }) {
    const { progressToken } = mcpReq._meta ?? {}
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken as string | number, progress, total: 100 },
      })
      await turn()
    }
    return textOf('Done.')
  },
  async test_tool_with_logging({ context: { mcpReq } }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
      await turn()
    }
    return textOf('Done.')
  },
  async test_logging_tool({ context: { mcpReq } }) {
    await mcpReq.log('info', 'Only for those who ask for it.')
    return textOf('Done.')
  },
  test_trigger_tool_change({ changed }) {
    changed('tools')
    return textOf('The tools have changed.')
  },
  test_trigger_prompt_change({ changed }) {
    changed('prompts')
    return textOf('The prompts have changed.')
  },
}
