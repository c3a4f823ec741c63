/** `prompts/list` and `prompts/get`: tasks that areas declare. */
import type { Table } from '../../runtime/table/table.ts'
import { isBlank } from '../../runtime/call/blank-arguments.ts'
import { isObject } from '../../runtime/values/json.ts'
import { fault, type Params, shown } from './message.ts'

export function listPrompts({ prompts }: Table): object {
  const described = [...prompts].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    prompts: described.map(([name, { title, description: about, arguments: named }]) => ({
      name,
      title,
      description: about,
      arguments: Object.entries(named).map(([argument, { description, required }]) => ({ name: argument, description, required })),
    })),
  }
}

/** Most characters of an argument, which the answer repeats. */
const maxArgumentLength = 500

/** @throws ProtocolFault for a prompt that does not exist, and for arguments that it does not have */
export function getPrompt({ prompts }: Table, { name, arguments: args }: Params): object {
  const given = isBlank(args) ? {} : args
  const prompt = typeof name === 'string' ? prompts.get(name) : undefined
  if (!prompt) fault('invalid_params', `There is no prompt ${shown(String(name))}; prompts are ${[...prompts.keys()].sort().join(', ')}.`)
  if (!isObject(given)) fault('invalid_params', 'params.arguments must be an object.')
  const texts: Record<string, string> = {}
  for (const [argument, { required }] of Object.entries(prompt.arguments)) {
    const value = Object.hasOwn(given, argument) ? given[argument] : undefined
    if (isBlank(value)) {
      if (required) fault('invalid_params', `The prompt ${shown(String(name))} needs the argument ${argument}.`)
    } else if (typeof value !== 'string' || value.length > maxArgumentLength) {
      fault('invalid_params', `The argument ${argument} must be a text of at most ${maxArgumentLength} characters.`)
    } else texts[argument] = value
  }
  const unknown = Object.keys(given).find(each => !Object.hasOwn(prompt.arguments, each))
  if (unknown !== undefined)
    fault('invalid_params', `${shown(unknown)} is not an argument; arguments are ${Object.keys(prompt.arguments).join(', ')}.`)
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text: prompt.text(texts) } }] }
}
