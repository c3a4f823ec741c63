/** Subscriptions to a status page: made by e-mail, and confirmed and ended by a link. */
import { Type } from '@sinclair/typebox'
import { canonicalEmail } from '../../../runtime/values/email.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'
import { common } from '../../../runtime/texts/common.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { networkOf } from '../../../runtime/outbound/network.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import type { Services } from '../../../runtime/table/call-services.ts'
import { OneOf, optional, record } from '../../../runtime/table/schema.ts'
import { countShared, type SharedLimit, tooMany } from '../../../runtime/call/shared-rate.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import type { StatusPageRow } from '../../../storage/tables/status-pages.ts'
import { canMail, MAX_REFUSALS, queueMail } from '../../people/mail/index.ts'
import { addressOf, ids, StatusSubscriber, status_page, status_subscriber, toSubscriber } from './records.ts'
import { limits } from './limits.ts'
import { pageBySlug } from './status.ts'
import { findSubscription, subscriptionToken, subscriptionUrl } from './subscription.ts'
import { m } from './messages.ts'
import { sayIn } from '../../../runtime/texts/say.ts'

/** Footfall deletes a subscription that is not confirmed within this time. */
const CONFIRM_MS = 48 * HOUR_MS

const perAddress: SharedLimit = { name: 'status-subscribe-address', limit: 10, windowMs: HOUR_MS }
const perPage: SharedLimit = { name: 'status-subscribe-page', limit: 300, windowMs: HOUR_MS }
/** Exceeded silently, because the number of times that a mailbox was entered is private. */
const perMailbox: SharedLimit = { name: 'status-subscribe-mailbox', limit: 3, windowMs: 24 * HOUR_MS }

const Subscribed = record(
  'StatusSubscription',
  {
    status: OneOf(['pending'], { description: 'Footfall sent a mail with a link. The subscription starts when the link is followed.' }),
    email: Type.String({ description: 'Address of the mail.' }),
  },
  'The same response for every address, whether or not it is subscribed.',
)

export const status_subscriptions_create = operation({
  route: 'POST /status/{slug}/subscribe',
  summary: 'Subscribe to a status page by e-mail',
  description: 'Footfall sends a mail with a confirmation link. The response is the same for an address that is already subscribed.',
  access: 'public',
  surfaces: ['http'],
  effect: 'create',
  unaudited: true,
  path: { slug: Type.String({ maxLength: 64, description: 'Slug of the page.' }) },
  input: { email: Type.String({ format: 'email', maxLength: 254, description: 'Address that receives mails about incidents.' }) },
  output: Subscribed,
  examples: [{ input: { slug: '{{status_slug}}', email: 'ops@example.com' } }],
  form: {
    page: 'GET /status/{slug}',
    after: (_: unknown, typed) => `/status/${encodeURIComponent(typed.get('_slug') ?? '')}?subscribed=1#subscribe`,
  },
  async prepare({ input, store, now, request, config }) {
    const page = (await pageBySlug(store.read, input.slug)) ?? fail('not_found')
    if (!canMail(config)) fail('invalid_state', m.no_mail())
    const email = canonicalEmail(input.email)
    const wait = await store.transaction(async trx => {
      const ofAddress = await countShared(trx, { sharedLimit: perAddress, who: networkOf(request.ip), now })
      return ofAddress > 0 ? ofAddress : countShared(trx, { sharedLimit: perPage, who: page.id, now })
    })
    if (wait > 0) tooMany(wait)
    const isFlood = (await store.transaction(trx => countShared(trx, { sharedLimit: perMailbox, who: `${page.id} ${email}`, now }))) > 0
    return { page, email, isFlood }
  },
  async run({ page, email, isFlood, ...services }) {
    if (!isFlood) await subscribe(services, page, email)
    return { status: 'pending' as const, email }
  },
})

