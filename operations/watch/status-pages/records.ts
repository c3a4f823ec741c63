/** Status pages. A page shows the state of checks to the public; its incidents report outages and planned maintenance. */
import { type Static, Type } from '@sinclair/typebox'
import type { Config } from '../../../runtime/settings/config.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { among, DateTime, iso, Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import type {
  StatusIncidentRow,
  StatusIncidentUpdateRow,
  StatusPageRow,
  StatusSubscriberRow,
} from '../../../storage/tables/status-pages.ts'
import { MAX_REFUSALS } from '../../people/mail/index.ts'
import type { Group } from './groups.ts'
import { impacts, kinds, statuses, statusAt } from './timeline.ts'
import { languages } from '../../../runtime/texts/reader.ts'

export const ids = {
  status_page: idKind('stp_'),
  status_incident: idKind('sti_'),
  status_update: idKind('stu_'),
  status_subscriber: idKind('sub_'),
  status_message: idKind('stm_'),
}

export const themes = ['system', 'light', 'dark'] as const

export const GroupFields = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: 'Heading of the group.' }),
    checks: Type.Array(
      Type.Object(
        {
          check_id: Type.String({ maxLength: 64, description: 'An uptime check that is `public`.' }),
          label: Nullable(Type.String({ maxLength: 100 }), { description: 'Name on the page; null for the name of the check.' }),
        },
        { description: 'A check of the group.' },
      ),
      { description: 'Checks of the group, in order.' },
    ),
  },
  { description: 'A group of checks.' },
)

export const StatusPage = record(
  'StatusPage',
  {
    id: Type.String({ description: 'Prefix `stp_`.' }),
    workspace_id: Type.String({ description: 'Workspace it belongs to.' }),
    name: Type.String({ description: 'Name of the service or company whose status it shows.' }),
    slug: Type.String({ description: 'Last part of its address.' }),
    url: Type.String({ description: 'Public URL.' }),
    domain: Nullable(Type.String(), { description: 'Own host of the page.' }),
    description: Type.String({ description: 'A sentence below the name.' }),
    groups: Type.Array(GroupFields, { description: 'Groups of checks, in order.' }),
    show_response_times: Type.Boolean({ description: 'Whether the page shows response times.' }),
    theme: OneOf(themes, { description: 'Colors of the page.' }),
    indexable: Type.Boolean({ description: 'Whether search engines may list the page.' }),
    auto_incidents: Type.Boolean({ description: 'Whether Footfall opens an incident when a check is down for 5 minutes.' }),
    language: OneOf(languages, { description: 'Language of the page and its mails.' }),
    timezone: Type.String({ description: 'IANA time zone of the shown times.' }),
    subscribers: Type.Integer({ unit: 'count', description: 'Confirmed subscribers.' }),
    created_at: DateTime({ description: 'Creation time.' }),
    updated_at: DateTime({ description: 'Time of the last change.' }),
  },
  'A public page that shows the state of checks.',
)

export const StatusUpdate = record(
  'StatusIncidentUpdate',
  {
    id: Type.String({ description: 'Prefix `stu_`.' }),
    status: OneOf(statuses, { description: 'Status from this update on.' }),
    body: Type.String({ description: 'Text of the update, in Markdown; may be empty.' }),
    notify: Type.Boolean({ description: 'Whether the update notified subscribers.' }),
    created_at: DateTime({ description: 'Time of publication.' }),
  },
  'An update of an incident.',
)

export const StatusIncident = record(
  'StatusIncident',
  {
    id: Type.String({ description: 'Prefix `sti_`.' }),
    status_page_id: Type.String({ description: 'Status page that shows it.' }),
    url: Type.String({ description: 'Public URL.' }),
    kind: OneOf(kinds, { description: 'An incident, or planned maintenance.' }),
    title: Type.String({ description: 'Title, on one line.' }),
    impact: OneOf(impacts, { description: 'Severity.' }),
    status: OneOf(statuses, { description: 'Current status.' }),
    automatic: Type.Boolean({ description: 'Whether Footfall opened it because a check was down.' }),
    check_ids: Type.Array(Type.String(), { description: 'Affected checks.' }),
    starts_at: DateTime({ description: 'Start; for maintenance, the planned start.' }),
    ends_at: Nullable(DateTime(), { description: 'Time of the resolution; for maintenance, the planned end.' }),
    created_at: DateTime({ description: 'Creation time.' }),
    updated_at: DateTime({ description: 'Time of the last change.' }),
  },
  'An incident or planned maintenance on a status page.',
)

export const StatusIncidentDetail = record(
  'StatusIncidentDetail',
  { ...StatusIncident.properties, updates: Type.Array(StatusUpdate, { description: 'Its updates, newest first.' }) },
  'An incident or maintenance with all its updates.',
)

