import { Type } from '@sinclair/typebox'
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { CalendarDay, Clearable, Name, optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import { type Db, isUniqueViolation } from '../../../storage/store.ts'
import { site } from '../../sites/sites/records.ts'
import { Campaign, campaign, ids, toCampaign } from './records.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

/** Largest number of campaigns of a site. */
const MAX_CAMPAIGNS = 500

const fields = {
  name: Name({ maxLength: 200, description: 'Name in reports.' }),
  utm_campaign: Type.String({ minLength: 1, maxLength: 200, description: 'Exact value of `utm_campaign` of its visits.' }),
  starts_on: Clearable(CalendarDay(), { description: 'First day.' }),
  ends_on: Clearable(CalendarDay(), { description: 'Last day.' }),
  cost_cents: Clearable(Type.Integer({ unit: 'minor_units', minimum: 0, maximum: 1_000_000_000_000 }), {
    description: 'Total cost, in the site’s currency.',
  }),
  goal_id: Clearable(Type.String({ maxLength: 64 }), { description: 'Goal that counts as a conversion.' }),
}
const rest = {
  starts_on: optional(fields.starts_on),
  ends_on: optional(fields.ends_on),
  cost_cents: optional(fields.cost_cents),
  goal_id: optional(fields.goal_id),
}

export const campaigns_list = list({
  route: 'GET /sites/{site_id}/campaigns',
  summary: 'List the campaigns of a site',
  empty: {
    says: 'A campaign has a name, a period and its cost, so that results show what a visit or a sale cost.',
    like: [
      ['spring-sale', '€ 1,200'],
      ['newsletter-14', '€ 80'],
    ],
  },
  description: 'Campaigns with cost and goal, newest first. For their results, use `campaigns_report`.',
  place: 'campaigns',
  icon: 'campaign',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  of: Campaign,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page }) {
    const all = db.selectFrom('campaigns').selectAll().where('site_id', '=', site.id)
    const { rows, total } = await pageOf(all.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(row => toCampaign(row, site)), total }
  },
})

export const campaigns_create = operation({
  route: 'POST /sites/{site_id}/campaigns',
  summary: 'Create a campaign: what it costs and which goal it is for',
  access: 'content.write',
  on: locked(site),
  effect: 'create',
  input: { name: fields.name, utm_campaign: fields.utm_campaign, ...rest },
  output: Campaign,
  examples: [
    {
      input: {
        site_id: '{{site}}',
        name: 'Summer sale',
        utm_campaign: 'summer-26',
        starts_on: '2026-06-01',
        ends_on: '2026-06-30',
        cost_cents: 250000,
        goal_id: '{{goal}}',
      },
    },
  ],
  async run({ db, site, input, now, newId }) {
    const row = {
      id: newId(ids.campaign),
      site_id: site.id,
      name: input.name,
      utm_campaign: input.utm_campaign,
      starts_on: input.starts_on || null,
      ends_on: input.ends_on || null,
      cost_cents: amount(input.cost_cents) ?? null,
      goal_id: input.goal_id || null,
      created_at: now,
      updated_at: now,
    }
    failWith([...orderFaults(row), ...(await goalFaults(db, site.id, row.goal_id))])
    const count = await countOf(db.selectFrom('campaigns').where('site_id', '=', site.id))
    if (count >= MAX_CAMPAIGNS) fail('limit_reached', m.too_many({ most: MAX_CAMPAIGNS }))
    await db.insertInto('campaigns').values(row).execute().catch(refuseTaken)
    return toCampaign(row, site)
  },
})

export const campaigns_get = operation({
  route: 'GET /sites/{site_id}/campaigns/{id}',
  summary: 'Get a campaign',
  access: 'analytics.read',
  on: [site, campaign],
  effect: 'read',
  input: {},
  output: Campaign,
  examples: [{ input: { site_id: '{{site}}', id: '{{campaign}}' } }],
  run: ({ campaign, site }) => toCampaign(campaign, site),
})

export const campaigns_update = operation({
  route: 'PATCH /sites/{site_id}/campaigns/{id}',
  summary: 'Change a campaign',
  access: 'content.write',
  on: [site, campaign],
  effect: 'update',
  input: { name: optional(fields.name), utm_campaign: optional(fields.utm_campaign), ...rest },
  output: Campaign,
  examples: [{ input: { site_id: '{{site}}', id: '{{campaign}}', cost_cents: 300000 } }],
  async run({ db, site, campaign: before, input, now }) {
    const cleared = (given: string | null | undefined) => (given === undefined ? undefined : given || null)
    const changed = {
      name: input.name,
      utm_campaign: input.utm_campaign,
      starts_on: cleared(input.starts_on),
      ends_on: cleared(input.ends_on),
      cost_cents: amount(input.cost_cents),
      goal_id: cleared(input.goal_id),
      updated_at: now,
    }
    const { starts_on = before.starts_on, ends_on = before.ends_on } = changed
    failWith([...orderFaults({ starts_on, ends_on }), ...(await goalFaults(db, site.id, changed.goal_id ?? null))])
    const row = await db
      .updateTable('campaigns')
      .set(changed)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirst()
      .catch(refuseTaken)
    return toCampaign(row ?? fail('not_found'), site)
  },
})

export const campaigns_delete = operation({
  route: 'DELETE /sites/{site_id}/campaigns/{id}',
  summary: 'Delete a campaign',
  description: 'Its visits and links stay.',
  access: 'content.write',
  on: [site, campaign],
  effect: 'delete',
  input: {},
  output: Campaign,
  examples: [{ input: { site_id: '{{site}}', id: '{{campaign}}' } }],
  async run({ db, site, campaign: { id } }) {
    const deleted = await db.deleteFrom('campaigns').where('id', '=', id).returningAll().executeTakeFirst()
    return toCampaign(deleted ?? fail('not_found'), site)
  },
})

const amount = (given: number | '' | null | undefined): number | null | undefined => (given === '' ? null : given)

function orderFaults({ starts_on, ends_on }: { starts_on: string | null; ends_on: string | null }): Fault[] {
  if (starts_on === null || ends_on === null || starts_on <= ends_on) return []
  return [
    { pointer: '/ends_on', code: 'too_small', message: m.ends_before_start({ end: fieldTerm('ends_on'), start: fieldTerm('starts_on') }) },
  ]
}

async function goalFaults(db: Db, siteId: string, id: string | null): Promise<Fault[]> {
  if (id === null) return []
  const goal = await db.selectFrom('goals').select('id').where('id', '=', id).where('site_id', '=', siteId).executeTakeFirst()
  return goal ? [] : [{ pointer: '/goal_id', code: 'not_found', message: m.no_goal({ field: fieldTerm('goal_id') }) }]
}

function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error)) fail('already_exists', m.utm_campaign_taken())
  throw error
}
