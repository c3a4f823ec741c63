/** All tables. Each is declared once: the types of its rows, and the SQL that makes it, follow from the declaration. */
import type { TableType } from '../schema/table.ts'
import * as affiliate from './affiliate.ts'
import * as alerts from './alerts.ts'
import * as assistant from './assistant.ts'
import * as backups from './backups.ts'
import * as billing from './billing.ts'
import * as campaigns from './campaigns.ts'
import * as channelRules from './channel-rules.ts'
import * as crawlers from './crawlers.ts'
import * as emailReports from './email-reports.ts'
import * as factors from './factors.ts'
import * as feedback from './feedback.ts'
import * as hits from './hits.ts'
import * as imports from './imports.ts'
import * as oauth from './oauth.ts'
import * as people from './people.ts'
import * as persons from './persons.ts'
import * as plans from './plans.ts'
import * as reports from './reports.ts'
import * as runtime from './runtime.ts'
import * as scim from './scim.ts'
import * as segments from './segments.ts'
import * as sharing from './sharing.ts'
import * as signIn from './sign-in.ts'
import * as signUp from './sign-up.ts'
import * as sites from './sites.ts'
import * as ssoLogins from './sso-logins.ts'
import * as sso from './sso.ts'
import * as statusPages from './status-pages.ts'
import * as tracking from './tracking.ts'
import * as trafficRules from './traffic-rules.ts'
import * as uptime from './uptime.ts'
import * as usage from './usage.ts'
import * as warehouse from './warehouse.ts'
import * as webhooks from './webhooks.ts'
import * as workspaces from './workspaces.ts'

export type * from './alerts.ts'
export type * from './backups.ts'
export type * from './factors.ts'
export type * from './hits.ts'
export type * from './imports.ts'
export type * from './people.ts'
export type * from './persons.ts'
export type * from './reports.ts'
export type * from './runtime.ts'
export type * from './segments.ts'
export type * from './sign-in.ts'
export type * from './sites.ts'
export type * from './uptime.ts'
export type * from './usage.ts'
export type * from './webhooks.ts'
export type * from './workspaces.ts'
export * from './visit-dimensions.ts'

const { importedTables, ...otherImports } = imports

export const tables = Object.freeze({
  ...affiliate,
  ...alerts,
  ...assistant,
  ...backups,
  ...billing,
  ...campaigns,
  ...channelRules,
  ...crawlers,
  ...emailReports,
  ...factors,
  ...feedback,
  ...hits,
  ...importedTables,
  ...otherImports,
  ...oauth,
  ...people,
  ...persons,
  ...plans,
  ...reports,
  ...runtime,
  ...scim,
  ...segments,
  ...sharing,
  ...signIn,
  ...signUp,
  ...sites,
  ...ssoLogins,
  ...sso,
  ...statusPages,
  ...tracking,
  ...trafficRules,
  ...uptime,
  ...usage,
  ...warehouse,
  ...webhooks,
  ...workspaces,
})

export type TableName = keyof typeof tables
/** Every table, as Kysely sees it. */
export type Tables = { [Name in TableName]: TableType<(typeof tables)[Name]> }
