/**
 * The link in every mail to a subscriber: it shows the subscription, confirms it and ends it. The token is derived from
 * the subscriber's id with the key of the installation, so it is stored nowhere and ends with the row.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../../../runtime/settings/config.ts'
import type { Resource } from '../../../runtime/settings/resource.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'
import type { StatusPageRow, StatusSubscriberRow } from '../../../storage/tables/status-pages.ts'

type Use = <T>(resource: Resource<T>) => T

const claimOf = (subscriberId: string): string => `status subscription ${subscriberId}`

export async function subscriptionToken(use: Use, db: Db, subscriberId: string): Promise<string> {
  return `${subscriberId}.${await use(secretBox).digest(db, claimOf(subscriberId))}`
}

export const subscriptionUrl = ({ BASE_URL }: Pick<Config, 'BASE_URL'>, token: string): string =>
  `${BASE_URL}/status/subscriptions/${token}`

export interface FoundSubscription {
  readonly subscriber: StatusSubscriberRow
  readonly page: StatusPageRow
}

/** Finds a subscription by its token. Undefined if the token is wrong, or the subscription has ended or was not confirmed in time. */
export async function findSubscription(
  use: Use,
  { db, token, now }: { db: Db; token: string; now: number },
): Promise<FoundSubscription | undefined> {
  const [id = '', digest = ''] = token.split('.')
  if (!/^[\w-]{1,64}\.[0-9a-f]{64}$/.test(token)) return undefined
  const wanted = await use(secretBox).digests(db, claimOf(id))
  if (!wanted.some(each => timingSafeEqual(Buffer.from(digest), Buffer.from(each)))) return undefined
  const subscriber = await db.selectFrom('status_subscribers').selectAll().where('id', '=', id).executeTakeFirst()
  if (!subscriber || (subscriber.pending_until !== null && subscriber.pending_until <= now)) return undefined
  const page = await db.selectFrom('status_pages').selectAll().where('id', '=', subscriber.page_id).executeTakeFirst()
  return page && { subscriber, page }
}

/** Deletes a subscription, and its queued messages with it. */
export async function unsubscribe(db: Db, { id }: Pick<StatusSubscriberRow, 'id'>): Promise<void> {
  await db.deleteFrom('status_subscribers').where('id', '=', id).execute()
}
