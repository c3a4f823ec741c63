/**
 * Every table, as Kysely sees it. Times are epoch milliseconds, flags 0/1, lists and objects JSON text, so that both
 * engines store them alike.
 */
import type { PeopleTables } from './people.ts'
import type { SitesTables } from './sites.ts'
import type { ReportsTables } from './reports.ts'
import type { AlertsTables } from './alerts.ts'
import type { UptimeTables } from './uptime.ts'
import type { WebhooksTables } from './webhooks.ts'
import type { ImportsTables } from './imports.ts'
import type { UsageTables } from './usage.ts'
import type { RuntimeTables } from './runtime.ts'
import type { HitsTables } from './hits.ts'
import type { SegmentsTables } from './segments.ts'

export * from './people.ts'
export * from './sites.ts'
export * from './reports.ts'
export * from './alerts.ts'
export * from './uptime.ts'
export * from './webhooks.ts'
export * from './imports.ts'
export * from './usage.ts'
export * from './runtime.ts'
export * from './hits.ts'
export * from './segments.ts'
export type * from './sign-in.ts'
export type * from './factors.ts'
export type * from './workspaces.ts'

export interface Tables
  extends PeopleTables,
    SitesTables,
    ReportsTables,
    AlertsTables,
    UptimeTables,
    WebhooksTables,
    ImportsTables,
    UsageTables,
    RuntimeTables,
    HitsTables,
    SegmentsTables {}
