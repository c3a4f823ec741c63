/**
 * Umami’s API for single sessions and events. A session is a visit, with what `visits_list` has of it: its permission, the switch of
 * the site, and properties that are marked as safe for exports.
 */
import type { Found, OwnVisit, OwnVisitTimeline } from '../answers.ts'
import { type Asked, refuse } from '../format.ts'
import { idIn, umami } from './account.ts'
import { countIn, numberOf, questionOf, type Question } from './question.ts'
import { rowsOf } from '../rows.ts'
import { SECOND_MS } from '../../../../storage/values/durations.ts'

const MAX = { visits: 1_000, perCall: 100, timelines: 60, atOnce: 6, steps: 1_000 }

interface Page {
  readonly page: number
  readonly pageSize: number
}
const pageIn = ({ query }: Asked): Page => ({
  page: countIn(query, 'page', { min: 1, otherwise: 1, max: 1_000_000 }),
  pageSize: countIn(query, 'pageSize', { min: 1, otherwise: 20, max: 100 }),
})

/** Visits from the newest on, one after another. */
async function* visitsOf(asked: Asked, { site, input }: Question): AsyncGenerator<OwnVisit> {
  let cursor: string | null = ''
  for (let read = 0; cursor !== null && read < MAX.visits; read += MAX.perCall) {
    const part: Found<'visits_list'> = await asked.call(
      'visits_list',
      { site_id: site.id },
      { ...input, limit: MAX.perCall, ...(cursor !== '' && { cursor }) },
    )
    yield* part.data.rows
    cursor = part.data.next_cursor
  }
}

const endOf = ({ started_at, duration }: OwnVisit): string => new Date(Date.parse(started_at) + duration).toISOString()

/** Theirs have null for what is unknown. */
const known = (text: string): string | null => (text === '' ? null : text)

const sessionOf = (visit: OwnVisit, websiteId: string) => ({
  id: visit.id,
  websiteId,
  hostname: visit.hostname,
  browser: visit.browser,
  os: visit.os,
  device: visit.device,
  screen: '',
  language: visit.language,
  country: known(visit.country),
  region: known(visit.region),
  city: known(visit.city),
  firstAt: visit.started_at,
  lastAt: endOf(visit),
  visits: 1,
  views: visit.pageviews,
  events: visit.events,
  createdAt: endOf(visit),
})

const matches = (visit: OwnVisit, search: string): boolean =>
  [visit.city, visit.browser, visit.os, visit.device].some(text => text.toLowerCase().includes(search))

const searchIn = ({ query }: Asked): string => (query.get('search') ?? '').toLowerCase()

const beyond = (most: number) => refuse(400, `The newest ${most} are listed. Ask for a shorter period, or use an export.`)

export const sessions = umami(async asked => {
  const question = await questionOf(asked)
  const { page, pageSize } = pageIn(asked)
  const search = searchIn(asked)
  const from = (page - 1) * pageSize
  if (from + pageSize > MAX.visits) return beyond(MAX.visits)
  const found: OwnVisit[] = []
  for await (const visit of visitsOf(asked, question)) {
    if (found.length > from + pageSize) break // one of the next page: a search is counted as far as it was read
    if (search === '' || matches(visit, search)) found.push(visit)
  }
  const count = search === '' ? await totalOf(asked, question, ['visits']) : found.length
  return { data: found.slice(from, from + pageSize).map(visit => sessionOf(visit, websiteIn(asked))), count, page, pageSize }
})

const websiteIn = ({ path }: Asked): string => path.websiteId ?? ''

async function totalOf(asked: Asked, { site, input }: Question, metrics: readonly ('visits' | 'pageviews' | 'events')[]): Promise<number> {
  const { rows } = await rowsOf(asked, site.id, { input: { ...input, metrics }, offset: 0, limit: 1 })
  return metrics.reduce((sum, name) => sum + numberOf(rows[0], name), 0)
}

async function timelineIn(asked: Asked): Promise<OwnVisitTimeline> {
  return timelineOf(asked, await idIn(asked), asked.path.sessionId ?? '')
}
const timelineOf = async (asked: Asked, site_id: string, visit: string): Promise<OwnVisitTimeline> =>
  (await asked.call('visits_get', { site_id, visit }, { limit: MAX.steps })).data

export const session = umami(async asked => {
  const visit = await timelineIn(asked)
  const { hostname: _, createdAt: __, ...shown } = sessionOf(visit, websiteIn(asked))
  return { ...shown, distinctId: visit.person_id, totaltime: Math.round(visit.duration / SECOND_MS) }
})

/** The referring page of a visit: `news.example/a`. */
function referrerOf({ referrer }: OwnVisit): { readonly host: string | null; readonly path: string | null } {
  const [host = '', ...path] = referrer.split('/')
  return host === '' ? { host: null, path: null } : { host, path: `/${path.join('/')}` }
}

