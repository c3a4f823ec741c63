import { Type } from '@sinclair/typebox'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { optional, Search } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { failWith } from '../../../runtime/table/errors.ts'
import { sql } from 'kysely'
import { text } from '../../sites/collection/index.ts'
import { openIdentityKey, personHash } from '../../sites/sites/index.ts'
import { type LiveSite, site } from '../../sites/sites/records.ts'
import type { Db } from '../../../storage/store.ts'
import { engine } from '../stats/index.ts'
import { requestDeletion } from './deletion.ts'
import { person_deleted } from './events.ts'
import { Person, person, PersonDeletion, PersonDetail, PersonExport, PersonVisit, toPerson, toPersonDeletion } from './records.ts'
import { firstPart, partIn, writtenPart } from './export-parts.ts'
import { m } from './messages.ts'

/** Sites merged into one of which persons are found by their id. */
const MAX_MERGED = 100

export const people_list = list({
  route: 'GET /sites/{site_id}/people',
  summary: 'List the people whom a site identifies',
  title: 'People',
  description:
    'People of all time, those who were identified last first. For how many people came in a period, ask `stats_aggregate` for `people`. `user` finds a person by the id that the site sends, also if the site keeps no ids.',
  place: 'visitors',
  icon: 'people',
  access: 'analytics.export',
  on: site,
  effect: 'read',
  input: {
    user: optional(Type.String({ minLength: 1, maxLength: 300, description: 'Only the person with this id of the site.' })),
    search: optional(Search({ description: 'Only people whose id contains this text; only if the site keeps ids.' })),
  },
  of: Person,
  examples: [
    { input: { site_id: '{{site}}' } },
    { summary: 'By the id that the site sends', input: { site_id: '{{site}}', user: 'customer-4711' } },
  ],
  async run({ db, site, input, page, use }) {
    let all = db.selectFrom('persons').selectAll().where('site_id', '=', site.number).where('moved_to', '=', 0)
    if (input.user !== undefined) {
      const hashes: string[] = []
      for (const each of [site, ...(await sitesMergedInto(db, site.id))]) {
        const key = await openIdentityKey(use(secretBox), db, each)
        if (key) hashes.push(personHash(key, text(input.user)))
      }
      all = all.where('hash', 'in', ['', ...hashes])
    }
    if (input.search) {
      const isShown = site.identity === 'declared' && site.identity_names === 1
      const part = `%${input.search.replace(/[\\%_]/g, '\\$&')}%`
      all = isShown ? all.where(sql<boolean>`lower(name) like lower(${part}) escape '\\'`) : all.where('person', '<', 0)
    }
    const { rows, total } = await pageOf(all.orderBy('last_at', 'desc').orderBy('person', 'desc'), page)
    return { rows: rows.map(row => toPerson(site, row)), total }
  },
})

/** Persons of theirs whose ids were not kept are here under the hashes of those sites. */
async function sitesMergedInto(db: Db, siteId: string): Promise<Pick<LiveSite, 'id' | 'identity_key'>[]> {
  const { rows } = await sql<Pick<LiveSite, 'id' | 'identity_key'>>`
    with recursive merged(id) as (
      select site_id from site_merges where into_site_id = ${siteId}
      union select m.site_id from site_merges m join merged on m.into_site_id = merged.id)
    select id, identity_key from sites where id in (select id from merged) and id <> ${siteId} and identity_key is not null
    limit ${MAX_MERGED}`.execute(db)
  return rows
}

export const people_get = operation({
  route: 'GET /sites/{site_id}/people/{id}',
  summary: 'Get a person: visits, revenue, sources, traits',
  title: 'Person',
  access: 'analytics.export',
  on: [site, person],
  effect: 'read',
  input: {},
  output: PersonDetail,
  // The audit entry of a deletion would keep what it deletes.
  secrets: Object.keys(PersonDetail.properties).filter(name => name !== 'id' && name !== 'site_id'),
  examples: [{ input: { site_id: '{{site}}', id: '{{person}}' } }],
  async run({ db, site, person, use }) {
    const { detailOf } = await import('./visits.ts')
    return detailOf({ db, engine: use(engine), site, person })
  },
})

export const people_visits_list = list({
  route: 'GET /sites/{site_id}/people/{id}/visits',
  summary: 'List the visits of a person, with their pages and events',
  title: 'Visits of a person',
  description: 'Newest first, each with up to 200 pages and events.',
  access: 'analytics.export',
  on: [site, person],
  effect: 'read',
  input: {},
  of: PersonVisit,
  examples: [{ input: { site_id: '{{site}}', id: '{{person}}' } }],
  async run({ db, site, person, use, page }) {
    const { pageOfVisits } = await import('./visits.ts')
    return pageOfVisits({ db, engine: use(engine), site, person }, page)
  },
})

export const people_export = operation({
  route: 'GET /sites/{site_id}/people/{id}/export',
  summary: 'Export everything about a person',
  title: 'Export of a person',
  description:
    'For a request of the person, for example under the GDPR: what is known of them, and every visit with all of its hits. More than 20,000 pages and events come in parts: send `next_cursor` as `cursor` until it is null.',
  access: 'analytics.export',
  on: [site, person],
  effect: 'read',
  input: {
    cursor: optional(
      Type.String({
        maxLength: 100,
        description: '`next_cursor` of the part before.',
      }),
    ),
  },
  output: PersonExport,
  examples: [{ input: { site_id: '{{site}}', id: '{{person}}' } }],
  async run({ db, site, person, input, use }) {
    const part = partIn(input.cursor)
    if (!part) failWith([{ pointer: '/cursor', code: 'invalid_format', message: m.no_part({ field: fieldTerm('cursor') }) }])
    const { detailOf, exportedVisits } = await import('./visits.ts')
    const of = { db, engine: use(engine), site, person }
    const { visits, next } = await exportedVisits(of, part ?? firstPart)
    return { person: await detailOf(of), visits, next_cursor: next && writtenPart(next) }
  },
})

export const people_delete = operation({
  route: 'DELETE /sites/{site_id}/people/{id}',
  summary: 'Delete a person and all of their visits',
  label: 'Delete the person',
  done: 'Person deleted.',
  description:
    'Cannot be undone. The ids and traits of the person are deleted at once, and their visits with all hits in the background, also from copies (progress: `people_deletions_list`). Later hits with the same id belong to a new person.',
  access: 'sites.manage',
  needs: ['analytics.export'],
  on: [site, person],
  effect: 'delete',
  input: {},
  output: PersonDeletion,
  examples: [{ input: { site_id: '{{site}}', id: '{{person}}' } }],
  async run({ db, store, site, person, now, emit }) {
    const deletion = toPersonDeletion(site.id, await requestDeletion(db, { store, site, person, now }))
    await emit(person_deleted, { workspaceId: site.workspace_id, siteId: site.id, data: deletion })
    return deletion
  },
})

export const people_deletions_list = list({
  route: 'GET /sites/{site_id}/people_deletions',
  summary: 'List deletions of people, with their progress',
  empty: {
    says: 'If a person was deleted with all visits, the progress is shown here.',
    like: [['customer-4711', '100 %']],
  },
  title: 'Deletions of people',
  description: 'Running deletions and, for 90 days, finished ones; latest first.',
  place: 'tracking',
  access: 'analytics.export',
  on: site,
  effect: 'read',
  input: {},
  of: PersonDeletion,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page }) {
    const all = db.selectFrom('person_deletions').selectAll().where('site_id', '=', site.number)
    const { rows, total } = await pageOf(all.orderBy('requested_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(row => toPersonDeletion(site.id, row)), total }
  },
})
