/** An example of an operation as a line that can be typed. */
import { isObject } from '../../runtime/values/json.ts'
import { isSwitch } from './arguments.ts'
import type { Command, CommandExample, Field } from './commands.ts'
import { mayBeOmitted } from './complete-ids.ts'
import { filterOf } from './filter.ts'

/** Without the workspace and the site, which the profile has, or of which there is one. */
export function exampleWords({ name, fields }: Command, { input }: CommandExample): string[] {
  const given = (field: Field) => Object.hasOwn(input, field.name)
  const plain = fields.filter(field => field.inPath && !mayBeOmitted(field) && given(field)).map(field => String(input[field.name]))
  const flags = fields.filter(field => !field.inPath && given(field)).flatMap(field => flagWords(field, input[field.name]))
  return ['footfall', ...name.split(' '), ...plain, ...flags]
}

export const exampleLine = (command: Command, example: CommandExample): string => exampleWords(command, example).map(quoted).join(' ')

function flagWords(field: Field, value: unknown): string[] {
  const { flag, name } = field
  if (isSwitch(field) && typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
  if (name === 'filters' && Array.isArray(value)) return filterWords(value)
  const isTexts = Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string' && /^[^,[\]\s]+$/.test(each))
  if (isTexts) return withValue(flag, value.join(','))
  return withValue(flag, typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const withValue = (flag: string, text: string): string[] => (text.startsWith('--') ? [`--${flag}=${text}`] : [`--${flag}`, text])

/** Conditions that `--filter` can say are written so. */
function filterWords(conditions: readonly unknown[]): string[] {
  const texts = conditions.map(textOf)
  if (texts.length > 0 && texts.every(text => text !== undefined)) return texts.flatMap(text => ['--filter', text])
  return ['--filters', JSON.stringify(conditions)]
}

function textOf(condition: unknown): string | undefined {
  if (!Array.isArray(condition)) return undefined
  const [dimension, operator, value] = condition
  const text = `${dimension} ${String(operator).replaceAll('_', ' ')} ${Array.isArray(value) ? value.join(',') : value}`
  return isObject(value) || JSON.stringify(filterOf(text)) !== JSON.stringify(condition) ? undefined : text
}

/** Quotes a text so that a POSIX shell reads it as one word. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
