import { fail, failWith } from '../../../runtime/table/errors.ts'
import { deleteFor, needsDeleted, restoring } from '../../../runtime/table/restoring.ts'
import { list, operation, report } from '../../../runtime/table/operation.ts'
import { Name, optional } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { type Db, isUniqueViolation } from '../../../storage/store.ts'
import { apply, goalsOf, engine, ReportMeta, statsInput } from '../stats/index.ts'
import { type LiveSite, site } from '../../sites/sites/records.ts'
import { Funnel, funnel, FunnelReport, toFunnel, ids, stepsOf } from './records.ts'
import { funnelReport } from './report.ts'
import { checkOptions, optionsInput } from './options.ts'
import { exploredSteps, givenSteps, resolveSteps } from './steps.ts'
import { m } from './messages.ts'

const name = Name({ maxLength: 200, description: 'Name in reports, unique within the site.' })

export const funnels_list = list({
  route: 'GET /sites/{site_id}/funnels',
  summary: 'List the funnels of a site',
  empty: {
    says: 'A funnel counts how many visits go from step to step, and shows where the others leave.',
    like: [
      ['/ → /cart → /thanks', '12 %'],
      ['/pricing → Signup', '4.1 %'],
    ],
  },
  description: 'Names and steps, oldest first. For the results, use `funnels_report`.',
  place: 'what_it_brings',
  icon: 'funnel',
  access: 'analytics.read',
  on: site,
  groups: true,
  effect: 'read',
  input: {},
  of: Funnel,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page }) {
    const all = db.selectFrom('funnels').selectAll().where('site_id', '=', site.id).orderBy('created_at').orderBy('id')
    const { rows, total } = await pageOf(all, page)
    return { rows: rows.map(toFunnel), total }
  },
})

export const funnels_create = operation({
  route: 'POST /sites/{site_id}/funnels',
  summary: 'Create a funnel: steps towards a conversion',
  description:
    'Each step is a page, an event or a goal; for example pricing, sign-up, purchase. Applies at once, also to past hits. For the results, use `funnels_report`.',
  access: 'content.write',
  on: site,
  groups: true,
  effect: 'create',
  input: { name, steps: givenSteps },
  output: Funnel,
  examples: [
    {
      summary: 'Pages, an event and a goal',
      input: {
        site_id: '{{site}}',
        name: 'Purchase',
        steps: [{ path: '/shop/**', name: 'Shop' }, { event: 'Checkout', property: 'plan', value: 'business' }, { goal_id: '{{goal}}' }],
      },
    },
  ],
  async run({ db, site, input, now, newId }) {
    const row = {
      id: newId(ids.funnel),
      site_id: site.id,
      name: input.name,
      steps: await checked(db, site, input.steps),
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('funnels').values(row).execute().catch(refuseTaken)
    return toFunnel(row)
  },
})

export const funnels_get = operation({
  route: 'GET /sites/{site_id}/funnels/{id}',
  summary: 'Get a funnel and its steps',
  access: 'analytics.read',
  on: [site, funnel],
  groups: true,
  effect: 'read',
  input: {},
  output: Funnel,
  examples: [{ input: { site_id: '{{site}}', id: '{{funnel}}' } }],
  run: ({ funnel }) => toFunnel(funnel),
})

export const funnels_update = operation({
  route: 'PATCH /sites/{site_id}/funnels/{id}',
  summary: 'Change a funnel',
  description: 'Fields that are left out keep their value; `steps` replaces all steps.',
  help: 'Applies at once, also to past hits.',
  access: 'content.write',
  on: [site, funnel],
  groups: true,
  effect: 'update',
  input: { name: optional(name), steps: optional(givenSteps) },
  output: Funnel,
  examples: [
    { input: { site_id: '{{site}}', id: '{{funnel}}', name: 'Sign-up' } },
    {
      summary: 'Other steps',
      input: {
        site_id: '{{site}}',
        id: '{{funnel}}',
        steps: [{ path: '/' }, { path: '/pricing' }, { event: 'Signup' }],
      },
    },
  ],
  async run({ db, site, funnel, input, now }) {
    const changed = await db
      .updateTable('funnels')
      .set({ name: input.name, steps: input.steps && (await checked(db, site, input.steps)), updated_at: now })
      .where('id', '=', funnel.id)
      .returningAll()
      .executeTakeFirst()
      .catch(refuseTaken)
    return toFunnel(changed ?? fail('not_found'))
  },
})

export const funnels_delete = operation({
  route: 'DELETE /sites/{site_id}/funnels/{id}',
  summary: 'Delete a funnel',
  description: 'The hits stay. `funnels_restore` undoes it within 30 days.',
  access: 'content.write',
  on: [site, funnel],
  groups: true,
  effect: 'delete',
  input: {},
  output: Funnel,
  examples: [{ input: { site_id: '{{site}}', id: '{{funnel}}' } }],
  async run({ site, funnel: { id, name }, ...call }) {
    return toFunnel(await deleteFor(call, { table: 'funnels', id, name, workspaceId: site.workspace_id, siteId: site.id }))
  },
})

export const funnels_restore = restoring({
  route: 'POST /sites/{site_id}/funnels/{id}/restore',
  undoes: 'funnels_delete',
  table: 'funnels',
  of: funnel,
  summary: 'Restore a deleted funnel',
  description:
    'Brings it back with its id, within 30 days of its deletion. Refused while a goal of its steps is deleted; restore that first.',
  help: 'Brings it back as it was. If a goal of its steps was deleted as well, restore that first.',
  done: 'Funnel restored.',
  access: 'content.write',
  on: site,
  groups: true,
  output: Funnel,
  examples: [{ input: { site_id: '{{site}}', id: '{{deleted_funnel}}' } }],
  async fits(row, { db, record }) {
    const goals = await goalsOf(db, { id: row.site_id })
    const lost = stepsOf(row).find(({ goal_id }) => goal_id !== null && !goals.some(({ id }) => id === goal_id))
    if (lost?.goal_id) await needsDeleted(db, { name: row.name, workspaceId: record.workspace_id, id: lost.goal_id })
  },
  answer: toFunnel,
})

export const funnels_report = report({
  route: 'GET /sites/{site_id}/funnels/{id}/report',
  summary: 'Get a funnel report: where visitors drop off',
  description:
    'Visitors of each step, conversion rate and drop-off, in total and from step to step. Steps count in order within ' +
    'one visit, with any other pages and events in between; a hit completes at most one step.',
  access: 'analytics.read',
  on: [site, funnel],
  effect: 'read',
  input: { ...statsInput, ...optionsInput },
  output: FunnelReport,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}', id: '{{funnel}}' } },
    {
      summary: 'On phones, against the week before',
      input: {
        site_id: '{{site}}',
        id: '{{funnel}}',
        period: '7d',
        compare: 'previous_period',
        filters: [['device', 'is', 'mobile']],
      },
    },
  ],
  async run({ site, funnel, input, db, now, use }) {
    checkOptions(input, site)
    return funnelReport(await apply(db, site, now, input), funnel, input, use(engine))
  },
})

