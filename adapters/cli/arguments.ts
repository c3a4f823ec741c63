/** Converts the arguments of a command to the input of its operation. All faults are reported together. */
import { decode } from '../../runtime/call/decode.ts'
import { setField } from '../../runtime/values/json.ts'
import { nearest } from '../../runtime/values/nearest.ts'
import { type Command, type Field, isNullable, schemaOfType, typesOf } from './commands.ts'
import { type Common, common, isCommon } from './common-flags.ts'
import { filterOf } from './filter.ts'

/** The input of an operation and the common flags, as far as they are valid. */
export interface ReadArguments {
  readonly input: Record<string, unknown>
  readonly options: Common
  readonly faults: readonly string[]
}

/** @param defaults values of path parameters that may be omitted: the profile's site */
export function readArguments(
  command: Pick<Command, 'fields'>,
  words: readonly string[],
  defaults: Readonly<Record<string, string>> = {},
): ReadArguments {
  const { fields } = command
  const given = new Map<Field, string[]>()
  const filters: unknown[] = []
  const options: Common = {}
  const faults: string[] = []
  const plain: string[] = []

  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '--') {
      plain.push(...words.slice(i + 1))
      break
    }
    const [, dashed, attached] = /^--([^=]+)(?:=([^]*))?$/.exec(word === '-h' ? '--help' : word) ?? []
    if (dashed === undefined) {
      plain.push(word)
      continue
    }
    const flag = dashed.replaceAll('_', '-')
    /** The attached value, or the next word, which is skipped. */
    const takeValue = (): string | undefined => {
      const next = words[i + 1]
      if (attached !== undefined) return attached
      if (next === undefined || (next.startsWith('--') && next.length > 2)) {
        faults.push(`--${flag}: a value is missing`)
        return undefined
      }
      i++
      return next
    }
    const field = fieldOf(fields, flag)
    if (field && isSwitch(field)) {
      const next = words[i + 1]
      const follows = attached === undefined && (next === 'true' || next === 'false')
      if (follows) i++
      add(field, attached ?? (follows ? next : 'true'))
    } else if (field) add(field, takeValue())
    else if (flag === 'filter' && fields.some(({ name }) => name === 'filters')) {
      const text = takeValue()
      const filter = text === undefined ? undefined : filterOf(text)
      if (filter) filters.push(filter)
      else if (text !== undefined) faults.push(`--filter: "${text}" is not a condition, as 'country is DE' is one`)
    } else if (isCommon(flag)) options[flag] = common[flag].takes === undefined ? 'true' : takeValue()
    else {
      const negated = flag.startsWith('no-') ? fieldOf(fields, flag.slice(3)) : undefined
      if (negated && isSwitch(negated)) add(negated, 'false')
      else {
        faults.push(`--${flag}: there is no such flag${suggestionFor(flag, fields)}`)
        if (attached === undefined && words[i + 1]?.startsWith('-') === false) i++ // most likely its value
      }
    }
  }

  const open = fields.filter(field => field.inPath && !given.has(field))
  // Fewer words than parameters name the last ones, the record itself: its site may come from the profile.
  const positional = open.slice(Math.max(0, open.length - plain.length))
  for (const [i, field] of positional.entries()) add(field, plain[i])
  for (const word of plain.slice(positional.length)) faults.push(`"${word}" is one argument too many`)

  const input: Record<string, unknown> = {}
  for (const field of fields) {
    const values = given.get(field)
    if (values) setField(input, field.name, valueOf(field, values, faults))
    else if (field.inPath && defaults[field.name] !== undefined) setField(input, field.name, defaults[field.name])
    else if (field.required && !(field.name === 'filters' && filters.length > 0))
      faults.push(`--${field.flag} is missing: ${field.description}`)
  }
  if (filters.length > 0) setField(input, 'filters', [...(Array.isArray(input.filters) ? input.filters : []), ...filters])
  return { input, options, faults }

  function add(field: Field, value: string | undefined): void {
    if (value === undefined) return
    given.set(field, [...(given.get(field) ?? []), value])
  }
}

/** `--site` also means `--site-id`, unless another field has that name. */
function fieldOf(fields: readonly Field[], flag: string): Field | undefined {
  return fields.find(field => field.flag.toLowerCase() === flag.toLowerCase()) ?? fields.find(field => field.flag === `${flag}-id`)
}

export function isSwitch({ schema }: Field): boolean {
  const types = typesOf(schema)
  return types.length === 1 && types[0] === 'boolean'
}

function suggestionFor(flag: string, fields: readonly Field[]): string {
  const near = nearest(flag, [...fields.map(({ name }) => name), ...Object.keys(common)])
  return near === undefined ? '' : `; did you mean --${near.replaceAll('_', '-')}?`
}

/** A value of another type stays a text, which the server refuses with its reason. */
function valueOf({ schema, flag }: Field, values: readonly string[], faults: string[]): unknown {
  const types = typesOf(schema)
  const last = values.at(-1) ?? ''
  if (isNullable(schema) && values.length === 1 && last === 'null') return null
  if (types.includes('object') || types.length === 0) return json(last)
  if (types.includes('array')) {
    const list = schemaOfType(schema, 'array')
    if (values.length === 1 || list.items?.type === 'string') return decode(list, values)
    return values.map(json)
  }
  const numeric = types.find(type => type === 'integer' || type === 'number')
  const other = types.find(type => type !== numeric)
  const isNumber = /^-?\d+(\.\d+)?$/.test(last)
  const type = (isNumber ? (numeric ?? other) : (other ?? numeric)) ?? 'string'
  return decode(schemaOfType(schema, type), values) ?? last

  function json(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      faults.push(`--${flag}: "${text.slice(0, 80)}" is not JSON`)
      return undefined
    }
  }
}
