/** Hears of every event in the transaction that wrote it: what it writes is there exactly when the event is. */
import type { Db } from '../storage/store.ts'
import type { EventRow } from '../storage/tables/index.ts'
import type { IdKind } from './ids.ts'

/**
 * @param trx the transaction of the change; `wakeAfter(trx, task)` begins a task once it is committed
 * @param event as written; `created_at` is now
 */
export type Subscriber = (
  trx: Db,
  event: Readonly<EventRow>,
  services: { newId(kind: IdKind): string; random(size: number): Buffer },
) => Promise<void>
