/**
 * Checks the planner's answers to everyday questions: its queries, and the figures of its answer, which the test computes
 * independently. A question without an answer in the data must not get a figure.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Shown, shownAs } from '../../../operations/service/assistant/figures.ts'
import { resolvePeriod } from '../../../operations/reports/stats/index.ts'
import { dateOf, dayStart, localDay } from '../../../storage/calendar/zones.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { someOf } from '../../support/full.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { type ExpectedQuery, NOW, type Question, ZONE } from './expected.ts'
import { makeGarden } from './garden.ts'
import { questions } from './questions.ts'
import { sayIn } from '../../../runtime/texts/say.ts'

interface Query {
  readonly tool: string
  readonly input: Record<string, unknown>
  readonly status: string
}
interface Message {
  readonly content: string
  readonly queries: readonly Query[]
  readonly chart: Record<string, unknown> | null
}

/** At least this share of questions must be answered correctly. */
const MIN_SHARE = 0.9

let english: Awaited<ReturnType<typeof sayIn>>
before(async () => {
  english = await sayIn('en')
})

onAnyEngine('everyday questions', engine => {
  let service: TestService
  let world: World
  let site: string
  let firstDay: string
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
    site = await makeGarden(service, world)
    const { data } = await get('stats/aggregate', { period: 'all' })
    firstDay = dateOf(localDay(ZONE, Date.parse(data.period.from)).day)
  })
  after(() => service.close())

  async function get(path: string, input: Record<string, unknown>): Promise<any> {
    const query = new URLSearchParams(
      Object.entries(input).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    )
    const { status, body, text } = await request(service, 'GET', `/sites/${site}/${path}.json?${query}`, { token: world.token })
    assert.equal(status, 200, `${path}?${query}: ${text}`)
    return body
  }

  async function ask(question: string): Promise<Message> {
    const { status, body, text } = await request(service, 'POST', `/sites/${site}/ask.json`, { token: world.token, body: { question } })
    assert.equal(status, 201, `${question}: ${text}`)
    return body.data.messages[1]
  }

  // The planner is the same on both engines. They differ below the reports, which have tests of their own.
  const askedQuestions = engine.name === 'sqlite' ? someOf(questions, 15) : questions.filter((_, i) => i % 10 === 0)

  test(`at least 90 % of ${askedQuestions.length} questions are answered correctly, and none with a wrong figure`, async () => {
    assert.ok(questions.length >= 250)
    const declined: string[] = []
    const wrong: string[] = []
    for (const question of askedQuestions) {
      const message = await ask(question.text)
      const answered = message.queries.some(({ status }) => status === 'ok')
      if (question.right === null) {
        if (answered) wrong.push(`${question.text}\n    should not be answered: ${summaryOf(message)}`)
      } else if (!answered) declined.push(`${question.text}\n    ${message.content.split('\n')[0]}`)
      else {
        const faults = await faultsOf(question, message)
        if (faults.length > 0) wrong.push(`${question.text}\n    ${faults.join('; ')}\n    ${summaryOf(message)}`)
      }
    }
    const right = askedQuestions.length - declined.length - wrong.length
    const share = right / askedQuestions.length
    console.log(
      `# ${right} of ${askedQuestions.length} questions right (${(100 * share).toFixed(1)} %), ${declined.length} declined, ${wrong.length} wrong`,
    )
    const report = [...wrong.map(each => `WRONG ${each}`), ...declined.map(each => `DECLINED ${each}`)].join('\n')
    if (process.env.QUESTIONS === 'show') console.log(report)
    assert.equal(wrong.length, 0, report)
    assert.ok(share >= MIN_SHARE, report)
  })

  const summaryOf = ({ content, queries }: Message): string =>
    `${content.slice(0, 160).replaceAll('\n', ' / ')} ${JSON.stringify(queries.map(({ tool, input: { site_id: _, ...input } }) => ({ [tool]: input })))}`

  /** The faults of an answer compared with the expected alternative that fits best. */
  async function faultsOf({ right }: Question, message: Message): Promise<string[]> {
    let fewest: string[] | undefined
    for (const expected of right ?? []) {
      const faults: string[] = []
      for (const each of expected) faults.push(...(await faultsOfQuery(each, message)))
      if (!fewest || faults.length < fewest.length) fewest = faults
    }
    return fewest ?? []
  }

  async function faultsOfQuery(expected: ExpectedQuery, message: Message): Promise<string[]> {
    const fitting = message.queries.filter(({ tool }) => tool === toolOf(expected))
    const reasons = fitting.map(query => differences(expected, query.input))
    const query = fitting[reasons.findIndex(each => each.length === 0)]
    if (!query) return [`no ${expected.tool} ${JSON.stringify(expected)} (${reasons.map(each => each.join(', ')).join(' | ')})`]
    return missingFigures(expected, query.input, message.content)
  }

  const toolOf = ({ tool }: ExpectedQuery): string => (tool === 'site_uptime_checks_list' ? 'uptime_checks_list' : tool)

  function differences(expected: ExpectedQuery, input: Record<string, unknown>): string[] {
    const faults: string[] = []
    const differs = (name: string, wanted: unknown, got: unknown) => {
      if (JSON.stringify(wanted) !== JSON.stringify(got)) faults.push(`${name} ${JSON.stringify(got)} for ${JSON.stringify(wanted)}`)
    }
    if (expected.days !== undefined) differs('days', expected.days, daysOf(input))
    if (expected.filters) differs('filters', sorted(expected.filters), sorted((input.filters as unknown[] | undefined) ?? [], expected))
    if (expected.dimension !== undefined) differs('dimension', expected.dimension, input.dimension)
    if (expected.tool === 'stats_breakdown' && expected.value === undefined && expected.metric !== undefined)
      differs('sort', sortOf(expected.metric, expected.dimension), input.sort)
    if (expected.rank !== undefined) differs('rank', expected.rank, input.rank)
    else if (expected.tool === 'stats_breakdown') differs('rank', undefined, input.rank)
    if (expected.tool === 'stats_breakdown' && expected.value === undefined) differs('order', expected.order, input.order)
    if (expected.limit !== undefined) differs('limit', expected.limit, input.limit)
    if (expected.interval !== undefined) differs('interval', expected.interval, input.interval)
    if (expected.tool === 'stats_timeseries' && expected.metric !== undefined) differs('metrics', [expected.metric], input.metrics)
    if (expected.against === 'any' && (input.compare ?? 'none') === 'none') faults.push('no comparison')
    return faults
  }

  /** The days of a query's period, as its report resolves them. */
  function daysOf(input: Record<string, unknown>): string {
    const clock = { zone: ZONE, now: NOW, firstHitAt: dayStart(ZONE, Date.parse(firstDay) / 86_400_000) }
    const parameters = { period: input.period, from: input.from, to: input.to } as Parameters<typeof resolvePeriod>[0]
    const range = resolvePeriod(parameters, clock)
    return range.ok ? `${dateOf(range.value.fromDay)}..${dateOf(range.value.toDay)}` : JSON.stringify(range.faults)
  }

  /** Filters of one field in any order; a goal or event of a row may be among them. */
  const sorted = (filters: readonly unknown[], expected?: ExpectedQuery): string[] =>
    filters
      .filter(each => !(expected?.value !== undefined && Array.isArray(each) && each[0] === expected.dimension))
      .map(each => JSON.stringify(each))
      .toSorted()

  const sortOf = (metric: string, dimension: string | undefined): string =>
    metric === 'conversions' || metric === 'events'
      ? 'pageviews'
      : metric === 'conversion_rate' && dimension === 'goal'
        ? 'visitors'
        : metric

  /** Reads the figure from its report and looks for it in the answer. Also checks the days of the comparison. */
  async function missingFigures(expected: ExpectedQuery, input: Record<string, unknown>, content: string): Promise<string[]> {
    const { metric } = expected
    if (metric === undefined || expected.days === undefined) return []
    const [from, to] = expected.days.split('..')
    const query: Record<string, unknown> = { period: 'custom', from, to, filters: expected.filters ?? [] }
    if (input.period === 'all') Object.assign(query, { from: firstDay })
    const currency = 'EUR'
    const missing = (label: string, value: number): string[] =>
      content.includes(shownAs(english, { metric: metric as Shown, value, currency }))
        ? []
        : [`${label} ${shownAs(english, { metric: metric as Shown, value, currency })} is not in the answer`]
    if (expected.against !== undefined && expected.against !== 'any') {
      const meta = (await get(pathOf(expected), { ...plain(input) })).meta.comparison
      const days = meta ? `${meta.from}..${meta.to}` : 'none'
      if (days !== expected.against) return [`compared with ${days} for ${expected.against}`]
    }
    if (expected.tool === 'stats_aggregate') return missing('the total', (await get('stats/aggregate', query)).data.metrics[metric])
    if (expected.tool === 'stats_timeseries') {
      const { series } = (await get('stats/timeseries', { ...query, ...(expected.interval && { interval: expected.interval }) })).data
      return missing('the highest point', Math.max(...series.map((point: Record<string, number>) => point[metric])))
    }
    // Gains and losses depend on the days of the comparison, which were checked above if the question names them.
    const compared = expected.rank ? { ...plain(input), limit: 5 } : query
    const sort = sortOf(metric, expected.dimension)
    const { rows } = (
      await get(pathOf(expected), {
        ...compared,
        limit: expected.value === undefined ? (expected.limit ?? 5) : 1_000,
        sort: ['visitors', 'visits', 'pageviews', 'revenue'].includes(sort) ? sort : 'visitors',
        ...(expected.order && { order: expected.order }),
      })
    ).data
    if (expected.value === undefined)
      return rows.slice(0, 3).flatMap((row: Record<string, number>) => missing(`the row ${row.label}`, row[metric] ?? 0))
    const row = rows.find(({ value, label }: Record<string, string>) => value === expected.value || label === expected.value)
    return missing(`the row ${expected.value}`, row?.[metric] ?? 0)
  }

  const plain = ({ site_id: _, dimension: __, ...input }: Record<string, unknown>) => input
  const pathOf = ({ tool, dimension }: ExpectedQuery): string =>
    tool === 'stats_aggregate'
      ? 'stats/aggregate'
      : tool === 'stats_timeseries'
        ? 'stats/timeseries'
        : `breakdown/${encodeURIComponent(dimension ?? '')}`
})
