import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Warehouse sync',
  description: 'Sends days of sites to a data warehouse.',
  manual: '/documentation/warehouse',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    warehouse_syncs_create:
      'data warehouse, bigquery, snowflake, duckdb, athena, s3 bucket, minio, parquet every day, postgres, batch export, sync raw data, data lake',
    warehouse_syncs_list: 'is the sync up to date, warehouse status, lag',
    warehouse_syncs_run: 'sync now, send a day again, backfill',
    warehouse_sync_runs_list: 'why does the sync fail, sync history',
  },
  ids,
  tasks,
  subscribers,
  tables: ['warehouse_syncs', 'warehouse_sync_sites', 'warehouse_sync_days', 'warehouse_sync_runs'],
  sealed: [{ table: 'warehouse_syncs', column: 'secret' }],
  expiring: [{ table: 'warehouse_sync_runs', key: ['id'], from: 'started_at', afterMs: 90 * DAY_MS }],
  example: () => import('./example.ts'),
})
