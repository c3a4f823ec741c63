/** A record of texts by name, as lines: `timestamp = created_at`. */
import type { TSchema } from '@sinclair/typebox'
import { isObject } from '../../values/json.ts'
import { fieldWords } from '../words.ts'
import { calledIn, type ControlProps, notesOf } from './control-props.ts'
import { Line } from './line.tsx'
import { ui } from '../messages.ts'
import { say } from '../../texts/say.ts'

export const isPairs = ({ type, properties, patternProperties }: TSchema): boolean =>
  type === 'object' && properties === undefined && patternProperties !== undefined

/** @returns undefined for no lines; a line without a sign is a name without a text, which is refused */
export function pairsIn(text: string): Record<string, string> | undefined {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '')
  const pairs = lines.map(line => {
    const [name = '', ...rest] = line.split('=')
    return [name.trim(), rest.join('=').trim()]
  })
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

export const linesOf = (pairs: Readonly<Record<string, unknown>>): string =>
  Object.entries(pairs)
    .map(([name, text]) => `${name} = ${String(text)}`)
    .join('\n')

export function Pairs(props: ControlProps) {
  const { pointer, name, value, form, label = fieldWords(name, form) } = props
  const lines = isObject(value) ? linesOf(value) : typeof value === 'string' ? value : '' // an address has the lines themselves
  return (
    <Line {...notesOf(props)} name={calledIn(form, pointer)} label={say(form, ui.pairs_a_line, { name: label })} value={lines} rows={3} />
  )
}
