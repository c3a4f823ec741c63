/** Fixtures that the suite requires of a server: a tool that answers, a tool that fails, and two prompts. */
import { Type } from '@sinclair/typebox'
import { area } from '../../../../runtime/table/area.ts'
import { fail } from '../../../../runtime/table/errors.ts'
import { operation } from '../../../../runtime/table/operation.ts'
import { prompt } from '../../../../runtime/table/prompt.ts'

const answer = Type.Object({ text: Type.String({ description: 'The answer.' }) })

const test_simple_text = operation({
  route: 'GET /conformance/text',
  summary: 'Answer a text',
  access: 'member',
  effect: 'read',
  input: {},
  output: answer,
  examples: [{ input: {} }],
  run: async () => ({ text: 'This is a simple text response for testing.' }),
})

const test_error_handling = operation({
  route: 'GET /conformance/error',
  summary: 'Fail',
  access: 'member',
  effect: 'read',
  input: {},
  output: answer,
  examples: [{ input: {} }],
  run: async () => fail('invalid_state', 'This tool intentionally returns an error for testing'),
})

const test_simple_prompt = prompt({
  title: 'Simple',
  description: 'A prompt without arguments.',
  arguments: {},
  text: () => 'This is a simple prompt for testing.',
})

const test_prompt_with_arguments = prompt({
  title: 'With arguments',
  description: 'A prompt with two arguments.',
  arguments: { arg1: { description: 'The first.', required: true }, arg2: { description: 'The second.', required: true } },
  text: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
})

export const fixtures = area({
  name: 'Conformance',
  description: 'For the suite of the protocol.',
  operations: { test_simple_text, test_error_handling },
  prompts: { test_simple_prompt, test_prompt_with_arguments },
})
