/**
 * Completes ids, as over MCP: an id in a path may be omitted if there is only one record, and a domain may replace the id of a
 * site. The ids come from the lists that the caller may see.
 */
import { isObject } from '../../runtime/values/json.ts'
import { FootfallError, type sender } from '../client/core.ts'
import type { Command, Field } from './commands.ts'

type Send = ReturnType<typeof sender>
type Ids = Record<string, string>

/** Containers: the subjects of most commands, which people know by other names. */
const named: readonly string[] = ['workspace_id', 'site_id']
/** Errors of a list that the caller may not see. They say nothing about the call itself. */
const mayNotSee = [403, 404, 422]
/** Fields with the names of records. */
const names = ['domain', 'name'] as const

/** Whether it may be omitted: the profile may have it, or there is only one. */
export const mayBeKnown = ({ name, inPath }: Field): boolean => inPath && named.includes(name)

/**
 * @param given the input as it was typed, with the profile's site and workspace
 * @returns ids for parameters of the path that are missing, or that hold a name
 */
export async function completed(
  commands: readonly Command[],
  { command, given, send }: { command: Command; given: Readonly<Record<string, unknown>>; send: Send },
): Promise<Ids> {
  const found: Ids = {}
  for (const { name } of command.fields.filter(mayBeKnown)) {
    const id = await idOf(commands, { name, given, send })
    if (id !== undefined && id !== given[name]) found[name] = id
  }
  return found
}

/** Undefined if there is not exactly one record, or the list may not be seen: then the call itself reports the missing id. */
async function idOf(
  commands: readonly Command[],
  { name, given, send }: { name: string; given: Readonly<Record<string, unknown>>; send: Send },
): Promise<string | undefined> {
  const asked = given[name]
  if (typeof asked === 'string' && /^[a-z]{2,4}_\w+$/.test(asked)) return asked
  const list = listOf(commands, name)
  if (!list) return undefined
  const input: Record<string, unknown> = { per_page: 100 }
  for (const { name: parameter, inPath } of list.fields) {
    if (!inPath) continue
    const id = await idOf(commands, { name: parameter, given, send })
    if (id === undefined) return undefined
    input[parameter] = id
  }
  const answer = await send(list.route, input).catch((thrown: unknown) => {
    // The fault is then the token or the connection, not the missing id.
    if (thrown instanceof FootfallError && mayNotSee.includes(thrown.status)) return undefined
    throw thrown
  })
  const { data, meta } = isObject(answer) ? answer : {}
  const rows = Array.isArray(data) ? data.filter(isObject) : []
  const isOnly = rows.length === 1 && isObject(meta) && meta.total === 1
  const [only, ...others] = asked === undefined ? (isOnly ? rows : []) : rows.filter(row => names.some(each => row[each] === asked))
  return only && others.length === 0 && typeof only.id === 'string' ? only.id : undefined
}

/** `site_id` → the list at `…/sites`, the one with the fewest parameters. */
function listOf(commands: readonly Command[], parameter: string): Command | undefined {
  const end = `/${parameter.replace(/_id$/, 's')}`
  const lists = commands.filter(({ isList, route }) => isList && route.startsWith('GET ') && route.replace(/\.json$/, '').endsWith(end))
  return lists.toSorted((a, b) => a.route.length - b.route.length)[0]
}
