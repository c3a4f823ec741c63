/**
 * Sends the mails of reports. Footfall records an attempt before it makes it. If the process dies after sending and before
 * recording the result, another attempt follows with the same Message-ID, by which mail programs recognize the mail.
 */
import { m } from './messages.ts'
import type { Sentence } from '../../../runtime/texts/message.ts'
import { Failure } from '../../../runtime/table/errors.ts'
import { holds } from '../../../runtime/tasks/lease.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import type { EmailReportMailRow } from '../../../storage/tables/email-reports.ts'
import { isRefusedMailbox, mailer, type Mailing, MAX_REFUSALS, SENDING_MS } from '../../people/mail/index.ts'
import { engine } from '../../reports/stats/index.ts'
import { workspaceSettings } from '../../people/workspaces/index.ts'
import { type Content, contentOf } from './content.ts'
import { type Logo, logos } from './logo.ts'
import { messageOf } from './mail/message.ts'
import { withLinks } from './records.ts'
import { newToken, sitesOf } from './check-references.ts'
import { noteTrouble, saidBy } from './failure-notice.ts'
import { unsubscribeUrl } from './unsubscribe.tsx'
import { grouped } from '../../../storage/values/grouped.ts'
import { HOUR_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

/** Delays after failed attempts, ms. The last delay is repeated until the mail is too late. */
const PAUSES = [2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS]
/** Longer than any attempt takes. */
const ATTEMPT_MS = 2 * MINUTE_MS
const AT_ONCE = 5

type Mail = EmailReportMailRow

/** The mail of a period, for each recipient. */
interface Ready {
  readonly kind: 'ready'
  readonly content: Content
  readonly logo: Logo | null
}
type Prepared =
  | Ready
  | { readonly kind: 'skipped' }
  /** The report cannot be created with its present settings. */
  | { readonly kind: 'impossible'; readonly why: Sentence }
  /** An internal error; the mail is retried. */
  | { readonly kind: 'broken' }

/** @param mails claimed ones */
export async function deliver(context: TaskContext, mails: readonly Mail[]): Promise<void> {
  // Mails without an attempt come first, so that after a crash no recipient gets a third mail while others wait for their first.
  const inOrder = mails.toSorted((a, b) => a.attempt - b.attempt)
  const groups = grouped(inOrder, ({ report_id, from_day, to_day }) => `${report_id} ${from_day} ${to_day}`)
  for (const group of groups.values()) {
    const [first] = group
    if (!first || context.signal.aborted) return
    const prepared = await prepare(context, first)
    const left = group.values()
    const lane = async () => {
      for (const mail of left) {
        if (context.signal.aborted) return // its lease expires, and another worker takes it
        await handle(context, mail, prepared)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  }
}

async function handle(context: TaskContext, mail: Mail, prepared: Prepared): Promise<void> {
  if (context.now() > mail.expires_at) return fail(context, { mail, why: m.mail_skipped({ email: mail.email }) })
  if (prepared.kind === 'impossible') return fail(context, { mail, why: prepared.why })
  if (prepared.kind === 'skipped') return settle(context, mail, 'skipped')
  if (prepared.kind === 'ready') return attempt(context, mail, prepared)
  const begun = await begin(context, mail)
  if (begun) await postpone(context, begun, m.went_wrong())
}

async function prepare({ store, now, config, use, log }: TaskContext, mail: Mail): Promise<Prepared> {
  const [row] = await store.read.selectFrom('email_reports').selectAll().where('id', '=', mail.report_id).execute()
  const [report] = row ? await withLinks(store.read, [row]) : []
  if (!report || report.enabled === 0) return { kind: 'skipped' }
  const sites = await sitesOf(store.read, report.site_ids)
  if (sites.length === 0) return { kind: 'impossible', why: m.no_sites() }
  const { report_logo_url } = await workspaceSettings(store.read, report.workspace_id)
  try {
    const reading = { db: store.read, now: now(), engine: use(engine), config }
    const content = await contentOf({ report, sites, period: { from: mail.from_day, to: mail.to_day }, reading })
    if (report.skip_empty === 1 && content.isEmpty) return { kind: 'skipped' }
    return { kind: 'ready', content, logo: await use(logos).of(report_logo_url) }
  } catch (thrown) {
    if (thrown instanceof Failure) return { kind: 'impossible', why: reasonOf(thrown) }
    if (thrown instanceof StorageUnavailable) throw thrown
    log.error({ report: report.id, err: thrown }, 'an e-mail report could not be created')
    return { kind: 'broken' }
  }
}

/** The reason why a report cannot be sent, as a sentence. */
export function reasonOf({ details: [detail], sentence }: Failure): Sentence {
  if (detail?.pointer === '/segment_id' && detail.code === 'not_found') return m.no_segment()
  return detail?.message ?? sentence
}

async function attempt(context: TaskContext, claimed: Mail, { content, logo }: Ready): Promise<void> {
  const { use, config, log } = context
  const server = use(mailer)
  if (!server) return // the mail waits until SMTP_URL is set or it is too late
  const mail = await begin(context, claimed)
  if (!mail) return
  const secret = await secretFor(context, mail)
  if (secret === null) return settle(context, mail, 'skipped')
  try {
    const message = await messageOf(content, logo, {
      id: mail.id,
      reportId: mail.report_id,
      to: mail.email,
      unsubscribe: unsubscribeUrl(config.BASE_URL, secret),
      baseUrl: config.BASE_URL,
    })
    if (!holds(mail, context.now(), SENDING_MS)) return // its delay has begun, so it is retried
    await server.send(message)
  } catch (thrown) {
    if (thrown instanceof StorageUnavailable) throw thrown
    if (!holds(mail, context.now(), 0)) return // the process was suspended, so the failure says nothing about the mail server
    const code = thrown instanceof Error && 'responseCode' in thrown ? Number(thrown.responseCode) : undefined
    // The log gets neither the address nor the server's text, which may repeat it.
    log.warn({ mail: mail.id, attempt: mail.attempt, code, reason: reasonForLog(thrown) }, 'an e-mail report could not be sent')
    const reason = saidBy(thrown)
    // A permanent refusal (RFC 5321 §4.2.1).
    if (code !== undefined && code >= 500)
      return fail(context, { mail, why: m.mail_refused({ email: mail.email, said: reason }), isRefused: isRefusedMailbox(thrown) })
    return postpone(context, mail, reason)
  }
  await settle(context, mail, 'sent')
}

/** `ECONNREFUSED`, `ETIMEDOUT`, `EENVELOPE`. */
const reasonForLog = (thrown: unknown): unknown => (thrown instanceof Error && 'code' in thrown ? thrown.code : undefined)

/** Leases the mail for one attempt, unless another worker has it. */
const begin = ({ store, now }: TaskContext, { id, attempt, leased_until }: Mail) =>
  store.write
    .updateTable('email_report_mails')
    .set({ attempt: attempt + 1, due_at: now() + pauseAfter(attempt), leased_until: now() + ATTEMPT_MS })
    .where('id', '=', id)
    .where('leased_until', '=', leased_until)
    .returningAll()
    .executeTakeFirst()

const pauseAfter = (attempt: number): number => PAUSES[Math.min(attempt, PAUSES.length - 1)] ?? HOUR_MS

/** The secret of the recipient's unsubscribe link; null if the address is no longer a recipient. */
async function secretFor({ store, use, random }: TaskContext, { report_id, email }: Mail): Promise<string | null> {
  const box = use(secretBox)
  const recipient = await store.read
    .selectFrom('email_report_recipients')
    .selectAll()
    .where('report_id', '=', report_id)
    .where('email', '=', email)
    .where('position', 'is not', null)
    .where('unsubscribed_at', 'is', null)
    .where('refused', '<', MAX_REFUSALS)
    .executeTakeFirst()
  if (!recipient) return null
  const about = `${report_id} ${email}`
  const secret = await box.unseal(store.read, recipient.token, about)
  if (secret !== null) return secret
  // The key that encrypted it is gone. Links in earlier mails no longer work; the new link does.
  return store.transaction(async trx => {
    const renewed = await newToken({ db: trx, box, random }, report_id, email)
    await trx.updateTable('email_report_recipients').set(renewed).where('report_id', '=', report_id).where('email', '=', email).execute()
    return box.unseal(trx, renewed.token, about)
  })
}

const ended = { due_at: null, leased_until: null } as const

function settle({ store, now }: TaskContext, { id, report_id, email, leased_until }: Mail, status: 'sent' | 'skipped'): Promise<void> {
  return store.transaction(async trx => {
    const own = await trx
      .updateTable('email_report_mails')
      .set({ status, ...ended })
      .where('id', '=', id)
      .where('leased_until', '=', leased_until)
      .returning('id')
      .executeTakeFirst()
    if (!own || status !== 'sent') return
    await trx.updateTable('email_reports').set({ last_sent_at: now() }).where('id', '=', report_id).execute()
    const taken = trx.updateTable('email_report_recipients').set({ refused: 0 }).where('report_id', '=', report_id)
    await taken.where('email', '=', email).where('refused', '>', 0).execute()
  })
}

function postpone(context: TaskContext, mail: Mail, reason: Sentence): Promise<void> {
  const next = context.now() + pauseAfter(mail.attempt - 1)
  if (next > mail.expires_at) return fail(context, { mail, why: m.mail_given_up({ email: mail.email, said: reason }) })
  const why = m.mail_postponed({ email: mail.email, said: reason })
  return change(context, { mail, values: { due_at: next, leased_until: null }, why }, { isFinal: false, isRefused: false })
}

/** @param isRefused whether the mailbox refused it permanently, which is counted */
const fail = (
  context: TaskContext,
  { mail, why, isRefused = false }: { mail: Mail; why: Sentence; isRefused?: boolean | undefined },
): Promise<void> => change(context, { mail, values: { status: 'failed', ...ended }, why }, { isFinal: true, isRefused })

interface Outcome {
  readonly isFinal: boolean
  readonly isRefused: boolean
}

/** Updates the mail and its report in one transaction. */
function change(
  context: TaskContext,
  { mail, values, why }: { mail: Mail; values: Partial<Mail>; why: Sentence },
  { isFinal, isRefused }: Outcome,
): Promise<void> {
  return context.store.transaction(async trx => {
    const own = await trx
      .updateTable('email_report_mails')
      .set(values)
      .where('id', '=', mail.id)
      .where('leased_until', '=', mail.leased_until)
      .returning('id')
      .executeTakeFirst()
    const mailing: Mailing = { ...context, db: trx, now: context.now() }
    if (!own) return
    if (isRefused)
      await trx
        .updateTable('email_report_recipients')
        .set(({ eb }) => ({ refused: eb('refused', '+', 1) }))
        .where('report_id', '=', mail.report_id)
        .where('email', '=', mail.email)
        .execute()
    await noteTrouble(mailing, { reportId: mail.report_id, why, isFinal })
  })
}
