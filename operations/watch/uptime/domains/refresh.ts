/** Queries registries for the domains of checks: once a day for each domain, however many checks use it. */
import { claimDue } from '../../../../runtime/tasks/lease.ts'
import type { Guard } from '../../../../runtime/outbound/outbound.ts'
import type { TaskContext } from '../../../../runtime/table/task.ts'
import type { Dialect } from '../../../../storage/dialects/dialect.ts'
import type { Db } from '../../../../storage/store.ts'
import type { UptimeDomainRow } from '../../../../storage/tables/index.ts'
import { lockChecks } from '../lock.ts'
import { userAgentOf } from '../probing/user-agent.ts'
import { domainExpiry, isAskable } from './expiry.ts'
import { type Registries, registries } from './registries.ts'
import { HOUR_MS } from '../../../../storage/values/durations.ts'

const queryDelayMs = { afterAnswer: 24 * HOUR_MS, afterFailure: HOUR_MS }
/** Registries limit the rate strictly. */
const atOnce = 4

/** Registers the domain for queries. @returns its expiry, if already known */
export async function followDomain(db: Db, domain: string | null, now: number): Promise<number | null> {
  if (domain === null || !isAskable(domain, registries)) return null
  await db
    .insertInto('uptime_domains')
    .values({ id: domain, expires_at: null, asked_at: null, next_at: now, leased_until: null })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const known = await db.selectFrom('uptime_domains').select('expires_at').where('id', '=', domain).executeTakeFirst()
  return known?.expires_at ?? null
}

export const queue = { table: 'uptime_domains', due: 'next_at' } as const

/** @returns whether more is due */
export async function refreshDomains(context: TaskContext, guard: Guard, known: Registries = registries): Promise<{ more: boolean }> {
  const { store, config, log, signal, now } = context
  const due = await claimDue(store, { ...queue, limit: atOnce, leaseMs: 60_000, now: now() })
  await Promise.all(
    due.map(async domain => {
      try {
        const expires_at = (await isFollowed(store.read, domain.id))
          ? await domainExpiry({
              domain: domain.id,
              registries: known,
              guard: { ...guard, signal },
              userAgent: userAgentOf(config.BASE_URL),
            })
          : undefined
        await store.transaction(trx =>
          expires_at === undefined ? forget(trx, domain) : keep(trx, { dialect: store.dialect, domain, expires_at, now: now() }),
        )
      } catch (err) {
        if (signal.aborted) return
        log.info({ err, domain: domain.id }, 'a registry did not answer')
        await store.write
          .updateTable('uptime_domains')
          .set({ next_at: now() + queryDelayMs.afterFailure, leased_until: null })
          .where('id', '=', domain.id)
          .where('leased_until', '=', domain.leased_until)
          .execute()
      }
    }),
  )
  return { more: due.length === atOnce }
}

async function isFollowed(db: Db, domain: string): Promise<boolean> {
  const check = await db.selectFrom('uptime_checks').select('id').where('domain', '=', domain).limit(1).executeTakeFirst()
  return check !== undefined
}

type Claimed = Pick<UptimeDomainRow, 'id' | 'leased_until'>

interface Keep {
  readonly dialect: Dialect
  readonly domain: Claimed
  readonly expires_at: number | null
  readonly now: number
}

async function keep(db: Db, { dialect, domain: { id, leased_until }, expires_at, now }: Keep): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('uptime_domains')
    .set({ expires_at, asked_at: now, next_at: now + queryDelayMs.afterAnswer, leased_until: null })
    .where('id', '=', id)
    .where('leased_until', '=', leased_until)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  await lockChecks(db, dialect).select('number').where('domain', '=', id).execute()
  await db.updateTable('uptime_checks').set({ domain_expires_at: expires_at }).where('domain', '=', id).execute()
}

async function forget(db: Db, { id, leased_until }: Claimed): Promise<void> {
  await db
    .deleteFrom('uptime_domains')
    .where('id', '=', id)
    .where('leased_until', '=', leased_until)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('uptime_checks').select('id').where('domain', '=', id))))
    .execute()
}
