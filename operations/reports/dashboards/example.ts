/** A dashboard with a card of every type. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const dashboard = newId(ids.dashboard)
  const card = (type: string, params: object = {}) => ({ type, site_id: id('site'), params })
  const cards = [
    { ...card('metric', { period: '7d', metric: 'visitors' }), title: 'Visitors' },
    card('chart', { period: '7d' }),
    card('breakdown', { dimension: 'country' }),
    card('goal'),
    card('live'),
    card('funnel', { funnel_id: id('funnel') }),
    card('uptime'),
    card('vitals'),
    card('table', { dimensions: 'country,device', metrics: 'visitors,bounce_rate' }),
  ]
  await db
    .insertInto('dashboards')
    .values({
      id: dashboard,
      workspace_id: id('workspace'),
      name: 'Overview',
      cards: JSON.stringify(cards),
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { dashboard }
})
