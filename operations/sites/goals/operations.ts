import { locked } from '../../../runtime/table/subject.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { deleteFor, restoring } from '../../../runtime/table/restoring.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { optional } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { isUniqueViolation } from '../../../storage/store.ts'
import { site } from '../sites/records.ts'
import { conditionOf, draftOf } from './condition.ts'
import { condition, goalInput, kind, name } from './fields.ts'
import { goal_deleting } from './hooks.ts'
import { Goal, goal, toGoal, ids } from './records.ts'
import { noWorth, worthOf } from './worth.ts'
import { m } from './messages.ts'

export const goals_list = list({
  route: 'GET /sites/{site_id}/goals',
  summary: 'List the goals of a site',
  empty: {
    says: 'A goal is a page or an event that visitors should reach. Every report then shows how many do, and where they came from.',
    like: [
      ['/thanks', '3.2 %'],
      ['Signup', '1.4 %'],
      ['/pricing → /contact', '0.6 %'],
    ],
  },
  description: 'The pages and events that count as conversions, oldest first. For their counts, use `stats_breakdown` by goal.',
  place: 'what_it_brings',
  icon: 'goal',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  of: Goal,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page }) {
    const all = db.selectFrom('goals').selectAll().where('site_id', '=', site.id).orderBy('created_at').orderBy('id')
    const { rows, total } = await pageOf(all, page)
    return { rows: rows.map(toGoal), total }
  },
})

export const goals_create = operation({
  route: 'POST /sites/{site_id}/goals',
  summary: 'Create a goal: what counts as a conversion',
  description:
    'For example a thank-you page or a sign-up. Applies at once, also to past hits. For its conversions and conversion rate, use `stats_breakdown` by goal.',
  access: 'content.write',
  on: site,
  effect: 'create',
  input: goalInput,
  output: Goal,
  examples: [
    { summary: 'A page', input: { site_id: '{{site}}', kind: 'page', path: '/checkout/*/thanks', name: 'Order' } },
    { summary: 'An event', input: { site_id: '{{site}}', kind: 'event', event: 'Newsletter' } },
    {
      summary: 'An event with a value of a property',
      input: { site_id: '{{site}}', kind: 'event', event: 'Upgrade', property: 'plan', value: 'business' },
    },
    {
      summary: 'An event with two properties, worth 50.00 each time',
      input: {
        site_id: '{{site}}',
        kind: 'event',
        event: 'Contact',
        property: 'form',
        properties: [{ property: 'team', value: 'sales' }],
        value_amount: 5_000,
      },
    },
    { summary: 'Articles read to 75 %', input: { site_id: '{{site}}', kind: 'scroll', path: '/journal/*', depth: 75 } },
    { summary: 'Visits of two minutes', input: { site_id: '{{site}}', kind: 'duration', duration_seconds: 120 } },
    { summary: 'Clicks on an element', input: { site_id: '{{site}}', kind: 'click', selector: '.hero a', event: 'Call to action' } },
  ],
  async run({ db, site, input, now, newId }) {
    const { properties, ...draft } = draftOf(input)
    const row = {
      ...{ id: newId(ids.goal), site_id: site.id, ...draft, properties: JSON.stringify(properties) },
      ...worthOf(input, noWorth),
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('goals').values(row).execute().catch(refuseTaken)
    return toGoal(row)
  },
})

export const goals_get = operation({
  route: 'GET /sites/{site_id}/goals/{id}',
  summary: 'Get a goal',
  access: 'analytics.read',
  on: [site, goal],
  effect: 'read',
  input: {},
  output: Goal,
  examples: [{ input: { site_id: '{{site}}', id: '{{goal}}' } }],
  run: ({ goal }) => toGoal(goal),
})

export const goals_update = operation({
  route: 'PATCH /sites/{site_id}/goals/{id}',
  summary: 'Change a goal',
  description: 'Fields that are left out keep their value. A change of `kind` drops fields that the new kind does not use.',
  help: 'A change of the kind drops fields that the new kind does not use.',
  access: 'content.write',
  on: [site, goal],
  effect: 'update',
  input: { name: optional(name), kind: optional(kind), ...condition },
  output: Goal,
  examples: [
    { input: { site_id: '{{site}}', id: '{{goal}}', name: 'Sign-up' } },
    { summary: 'Another kind', input: { site_id: '{{site}}', id: '{{goal}}', kind: 'page', path: '/welcome' } },
  ],
  async run({ db, goal, input, now }) {
    const before = toGoal(goal)
    const { properties, ...completed } = conditionOf(input, before)
    const changed = await db
      .updateTable('goals')
      .set({ name: input.name, ...completed, properties: JSON.stringify(properties), ...worthOf(input, before), updated_at: now })
      .where('id', '=', goal.id)
      .returningAll()
      .executeTakeFirst()
      .catch(refuseTaken)
    return toGoal(changed ?? fail('not_found'))
  },
})

export const goals_delete = operation({
  route: 'DELETE /sites/{site_id}/goals/{id}',
  summary: 'Delete a goal',
  description:
    'Refused while an alert watches the goal or a funnel uses it as a step. The hits stay. `goals_restore` undoes it within 30 days.',
  access: 'content.write',
  on: [locked(site), locked(goal)], // funnels and alerts that begin to use it wait
  effect: 'delete',
  input: {},
  output: Goal,
  examples: [{ input: { site_id: '{{site}}', id: '{{goal}}' } }],
  async run({ site, goal, emit, ...call }) {
    await emit(goal_deleting, { goal })
    const { id, name } = goal
    return toGoal(await deleteFor(call, { table: 'goals', id, name, workspaceId: site.workspace_id, siteId: site.id }))
  },
})

export const goals_restore = restoring({
  route: 'POST /sites/{site_id}/goals/{id}/restore',
  undoes: 'goals_delete',
  table: 'goals',
  of: goal,
  summary: 'Restore a deleted goal',
  description: 'Brings it back with its id, within 30 days of its deletion. The ids are in `deleted_records_list`.',
  help: 'Brings it back as it was.',
  done: 'Goal restored.',
  access: 'content.write',
  on: site,
  output: Goal,
  examples: [{ input: { site_id: '{{site}}', id: '{{deleted_goal}}' } }],
  answer: toGoal,
})

function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error)) fail('already_exists', m.name_taken())
  throw error
}
