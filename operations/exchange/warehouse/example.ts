/** A sync to a bucket that refuses data, and its failed run. */
import { storedSentence } from '../../../runtime/texts/message.ts'
import { OutboundError } from '../../../runtime/outbound/outbound.ts'
import { exampleRecords } from '../../../runtime/table/example.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { ids } from './records.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export const example = exampleRecords(async ({ db, now, domain, id, newId, use }) => {
  const [sync, run] = [newId(ids.warehouse_sync), newId(ids.warehouse_sync_run)]
  await db
    .insertInto('warehouse_syncs')
    .values({
      id: sync,
      workspace_id: id('workspace'),
      name: 'Warehouse',
      destination: 's3',
      tables: '["hits"]',
      format: 'parquet',
      endpoint: `https://s3.${domain}`,
      region: 'eu-central-1',
      bucket: 'acme-analytics',
      prefix: 'footfall',
      access_key_id: 'AKIAEXAMPLE',
      host: null,
      port: null,
      database: null,
      schema: null,
      username: null,
      tls: null,
      secret: await use(secretBox).seal(db, 'secret', sync),
      backfill_from: null,
      enabled: 1,
      consecutive_failures: 1,
      failing_since: now,
      last_error: storedSentence(new OutboundError('dns_error').sentence),
      last_synced_at: null,
      lag_days: 1,
      requested: 0,
      created_by: '',
      next_at: now + 365 * DAY_MS,
      leased_until: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await db
    .insertInto('warehouse_sync_sites')
    .values({ sync_id: sync, site_id: id('site') })
    .execute()
  await db
    .insertInto('warehouse_sync_runs')
    .values({
      id: run,
      sync_id: sync,
      status: 'failed',
      requested: 0,
      days: 0,
      rows_sent: 0,
      bytes: 0,
      error_code: 'dns_error',
      error_message: storedSentence(new OutboundError('dns_error').sentence),
      started_at: now,
      finished_at: now,
    })
    .execute()
  return { warehouse_sync: sync, warehouse_sync_run: run }
})
