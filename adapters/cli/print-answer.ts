/** Prints answers for people: lists as tables, records as lines. Control characters in texts of visitors are removed. */
import { withoutHidden } from '../../runtime/values/hidden-characters.ts'
import { isObject } from '../../runtime/values/json.ts'
import { Written } from './answer-schema.ts'

/** @param columns width of the terminal; undefined without one, and nothing is cut */
export function shown(data: unknown, columns: number | undefined): string {
  if (Array.isArray(data)) return data.length === 0 ? '(none)\n' : data.every(isObject) ? tableOf(data, columns) : `${textOf(data)}\n`
  return isObject(data) ? recordOf(data, columns) : `${textOf(data)}\n`
}

/** JSON without control characters in its texts: JSON.stringify escapes only those below 0x20. */
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

/** Least width of a text column; a narrower one is omitted. */
const min = 12

/** A column for each field that is not a list or record; texts are cut, and columns that do not fit are omitted and named. */
function tableOf(rows: readonly Row[], columns = Number.POSITIVE_INFINITY): string {
  const flat = rows.map(row => flatOf(row))
  const isNested = (value: unknown) => Array.isArray(value) && value.some(isObject)
  const names = [...new Set(flat.flatMap(row => [...row.keys()]))].filter(name => !rows.some(row => isNested(row[name])))
  const all = names
    .map(name => {
      const all = flat.map(row => row.get(name) ?? empty)
      const cells = all.map(({ text }) => text)
      return { name, cells, width: Math.max(...[name, ...cells].map(widthOf)), isNumber: all.every(({ isNumber }) => isNumber) }
    })
    .toSorted((a, b) => missed(a) - missed(b))
  let room = columns
  const fitting = all.flatMap((column, i) => {
    const free = room - (i === 0 ? 0 : 2)
    const mayCut = !column.isNumber && !/(^|_)(id|at)$/.test(column.name) && free >= Math.max(min, widthOf(column.name))
    const width = column.width <= free || i === 0 ? column.width : mayCut ? free : 0
    if (width === 0) return []
    room = free - width
    return [{ ...column, width }]
  })
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => padded(cut(cell, fitting[i]?.width ?? 0), fitting[i]?.width ?? 0, fitting[i]?.isNumber === true))
      .join('  ')
      .trimEnd()
  const lines = [line(fitting.map(({ name }) => name)), ...rows.map((_, i) => line(fitting.map(({ cells }) => cells[i] ?? '')))]
  const shown = new Set(fitting.map(({ name }) => name))
  const left = all.flatMap(({ name }) => (shown.has(name) ? [] : [name]))
  if (left.length > 0) lines.push(`(--json has ${left.length} more: ${cut(left.join(', '), Math.max(min, columns - 22))})`)
  return `${lines.join('\n')}\n`
}

/** If not all columns fit, empty ones are omitted first, then the parent and the dates, which matter least. */
const missed = ({ name, cells }: { readonly name: string; readonly cells: readonly string[] }): number =>
  cells.every(cell => cell === '–' || cell === '') ? 2 : /_(id|at)$/.test(name) ? 1 : 0

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let [kept, room] = ['', width - 1]
  for (const character of text) {
    room -= wide.test(character) ? 2 : 1
    if (room < 0) break
    kept += character
  }
  return `${kept}…`
}

function recordOf(record: Row, columns: number | undefined): string {
  const flat = [...flatOf(record)]
  const width = Math.max(0, ...flat.map(([name]) => widthOf(name)))
  const lines = flat.map(([name, { text }]) => `${padded(name, width)}  ${text}`.trimEnd())
  const tables = Object.entries(record).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isObject) ? [`\n${withoutHidden(name)}\n${tableOf(value, columns)}`] : [],
  )
  return `${lines.join('\n')}${lines.length > 0 ? '\n' : ''}${tables.join('')}`
}

interface Cell {
  readonly text: string
  readonly isNumber: boolean
}
const empty: Cell = { text: '', isNumber: true }

/** Cells by name; fields of nested records as `comparison.visitors`. Lists of records are omitted. */
function flatOf(record: Row, before = ''): Map<string, Cell> {
  const cells = new Map<string, Cell>()
  for (const [name, value] of Object.entries(record)) {
    const key = withoutHidden(`${before}${name}`)
    if (isObject(value) && !(value instanceof Written)) for (const [inner, cell] of flatOf(value, `${key}.`)) cells.set(inner, cell)
    else if (!(Array.isArray(value) && value.some(isObject))) cells.set(key, cellOf(value))
  }
  return cells
}

function cellOf(value: unknown): Cell {
  const text = textOf(value)
  return { text, isNumber: value instanceof Written ? value.isFigure : numeric.test(text) }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (value instanceof Written) return value.text
  if (typeof value === 'object') return withoutHidden(Array.isArray(value) ? value.map(textOf).join(', ') : JSON.stringify(value))
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