async function subscribe(services: Services, page: StatusPageRow, email: string): Promise<void> {
  const { db, now, newId, use, config } = services
  const count = await countOf(db.selectFrom('status_subscribers').where('page_id', '=', page.id))
  if (count >= limits.subscribers) fail('limit_reached', m.too_many_subscribers())
  // A mailbox that refused mails starts again: the link in this mail shows whether it accepts them now.
  await db
    .updateTable('status_subscribers')
    .set({ confirmed_at: null, refused: 0 })
    .where('page_id', '=', page.id)
    .where('email', '=', email)
    .where('refused', '>=', MAX_REFUSALS)
    .execute()
  const row = await db
    .insertInto('status_subscribers')
    .values({
      id: newId(ids.status_subscriber),
      page_id: page.id,
      email,
      pending_until: now + CONFIRM_MS,
      confirmed_at: null,
      refused: 0,
      created_at: now,
    })
    .onConflict(conflict =>
      conflict.columns(['page_id', 'email']).doUpdateSet(({ eb, ref, val }) => ({
        pending_until: eb
          .case()
          .when('status_subscribers.confirmed_at', 'is', null)
          .then(val(now + CONFIRM_MS))
          .else(ref('status_subscribers.pending_until'))
          .end(),
      })),
    )
    .returning(['id', 'confirmed_at'])
    .executeTakeFirstOrThrow()
  const url = subscriptionUrl(config, await subscriptionToken(use, db, row.id))
  const isKnown = row.confirmed_at !== null
  const say = await sayIn(page.language)
  const about = { name: page.name, address: addressOf(page, config), url }
  await queueMail(services, {
    to: email,
    say,
    subject: say(isKnown ? m.you_are_subscribed_to_the_status : m.confirm_status_of_name, about),
    open: say(common.confirm),
    text: isKnown
      ? [say(m.address_was_entered_already, about), say(m.to_end_that_url, about)]
      : [say(m.address_was_entered, about), say(m.to_get_them_follow_this_link), url, say(m.if_that_was_not_you_there)],
  })
}

export const status_subscriptions_confirm = operation({
  route: 'POST /status/subscriptions/{token}/confirm',
  summary: 'Confirm a subscription to a status page',
  access: 'public',
  surfaces: ['http'],
  effect: 'update',
  unaudited: true,
  path: { token: Type.String({ maxLength: 160, description: 'The last part of the link in the mail.' }) },
  input: {},
  output: StatusSubscriber,
  examples: [{ input: { token: '{{status_subscription}}' } }],
  form: {
    page: 'GET /status/subscriptions/{token}',
    after: (_: unknown, typed) => `/status/subscriptions/${encodeURIComponent(typed.get('_token') ?? '')}?done=1`,
  },
  async run({ db, input, now, use }) {
    const found = (await findSubscription(use, { db, token: input.token, now })) ?? fail('not_found')
    const row = await db
      .updateTable('status_subscribers')
      .set(({ fn, val }) => ({ pending_until: null, confirmed_at: fn.coalesce('confirmed_at', val(now)) }))
      .where('id', '=', found.subscriber.id)
      .returningAll()
      .executeTakeFirst()
    return toSubscriber(row ?? fail('not_found'))
  },
})

export const status_subscribers_list = list({
  route: 'GET /status_pages/{status_page_id}/subscribers',
  summary: 'List subscribers of a status page',
  empty: {
    says: 'Readers of the status page subscribe there, and are listed here.',
    like: [['reader@example.com', '3 d']],
  },
  title: 'Subscribers',
  description: 'Oldest first. Only readers can add subscriptions, with the form on the page.',
  access: 'uptime.manage',
  reach: 'workspace',
  on: status_page,
  effect: 'read',
  input: {
    status: optional(OneOf(['pending', 'confirmed', 'failing'], { description: 'Only subscribers in this state.' })),
    query: optional(Type.String({ maxLength: 200, description: 'Only addresses that contain this text.' })),
  },
  of: StatusSubscriber,
  examples: [{ input: { status_page_id: '{{status_page}}' } }],
  async run({ db, status_page: of, input, page, now }) {
    let query = db
      .selectFrom('status_subscribers')
      .selectAll()
      .where('page_id', '=', of.id)
      .where(({ or, eb }) => or([eb('pending_until', 'is', null), eb('pending_until', '>', now)]))
    if (input.status) query = query.where('confirmed_at', input.status === 'pending' ? 'is' : 'is not', null)
    if (input.status === 'confirmed' || input.status === 'failing')
      query = query.where('refused', input.status === 'failing' ? '>=' : '<', MAX_REFUSALS)
    if (input.query) query = query.where('email', 'like', `%${input.query.toLowerCase().replace(/[\\%_]/g, '')}%`)
    const { rows, total } = await pageOf(query.orderBy('created_at').orderBy('id'), page)
    return { rows: rows.map(toSubscriber), total }
  },
})

export const status_subscribers_delete = operation({
  route: 'DELETE /status_pages/{status_page_id}/subscribers/{id}',
  summary: 'Delete a subscriber of a status page',
  description: 'They get no more mails, but may subscribe again.',
  access: 'uptime.manage',
  reach: 'workspace',
  on: [status_page, status_subscriber],
  effect: 'delete',
  input: {},
  output: StatusSubscriber,
  examples: [{ input: { status_page_id: '{{status_page}}', id: '{{status_subscriber}}' } }],
  async run({ db, status_page, status_subscriber }) {
    if (status_subscriber.page_id !== status_page.id) fail('not_found')
    const deleted = await db.deleteFrom('status_subscribers').where('id', '=', status_subscriber.id).returningAll().executeTakeFirst()
    return toSubscriber(deleted ?? fail('not_found'))
  },
})
