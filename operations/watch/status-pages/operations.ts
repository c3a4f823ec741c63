import { m } from './messages.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { Type } from '@sinclair/typebox'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import type { Services } from '../../../runtime/table/call-services.ts'
import { Clearable, flag, Name, OneOf, optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { withoutHidden } from '../../../runtime/values/hidden-characters.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import { type Db, isUniqueViolation } from '../../../storage/store.ts'
import type { StatusPageRow } from '../../../storage/tables/status-pages.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { planMaintenance } from '../uptime/index.ts'
import { faultsOfDomain, faultsOfSlug, hostName, slugOf, slugPattern } from './address.ts'
import { groupsOf, setGroups, settleGroups } from './groups.ts'
import { ids, StatusPage, status_page, themes, toPage } from './records.ts'
import { limits } from './limits.ts'
import { languages } from '../../../runtime/texts/reader.ts'

const name = Name({ maxLength: 100, description: 'Name of the service or company, for example “Acme”.' })
const slug = Type.String({
  minLength: 1,
  pattern: slugPattern,
  maxLength: 64,
  description: 'Last part of its address: lower-case letters, digits and dashes.',
})
const domain = Type.String({ maxLength: 253, description: 'Own host of the page, for example status.example.com.' })
const description = Type.String({ maxLength: 500, description: 'A sentence below the name.' })
const groups = Type.Array(
  Type.Object(
    {
      name: Name({ maxLength: 100, description: 'Heading of the group.' }),
      checks: Type.Array(
        Type.Object(
          {
            check_id: Type.String({ maxLength: 64, description: 'A public uptime check.' }),
            label: optional(Type.Union([Name({ minLength: 0, maxLength: 100 }), Type.Null()], { description: 'Name on the page.' })),
          },
          { description: 'A check.', additionalProperties: false },
        ),
        { maxItems: limits.checks, description: 'Checks of the group, in order.' },
      ),
    },
    { description: 'A group of checks.', additionalProperties: false },
  ),
  { maxItems: limits.groups, description: 'Groups of checks, in order.' },
)
const showResponseTimes = Type.Boolean({ description: 'Whether the page shows response times.' })
const theme = OneOf(themes, { description: 'Colors of the page.' })
const indexable = Type.Boolean({ description: 'Whether search engines may list the page.' })
const autoIncidents = Type.Boolean({
  description: 'Whether Footfall opens an incident when a check is down for 5 minutes, and resolves it when the check is up.',
})
const language = OneOf(languages, { description: 'Language of the page and its mails.' })
const timezone = Type.String({ format: 'timezone', description: 'IANA time zone of the shown times.' })

const ofWorkspace = { workspace_id: '{{workspace}}' }
const ofPage = { ...ofWorkspace, id: '{{status_page}}' }

export const status_pages_create = operation({
  route: 'POST /workspaces/{workspace_id}/status_pages',
  summary: 'Create a status page: public, for customers',
  description: 'Shows the state of public uptime checks, incidents and planned maintenance to anyone.',
  access: 'uptime.manage',
  needs: ['analytics.read'],
  reach: 'workspace',
  on: locked(workspace),
  effect: 'create',
  input: {
    name,
    slug: optional(Type.String({ ...slug, description: `${slug.description} Default: derived from the name.` })),
    domain: optional(Clearable(domain, { description: domain.description ?? '' })),
    description: Type.String({ maxLength: 500, default: '', description: 'A sentence below the name.' }),
    groups: Type.Array(groups.items, { maxItems: limits.groups, default: [], description: 'Groups of checks, in order.' }),
    show_response_times: Type.Boolean({ ...showResponseTimes, default: false }),
    theme: OneOf(themes, { ...theme, default: 'system' }),
    indexable: Type.Boolean({ ...indexable, default: false }),
    auto_incidents: Type.Boolean({ ...autoIncidents, default: false }),
    language: OneOf(languages, { ...language, default: 'en' }),
    timezone: Type.String({ ...timezone, default: 'UTC' }),
  },
  output: StatusPage,
  examples: [
    {
      input: {
        ...ofWorkspace,
        name: 'Acme',
        groups: [{ name: 'Website', checks: [{ check_id: '{{check}}', label: 'Shop' }] }],
      },
    },
  ],
  async run({ db, workspace, caller, input, config, now, newId, random }) {
    const settled = await settleGroups(db, { caller, given: input.groups })
    failWith([...faultsOfSlug(input.slug), ...faultsOfDomain(input.domain, config), ...settled.faults])
    const count = await countOf(db.selectFrom('status_pages').where('workspace_id', '=', workspace.id))
    if (count >= limits.pages) fail('limit_reached', m.too_many_pages({ most: limits.pages }))
    const row: StatusPageRow = {
      id: newId(ids.status_page),
      workspace_id: workspace.id,
      name: input.name,
      slug: input.slug ?? (await freeSlug(db, input.name, random)),
      domain: input.domain ? (hostName(input.domain) ?? null) : null,
      description: withoutHidden(input.description, 'lines'),
      show_response_times: Number(input.show_response_times),
      theme: input.theme,
      indexable: Number(input.indexable),
      auto_incidents: Number(input.auto_incidents),
      language: input.language,
      timezone: input.timezone,
      created_at: now,
      updated_at: now,
    }
    await refuseTaken(db, row)
    await db.insertInto('status_pages').values(row).execute().catch(orTaken)
    await setGroups(db, { pageId: row.id, given: input.groups, numbers: settled.numbers })
    return pageRecord(db, row, config)
  },
})

export const status_pages_list = list({
  route: 'GET /workspaces/{workspace_id}/status_pages',
  summary: 'List status pages',
  empty: {
    says: 'A status page tells your visitors what is up and what is not, and mails those who subscribe.',
    like: [['status.example.com', '99.98 %']],
  },
  title: 'Status pages',
  place: 'watching',
  icon: 'status',
  description: 'Oldest first.',
  access: 'analytics.read',
  on: workspace,
  effect: 'read',
  input: {},
  of: StatusPage,
  examples: [{ input: ofWorkspace }],
  async run({ db, workspace, page, config }) {
    const query = db.selectFrom('status_pages').selectAll().where('workspace_id', '=', workspace.id)
    const { rows, total } = await pageOf(query.orderBy('created_at').orderBy('id'), page)
    return { rows: await pageRecords(db, rows, config), total }
  },
})

export const status_pages_get = operation({
  route: 'GET /workspaces/{workspace_id}/status_pages/{id}',
  summary: 'Get a status page',
  access: 'analytics.read',
  on: [workspace, status_page],
  effect: 'read',
  input: {},
  output: StatusPage,
  examples: [{ input: ofPage }],
  run: ({ db, status_page, config }) => pageRecord(db, status_page, config),
})

export const status_pages_update = operation({
  route: 'PATCH /workspaces/{workspace_id}/status_pages/{id}',
  summary: 'Change a status page',
  description:
    'Omitted fields stay unchanged. `groups` replaces all groups. After a change of the slug, links to the old one no longer work.',
  help: 'After a change of the slug, links to the old one no longer work.',
  access: 'uptime.manage',
  needs: ['analytics.read'],
  reach: 'workspace',
  on: [workspace, locked(status_page)],
  effect: 'update',
  input: {
    name: optional(name),
    slug: optional(slug),
    domain: optional(Clearable(domain, { description: 'Own host of the page; empty for none.' })),
    description: optional(description),
    groups: optional(groups),
    show_response_times: optional(showResponseTimes),
    theme: optional(theme),
    indexable: optional(indexable),
    auto_incidents: optional(autoIncidents),
    language: optional(language),
    timezone: optional(timezone),
  },
  output: StatusPage,
  examples: [{ input: { ...ofPage, auto_incidents: true } }],
  async run({ db, status_page: before, caller, input, config, now }) {
    const settled =
      input.groups && (await settleGroups(db, { caller, given: input.groups, kept: (await groupsOf(db, [before.id]))(before.id) }))
    failWith([...faultsOfSlug(input.slug), ...faultsOfDomain(input.domain, config), ...(settled?.faults ?? [])])
    const row: StatusPageRow = {
      ...before,
      name: input.name ?? before.name,
      slug: input.slug ?? before.slug,
      domain: input.domain === undefined ? before.domain : input.domain ? (hostName(input.domain) ?? null) : null,
      description: input.description === undefined ? before.description : withoutHidden(input.description, 'lines'),
      show_response_times: flag(input.show_response_times) ?? before.show_response_times,
      theme: input.theme ?? before.theme,
      indexable: flag(input.indexable) ?? before.indexable,
      auto_incidents: flag(input.auto_incidents) ?? before.auto_incidents,
      language: input.language ?? before.language,
      timezone: input.timezone ?? before.timezone,
      updated_at: now,
    }
    await refuseTaken(db, row)
    await db.updateTable('status_pages').set(row).where('id', '=', row.id).execute().catch(orTaken)
    if (input.groups && settled) await setGroups(db, { pageId: row.id, given: input.groups, numbers: settled.numbers })
    return pageRecord(db, row, config)
  },
})

export const status_pages_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/status_pages/{id}',
  summary: 'Delete a status page',
  description: 'Deletes its incidents and subscribers, too. Its maintenance ends.',
  access: 'uptime.manage',
  reach: 'workspace',
  on: [workspace, locked(status_page)],
  effect: 'delete',
  input: {},
  output: StatusPage,
  examples: [{ input: ofPage }],
  async run({ db, status_page, config, now }) {
    const gone = await pageRecord(db, status_page, config)
    const planned = await db
      .selectFrom('status_incidents')
      .select('id')
      .where('page_id', '=', status_page.id)
      .where('kind', '=', 'maintenance')
      .where('ends_at', '>', now)
      .execute()
    for (const { id } of planned) await planMaintenance(db, { plannedBy: id, checks: [], starts_at: now, ends_at: now }, now)
    await db.deleteFrom('status_pages').where('id', '=', status_page.id).execute()
    return gone
  },
})