export const StatusSubscriber = record(
  'StatusSubscriber',
  {
    id: Type.String({ description: 'Prefix `sub_`.' }),
    status_page_id: Type.String({ description: 'Status page whose incidents the mails report.' }),
    email: Type.String({ description: 'Address that receives the mails.' }),
    status: OneOf(['pending', 'confirmed', 'failing'], {
      description:
        'confirmed: the link in the first mail was followed. failing: the mailbox refused 3 mails in a row, and Footfall sends no more.',
    }),
    confirmed_at: Nullable(DateTime(), { description: 'Time of the confirmation.' }),
    created_at: DateTime({ description: 'Time of the subscription.' }),
  },
  'A person who gets mails about incidents.',
)

export const status_page = subject<'status_page', StatusPageRow>({
  name: 'status_page',
  async find(db, id) {
    const row = await db.selectFrom('status_pages').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
  lock: (db, id) =>
    db
      .updateTable('status_pages')
      .set(({ ref }) => ({ name: ref('name') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
})

export const status_incident = subject<'status_incident', StatusIncidentRow>({
  name: 'status_incident',
  calledBy: 'title',
  find: (db, id) => ofPage(db, 'status_incidents', id),
  lock: (db, id) => lockIncident(db, id),
})

export const status_subscriber = subject<'status_subscriber', StatusSubscriberRow>({
  name: 'status_subscriber',
  calledBy: 'email',
  find: (db, id) => ofPage(db, 'status_subscribers', id),
})

/** Reads an incident and locks it until the transaction ends. */
export function lockIncident(db: Db, id: string): Promise<StatusIncidentRow | undefined> {
  return db
    .updateTable('status_incidents')
    .set(({ ref }) => ({ title: ref('title') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** The language of a page; English if the page was deleted. */
export async function languageOf(db: Db, pageId: string): Promise<string> {
  const page = await db.selectFrom('status_pages').select('language').where('id', '=', pageId).executeTakeFirst()
  return page?.language ?? 'en'
}

async function ofPage<T extends 'status_incidents' | 'status_subscribers'>(db: Db, table: T, id: string) {
  const row = await db.selectFrom<'status_incidents' | 'status_subscribers'>(table).selectAll().where('id', '=', id).executeTakeFirst()
  const page = row && (await db.selectFrom('status_pages').select('workspace_id').where('id', '=', row.page_id).executeTakeFirst())
  return row && page && { row: row as never, workspaceId: page.workspace_id, siteId: null } // of the table that was named
}

type Base = Pick<Config, 'BASE_URL'>

/** The public address of a page: its own host, if it has one. */
export function addressOf({ slug, domain }: Pick<StatusPageRow, 'slug' | 'domain'>, { BASE_URL }: Base): string {
  return domain === null ? `${BASE_URL}/status/${slug}` : `${new URL(BASE_URL).protocol}//${domain}/`
}

export const incidentPath = ({ slug }: Pick<StatusPageRow, 'slug'>, id: string): string => `/status/${slug}/incidents/${id}`

interface ToPage {
  readonly row: StatusPageRow
  readonly groups: Group[]
  readonly subscribers: number
  readonly config: Base
}

export function toPage({ row, groups, subscribers, config }: ToPage): Static<typeof StatusPage> {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    name: row.name,
    slug: row.slug,
    url: addressOf(row, config),
    domain: row.domain,
    description: row.description,
    groups,
    show_response_times: row.show_response_times === 1,
    theme: among(themes, row.theme),
    indexable: row.indexable === 1,
    auto_incidents: row.auto_incidents === 1,
    language: among(languages, row.language),
    timezone: row.timezone,
    subscribers,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export function toIncident(
  row: StatusIncidentRow,
  checkIds: string[],
  { page, config, now }: { page: Pick<StatusPageRow, 'slug'>; config: Base; now: number },
): Static<typeof StatusIncident> {
  return {
    id: row.id,
    status_page_id: row.page_id,
    url: config.BASE_URL + incidentPath(page, row.id),
    kind: among(kinds, row.kind),
    title: row.title,
    impact: among(impacts, row.impact),
    status: statusAt(row, now),
    automatic: row.automatic === 1,
    check_ids: checkIds,
    starts_at: iso(row.starts_at),
    ends_at: iso(row.ends_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export const toUpdate = (row: StatusIncidentUpdateRow): Static<typeof StatusUpdate> => ({
  id: row.id,
  status: among(statuses, row.status),
  body: row.body,
  notify: row.notify === 1,
  created_at: iso(row.created_at),
})

export const toSubscriber = (row: StatusSubscriberRow): Static<typeof StatusSubscriber> => ({
  id: row.id,
  status_page_id: row.page_id,
  email: row.email,
  status: row.confirmed_at === null ? 'pending' : row.refused < MAX_REFUSALS ? 'confirmed' : 'failing',
  confirmed_at: iso(row.confirmed_at),
  created_at: iso(row.created_at),
})
