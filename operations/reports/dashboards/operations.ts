import { Type } from '@sinclair/typebox'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { deleteFor, restoring } from '../../../runtime/table/restoring.ts'
import { list, operation, report } from '../../../runtime/table/operation.ts'
import type { Reach } from '../../../runtime/table/access.ts'
import { maySee } from '../../../runtime/table/caller.ts'
import { Id, Name, OneOf, optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import type { DashboardRow } from '../../../storage/tables/index.ts'
import { engine, ReportMeta, statsInput } from '../stats/index.ts'
import { site } from '../../sites/sites/records.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { answerOf, CardData } from './answers.ts'
import { givenCards, periods, resolveCards } from './cards.ts'
import { allCards, cardsFor, cardTypes, Dashboard, dashboard, toDashboard, ids } from './records.ts'
import { m } from './messages.ts'

export const dashboards_create = operation({
  route: 'POST /workspaces/{workspace_id}/dashboards',
  summary: 'Create a dashboard of cards',
  description:
    'Its cards show figures, charts, top lists, goals, funnels, live visitors, uptime or web vitals of any sites of the workspace.',
  access: 'content.write',
  reach: ({ input }) => (input.cards.length === 0 ? 'workspace' : []),
  on: workspace,
  effect: 'create',
  input: {
    name: Name({ maxLength: 200, description: 'Name in lists.' }),
    cards: Type.Array(givenCards.items, { ...givenCards, default: [] }),
  },
  output: Dashboard,
  examples: [
    { summary: 'Empty', input: { workspace_id: '{{workspace}}', name: 'Mornings' } },
    {
      summary: 'With cards',
      input: {
        workspace_id: '{{workspace}}',
        name: 'Shop',
        cards: [
          { type: 'metric', site_id: '{{site}}', title: 'This week', params: { period: '7d', metric: 'visitors' } },
          { type: 'breakdown', site_id: '{{site}}', params: { dimension: 'country' } },
          { type: 'funnel', site_id: '{{site}}', params: { period: '90d', funnel_id: '{{funnel}}' } },
          { type: 'live', site_id: '{{site}}' },
        ],
      },
    },
  ],
  async run({ db, workspace, caller, input, now, newId }) {
    const { cards, faults } = await resolveCards(db, { caller, given: input.cards })
    failWith(faults)
    const row = {
      id: newId(ids.dashboard),
      workspace_id: workspace.id,
      name: input.name,
      cards: JSON.stringify(cards),
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('dashboards').values(row).execute()
    return toDashboard(row, caller)
  },
})

export const dashboards_list = list({
  route: 'GET /workspaces/{workspace_id}/dashboards',
  summary: 'List dashboards',
  empty: {
    says: 'A dashboard shows figures, charts and lists of several sites next to each other, also on a wall display.',
    like: [
      ['Mornings', '6'],
      ['Shop', '4'],
    ],
  },
  description: 'Oldest first. A token restricted to sites sees only the cards of those sites.',
  place: 'across',
  icon: 'dashboard',
  access: 'analytics.read',
  on: workspace,
  effect: 'read',
  input: {},
  of: Dashboard,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, caller, page }) {
    const all = db.selectFrom('dashboards').selectAll().where('workspace_id', '=', workspace.id)
    const { rows, total } = await pageOf(all.orderBy('created_at').orderBy('id'), page)
    return { rows: rows.map(row => toDashboard(row, caller)), total }
  },
})

export const dashboards_get = operation({
  route: 'GET /workspaces/{workspace_id}/dashboards/{id}',
  summary: 'Get a dashboard and its cards',
  access: 'analytics.read',
  on: [workspace, dashboard],
  effect: 'read',
  input: {},
  output: Dashboard,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{dashboard}}' } }],
  run: ({ dashboard, caller }) => toDashboard(dashboard, caller),
})

