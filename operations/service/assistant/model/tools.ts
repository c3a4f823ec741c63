/** The tools a model may call: reads of one site, with the permissions of the person who asks, and a goal draft, which changes nothing. */
import type { TSchema } from '@sinclair/typebox'
import { withoutHidden } from '../../../../runtime/values/hidden-characters.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import { parseJson } from '../../../../runtime/call/parse-json.ts'
import { brief } from '../../../../runtime/table/schema.ts'
import { faultsOf } from '../../../../runtime/table/validate.ts'
import { matches } from '../../../../runtime/values/matches.ts'
import type { Asking } from '../answered.ts'
import { GoalDraft, type GoalDraftRecord, type QueryRecord } from '../records.ts'
import type { ToolCall } from './chat.ts'

const reads = [
  'stats_aggregate',
  'stats_timeseries',
  'stats_breakdown',
  'live_get',
  'insights_get',
  'goals_list',
  'events_list',
  'events_get',
  'event_properties_list',
  'pages_detail',
  'journeys_explore',
  'funnels_list',
  'funnels_report',
  'performance_get',
  'uptime_checks_list',
  'notes_list',
] as const
const isRead = (name: string): boolean => (reads as readonly string[]).includes(name)

const DRAFT = 'goal_draft'

/** Keywords of schemas that servers need not know. */
const left = new Set(['$id', 'unit', 'better', 'title'])

/** As JSON Schema, in the shorter form where a field has one. */
function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema)
  if (!isObject(schema)) return schema
  const shorter = (schema as TSchema)[brief] ?? {}
  return Object.fromEntries(
    Object.entries({ ...schema, ...shorter })
      .filter(([name, value]) => !left.has(name) && value !== undefined)
      .map(([name, value]) => [name, name === 'enum' || name === 'default' || name === 'const' ? value : plainSchema(value)]),
  )
}

/** The tools that the asker's service has, described for `tools`. The site is not among their arguments. */
export function toolsFor({ declarationOf }: Pick<Asking, 'declarationOf'>): object[] {
  const described = reads.flatMap(name => {
    const declared = declarationOf(name)
    if (!declared) return []
    const { site_id: _, ...path } = declared.pathInput
    const fields = Object.entries<TSchema>({ ...path, ...declared.input.properties })
    const required = [
      ...Object.keys(path),
      ...(declared.input.required ?? []).filter(field => declared.input.properties[field]?.default === undefined),
    ]
    const parameters = {
      type: 'object',
      properties: Object.fromEntries(fields.map(([field, schema]) => [field, plainSchema(schema)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }
    return [tool(name, [declared.summary, declared.description].filter(Boolean).join('. '), parameters)]
  })
  return [...described, tool(DRAFT, 'Suggest a goal for the person to confirm; nothing is made by it.', plainSchema(GoalDraft))]
}

const tool = (name: string, description: string, parameters: unknown) => ({ type: 'function', function: { name, description, parameters } })

/** Characters of one result that a model gets. */
const maxResult = 20_000

export interface ToolResult {
  /** JSON text for the model. */
  readonly content: string
  /** Set when a read was answered or refused. */
  readonly query?: QueryRecord
  /** Set when a read was answered. */
  readonly data?: unknown
  readonly draft?: GoalDraftRecord
}

/** Runs a tool call of a model. Faults of the call are returned as the result, so that the model can correct them. */
export async function runTool({ name, arguments: text }: ToolCall, { read, site }: Pick<Asking, 'read' | 'site'>): Promise<ToolResult> {
  const input = argumentsIn(text)
  if (input === undefined) return refused('The arguments must be one JSON object.')
  if (name === DRAFT) return draftIn(input)
  if (!isRead(name)) return refused(`There is no tool of this name. Tools are ${[...reads, DRAFT].join(', ')}.`)
  if (Object.hasOwn(input, 'site_id')) return refused('The site is given: leave site_id out.')
  const answer = await read({ operation: name, input: { ...input, site_id: site.id }, completes: true })
  const query = { tool: name, input: { ...answer.input } }
  if (answer.failure) {
    const { code, message, details } = answer.failure
    const faults = details.map(detail => ({ pointer: detail.pointer, message: detail.message }))
    return {
      content: quoted({ error: { code, message, details: faults } }),
      query: { ...query, status: 'error', error: String(faults[0]?.message ?? message) },
    }
  }
  return { content: quoted({ data: answer.data, meta: answer.meta }), query: { ...query, status: 'ok', error: null }, data: answer.data }
}

const refused = (message: string): ToolResult => ({ content: quoted({ error: { message } }) })

function argumentsIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = text.trim() === '' ? {} : parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function draftIn(given: Record<string, unknown>): ToolResult {
  const draft = { name: '', path: null, event: null, property: null, value: null, ...given }
  if (matches(GoalDraft, draft)) {
    const { name, kind, path, event, property, value } = draft as GoalDraftRecord
    return {
      content: '{"data":"The draft is shown to the person."}',
      draft: { name: withoutHidden(name), kind, path, event, property, value },
    }
  }
  return { content: quoted({ error: { message: faultsOf(GoalDraft, draft)[0]?.message ?? 'This is not a goal.' } }) }
}

/** Removes invisible characters from names, titles and values, which visitors wrote. They stay quoted. */
function quoted(value: object): string {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? withoutHidden(each) : each))
  return text.length <= maxResult ? text : `${text.slice(0, maxResult - 80)}… (cut off: ask for fewer rows or metrics)`
}