export const funnels_preview = report({
  route: 'GET /sites/{site_id}/funnels/preview',
  summary: 'Preview a funnel: what its steps would have counted',
  title: 'Preview of a funnel',
  place: 'aside',
  description: 'Takes the steps of `funnels_create` and counts the last 30 days, as its report would. Stores nothing.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: { steps: givenSteps },
  output: FunnelReport,
  meta: ReportMeta,
  examples: [{ input: { site_id: '{{site}}', steps: [{ path: '/' }, { event: 'Signup' }] } }],
  async run({ site, input, db, now, use }) {
    const steps = await checked(db, site, input.steps)
    const applied = await apply(db, site, now, { period: '30d', compare: 'none', match_weekday: false })
    return funnelReport(applied, { id: '', name: '', steps }, { times: false }, use(engine))
  },
})

export const funnels_explore = report({
  route: 'GET /sites/{site_id}/funnels/explore',
  summary: 'Explore a funnel without saving it',
  title: 'Explore a funnel',
  description:
    'How far visitors come through steps that you name: pages, events and goals, in any period. For example from a landing page over ' +
    'a sign-up to a purchase. Answers like `funnels_report`.',
  place: 'aside',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: { ...statsInput, steps: exploredSteps, ...optionsInput },
  output: FunnelReport,
  meta: ReportMeta,
  examples: [
    {
      summary: 'A page, then an event, by device',
      input: { site_id: '{{site}}', steps: [{ path: '/' }, { event: 'Signup' }], by: 'device' },
    },
    {
      summary: 'Without anything in between, within 10 minutes',
      input: { site_id: '{{site}}', steps: [{ path: '/pricing' }, { goal_id: '{{goal}}' }], order: 'strict', window: '10m', period: '90d' },
    },
  ],
  async run({ site, input, db, now, use }) {
    checkOptions(input, site)
    const steps = await checked(db, site, input.steps)
    return funnelReport(await apply(db, site, now, input), { id: '', name: '', steps }, input, use(engine))
  },
})

/** Returns the steps for storage. @throws Failure 422 with every fault */
async function checked(db: Db, site: LiveSite, given: Parameters<typeof resolveSteps>[0]): Promise<string> {
  const { steps, faults } = resolveSteps(given, site.members ? [] : await goalsOf(db, site)) // goals of a group change with its sites
  failWith(faults)
  return JSON.stringify(steps)
}

function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error)) fail('already_exists', m.name_taken())
  throw error
}
