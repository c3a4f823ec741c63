/** Answers for people: lists as tables, records as lines. What visitors have written loses what a terminal would obey. */
import { withoutHidden } from '../../runtime/hidden-characters.ts'
import { isObject } from '../../runtime/json.ts'

/** @param columns width of the terminal; undefined where there is none, and nothing is cut */
export function shown(data: unknown, columns: number | undefined): string {
  if (Array.isArray(data)) return data.length === 0 ? '(none)\n' : data.every(isObject) ? tableOf(data, columns) : `${cellOf(data)}\n`
  return isObject(data) ? recordOf(data, columns) : `${cellOf(data)}\n`
}

/** JSON whose texts have no character that a terminal obeys: JSON.stringify escapes those below 0x20 alone. */
export function asJson(value: unknown): string {
  const escaped = (JSON.stringify(value, null, 2) ?? 'null').replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    character => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    },
  )
  return `${escaped}\n`
}

type Row = Readonly<Record<string, unknown>>

/** A column for each field that is no list or record; those that do not fit are left out, and counted. */
function tableOf(rows: readonly Row[], columns = Number.POSITIVE_INFINITY): string {
  const flat = rows.map(row => flatOf(row))
  const isNested = (value: unknown) => Array.isArray(value) && value.some(isObject)
  const given = [...new Set(flat.flatMap(row => [...row.keys()]))].filter(name => !rows.some(row => isNested(row[name])))
  // Where not all fit, what it belongs to and when it was made are what people miss least.
  const names = [...given.filter(name => !/_(id|at)$/.test(name)), ...given.filter(name => /_(id|at)$/.test(name))]
  const all = names.map(name => {
    const cells = flat.map(row => row.get(name) ?? '')
    return { name, cells, width: Math.max(...[name, ...cells].map(widthOf)), isNumber: cells.every(cell => numeric.test(cell)) }
  })
  let room = columns
  const fitting = all.filter(({ width }, i) => {
    room -= width + (i === 0 ? 0 : 2)
    return i === 0 || room >= 0
  })
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => padded(cell, fitting[i]?.width ?? 0, fitting[i]?.isNumber === true))
      .join('  ')
      .trimEnd()
  const lines = [line(fitting.map(({ name }) => name)), ...rows.map((_, i) => line(fitting.map(({ cells }) => cells[i] ?? '')))]
  const left = all.slice(fitting.length).map(({ name }) => name)
  if (left.length > 0) lines.push(`(not shown for want of width: ${left.join(', ')})`)
  return `${lines.join('\n')}\n`
}

function recordOf(record: Row, columns: number | undefined): string {
  const flat = [...flatOf(record)]
  const width = Math.max(0, ...flat.map(([name]) => widthOf(name)))
  const lines = flat.map(([name, cell]) => `${padded(name, width)}  ${cell}`.trimEnd())
  const tables = Object.entries(record).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isObject) ? [`\n${withoutHidden(name)}\n${tableOf(value, columns)}`] : [],
  )
  return `${lines.join('\n')}${lines.length > 0 ? '\n' : ''}${tables.join('')}`
}

/** Cells by name; fields of nested records as `comparison.visitors`. Lists of records are left out. */
function flatOf(record: Row, before = ''): Map<string, string> {
  const cells = new Map<string, string>()
  for (const [name, value] of Object.entries(record)) {
    const key = withoutHidden(`${before}${name}`)
    if (isObject(value)) for (const [inner, cell] of flatOf(value, `${key}.`)) cells.set(inner, cell)
    else if (!(Array.isArray(value) && value.some(isObject))) cells.set(key, cellOf(value))
  }
  return cells
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'object') return withoutHidden(Array.isArray(value) ? value.map(cellOf).join(', ') : JSON.stringify(value))
  return withoutHidden(String(value))
}

const numeric = /^(-?\d+(\.\d+)?|–)?$/
/** Characters of East Asia and pictures take two columns (Unicode TR #11). */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const widthOf = (text: string): number => {
  let width = 0
  for (const character of text) width += wide.test(character) ? 2 : 1
  return width
}
const padded = (text: string, width: number, right = false): string => {
  const gap = ' '.repeat(Math.max(0, width - widthOf(text)))
  return right ? gap + text : text + gap
}
