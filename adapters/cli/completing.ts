/**
 * Completes ids, as over MCP: an id in a path may be omitted if there is only one record, and names may replace ids. If the path
 * has the domain of a site, the server resolves names in the whole input (docs/api.md), so the domain is sent as it is. Otherwise
 * the ids come from the lists that the caller may see.
 */
import { isObject } from '../../runtime/values/json.ts'
import { FootfallError, type sender } from '../client/core.ts'
import type { Command, Field } from './commands.ts'

type Send = ReturnType<typeof sender>

/** Containers: the subjects of most commands, which people know by other names. */
const named: readonly string[] = ['workspace_id', 'site_id']
/** Errors of a list that the caller may not see. They say nothing about the call itself. */
const mayNotSee = [403, 404, 422]
/** Fields with the names of records. */
const names = ['domain', 'name', 'email'] as const

/** Whether it may be omitted: the profile may have it, or there is only one. */
export const mayBeKnown = ({ name, inPath }: Field): boolean => inPath && named.includes(name)

/**
 * @param given the input as it was typed, with the profile's site and workspace
 * @returns values for parameters of the path that are missing, and for fields that hold a name
 */
export async function completed(
  commands: readonly Command[],
  { command, given, send }: { command: Command; given: Readonly<Record<string, unknown>>; send: Send },
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  const looking = { commands, given, send }
  for (const { name, inPath } of command.fields.filter(mayBeKnown)) {
    const id = await idOf(looking, { name, asked: given[name], inPath })
    if (id !== undefined && id !== given[name]) found[name] = id
  }
  const named = command.fields.filter(field => !mayBeKnown(field) && hasName(field, given[field.name]))
  const site = command.fields.some(({ name, inPath }) => inPath && name === 'site_id') ? (found.site_id ?? given.site_id) : undefined
  if (named.length === 0 || isDomain(site)) return found
  const domain = typeof site === 'string' ? await domainOf(looking, site) : undefined
  if (domain !== undefined) return { ...found, site_id: domain }
  for (const { name } of named) {
    const asked = given[name]
    const within = { ...looking, given: { ...given, ...found } }
    const kind = name === 'id' ? kindOf(command) : name
    const ids = await Promise.all([asked].flat().map(each => idOf(within, { name: kind, asked: each })))
    found[name] = Array.isArray(asked) ? asked.map((each, i) => ids[i] ?? each) : (ids[0] ?? asked)
  }
  return found
}

/** The record that `{id}` of a path names: `alert_id` for `/alerts/{id}`. */
const kindOf = ({ route }: Command): string => `${/(\w+?)s?\/\{id\}/.exec(route)?.[1] ?? ''}_id`

const isId = (text: string): boolean => /^[a-z]{2,5}_\w+$/.test(text) || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
/** Ids have an underscore; domains have none. */
const isDomain = (value: unknown): boolean => typeof value === 'string' && value !== '' && !value.includes('_')

/** Whether a field for an id, or for several, holds something else. */
const hasName = ({ name, inPath }: Field, value: unknown): boolean =>
  (/_ids?$/.test(name) || (inPath && name === 'id')) && [value].flat().some(each => typeof each === 'string' && each !== '' && !isId(each))

interface Looking {
  readonly commands: readonly Command[]
  readonly given: Readonly<Record<string, unknown>>
  readonly send: Send
}

/** Undefined if there is not exactly one such record, or its list may not be seen: then the call itself reports the fault. */
async function idOf(
  looking: Looking,
  { name, asked, inPath = false }: { name: string; asked: unknown; inPath?: boolean },
): Promise<string | undefined> {
  if (typeof asked === 'string' && (isId(asked) || (inPath && name === 'site_id' && isDomain(asked)))) return asked
  const list = listOf(looking, name)
  if (!list) return undefined
  const input: Record<string, unknown> = { per_page: 100 }
  for (const { name: parameter } of list.fields.filter(field => field.inPath)) {
    const id = await idOf(looking, { name: parameter, asked: looking.given[parameter], inPath: true })
    if (id === undefined) return undefined
    input[parameter] = id
  }
  const { data, meta } = (await seen(looking.send(list.route, input))) ?? {}
  const rows = Array.isArray(data) ? data.filter(isObject) : []
  const onlyRow = rows.length === 1 && isObject(meta) && meta.total === 1 ? rows : []
  const isCalled = (row: Readonly<Record<string, unknown>>) => names.some(each => row[each] === asked)
  const [only, ...others] = asked === undefined ? onlyRow : rows.filter(isCalled)
  if (!only || others.length > 0) return undefined
  if (inPath && name === 'site_id' && asked === undefined && isDomain(only.domain)) return String(only.domain)
  return typeof only.id === 'string' ? only.id : undefined
}

async function domainOf({ commands, send }: Looking, site: string): Promise<string | undefined> {
  const read = commands.find(({ route }) => route === 'GET /sites/{site_id}')
  const { data } = (read && (await seen(send(read.route, { site_id: site })))) ?? {}
  return isObject(data) && isDomain(data.domain) ? String(data.domain) : undefined
}

/** Undefined if the caller may not see it. With other errors, the fault is the token or the connection, not the missing id. */
async function seen(answer: Promise<unknown>): Promise<{ data?: unknown; meta?: unknown } | undefined> {
  const known = await answer.catch((thrown: unknown) => {
    if (thrown instanceof FootfallError && mayNotSee.includes(thrown.status)) return undefined
    throw thrown
  })
  return isObject(known) ? known : undefined
}

/** `site_id`, `site_ids` → the list at `…/sites`: the one with the fewest parameters, which are known. */
function listOf({ commands, given }: Looking, parameter: string): Command | undefined {
  const end = `/${parameter.replace(/_ids?$/, 's')}`
  const lists = commands.filter(({ isList, route }) => isList && route.startsWith('GET ') && route.endsWith(end))
  const needsSite = ({ fields }: Command) => given.site_id === undefined && fields.some(({ name, inPath }) => inPath && name === 'site_id')
  return lists.toSorted((a, b) => Number(needsSite(a)) - Number(needsSite(b)) || a.route.length - b.route.length)[0]
}