/** Newest first. */
export const sessionActivity = umami(async asked => {
  const visit = await timelineIn(asked)
  return stepsOf(visit)
    .map(({ id, step }) => ({
      createdAt: step.at,
      urlPath: step.page,
      urlQuery: '',
      referrerDomain: step === visit.steps[0] ? referrerOf(visit).host : null,
      eventId: id,
      eventType: step.event === null ? 1 : 2,
      eventName: step.event,
      visitId: visit.id,
      hostname: visit.hostname,
      hasData: Object.keys(step.properties).length > 0,
    }))
    .reverse()
})

/** Traits of people are in `people_get`. */
export const sessionProperties = umami(async asked => {
  await timelineIn(asked)
  return []
})

const stepsOf = (visit: OwnVisitTimeline): SingleEvent[] =>
  visit.steps.map((step, i) => ({ id: `${visit.id}-${i}`, place: i, step, visit }))

interface SingleEvent {
  readonly id: string
  /** Among the steps of its visit. */
  readonly place: number
  readonly step: OwnVisitTimeline['steps'][number]
  readonly visit: OwnVisitTimeline
}

/** Newest first. Hits of the same time have an order as well, so that pages do not overlap. */
function byTime(a: SingleEvent, b: SingleEvent): number {
  if (a.step.at !== b.step.at) return a.step.at < b.step.at ? 1 : -1
  if (a.visit.id !== b.visit.id) return a.visit.id < b.visit.id ? 1 : -1
  return b.place - a.place
}

/**
 * The newest hits of visits, of as many visits as are needed for them. A visit that began before may have later hits: of the visits that
 * were listed with the others, those that ended after the oldest hit found are read as well.
 */
async function newestOf(asked: Asked, question: Question, { wanted, most }: { wanted: (event: SingleEvent) => boolean; most: number }) {
  const found: SingleEvent[] = []
  let waiting: OwnVisit[] = []
  let [listed, read, oldest] = [0, 0, 0]
  const readWaiting = async () => {
    const timelines = await Promise.all(waiting.map(({ id }) => timelineOf(asked, question.site.id, id)))
    found.push(...timelines.flatMap(stepsOf).filter(wanted))
    found.sort(byTime).splice(most)
    oldest = Date.parse(found[most - 1]?.step.at ?? '') || 0
    waiting = []
  }
  for await (const visit of visitsOf(asked, question)) {
    if (read >= MAX.timelines || (found.length >= most && listed % MAX.perCall === 0)) break
    listed++
    if (visit.pageviews + visit.events === 0 || Date.parse(endOf(visit)) + SECOND_MS < oldest) continue
    read++
    if (waiting.push(visit) === MAX.atOnce) await readWaiting()
  }
  await readWaiting()
  return found
}

export const events = umami(async asked => {
  const question = await questionOf(asked)
  const { page, pageSize } = pageIn(asked)
  const search = searchIn(asked)
  const from = (page - 1) * pageSize
  if (from + pageSize > MAX.visits) return beyond(MAX.visits)
  const type = asked.query.get('eventType')
  const wanted = ({ step }: SingleEvent) =>
    (type !== '1' || step.event === null) &&
    (type !== '2' || step.event !== null) &&
    (step.event ?? step.page).toLowerCase().includes(search)
  const found = await newestOf(asked, question, { wanted, most: from + pageSize + 1 })
  const metrics = type === '1' ? (['pageviews'] as const) : type === '2' ? (['events'] as const) : (['pageviews', 'events'] as const)
  const count = search === '' ? await totalOf(asked, question, metrics) : found.length
  const websiteId = websiteIn(asked)
  const data = found.slice(from, from + pageSize).map(({ id, step, visit }) => ({
    id,
    websiteId,
    sessionId: visit.id,
    createdAt: step.at,
    hostname: visit.hostname,
    urlPath: step.page,
    urlQuery: '',
    referrerPath: step === visit.steps[0] ? referrerOf(visit).path : null,
    referrerQuery: null,
    referrerDomain: step === visit.steps[0] ? referrerOf(visit).host : null,
    country: known(visit.country),
    city: known(visit.city),
    device: visit.device,
    os: visit.os,
    browser: visit.browser,
    pageTitle: null,
    eventType: step.event === null ? 1 : 2,
    eventName: step.event,
    hasData: Object.keys(step.properties).length > 0,
  }))
  return { data, count, page, pageSize }
})

/** Events with their properties. */
export const eventData = umami(async asked => {
  const question = await questionOf(asked)
  const { page, pageSize } = pageIn(asked)
  const from = (page - 1) * pageSize
  if (from + pageSize > MAX.visits) return beyond(MAX.visits)
  const wanted = ({ step }: SingleEvent) => step.event !== null && Object.keys(step.properties).length > 0
  const found = await newestOf(asked, question, { wanted, most: from + pageSize + 1 })
  const websiteId = websiteIn(asked)
  const data = found.slice(from, from + pageSize).map(({ id, step }) => ({
    websiteId,
    eventId: id,
    eventName: step.event,
    eventProperties: Object.entries(step.properties).map(([dataKey, stringValue]) => ({
      dataKey,
      stringValue,
      numberValue: null,
      dateValue: null,
      dataType: 1,
      createdAt: step.at,
    })),
  }))
  return { data, count: found.length, page, pageSize }
})
