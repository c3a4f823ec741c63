/** `completion/complete`: suggestions for an argument of a prompt, or for the address of a resource, while a person types it. */
import { isRefusal } from '../../runtime/table/answer.ts'
import { cheapestFinder } from '../../runtime/table/subject-finders.ts'
import { isObject } from '../../runtime/values/json.ts'
import type { PromptArgument } from '../../runtime/table/prompt.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { answerTo } from './call.ts'
import { fault, type Params, shown } from './message.ts'
import type { McpRequest } from './request.ts'
import { listOfTemplate, reportsOf } from './resources.ts'

/** The largest number of values that the protocol allows in an answer. */
const maxValues = 100
/** The longest typed text, in characters. */
const maxTyped = 500

/** @throws ProtocolFault for a prompt, a resource template or an argument that does not exist */
export async function complete(request: McpRequest, { ref, argument, context }: Params): Promise<object> {
  if (!isObject(ref) || !isObject(argument)) fault('invalid_params', 'params.ref and params.argument must be objects.')
  const { name } = argument
  const value = argument.value ?? ''
  if (typeof name !== 'string' || typeof value !== 'string' || value.length > maxTyped)
    fault('invalid_params', `params.argument must have a name, and a value of at most ${maxTyped} characters.`)
  const { arguments: others } = isObject(context) ? context : {}
  const found =
    ref.type === 'ref/prompt'
      ? await ofPrompt(request, { prompt: ref.name, name, typed: value, others })
      : await ofTemplate(request, { uri: ref.uri, name, typed: value })
  const fitting = bestFirst([...new Set(found)], value)
  return { completion: { values: fitting.slice(0, maxValues), total: fitting.length, hasMore: fitting.length > maxValues } }
}

interface OfPrompt {
  readonly prompt: unknown
  readonly name: string
  readonly typed: string
  readonly others: unknown
}

async function ofPrompt({ app, ...request }: McpRequest, { prompt, name, typed, others }: OfPrompt): Promise<string[]> {
  const declared = typeof prompt === 'string' ? app.table.prompts.get(prompt)?.arguments : undefined
  const argument = declared && Object.hasOwn(declared, name) ? declared[name] : undefined
  if (!argument) fault('invalid_params', `There is no argument ${shown(name)} of a prompt ${shown(String(prompt))}.`)
  const { suggested = [], names } = argument
  if (names === undefined) return [...suggested]
  const given = idsGiven(declared ?? {}, others)
  const list = cheapestFinder(app.table, names, new Set(given.keys()))
  return [...suggested, ...(list ? await namesIn({ app, ...request }, { list, typed, given }) : [])]
}

/** The ids in the other arguments, by their subjects. */
function idsGiven(declared: Readonly<Record<string, PromptArgument>>, given: unknown): Map<string, string> {
  const known = new Map<string, string>()
  for (const [name, { names }] of Object.entries(declared)) {
    const value = isObject(given) && Object.hasOwn(given, name) ? given[name] : undefined
    if (names !== undefined && typeof value === 'string' && value !== '') known.set(names, value)
  }
  return known
}

async function ofTemplate(request: McpRequest, { uri, name, typed }: { uri: unknown; name: string; typed: string }): Promise<string[]> {
  const template = typeof uri === 'string' ? listOfTemplate(request.app.table, uri) : undefined
  if (!template || template.variable !== name)
    fault('invalid_params', `There is no argument ${shown(name)} of a resource ${shown(String(uri))}.`)
  const { list } = template
  return list ? namesIn(request, { list, typed, given: new Map() }) : reportsOf(request, await request.identify()).map(({ id }) => id)
}

/** Names of the records of a list that the caller may see; empty if the list needs ids that are unknown. */
async function namesIn(
  request: McpRequest,
  { list, typed, given }: { list: NamedOperation; typed: string; given: ReadonlyMap<string, string> },
): Promise<string[]> {
  if (!request.app.allows(await request.identify(), list)) return []
  const path = list.on.flatMap(({ name }, depth) => {
    const id = given.get(name)
    return id === undefined ? [] : [[list.onParameters[depth] ?? '', id] as const]
  })
  const search = typed !== '' && Object.hasOwn(list.input.properties, 'search') ? { search: typed } : {}
  const answer = await answerTo(request, { operation: list, args: { ...Object.fromEntries(path), ...search, per_page: maxValues } })
  const { data } = isRefusal(answer) ? { data: [] } : Object(answer.body)
  const records: unknown[] = Array.isArray(data) ? data : []
  return records.flatMap(record =>
    isObject(record) ? [record.domain, record.name, record.id].filter(each => typeof each === 'string').slice(0, 1) : [],
  )
}

/** The names that begin with the typed text, then those that contain it. */
function bestFirst(values: readonly string[], typed: string): string[] {
  const text = typed.trim().toLowerCase()
  const at = (value: string) => value.toLowerCase().indexOf(text)
  return values.filter(value => at(value) >= 0).sort((a, b) => Math.min(at(a), 1) - Math.min(at(b), 1))
}
