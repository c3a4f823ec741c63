/** Every form of the table in the words of people: no identifiers, no JSON, no names that only programs know. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isList, spotsOf } from '../../../adapters/pages/page-tree.ts'
import { hasForm } from '../../../adapters/surfaces.ts'
import { filled } from '../../../runtime/ui/words.ts'
import { table } from '../../../operations/index.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { fill, makeWorld, request, startService, type TestService } from '../../support/world.ts'

const forms = [...table.operations.values()].filter(hasForm)

/** Names in forms that people know as they are: those of other products, and the tags of campaign links. */
const known =
  /\b(utm_(source|medium|campaign|content|term)|website_event|event_data\.csv|events_YYYYMMDD|event_timestamp|data-website-id|created_at)\b/g

/** What programs write: identifiers, ids of records, JSON, names of settings of an installation. */
const technical = /\b[a-z][a-z0-9]*(_[a-z0-9]+)+\b|\b[A-Z]+_[A-Z_]+\b|\{"|\[\["|\bnull\b|`|\bRE2\b/g

/** Types of events that a member chooses, such as `site.created`. */
const chosen = table.events.filter(({ direct }) => !direct)
const eventTypes = new RegExp(`\\b(?:${chosen.map(({ type }) => type.replaceAll('.', '\\.')).join('|')})\\b`, 'g')

/** The text of a form that a person reads, without what they or others have typed. */
const textIn = (html: string): string =>
  html
    .replace(/<(script|style|noscript|textarea|datalist|dl)\b[^]*?<\/\1>/g, ' ')
    .replace(/<(b|code)>[^]*?<\/\1>/g, ' ')
    .replace(/<option[^>]*>(?=[a-z]+_\w{8,})[^<]*<\/option>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replace(known, ' ')
    .replace(/\s+/g, ' ')

onAnyEngine('forms in plain words', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  test('every form that a page offers has no technical names', async () => {
    const world = await makeWorld(service)
    const token = await world.sessionFor('owner')
    const found: string[] = []
    let drawn = 0
    for (const row of forms) {
      const spot = spotsOf(table).spotOf.get(row.id)
      if (!spot) continue
      const input = fill(row.examples[0]?.input ?? {}, world)
      const path = Object.fromEntries(Object.keys(row.pathInput).map(name => [name, String(input[name])]))
      const of = isList(spot.operation) ? spot.rowDoes.find(({ operation }) => operation === row)?.parameter : undefined
      const query = new URLSearchParams({ do: row.id, ...(of !== undefined && { [of]: path[of] ?? '' }) })
      const { text } = await request(service, 'GET', `${filled(spot.operation.path, path)}?${query}`, {
        token,
        headers: { Accept: 'text/html' },
      })
      const drawnForms = [...text.matchAll(/<section class="(?:card doing|settings)[^>]*>([^]*?)<\/section>/g)]
      if (drawnForms.length > 0) drawn++
      for (const [, form = ''] of drawnForms)
        for (const [name] of [technical, eventTypes].flatMap(names => [...textIn(form).matchAll(names)])) found.push(`${row.id}: ${name}`)
    }
    assert.ok(drawn > 60, `${drawn} forms`)
    assert.deepEqual([...new Set(found)], [])
  })
})
