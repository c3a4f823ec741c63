/** A funnel of a site, and a dashboard with a card of every type. */
import { randomBytes } from 'node:crypto'
import { makeId } from '../../runtime/ids.ts'
import type { Db } from '../../storage/store.ts'

export async function addDashboard(db: Db, now: number, workspace: string, site: string) {
  const [funnel, dashboard] = [makeId('funnel', now, randomBytes(14)), makeId('dashboard', now, randomBytes(14))]
  const plain = { name: null, goal_id: null, path: null, event: null, property: null, value: null }
  const steps = [{ ...plain, kind: 'page', path: '/' }, { ...plain, kind: 'event', event: 'Signup' }]
  const times = { created_at: now, updated_at: now }
  await db.insertInto('funnels')
    .values({ id: funnel, site_id: site, name: 'To sign-up', steps: JSON.stringify(steps), ...times }).execute()
  const card = (type: string, params: object = {}) => ({ type, site_id: site, params })
  const cards = [
    { ...card('metric', { period: '7d', metric: 'visitors' }), title: 'Visitors' }, card('chart', { period: '7d' }),
    card('breakdown', { dimension: 'country' }), card('goal'), card('live'), card('funnel', { funnel_id: funnel }),
    card('uptime'), card('vitals'),
  ]
  const row = { id: dashboard, workspace_id: workspace, name: 'Overview', cards: JSON.stringify(cards), ...times }
  await db.insertInto('dashboards').values(row).execute()
  return { funnel, dashboard }
}
