/** Reads the file of a workspace: its description, the settings in memory, and the many rows in pieces. All of it may be hostile. */
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import { matches } from '../../../../runtime/values/matches.ts'
import { recordedNames } from '../../../../storage/migrations/steps.ts'
import { yieldWhereDue } from '../../../../storage/system/event-loop.ts'
import { type CarriedTable, carriedSites, carriedTables, columnOf } from '../../../../storage/transfer/carried-tables.ts'
import type { CarriedRow, Cell } from '../../../../storage/transfer/read-rows.ts'
import {
  daysPart,
  Description,
  descriptionPart,
  FORMAT,
  FORMAT_VERSION,
  partOf,
  ROWS_OF_LINE,
} from '../../../../storage/transfer/workspace-format.ts'
import { missingValue } from '../../../../storage/transfer/write-rows.ts'
import { isTooDeep } from '../nesting.ts'
import { m } from '../messages.ts'
import { type Archive, type Part, textsOf } from '../sources/archive.ts'
import { type DayLine, dayLine } from './day-lines.ts'

/** Rows of settings, and their characters, that are in memory at once. */
const MAX_SETTINGS = 100_000
const MAX_SETTINGS_CHARACTERS = 64 * 1024 ** 2
/** Characters of a line, and of a text in it. */
const MAX_LINE = 2 * 1024 ** 2
const MAX_TEXT = 300_000
const MAX_DESCRIPTION = 1024 ** 2
/** Rows of a piece, and their characters. */
const ROWS_AT_ONCE = 500
const CHARACTERS_AT_ONCE = 1024 ** 2
/** Sites and groups, which the last transaction shows all at once. */
const MAX_SITES = 2_000

export interface WorkspaceFile {
  readonly description: Description
  readonly sites: readonly CarriedRow[]
  /** Rows of each table of settings, in order. */
  readonly settings: readonly { readonly table: CarriedTable; readonly rows: readonly CarriedRow[] }[]
  /** Everything else, in the order in which it is stored. @param onRead bytes of the upload read so far */
  pieces(onRead?: (bytes: number) => void): AsyncGenerator<Piece>
}

/** Some lines of the file. */
export type Piece =
  | { readonly table: CarriedTable; readonly rows: readonly CarriedRow[]; readonly lines: number }
  | { readonly table: undefined; readonly line: DayLine; readonly lines: 1 }

export const damaged = (place: string): JobFailure => new JobFailure('damaged', m.workspace_damaged({ place }))

