/** Checks, reads and writes the sites, goals and recipients of a report, and checks its segment. */
import { fieldAt } from '../../../runtime/table/fault-message.ts'
import { m } from './messages.ts'
import { fieldTerm, type Message, type MessageValue } from '../../../runtime/texts/message.ts'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import type { Caller } from '../../../runtime/table/caller.ts'
import { canonicalEmail } from '../../../runtime/values/email.ts'
import type { Fault } from '../../../runtime/table/errors.ts'
import { isPlausibleId } from '../../../runtime/values/ids.ts'
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'
import { asLive, type LiveSite } from '../../sites/sites/records.ts'
import type { FullReport } from './records.ts'

export interface Named {
  readonly site_ids: readonly string[]
  readonly goal_ids: readonly string[]
  readonly segment_id: string | null
}

/** The sites that a report names, in its order; deleted sites are omitted. */
export async function sitesOf(db: Db, ids: readonly string[]): Promise<LiveSite[]> {
  const plausible = ids.filter(isPlausibleId)
  if (plausible.length === 0) return []
  const rows = await db.selectFrom('sites').selectAll().where('id', 'in', plausible).execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  const live: LiveSite[] = []
  for (const id of ids) {
    const row = byId.get(id)
    const site = row && (await asLive(db, row))
    if (site) live.push(site)
  }
  return live
}

/**
 * Finds sites, goals and a segment that the report must not name.
 * @param before the stored report; its segment may be kept after the segment was deleted
 */
export async function faultsIn(
  db: Db,
  { caller, named, before }: { caller: Caller; named: Named; before?: FullReport | undefined },
): Promise<Fault[]> {
  const sites = (await sitesOf(db, named.site_ids)).filter(
    ({ id, workspace_id }) => workspace_id === caller.workspaceId && (caller.siteIds.length === 0 || caller.siteIds.includes(id)),
  )
  const known = new Set(sites.map(({ id }) => id))
  const goals = await ownersOf(db, 'goals', named.goal_ids)
  const segments = await ownersOf(db, 'saved_segments', named.segment_id === null ? [] : [named.segment_id])
  return [
    ...named.site_ids.flatMap((id, i) => (known.has(id) ? [] : [notFound(`/site_ids/${i}`, m.unknown_site, id)])),
    ...named.goal_ids.flatMap((id, i) => (known.has(goals.get(id) ?? '') ? [] : [notFound(`/goal_ids/${i}`, m.unknown_goal, id)])),
    ...segmentFaults({ named, owners: segments, known, before }),
  ]
}

interface SegmentFaults {
  readonly named: Named
  readonly owners: ReadonlyMap<string, string>
  readonly known: ReadonlySet<string>
  readonly before?: FullReport | undefined
}

function segmentFaults({ named, owners, known, before }: SegmentFaults): Fault[] {
  const { segment_id: id, site_ids } = named
  if (id === null) return []
  if (new Set(site_ids).size > 1) {
    const message = m.segment_of_one_site({ field: fieldTerm('segment_id') })
    return [{ pointer: '/segment_id', code: 'mismatch', message }]
  }
  // A client may send back a deleted segment unchanged; the report marks it as deleted.
  const isKept = before?.segment_id === id && !owners.has(id)
  return isKept || known.has(owners.get(id) ?? '') ? [] : [notFound('/segment_id', m.unknown_segment, id)]
}

/** The site of each of these records, by their ids. */
async function ownersOf(db: Db, table: 'goals' | 'saved_segments', ids: readonly string[]): Promise<Map<string, string>> {
  const plausible = ids.filter(isPlausibleId)
  if (plausible.length === 0) return new Map()
  const rows = await db.selectFrom(table).select(['id', 'site_id']).where('id', 'in', plausible).execute()
  return new Map(rows.map(({ id, site_id }) => [id, site_id]))
}

const notFound = (pointer: string, messageOf: (params: { field: MessageValue; received: string }) => Message, id: string): Fault => ({
  pointer,
  code: 'not_found',
  message: messageOf({ field: fieldAt(pointer), received: JSON.stringify(id.slice(0, 80)) }),
})

/** Removes duplicates, keeping the first. */
export const distinct = (values: readonly string[]): string[] => [...new Set(values)]
/** Removes duplicates of mail addresses, which are compared case-insensitively. */
export const mailboxes = (emails: readonly string[]): string[] => distinct(emails.map(canonicalEmail))

export async function writeSites(db: Db, reportId: string, siteIds: readonly string[]): Promise<void> {
  await db.deleteFrom('email_report_sites').where('report_id', '=', reportId).execute()
  const rows = distinct(siteIds).map((site_id, position) => ({ report_id: reportId, site_id, position }))
  await db.insertInto('email_report_sites').values(rows).execute()
}

export async function writeGoals(db: Db, reportId: string, goalIds: readonly string[]): Promise<void> {
  await db.deleteFrom('email_report_goals').where('report_id', '=', reportId).execute()
  const rows = distinct(goalIds).map((goal_id, position) => ({ report_id: reportId, goal_id, position }))
  if (rows.length > 0) await db.insertInto('email_report_goals').values(rows).execute()
}

interface Writing {
  readonly db: Db
  readonly box: SecretBox
  random(size: number): Buffer
}

/** Replaces the recipients. Unsubscribed addresses stay unsubscribed, even if they are removed and added again. */
export async function writeRecipients(writing: Writing, reportId: string, emails: readonly string[]): Promise<void> {
  const { db } = writing
  await db.updateTable('email_report_recipients').set({ position: null }).where('report_id', '=', reportId).execute()
  for (const [position, email] of mailboxes(emails).entries()) {
    await db
      .insertInto('email_report_recipients')
      .values({ report_id: reportId, email, position, unsubscribed_at: null, refused: 0, ...(await newToken(writing, reportId, email)) })
      .onConflict(conflict => conflict.columns(['report_id', 'email']).doUpdateSet({ position, refused: 0 }))
      .execute()
  }
  await db
    .deleteFrom('email_report_recipients')
    .where('report_id', '=', reportId)
    .where('position', 'is', null)
    .where('unsubscribed_at', 'is', null)
    .execute()
}

/**
 * Creates a 256-bit unsubscribe token for one recipient of one report.
 * @returns the token encrypted, for later mails, and hashed, for lookup
 */
export async function newToken({ db, box, random }: Writing, reportId: string, email: string) {
  const secret = random(32).toString('base64url')
  return { token: await box.seal(db, secret, `${reportId} ${email}`), token_hash: hashCredential(secret) }
}
