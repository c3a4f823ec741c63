/**
 * `resources/list` and `resources/read`: a page about each report, and the records of the lists that areas declare as
 * readable. Addresses are `footfall://reports/<operation>` and `footfall://<list>/<id>`.
 */
import { isRefusal } from '../../runtime/table/answer.ts'
import type { Caller } from '../../runtime/table/caller.ts'
import { isObject } from '../../runtime/values/json.ts'
import { withoutHidden } from '../../runtime/values/hidden-characters.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { answerTo } from './call.ts'
import { type Era, fault, type Params, shown } from './message.ts'
import { reportPage } from './report-page.ts'
import type { McpRequest } from './request.ts'
import { cleaned } from './visitor-text.ts'

const scheme = 'footfall://'
const pages = `${scheme}reports/`
/** Most records of one list that are listed. */
const maxRecords = 100

export async function listResources(request: McpRequest): Promise<object> {
  const { table } = request.app
  const caller = await request.identify()
  const reports = reportsOf(request, caller).map(({ id, summary }) => ({
    uri: `${pages}${id}`,
    name: id,
    title: summary,
    description: 'Arguments and answer of the report.',
    mimeType: 'text/markdown',
  }))
  const records: object[] = []
  for (const list of table.readable.filter(each => request.app.allows(caller, each))) {
    for (const record of await recordsOf(request, list)) {
      const name = [record.domain, record.name, record.id].find(each => typeof each === 'string') ?? ''
      records.push({ uri: addressOf(list, String(record.id)), name: withoutHidden(String(name)), mimeType: 'application/json' })
    }
  }
  return { resources: [...records, ...reports] }
}

export async function listResourceTemplates(request: McpRequest): Promise<object> {
  const caller = await request.identify()
  const lists = request.app.table.readable.filter(each => request.app.allows(caller, each))
  return {
    resourceTemplates: [
      ...lists.map(list => ({
        uriTemplate: addressOf(list, '{id}'),
        name: list.id,
        title: list.area,
        description: 'One record, by its id or name.',
        mimeType: 'application/json',
      })),
      {
        uriTemplate: `${pages}{tool}`,
        name: 'reports',
        title: 'Reports',
        description: 'Arguments and answer of a report.',
        mimeType: 'text/markdown',
      },
    ],
  }
}

/** @throws ProtocolFault if the caller may see no resource at this address */
export async function readResource(request: McpRequest, { uri }: Params, era: Era): Promise<object> {
  if (typeof uri !== 'string') fault('invalid_params', 'params.uri must be the address of a resource.')
  const caller = await request.identify()
  const found = (await pageAt(request, caller, uri)) ?? (await recordAt(request, caller, uri))
  if (!found) fault(era === 'stateless' ? 'invalid_params' : 'not_found', `There is no resource ${shown(uri)}.`, { uri: shown(uri) })
  return { contents: [{ uri, ...found }] }
}

interface Content {
  readonly mimeType: string
  readonly text: string
}

export const reportsOf = ({ app, offer }: McpRequest, caller: Caller): NamedOperation[] =>
  offer().operations.filter(operation => operation.answers.kind === 'report' && app.allows(caller, operation))

async function pageAt(request: McpRequest, caller: Caller, uri: string): Promise<Content | undefined> {
  const operation = uri.startsWith(pages) ? reportsOf(request, caller).find(({ id }) => id === uri.slice(pages.length)) : undefined
  return operation && { mimeType: 'text/markdown', text: reportPage(operation) }
}

async function recordAt(request: McpRequest, caller: Caller, uri: string): Promise<Content | undefined> {
  for (const list of request.app.table.readable) {
    const id = uri.slice(addressOf(list, '').length)
    const getter = getterOf(request.app.table, list)
    if (!uri.startsWith(addressOf(list, '')) || id === '' || !getter || !request.app.allows(caller, getter)) continue
    const answer = await answerTo(request, { operation: getter, args: { [getter.onParameters.at(-1) ?? 'id']: decoded(id) } })
    if (isRefusal(answer)) return undefined
    const { data } = Object(answer.body)
    return isObject(data) ? { mimeType: 'application/json', text: cleaned(data).text } : undefined
  }
  return undefined
}

/** `sites_list` → `footfall://sites/<id>` */
const addressOf = ({ path }: NamedOperation, id: string): string => `${scheme}${path.slice(path.lastIndexOf('/') + 1)}/${id}`

/** The variable of a template is the id of a record of the list or, without a list, the name of a report. */
export function listOfTemplate({ readable }: Table, uri: string): { variable: string; list?: NamedOperation } | undefined {
  if (uri === `${pages}{tool}`) return { variable: 'tool' }
  const list = readable.find(each => addressOf(each, '{id}') === uri)
  return list && { variable: 'id', list }
}

/** The operation that answers one record of a list. */
function getterOf({ operations }: Table, list: NamedOperation): NamedOperation | undefined {
  return [...operations.values()].find(({ method, path, output }) => method === 'GET' && path.endsWith('}') && output === list.output.items)
}

async function recordsOf(request: McpRequest, list: NamedOperation): Promise<Record<string, unknown>[]> {
  const answer = await answerTo(request, { operation: list, args: { per_page: maxRecords } })
  const { data } = Object(answer.body)
  return Array.isArray(data) ? data.filter(isObject).filter(({ id }) => typeof id === 'string') : []
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
