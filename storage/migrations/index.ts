/** All migrations in order. Never edit a released one: add another. */
import { foundation } from './2026-11-20-foundation.ts'
import { hits } from './2026-11-20-hits.ts'
import { tasks } from './2026-11-20-c-tasks.ts'
import { webhooks } from './2026-11-20-d-webhooks.ts'
import { alerting } from './2026-11-20-f-alerting.ts'
import { uptime } from './2026-11-20-e-uptime.ts'
import { history } from './2026-11-21-history.ts'
import { dashboards } from './2026-11-21-dashboards.ts'
import { events } from './2026-11-21-events.ts'
import { sealed } from './2026-11-21-sealed.ts'
import { visitRev } from './2026-11-21-visit-rev.ts'
import { vitalsSealed } from './2026-11-21-vitals-sealed.ts'
import { alertChannels } from './2026-11-22-alert-channels.ts'
import { signIn } from './2026-11-22-sign-in.ts'
import { attended } from './2026-11-22-y-attended.ts'
import { purchases } from './2026-11-22-x-purchases.ts'
import { scim } from './2026-11-22-scim.ts'
import { sso } from './2026-11-22-sso.ts'
import { factors } from './2026-11-22-sign-in-factors.ts'
import { workspacePeople } from './2026-11-22-workspace-people.ts'
import { ssoLogins } from './2026-11-22-sso-logins.ts'
import { crawlers } from './2026-11-22-zd-crawlers.ts'
import { readablePaths } from './2026-11-22-z-readable-paths.ts'
import { sharing } from './2026-11-22-z-sharing.ts'
import { feedback } from './2026-11-22-zc-feedback.ts'
import { oauth } from './2026-11-22-zo-oauth.ts'
import { campaigns } from './2026-11-22-zc-campaigns.ts'
import { channelRules } from './2026-11-22-zb-channel-rules.ts'
import { tracking } from './2026-11-22-za-tracking.ts'
import { trafficRules } from './2026-11-22-z-traffic-rules.ts'
import { imports } from './2026-11-22-zi-imports.ts'
import { emailReports } from './2026-11-23-a-email-reports.ts'
import { statusPages } from './2026-11-23-b-status-pages.ts'
import { warehouseSyncs } from './2026-11-23-c-warehouse-syncs.ts'
import { exportFilters } from './2026-11-23-ca-export-filters.ts'
import { assistant } from './2026-11-23-d-assistant.ts'
import { plans } from './2026-11-23-e-plans.ts'
import { billing } from './2026-11-23-ea-billing.ts'
import { signUp } from './2026-11-23-eb-sign-up.ts'
import { affiliate } from './2026-11-23-ec-affiliate.ts'
import { samlLogout } from './2026-11-23-f-saml-logout.ts'
import { sealingClaims } from './2026-11-23-g-a-sealing-claims.ts'
import { changes } from './2026-11-23-g-changes.ts'
import { clickhouse } from './2026-11-24-a-clickhouse.ts'
import { addresses } from './2026-11-24-e-addresses.ts'
import { awaitedMembers } from './2026-11-24-f-awaited-members.ts'
import { installation } from './2026-11-24-g-installation.ts'
import { linkHosts } from './2026-11-25-d-link-hosts.ts'
import { ssoLinks } from './2026-11-25-a-sso-links.ts'
import { importUrls } from './2026-11-24-d-import-urls.ts'
import { statusPageWords } from './2026-11-24-c-status-page-words.ts'
import { mailRefusals } from './2026-11-24-ca-mail-refusals.ts'
import { verifiedAddresses } from './2026-11-25-b-verified-addresses.ts'
import { recoveryCodes } from './2026-11-25-c-recovery-codes.ts'
import { keptForms } from './2026-11-25-f-kept-forms.ts'
import type { Migration } from './migration.ts'

export const migrations: Readonly<Record<string, Migration>> = {
  '2026-11-20-a-foundation': foundation,
  '2026-11-20-b-hits': hits,
  '2026-11-20-c-tasks': tasks,
  '2026-11-20-d-webhooks': webhooks,
  '2026-11-20-e-uptime': uptime,
  '2026-11-20-f-alerting': alerting,
  '2026-11-21-history': history,
  '2026-11-21-dashboards': dashboards,
  '2026-11-21-events': events,
  '2026-11-21-sealed': sealed,
  '2026-11-21-visit-rev': visitRev,
  '2026-11-21-vitals-sealed': vitalsSealed,
  '2026-11-22-alert-channels': alertChannels,
  '2026-11-22-sign-in': signIn,
  '2026-11-22-scim': scim,
  '2026-11-22-sso': sso,
  '2026-11-22-sign-in-factors': factors,
  '2026-11-22-workspace-people': workspacePeople,
  '2026-11-22-x-purchases': purchases,
  '2026-11-22-y-attended': attended,
  '2026-11-22-sso-logins': ssoLogins,
  '2026-11-22-z-readable-paths': readablePaths,
  '2026-11-22-z-sharing': sharing,
  '2026-11-22-zc-feedback': feedback,
  '2026-11-22-zo-oauth': oauth,
  '2026-11-22-z-traffic-rules': trafficRules,
  '2026-11-22-za-tracking': tracking,
  '2026-11-22-zi-imports': imports,
  '2026-11-22-zb-channel-rules': channelRules,
  '2026-11-22-zc-campaigns': campaigns,
  '2026-11-22-zd-crawlers': crawlers,
  '2026-11-23-a-email-reports': emailReports,
  '2026-11-23-b-status-pages': statusPages,
  '2026-11-23-c-warehouse-syncs': warehouseSyncs,
  '2026-11-23-ca-export-filters': exportFilters,
  '2026-11-23-d-assistant': assistant,
  '2026-11-23-e-plans': plans,
  '2026-11-23-ea-billing': billing,
  '2026-11-23-eb-sign-up': signUp,
  '2026-11-23-ec-affiliate': affiliate,
  '2026-11-23-f-saml-logout': samlLogout,
  '2026-11-23-g-a-sealing-claims': sealingClaims,
  '2026-11-23-g-changes': changes,
  '2026-11-24-a-clickhouse': clickhouse,
  '2026-11-24-c-status-page-words': statusPageWords,
  '2026-11-24-ca-mail-refusals': mailRefusals,
  '2026-11-24-d-import-urls': importUrls,
  '2026-11-24-e-addresses': addresses,
  '2026-11-24-f-awaited-members': awaitedMembers,
  '2026-11-24-g-installation': installation,
  '2026-11-25-b-verified-addresses': verifiedAddresses,
  '2026-11-25-c-recovery-codes': recoveryCodes,
  '2026-11-25-d-link-hosts': linkHosts,
  '2026-11-25-f-kept-forms': keptForms,
  '2026-11-25-a-sso-links': ssoLinks,
}
