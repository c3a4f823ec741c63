import { sql } from 'kysely'
import { confirmed, confirmInput } from '../../../runtime/table/confirmation.ts'
import { type Caller, lacks } from '../../../runtime/table/caller.ts'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { Id } from '../../../runtime/table/schema.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import { type Db, isTransaction } from '../../../storage/store.ts'
import type { SiteMergeRow } from '../../../storage/tables/index.ts'
import { aliasesIn, areDaysInUse, site_merging } from '../../sites/sites/index.ts'
import { isLive, type LiveSite, site } from '../../sites/sites/records.ts'
import { engine } from '../../reports/stats/index.ts'
import { m } from './messages.ts'
import { ids, MergePreview, SiteMerge, toSiteMerge } from './records.ts'

const into = Id({ description: 'The site of the same workspace that gets the history.' })

export const sites_merge_preview = operation({
  route: 'GET /sites/{site_id}/merges/preview',
  summary: 'Preview a merge: how many visits of which days would move into the other site',
  title: 'Preview of a merge',
  place: 'aside',
  description: 'Takes the input of `sites_merge`, and counts what would move now. Moves nothing.',
  access: 'sites.manage',
  needs: ['analytics.read'],
  on: site,
  effect: 'read',
  input: { into_site_id: into },
  output: MergePreview,
  examples: [{ input: { site_id: '{{site}}', into_site_id: 'pa_1jdkb3vf85tv3sten9ye7en' } }],
  async run({ db, site, caller, input, now, use }) {
    const target = await targetOf(db, { site, caller, id: input.into_site_id })
    const days = async (of: LiveSite) => {
      const rows = await db
        .selectFrom('site_days')
        .select('day')
        .where('site_id', '=', of.number)
        .where(sql<boolean>`(moved <> 0 or exists (select 1 from visits v where v.site_id = site_days.site_id and v.day = site_days.day))`)
        .orderBy('day')
        .execute()
      return rows.map(({ day }) => day)
    }
    const [own, others] = [await days(site), new Set(await days(target))]
    const [first, last] = [own[0], own.at(-1)]
    const span = { from: 0, to: 0, fromDay: first ?? 0, toDay: last ?? -1, whole: true }
    const asked = { report: 'erasure', span, hits: null, before: now + 1, withIds: false } as const
    const found = await use(engine).query({ site: site.number, where: [], goals: [], asked })
    const people = await countOf(db.selectFrom('persons').where('site_id', '=', site.number).where('moved_to', '=', 0))
    const identifies = target.identity === 'declared'
    return {
      site_id: site.id,
      into_site_id: target.id,
      visits: found.visits,
      pageviews: found.pageviews,
      events: found.events,
      revenue: found.revenue,
      days: own.length,
      shared_days: own.filter(day => others.has(day)).length,
      first_day: first === undefined ? null : dateOf(first),
      last_day: last === undefined ? null : dateOf(last),
      imports: await countOf(db.selectFrom('imports').where('site_id', '=', site.id)),
      people: identifies ? people : 0,
      people_left: identifies ? 0 : people,
      is_cut_again: site.timezone !== target.timezone,
      aliases: [site.domain, ...(site.umami_id === null ? [] : [site.umami_id]), ...aliasesIn(site).map(({ name }) => name)],
    }
  },
})

const outcomes = { succeeded: m.moved, failed: m.moved, pending: m.started }

export const sites_merge = operation({
  route: 'POST /sites/{site_id}/merges',
  summary: 'Merge a site into another: move its history',
  label: 'Merge into another site',
  done: 'Merge started.',
  description:
    'Cannot be undone. Moves all visits, imported totals and names of the site into another of the workspace, in the background (progress: `site_merges_list`). Visits of both sites stay visits of their own, also at the same time, and days are cut in the time zone of the other site. Goals, segments and other records stay with the emptied site, whose domain then ends with `.invalid`. People move along if the other site identifies people; otherwise their visits move without them. Call `sites_merge_preview` before.',
  access: 'sites.manage',
  needs: ['analytics.read'],
  // As to list them: the other site may list its visits.
  denies: ({ caller, site }) => (site.visit_list === 0 ? lacks(caller, ['analytics.export']) : undefined),
  on: site,
  effect: 'create',
  discards: true,
  input: { into_site_id: into, confirm: confirmInput('The domain of the site that is emptied') },
  output: SiteMerge,
  outcome: ({ state }) => outcomeOf(state, outcomes),
  examples: [{ input: { site_id: '{{site}}', into_site_id: 'pa_1jdkb3vf85tv3sten9ye7en', confirm: 'example.com' } }],
  async run({ db, store, site, caller, input, now, newId, emit }) {
    if (!isTransaction(db)) throw new Error('a merge must be requested in a transaction')
    confirmed(input.confirm, [site.domain], m.domain_of_site())
    const target = await targetOf(db, { site, caller, id: input.into_site_id })
    await store.dialect.lockSites(db, [site.number, target.number])
    if ((await areDaysInUse(db, site, now)) || (await areDaysInUse(db, target, now))) fail('invalid_state', m.is_busy())
    const row: SiteMergeRow = {
      id: newId(ids.site_merge),
      site_id: site.id,
      domain: site.domain,
      into_site_id: target.id,
      visits: 0,
      hits: 0,
      progress: 0,
      requested_at: now,
      finished_at: null,
    }
    await db.insertInto('site_merges').values(row).execute()
    await emit(site_merging, { site, into: target })
    wakeAfter(db, 'sites_merging')
    return toSiteMerge(row)
  },
})

export const site_merges_list = list({
  route: 'GET /sites/{site_id}/merges',
  summary: 'List merges of a site, with their progress',
  title: 'Merges',
  place: 'data',
  empty: {
    says: 'Two sites can become one: the history of this site moves into another, for example after two domains have become one.',
    like: [['old.example.com', '100 %']],
  },
  description: 'Merges of this site into another, and of others into it; latest first.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  of: SiteMerge,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page }) {
    const all = db
      .selectFrom('site_merges')
      .selectAll()
      .where(({ or, eb }) => or([eb('site_id', '=', site.id), eb('into_site_id', '=', site.id)]))
    const { rows, total } = await pageOf(all.orderBy('requested_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toSiteMerge), total }
  },
})

/** The other site. A site of another workspace is as unknown as one that does not exist. */
async function targetOf(db: Db, { site, caller, id }: { site: LiveSite; caller: Caller; id: string }): Promise<LiveSite> {
  const pointer = '/into_site_id'
  if (id === site.id) failWith([{ pointer, code: 'mismatch', message: m.same_site() }])
  const isSeen = caller.siteIds.length === 0 || caller.siteIds.includes(id)
  const found = db.selectFrom('sites').selectAll().where('id', '=', id).where('workspace_id', '=', site.workspace_id)
  const row = isSeen ? await found.executeTakeFirst() : undefined
  if (!row || !isLive(row)) {
    failWith([{ pointer, code: 'not_found', message: m.no_site() }])
    return fail('not_found')
  }
  if (row.currency !== site.currency)
    failWith([{ pointer, code: 'mismatch', message: m.other_currency({ domain: row.domain, theirs: row.currency, ours: site.currency }) }])
  return row
}
