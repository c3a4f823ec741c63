/** Views made for a purpose, by the record that they show (`[Site]`: a list of it). What has none is shown by its schema. */
import { affiliate, commissions, signupBox } from './affiliate.tsx'
import { audit } from './audit.tsx'
import { billing } from './billing.tsx'
import { conversation } from './conversation.tsx'
import { conversations } from './conversations.tsx'
import { deliveries } from './deliveries.tsx'
import { emailReport, emailReports } from './email-reports.tsx'
import { exportList, exportView } from './export.tsx'
import { importView } from './import.tsx'
import { plan } from './plan.tsx'
import { search } from './search.tsx'
import { sharedLink, sharedLinks } from './shared-link.tsx'
import { sso, ssoDomains } from './sso.tsx'
import { statusIncident, statusIncidents, statusPage, statusPages } from './status-pages.tsx'
import { tokens } from './tokens.tsx'
import { uptimeCheck } from './uptime-check.tsx'
import { uptimeChecks } from './uptime-checks.tsx'
import type { View } from './view.ts'
import { warehouseRuns, warehouseSync } from './warehouse.tsx'

export const views: Readonly<Record<string, View>> = {
  UptimeCheckDetail: uptimeCheck,
  '[CheckAvailability]': uptimeChecks,
  StatusPage: statusPage,
  '[StatusPage]': statusPages,
  StatusIncidentDetail: statusIncident,
  '[StatusIncident]': statusIncidents,
  Conversation: conversation,
  '[ListedConversation]': conversations,
  '[WebhookDelivery]': deliveries,
  Import: importView,
  Export: exportView,
  '[Export]': exportList,
  WarehouseSync: warehouseSync,
  '[WarehouseSyncRun]': warehouseRuns,
  '[AuditEntry]': audit,
  '[ApiToken]': tokens,
  WorkspacePlan: plan,
  Billing: billing,
  Affiliate: affiliate,
  '[AffiliateCommission]': commissions,
  AffiliateSignupBox: signupBox,
  SearchResults: search,
  SharedLink: sharedLink,
  '[SharedLink]': sharedLinks,
  SsoConfiguration: sso,
  '[SsoDomain]': ssoDomains,
  EmailReport: emailReport,
  '[EmailReport]': emailReports,
}
