/** Umami’s API for the properties of events. */
import { type Asked, refuse } from '../format.ts'
import { rowsOf } from '../rows.ts'
import { umami } from './account.ts'
import { numberOf, questionOf } from './question.ts'

/** Properties that a request reads, each with a query, and their values. */
const MAX = { properties: 20, values: 500, rows: 500 }
const TEXT = 1

interface Count {
  readonly eventName: string
  readonly propertyName: string
  readonly value: string
  readonly total: number
}

/** The most frequent keys of the last 30 days. */
async function usualKeys(asked: Asked, site_id: string): Promise<string[]> {
  const { data } = await asked.call('event_properties_list', { site_id }, { per_page: MAX.properties })
  return data.map(({ key }) => key)
}

/** How many hits have each value of each property, by event; '' is a pageview. */
async function countsOf(asked: Asked): Promise<Count[]> {
  const { site, input } = await questionOf(asked)
  const wanted = asked.query.get('propertyName') ?? ''
  const keys = wanted === '' ? await usualKeys(asked, site.id) : [wanted]
  const counts = await Promise.all(
    keys.map(async propertyName => {
      const ask = { ...input, dimensions: ['event', `property:${propertyName}`], metrics: ['events', 'pageviews'] }
      const { rows } = await rowsOf(asked, site.id, { input: ask, offset: 0, limit: MAX.values })
      return rows.map(row => {
        const [eventName = '', value = ''] = row.values
        return { eventName, propertyName, value, total: numberOf(row, eventName === '' ? 'pageviews' : 'events') }
      })
    }),
  )
  return counts.flat().filter(({ value, total }) => value !== '' && total > 0)
}

/** Adds up counts that agree in some of their columns, the largest first. */
function summed<C extends keyof Count>(counts: readonly Count[], columns: readonly C[]): (Pick<Count, C> & { total: number })[] {
  const sums = new Map<string, Pick<Count, C> & { total: number }>()
  for (const count of counts) {
    const key = columns.map(column => String(count[column])).join('\0')
    const sum = sums.get(key) ?? { ...(Object.fromEntries(columns.map(column => [column, count[column]])) as Pick<Count, C>), total: 0 }
    sums.set(key, { ...sum, total: sum.total + count.total })
  }
  return [...sums.values()].sort((a, b) => b.total - a.total).slice(0, MAX.rows)
}

export const eventProperties = umami(async asked => summed(await countsOf(asked), ['eventName', 'propertyName']))

/** With an event, also by value. */
export const eventDataEvents = umami(async asked => {
  const counts = await countsOf(asked)
  if (!asked.query.has('event')) {
    return summed(counts, ['eventName', 'propertyName']).map(row => ({ ...row, dataType: TEXT }))
  }
  return summed(counts, ['eventName', 'propertyName', 'value']).map(({ value, ...row }) => ({
    ...row,
    dataType: TEXT,
    propertyValue: value,
  }))
})

export const eventDataFields = umami(async asked =>
  summed(await countsOf(asked), ['propertyName', 'value']).map(row => ({ ...row, dataType: TEXT })),
)

/** Events are counted by the property that most of them have. */
export const eventDataStats = umami(async asked => {
  const counts = summed(await countsOf(asked), ['eventName', 'propertyName'])
  const most = new Map<string, number>()
  for (const { eventName, total } of counts) most.set(eventName, Math.max(most.get(eventName) ?? 0, total))
  return {
    events: [...most.values()].reduce((sum, count) => sum + count, 0),
    properties: new Set(counts.map(({ propertyName }) => propertyName)).size,
    records: counts.reduce((sum, { total }) => sum + total, 0),
  }
})

export const eventValues = umami(async asked => {
  if (!asked.query.get('propertyName')) return refuse(400, 'propertyName is required')
  return summed(await countsOf(asked), ['value']).slice(0, 100)
})