async function freeSlug(db: Db, name: string, random: Services['random']): Promise<string> {
  const wanted = slugOf(name, false, random)
  const other = await db.selectFrom('status_pages').select('id').where('slug', '=', wanted).executeTakeFirst()
  return other ? slugOf(name, true, random) : wanted
}

/** @throws Failure `already_exists`, which names both fields if both are taken */
async function refuseTaken(db: Db, { id, slug, domain }: StatusPageRow): Promise<void> {
  const others = await db
    .selectFrom('status_pages')
    .select(['slug', 'domain'])
    .where(({ eb, or }) => or([eb('slug', '=', slug), ...(domain === null ? [] : [eb('domain', '=', domain)])]))
    .where('id', '!=', id)
    .execute()
  const fields = [
    ...(others.some(other => other.slug === slug) ? ['slug'] : []),
    ...(domain !== null && others.some(other => other.domain === domain) ? ['domain'] : []),
  ]
  const [first, second] = fields
  if (first !== undefined)
    fail(
      'already_exists',
      second === undefined
        ? m.taken_already({ field: fieldTerm(first) })
        : m.both_taken_already({ first: fieldTerm(first), second: fieldTerm(second) }),
      { details: fields.map(field => ({ pointer: `/${field}`, code: 'mismatch', message: m.field_taken({ field: fieldTerm(field) }) })) },
    )
}

/** If two pages are created at once, the database accepts only one of them. */
function orTaken(thrown: unknown): never {
  if (isUniqueViolation(thrown)) fail('already_exists', m.made_meanwhile())
  throw thrown
}

async function pageRecords(db: Db, rows: readonly StatusPageRow[], config: Services['config']) {
  const pageIds = rows.map(({ id }) => id)
  const groups = await groupsOf(db, pageIds)
  const counted =
    pageIds.length === 0
      ? []
      : await db
          .selectFrom('status_subscribers')
          .select(({ fn }) => ['page_id', fn.countAll<number>().as('count')])
          .where('page_id', 'in', pageIds)
          .where('confirmed_at', 'is not', null)
          .groupBy('page_id')
          .execute()
  const counts = new Map(counted.map(({ page_id, count }) => [page_id, count]))
  return rows.map(row => toPage({ row, groups: groups(row.id), subscribers: counts.get(row.id) ?? 0, config }))
}

async function pageRecord(db: Db, row: StatusPageRow, config: Services['config']) {
  const [page] = await pageRecords(db, [row], config)
  return page ?? fail('not_found')
}