export const dashboards_update = operation({
  route: 'PATCH /workspaces/{workspace_id}/dashboards/{id}',
  summary: 'Change a dashboard',
  label: 'Rename',
  description:
    'Fields that are left out keep their value. Refused for tokens that cannot see every card. Requires `analytics.read`, because shared ' +
    'links show the cards.',
  help: 'The change applies for everyone who can see the dashboard.',
  access: 'content.write',
  needs: ['analytics.read'],
  reach: ({ dashboard, input }) => (input.cards?.length === 0 ? 'workspace' : reachOf(dashboard)),
  on: [workspace, locked(dashboard)],
  effect: 'update',
  input: {
    name: optional(Name({ minLength: 0, maxLength: 200, description: 'Name in lists. Empty: keep the name.' })),
    cards: optional(
      Type.Array(givenCards.items, {
        ...givenCards,
        description: `${givenCards.description} They replace all existing cards.`,
      }),
    ),
  },
  output: Dashboard,
  examples: [
    { summary: 'Another name', input: { workspace_id: '{{workspace}}', id: '{{dashboard}}', name: 'Evenings' } },
    {
      summary: 'Other cards',
      input: {
        workspace_id: '{{workspace}}',
        id: '{{dashboard}}',
        cards: [{ type: 'chart', site_id: '{{site}}', params: { metric: 'pageviews', period: '12mo' } }],
      },
    },
  ],
  async run({ db, dashboard, caller, input, now }) {
    const settled = input.cards && (await resolveCards(db, { caller, given: input.cards, before: cardsFor(caller, dashboard) }))
    failWith(settled?.faults ?? [])
    const changed = await db
      .updateTable('dashboards')
      .set({
        name: input.name?.trim() === '' ? undefined : input.name,
        cards: settled && JSON.stringify(settled.cards),
        updated_at: now,
      })
      .where('id', '=', dashboard.id)
      .returningAll()
      .executeTakeFirst()
    return toDashboard(changed ?? fail('not_found'), caller)
  },
})

export const dashboards_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/dashboards/{id}',
  summary: 'Delete a dashboard',
  description: 'Refused for tokens that cannot see every card. `dashboards_restore` undoes it within 30 days.',
  help: 'The data behind its cards stays. You can undo it within 30 days.',
  access: 'content.write',
  reach: ({ dashboard }) => reachOf(dashboard),
  on: [workspace, locked(dashboard)],
  effect: 'delete',
  input: {},
  output: Dashboard,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{dashboard}}' } }],
  async run({ workspace, dashboard: { id, name }, ...call }) {
    return toDashboard(await deleteFor(call, { table: 'dashboards', id, name, workspaceId: workspace.id, siteId: null }), call.caller)
  },
})

export const dashboards_restore = restoring({
  route: 'POST /workspaces/{workspace_id}/dashboards/{id}/restore',
  undoes: 'dashboards_delete',
  table: 'dashboards',
  of: dashboard,
  summary: 'Restore a deleted dashboard',
  description:
    'Brings it back with its id and its cards, within 30 days of its deletion. Refused for tokens that cannot see every card. Requires `analytics.read`, because shared links show it again.',
  help: 'Brings it back with its cards.',
  done: 'Dashboard restored.',
  access: 'content.write',
  needs: ['analytics.read'],
  reach: reachOf,
  on: workspace,
  output: Dashboard,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{deleted_dashboard}}' } }],
  answer: (row, { caller }) => toDashboard(row, caller),
})

export const dashboards_card = report({
  route: 'GET /workspaces/{workspace_id}/dashboards/{id}/cards/{index}',
  summary: 'Get the data of one card of a dashboard',
  title: 'Card',
  description: 'The report of the card in its usual form. A metric and a chart are compared with the previous period.',
  access: 'analytics.read',
  on: [workspace, dashboard],
  path: { index: Type.String({ maxLength: 64, description: '0-based index of the card, among those that this token sees.' }) },
  effect: 'read',
  input: {
    period: optional(OneOf(periods, { description: 'Period instead of the one of the card.' })),
    site_id: optional(Id({ description: 'Site of the workspace instead of the one of the card. Cards of a funnel keep theirs.' })),
    include_imported: statsInput.include_imported,
  },
  output: CardData,
  meta: ReportMeta,
  examples: cardTypes.map((type, index) => ({
    summary: `Of type ${type}`,
    input: { workspace_id: '{{workspace}}', id: '{{dashboard}}', index: String(index) },
  })),
  async run({ db, dashboard, caller, input, now, use }) {
    const card = /^(0|[1-9]\d{0,2})$/.test(input.index) ? cardsFor(caller, dashboard)[Number(input.index)] : undefined
    if (!card) fail('not_found')
    const site_id = card.type === 'funnel' ? card.site_id : (input.site_id ?? card.site_id)
    const found = await site.find(db, site_id)
    // The site of a card may have moved to another workspace, and the card may come from a file that anyone wrote.
    const own = found?.row.workspace_id === dashboard.workspace_id ? found.row : undefined
    if (site_id !== card.site_id && !(own && maySee(caller, dashboard.workspace_id, site_id))) fail('not_found')
    if (!own) fail('invalid_state', m.site_gone())
    const shown = { ...card, site_id, params: { ...card.params, ...(input.period !== undefined && { period: input.period }) } }
    return answerOf({ card: shown, site: own, db, now, engine: use(engine), hasImported: input.include_imported })
  },
})

/** Changing or deleting a dashboard requires access to the sites of all its cards; without cards, to the whole workspace. */
function reachOf(row: DashboardRow): Reach {
  const sites = allCards(row).map(({ site_id }) => site_id)
  return sites.length === 0 ? 'workspace' : sites
}
