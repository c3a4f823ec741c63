/** The text of `--help`. */
import { choicesOf, type Command, type Field, typesOf } from './commands.ts'
import { isSwitch } from './arguments.ts'
import { common } from './common-flags.ts'
import { mayBeOmitted } from './complete-ids.ts'
import { exampleLine } from './example-line.ts'
import { filterHelp } from './filter.ts'

type Rows = readonly (readonly [string, string])[]

export function commandHelp(command: Command): string {
  const { name, summary, description, fields } = command
  const positional = fields.filter(({ inPath }) => inPath).map(({ flag }) => `<${flag}>`)
  const flags = fields.map(field => [flagOf(field), aboutOf(field)] as const)
  const filter = fields.some(each => each.name === 'filters') ? [['--filter <condition>', filterHelp] as const] : []
  return [
    `Usage: footfall ${[name, ...positional].join(' ')} [flags]`,
    `${summary}.${description === '' ? '' : `\n\n${description}`}`,
    `Flags:\n${rows([...flags, ...filter])}`.trimEnd(),
    `Examples:\n${examplesOf(command)}`.trimEnd(),
    `Flags of every command:\n${rows(commonRows(command))}`,
  ].join('\n\n')
}

function examplesOf(command: Command): string {
  return command.examples
    .map(example => `${example.summary === undefined ? '' : `  # ${example.summary}\n`}  ${exampleLine(command, example)}\n`)
    .join('')
}

/** The commands that begin with these words, by section. */
export function listHelp(commands: readonly Command[]): string {
  const sections = [...new Set(commands.map(({ section }) => section))].sort()
  return sections
    .map(section => `${section}:\n${rows(commands.filter(each => each.section === section).map(({ name, summary }) => [name, summary]))}`)
    .join('\n')
}

const commonRows = ({ isList, fields }: Command): Rows =>
  Object.entries(common)
    .filter(([flag]) => (flag !== 'all' || isList) && !fields.some(field => field.flag === flag))
    .map(([flag, { takes, about }]) => [`--${flag}${takes === undefined ? '' : ` <${takes}>`}`, about])

function flagOf(field: Field): string {
  if (isSwitch(field)) return `--[no-]${field.flag}`
  const types = typesOf(field.schema)
  const kind = types.includes('object')
    ? 'json'
    : types.includes('array')
      ? 'list'
      : types.includes('integer') || types.includes('number')
        ? 'number'
        : 'text'
  return `--${field.flag} <${kind}>`
}

function aboutOf(field: Field): string {
  const { description, schema, required } = field
  const choices = choicesOf(schema)
  return [
    required && (mayBeOmitted(field) ? 'Required where the profile has none and there are several.' : 'Required.'),
    description,
    choices.length > 0 && choices.length <= 40 && `One of ${choices.join(', ')}.`,
    schema.default !== undefined && `Default: ${JSON.stringify(schema.default)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

export function rows(all: Rows): string {
  const width = Math.min(34, Math.max(0, ...all.map(([name]) => name.length)))
  return all.map(([name, about]) => `  ${name.padEnd(width)}  ${about}\n`).join('')
}
