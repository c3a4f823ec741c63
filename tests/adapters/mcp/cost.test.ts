/** The cost of a list of tools for the model that reads it. A short list must be enough to work with. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { offerOf, toolsetNames } from '../../../adapters/mcp/tool-selection.ts'
import { listingOf } from '../../../adapters/mcp/compact-tools.ts'
import { searchTools } from '../../../adapters/mcp/search.ts'
import { describeTools } from '../../../adapters/mcp/tools.ts'
import { instructions } from '../../../adapters/mcp/server-description.ts'
import { table } from '../../../operations/index.ts'
import { findersOf } from '../../../runtime/table/subject-finders.ts'
import { isObject } from '../../../runtime/values/json.ts'

/** Of English and JSON a token is four characters; measured with o200k it is 4.2. */
const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4)
const listing = listingOf(table)
const offer = (query: string) => offerOf(table, new URLSearchParams(query))
const listed = (query = '') => listing(offer(query).operations, offer(query))
const operations = [...table.operations.values()]

describe('the list of tools', () => {
  test('fits a model: 22,000 tokens for a hundred tools, 45,000 for two hundred', () => {
    const tools = listed()
    const cost = tokens(tools)
    if (tools.length <= 105) assert.ok(cost <= 22_000, `${tools.length} tools cost ${cost} tokens`)
    assert.ok((cost / tools.length) * 200 <= 45_000, `a tool costs ${Math.round(cost / tools.length)} tokens`)
  })

  test('says what tools answer only where that is asked for', () => {
    assert.ok(listed().every(tool => !('outputSchema' in tool)))
    assert.ok(listed('schemas=output').every(tool => tool.outputSchema?.type === 'object'))
    assert.throws(() => listed('schemas=all'), /schemas must be one of output, input/)
  })

  test('does not repeat permissions and bounds', () => {
    const text = JSON.stringify(listed())
    for (const absent of ['permission analytics.read', '"maxLength"', '"pattern"', '"x-unit"']) assert.ok(!text.includes(absent), absent)
  })

  test('has a title and a description of every tool and argument, and a description of every field within', () => {
    const missing: string[] = []
    const untitled: string[] = []
    const look = (schema: unknown, at: string): void => {
      if (!isObject(schema)) return
      for (const [name, field] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
        if (!isObject(field) || !(typeof field.description === 'string' && field.description.trim() !== '')) missing.push(`${at}.${name}`)
        look(field, `${at}.${name}`)
      }
      look(schema.items, `${at}[]`)
      for (const each of Array.isArray(schema.anyOf) ? schema.anyOf : []) look(each, at)
    }
    for (const tool of [...listed(), ...searchTools(offer('mode=search')), ...describeTools(table)]) {
      assert.match(tool.title, /^[A-Z].{2,110}$/, tool.name)
      assert.ok(tool.description.length > tool.title.length && /[.?]$/.test(tool.description), tool.name)
      look(tool.inputSchema, tool.name)
      for (const [name, field] of Object.entries(isObject(tool.inputSchema.properties) ? tool.inputSchema.properties : {}))
        if (!isObject(field) || !/^[A-Z]/.test(String(field.title))) untitled.push(`${tool.name}.${name}`)
    }
    assert.deepEqual({ missing, untitled }, { missing: [], untitled: [] })
  })

  test('says of each id that it may be a name only if its records have one', () => {
    for (const { name, inputSchema } of listed())
      for (const subject of table.operations.get(name)?.on ?? []) {
        const { onParameters = [], on = [] } = table.operations.get(name) ?? {}
        const field = (inputSchema.properties as Record<string, { description: string }>)[onParameters[on.indexOf(subject)] ?? '']
        const records = findersOf(table, subject.name).map(({ output }) => Object.keys(output.items.properties))
        const [, calledBy] = /^Id or (\w+)\.$/.exec(field?.description ?? '') ?? []
        if (calledBy === undefined) assert.equal(field?.description, 'Id.', `${name}: ${subject.name}`)
        else
          assert.ok(records.length > 0 && records.every(fields => fields.includes(calledBy)), `${name}: ${subject.name} has no ${calledBy}`)
      }
  })

  test('has every argument that the operation takes', () => {
    for (const tool of listed()) {
      const { pathInput, input } = table.operations.get(tool.name)!
      const properties = tool.inputSchema.properties
      assert.ok(isObject(properties))
      assert.deepEqual(Object.keys(properties), [...Object.keys(pathInput), ...Object.keys(input.properties)])
    }
  })

  test('says of every list what stands in it: clients refuse the whole list otherwise', () => {
    const untyped: string[] = []
    const look = (value: unknown, at: string): void => {
      if (Array.isArray(value)) for (const [i, inner] of value.entries()) look(inner, `${at}/${i}`)
      if (!isObject(value) || at.endsWith('/default')) return
      if (value.type === 'array' && !(isObject(value.items) && ('type' in value.items || 'anyOf' in value.items))) untyped.push(at)
      for (const [key, inner] of Object.entries(value)) look(inner, `${at}/${key}`)
    }
    for (const tool of listed()) look(tool.inputSchema, tool.name)
    assert.deepEqual(untyped, [])
  })
})

/** Reports that few ask for; `tools_search`, which is in the same list, finds them. Most sites do not identify people; single visits are for people. */
const isBeyondEveryDay: ReadonlySet<string> = new Set(['retention_get', 'attribution_get', 'visits_list', 'funnels_explore'])

describe('a toolset', () => {
  test('for every day has at most 40 tools and 11,500 tokens, and what an analyst asks for', () => {
    const tools = [...listed('toolsets=everyday'), ...searchTools(offer('toolsets=everyday'))]
    const names = tools.map(({ name }) => name)
    assert.ok(tools.length <= 40 && tokens(tools) <= 11_500, `${tools.length} tools, ${tokens(tools)} tokens`)
    const reports = operations.filter(
      ({ id, answers, section, everyday }) =>
        // Nobody asks for a preview without a form: the tool that creates takes its input, and the report counts it.
        answers.kind === 'report' && section !== 'Dashboards' && !everyday && !id.endsWith('_preview') && !isBeyondEveryDay.has(id),
    )
    assert.deepEqual(
      reports.map(({ id }) => id),
      [],
      'every report is among them',
    )
    for (const area of ['Sites', 'Events', 'Goals', 'Funnels', 'Segments', 'Notes', 'Alerts', 'Notification channels', 'Uptime'])
      assert.ok(
        names.some(name => table.operations.get(name)?.area === area),
        area,
      )
    const direct = tools.filter(({ name }) => name !== 'tools_call')
    assert.ok(direct.every(({ annotations }) => annotations.readOnlyHint || annotations.destructiveHint === false))
  })

  test('can be used alone: whatever its tools name by an id, one of them lists', () => {
    for (const name of toolsetNames(operations)) {
      const { operations: chosen } = offer(`toolsets=${name}`)
      for (const { id, on } of chosen) {
        for (const { name: subject } of on) {
          const finders = findersOf(table, subject)
          const goesWithoutSaying = finders.every(finder => finder.on.length === 0)
          assert.ok(goesWithoutSaying || finders.some(finder => chosen.includes(finder)), `${name}: nothing finds the ${subject} of ${id}`)
        }
      }
    }
    assert.ok(offer('toolsets=analytics').find('sites_list'))
  })
})

test('the instructions name the ways to fewer tools, and are short themselves', () => {
  for (const way of ['toolsets=everyday', 'mode=search', 'readonly=1', 'schemas=output']) assert.ok(instructions.includes(way), way)
  assert.ok(tokens(instructions) <= 700, `${tokens(instructions)} tokens`)
})
