/** Describes a report as a readable page, made from its declaration: its input and its answer. */
import type { TSchema } from '@sinclair/typebox'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { typeOf } from '../../runtime/table/fault-message.ts'
import { inputsOf, requiredArguments } from './tools.ts'

export function reportPage(operation: NamedOperation): string {
  const { id, summary, description, output, meta, examples } = operation
  const required = requiredArguments(operation)
  const taken = Object.entries(inputsOf(operation)).map(([name, schema]) => line(name, schema, required.includes(name) ? ', required' : ''))
  const shown = examples.map(({ summary: what, input }) => `${what ? `${what}: ` : ''}\`${JSON.stringify(input)}\``)
  return [
    `# ${id}: ${summary}`,
    ...(description ? [description] : []),
    section('Arguments', taken),
    section('Answers in `data`', fieldsOf(output)),
    ...(Object.keys(meta.properties).length > 0 ? [section('Answers in `meta`', fieldsOf(meta))] : []),
    section(
      'Examples',
      shown.map(each => `- ${each}`),
    ),
  ].join('\n\n')
}

const section = (title: string, lines: readonly string[]): string => `## ${title}\n\n${lines.join('\n')}`

function fieldsOf(schema: TSchema): string[] {
  const record: TSchema = schema.type === 'array' ? schema.items : schema
  return Object.entries<TSchema>(record.properties ?? {}).map(([name, field]) => line(name, field))
}

function line(name: string, schema: TSchema, more = ''): string {
  const ending = schema.default === undefined ? more : `${more}, default \`${JSON.stringify(schema.default)}\``
  return `- \`${name}\` (${typeOf(schema)}${ending}): ${schema.description ?? ''}`
}
