/** The key of a link: a token that stays valid, with which spreadsheets read the tables of the link by their addresses. */
import { Type } from '@sinclair/typebox'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { makeToken } from '../../../runtime/call/tokens.ts'
import { bounds } from '../../../runtime/table/caller.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { record } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import { site } from '../../sites/sites/records.ts'
import { KEY_EXPIRY, tokenPrefix } from './authenticator.ts'
import { lacksOfLink } from './link-permissions.ts'
import { ids, reportsOf, SharedLink, shared_link, toSharedLink } from './records.ts'

const SharedLinkKey = record(
  'SharedLinkKey',
  {
    link_id: Type.String({ description: 'Prefix `shr_`.' }),
    key: Type.String({ description: 'The key, prefix `sht_`, only in this response.' }),
    csv_url: Type.String({ description: 'Address of a table as CSV, with the key: its top pages, if the link shows `breakdown`.' }),
  },
  'A key that reads the reports of a link.',
)

const withoutKey = (db: Db, linkId: string) =>
  db.deleteFrom('share_tokens').where('link_id', '=', linkId).where('expires_at', '=', KEY_EXPIRY).execute()

export const shared_links_key = operation({
  route: 'POST /sites/{site_id}/shared_links/{id}/key',
  summary: 'Create a key with which spreadsheets read a shared link',
  description:
    'Replaces the former key. Tables of the reports of the link are then CSV files at their paths with `.csv` and `?key=`, if the link has \
`allow_export`: for Google Sheets, Excel, Metabase and Looker. The key only reads, without the password, until it is replaced or deleted.',
  label: 'Create a key',
  done: 'Key created.',
  help: 'Spreadsheets, Metabase and Looker can then read the reports that the link shows as tables, if it allows exports. The key only reads, without the password, until it is replaced or deleted.',
  access: 'sites.manage',
  needs: ['analytics.read'],
  surfaces: ['http'],
  denies: ({ caller, shared_link }) =>
    bounds(caller) ?? lacksOfLink(caller, { reports: reportsOf(shared_link), allow_export: shared_link.allow_export === 1 }),
  on: [site, locked(shared_link)],
  groups: true,
  effect: 'create',
  input: {},
  output: SharedLinkKey,
  secrets: ['key', 'csv_url'],
  examples: [{ input: { site_id: '{{site}}', id: '{{shared_link}}' } }],
  async run({ db, site, shared_link: { id }, now, newId, random, config }) {
    await withoutKey(db, id)
    const key = makeToken(random, tokenPrefix)
    await db
      .insertInto('share_tokens')
      .values({
        id: newId(ids.share_token),
        hash: hashCredential(key),
        site_id: site.id,
        link_id: id,
        expires_at: KEY_EXPIRY,
        created_at: now,
      })
      .execute()
    return { link_id: id, key, csv_url: `${config.BASE_URL}/sites/${site.id}/breakdown/page.csv?period=30d&key=${key}` }
  },
})

export const shared_links_key_delete = operation({
  route: 'DELETE /sites/{site_id}/shared_links/{id}/key',
  summary: 'Delete the key of a shared link',
  done: 'Key deleted.',
  description: 'Spreadsheets with the key read nothing from then on. The link itself stays.',
  access: 'sites.manage',
  surfaces: ['http'],
  offered: { key_present: [true] },
  on: [site, locked(shared_link)],
  groups: true,
  effect: 'delete',
  input: {},
  output: SharedLink,
  examples: [{ input: { site_id: '{{site}}', id: '{{shared_link}}' } }],
  async run({ db, shared_link, config }) {
    await withoutKey(db, shared_link.id)
    return toSharedLink(shared_link, config, false)
  },
})