/** @throws JobFailure */
export async function readWorkspaceFile(archive: Archive): Promise<WorkspaceFile> {
  const parts = partsOf(archive)
  const description = await describedIn(parts)
  const budget = { rows: 0, characters: 0 }
  const settingsOf = async (table: CarriedTable, most = MAX_SETTINGS): Promise<CarriedRow[]> => {
    const rows: CarriedRow[] = []
    for await (const { text, line } of linesOf(parts.get(partOf(table.name)))) {
      budget.rows++
      budget.characters += text.length
      if (rows.length >= most || budget.rows > MAX_SETTINGS || budget.characters > MAX_SETTINGS_CHARACTERS)
        throw new JobFailure('too_large', m.too_many_settings())
      rows.push(rowIn(table, description, { text, line }))
    }
    return rows
  }
  const sites = await settingsOf(carriedSites, MAX_SITES)
  const settings: { table: CarriedTable; rows: CarriedRow[] }[] = []
  for (const table of carriedTables) if (table.amount === 'settings') settings.push({ table, rows: await settingsOf(table) })
  return {
    description,
    sites,
    settings,
    async *pieces(onRead) {
      let read = 0
      const counting = (bytes: number) => onRead?.((read += bytes))
      for (const table of carriedTables) {
        if (table.amount === 'settings') continue
        let rows: CarriedRow[] = []
        let characters = 0
        for await (const each of linesOf(parts.get(partOf(table.name)), counting)) {
          rows.push(rowIn(table, description, each))
          characters += each.text.length
          if (rows.length < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue
          yield { table, rows, lines: rows.length }
          rows = []
          characters = 0
        }
        if (rows.length > 0) yield { table, rows, lines: rows.length }
      }
      for await (const { text, line } of linesOf(parts.get(daysPart), counting)) {
        const found = dayLine(parsed(text), ROWS_OF_LINE)
        if (!found) throw damaged(`${daysPart}:${line}`)
        yield { table: undefined, line: found, lines: 1 }
      }
    },
  }
}

/** Only parts with names that a file of ours has are ever read, so other names, such as `../x`, mean nothing. */
function partsOf({ form, parts }: Archive): ReadonlyMap<string, Part> {
  if (form !== 'zip') throw new JobFailure('wrong_file', m.no_workspace_file())
  const found = new Map<string, Part>()
  for (const part of parts) {
    if (found.has(part.name)) throw damaged(part.name.slice(0, 100))
    found.set(part.name, part)
  }
  if (!found.has(descriptionPart)) throw new JobFailure('wrong_file', m.no_workspace_file())
  return found
}

async function describedIn(parts: ReadonlyMap<string, Part>): Promise<Description> {
  const part = parts.get(descriptionPart)
  let text = ''
  for await (const piece of part ? textsOf(part) : []) {
    text += piece
    if (text.length > MAX_DESCRIPTION) throw damaged(descriptionPart)
  }
  const described = parsed(text)
  if (!isObject(described) || described.format !== FORMAT) throw new JobFailure('wrong_file', m.no_workspace_file())
  const { format_version, version, schema } = described
  const isNewer = typeof format_version === 'number' && format_version > FORMAT_VERSION
  if (isNewer || (typeof schema === 'string' && schema > (recordedNames.at(-1) ?? '')))
    throw new JobFailure('newer_version', m.newer_workspace_file({ version: String(version).slice(0, 40) }))
  if (!matches(Description, described)) throw damaged(descriptionPart)
  return described as Description // it matches
}

async function* linesOf(part: Part | undefined, onRead?: (bytes: number) => void): AsyncGenerator<{ text: string; line: number }> {
  if (!part) return
  let rest = ''
  let line = 0
  for await (const text of textsOf(part, onRead)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const each of lines) {
      if (each.length > MAX_LINE) throw damaged(`${part.name}:${line + 1}`)
      yield { text: each, line: ++line }
      await yieldWhereDue()
    }
    if (rest.length > MAX_LINE) throw damaged(`${part.name}:${line + 1}`)
  }
  if (rest !== '') throw damaged(`${part.name}:${line + 1}`) // a line ends with a break
}

function parsed(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A row with a cell for each column that this version has. */
function rowIn(table: CarriedTable, { columns }: Description, { text, line }: { text: string; line: number }): CarriedRow {
  const cells = parsed(text)
  const names = columns[table.name] ?? []
  const fault = () => damaged(`${partOf(table.name)}:${line}`)
  if (!Array.isArray(cells) || cells.length !== names.length) throw fault()
  const row: Record<string, Cell> = {}
  for (const name of table.columns) {
    const place = names.indexOf(name)
    const cell: unknown = place < 0 ? missingValue(table.name, name) : cells[place]
    if (!isCell(table, name, cell)) throw fault()
    row[name] = typeof cell === 'string' ? wellFormed(cell) : cell
  }
  return row
}

function isCell({ name: table }: CarriedTable, name: string, cell: unknown): cell is Cell {
  const { type, nullable = false } = columnOf(table, name)
  if (cell === null) return nullable
  if (type === 'text') return typeof cell === 'string' && cell.length <= MAX_TEXT
  if (typeof cell !== 'number') return false
  if (type === 'real') return Number.isFinite(cell)
  return Number.isSafeInteger(cell) && (type === 'bigint' || Math.abs(cell) < 2 ** 31)
}

/** Postgres stores neither NUL nor half a character. */
const wellFormed = (text: string): string => (/[\0\p{Cs}]/u.test(text) ? Buffer.from(text.replaceAll('\0', '\ufffd')).toString() : text)
