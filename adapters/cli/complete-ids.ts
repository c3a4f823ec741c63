/**
 * Completes ids, as over MCP: an id in a path may be omitted if there is only one record, and names may replace ids. If the path
 * has the domain of a site, the server resolves names in the whole input (docs/api.md), so the domain is sent as it is. Otherwise
 * the ids come from the lists that the caller may see.
 */
import { isObject } from '../../runtime/values/json.ts'
import { FootfallError, type sender } from '../client/core.ts'
import type { Command, Field } from './commands.ts'

type Send = ReturnType<typeof sender>

/** Path parameters of the workspace and the site, which most commands have. */
const containers: readonly string[] = ['workspace_id', 'site_id']
/** Statuses of a list that the caller may not see. They say nothing about the call itself. */
const hiddenStatuses = [403, 404, 422]
/** Fields of a record that may replace its id. */
const nameFields = ['domain', 'name', 'email'] as const

/** Whether the user may omit the field: the profile may have it, or there is only one such record. */
export const mayBeOmitted = ({ name, inPath }: Field): boolean => inPath && containers.includes(name)

/**
 * Looks up the ids that a command needs.
 *
 * @param given the input as it was typed, with the profile's site and workspace
 * @returns values for parameters of the path that are missing, and for fields that hold a name
 */
export async function completedIds(
  commands: readonly Command[],
  { command, given, send }: { command: Command; given: Readonly<Record<string, unknown>>; send: Send },
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  const lookup = { commands, given, send }
  for (const { name, inPath } of command.fields.filter(mayBeOmitted)) {
    const id = await idOf(lookup, { name, text: given[name], inPath })
    if (id !== undefined && id !== given[name]) found[name] = id
  }
  const withNames = command.fields.filter(field => !mayBeOmitted(field) && hasName(field, given[field.name]))
  const site = command.fields.some(({ name, inPath }) => inPath && name === 'site_id') ? (found.site_id ?? given.site_id) : undefined
  if (withNames.length === 0 || isDomain(site)) return found
  const domain = typeof site === 'string' ? await domainOf(lookup, site) : undefined
  if (domain !== undefined) return { ...found, site_id: domain }
  for (const { name } of withNames) {
    const value = given[name]
    const lookupWithin = { ...lookup, given: { ...given, ...found } }
    const parameter = name === 'id' ? parameterOf(command) : name
    const ids = await Promise.all([value].flat().map(text => idOf(lookupWithin, { name: parameter, text })))
    found[name] = Array.isArray(value) ? value.map((text, i) => ids[i] ?? text) : (ids[0] ?? value)
  }
  return found
}

/** The parameter that means the same as `{id}` of the path: `alert_id` for `/alerts/{id}`. */
const parameterOf = ({ route }: Command): string => `${/(\w+?)s?\/\{id\}/.exec(route)?.[1] ?? ''}_id`

const isId = (text: string): boolean => /^[a-z]{2,5}_\w+$/.test(text) || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
/** Ids have an underscore; domains have none. */
const isDomain = (value: unknown): boolean => typeof value === 'string' && value !== '' && !value.includes('_')

/** Whether a field for an id, or for several ids, holds a name. */
const hasName = ({ name, inPath }: Field, value: unknown): boolean =>
  (/_ids?$/.test(name) || (inPath && name === 'id')) && [value].flat().some(each => typeof each === 'string' && each !== '' && !isId(each))

interface Lookup {
  readonly commands: readonly Command[]
  readonly given: Readonly<Record<string, unknown>>
  readonly send: Send
}

/**
 * Finds the id of a record.
 *
 * @param name parameter or field that takes the id
 * @param text an id, or the name of the record; undefined for the only record of its list
 * @returns undefined if there is not exactly one such record, or the caller may not see its list. The call itself reports that
 */
async function idOf(
  lookup: Lookup,
  { name, text, inPath = false }: { name: string; text: unknown; inPath?: boolean },
): Promise<string | undefined> {
  if (typeof text === 'string' && (isId(text) || (inPath && name === 'site_id' && isDomain(text)))) return text
  const list = listOf(lookup, name)
  if (!list) return undefined
  const input: Record<string, unknown> = { per_page: 100 }
  for (const { name: parameter } of list.fields.filter(field => field.inPath)) {
    const id = await idOf(lookup, { name: parameter, text: lookup.given[parameter], inPath: true })
    if (id === undefined) return undefined
    input[parameter] = id
  }
  const { data, meta } = (await answerIfVisible(lookup.send(list.route, input))) ?? {}
  const rows = Array.isArray(data) ? data.filter(isObject) : []
  const onlyRow = rows.length === 1 && isObject(meta) && meta.total === 1 ? rows : []
  const isCalled = (row: Readonly<Record<string, unknown>>) => nameFields.some(field => row[field] === text)
  const [only, ...others] = text === undefined ? onlyRow : rows.filter(isCalled)
  if (!only || others.length > 0) return undefined
  if (inPath && name === 'site_id' && text === undefined && isDomain(only.domain)) return String(only.domain)
  return typeof only.id === 'string' ? only.id : undefined
}

async function domainOf({ commands, send }: Lookup, site: string): Promise<string | undefined> {
  const read = commands.find(({ route }) => route === 'GET /sites/{site_id}')
  const { data } = (read && (await answerIfVisible(send(read.route, { site_id: site })))) ?? {}
  return isObject(data) && isDomain(data.domain) ? String(data.domain) : undefined
}

/**
 * @returns undefined if the caller may not see the answer
 * @throws Error of the token or the connection: then no id is missing
 */
async function answerIfVisible(answer: Promise<unknown>): Promise<{ data?: unknown; meta?: unknown } | undefined> {
  const known = await answer.catch((thrown: unknown) => {
    if (thrown instanceof FootfallError && hiddenStatuses.includes(thrown.status)) return undefined
    throw thrown
  })
  return isObject(known) ? known : undefined
}

/** `site_id`, `site_ids` → the list at `…/sites`: the one with the fewest parameters, which are known. */
function listOf({ commands, given }: Lookup, parameter: string): Command | undefined {
  const end = `/${parameter.replace(/_ids?$/, 's')}`
  const lists = commands.filter(({ isList, route }) => isList && route.startsWith('GET ') && route.endsWith(end))
  const needsSite = ({ fields }: Command) => given.site_id === undefined && fields.some(({ name, inPath }) => inPath && name === 'site_id')
  return lists.toSorted((a, b) => Number(needsSite(a)) - Number(needsSite(b)) || a.route.length - b.route.length)[0]
}
