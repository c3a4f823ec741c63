/**
 * The history of the schema: every step in order, from the first database to what `storage/tables` declares. A new
 * database has all of it at once; an older one runs the steps that it lacks. Never change a step that was released: add
 * one, named for its date and its number on that day.
 */
import { sql } from 'kysely'
import { changeTriggers } from './change-triggers.ts'
import { alertChannels } from './conversions/alert-channels.ts'
import { allSites } from './conversions/all-sites.ts'
import { awaitedMembers } from './conversions/awaited-members.ts'
import { emailDomains } from './conversions/email-domains.ts'
import { linkHosts } from './conversions/link-hosts.ts'
import { readablePaths } from './conversions/readable-paths.ts'
import { scriptPaths } from './conversions/script-paths.ts'
import { provedMailboxes } from './conversions/proved-mailboxes.ts'
import { verifiedAddresses } from './conversions/verified-addresses.ts'
import { createInstallationId, createInstanceKey } from './installation-secrets.ts'
import { sealAgain } from './conversions/seal-again.ts'
import type { Step } from './step.ts'

export const steps: Readonly<Record<string, Step>> = {
  '2026-11-20-1-foundation': {
    was: '2026-11-20-a-foundation',
    adds: [
      'workspaces',
      'accounts',
      'members',
      'api_tokens',
      'sites',
      'notes',
      'goals',
      'saved_segments',
      'alerts',
      'alert_incidents',
      'audit_entries',
      'events',
      'idempotency_keys',
    ],
    converts: db => sql`alter table alerts add column channel_ids text not null default '[]'`.execute(db), // until alert_channels
  },
  '2026-11-20-2-hits': {
    was: '2026-11-20-b-hits',
    adds: ['dict', 'salts', 'site_days', 'visitors', 'visits', 'hits', 'hit_props', 'vitals', 'clicks', 'drops'],
  },
  '2026-11-20-3-tasks': { was: '2026-11-20-c-tasks', adds: ['tasks'] },
  '2026-11-20-4-webhooks': {
    was: '2026-11-20-d-webhooks',
    adds: ['webhooks', 'webhook_deliveries', 'instance_secrets'],
    converts: createInstanceKey,
  },
  '2026-11-20-5-uptime': {
    was: '2026-11-20-e-uptime',
    adds: ['uptime_checks', 'uptime_locations', 'uptime_results', 'uptime_periods', 'uptime_incidents', 'uptime_domains', 'probe_tokens'],
  },
  '2026-11-20-6-alerting': {
    was: '2026-11-20-f-alerting',
    adds: [
      'alerts.evaluate_at',
      'alerts.leased_until',
      'alerts.streak',
      'alert_incidents.announced_at',
      'channels',
      'notifications',
      'usage_days',
      'usage_months',
    ],
    converts: db => sql`update alerts set evaluate_at = 0 where enabled = 1`.execute(db),
  },
  '2026-11-21-1-dashboards': { was: '2026-11-21-dashboards', adds: ['funnels', 'dashboards'] },
  '2026-11-21-2-events': { was: '2026-11-21-events', adds: ['event_settings', 'property_settings', 'event_deletions'] },
  '2026-11-21-3-history': { was: '2026-11-21-history', adds: ['new_texts', 'hit_imports', 'hit_import_refusals'] },
  '2026-11-21-4-sealed-days': {
    was: '2026-11-21-sealed',
    adds: ['segments', 'segment_cols', 'segment_sums', 'index site_days_unsealed'],
  },
  '2026-11-21-5-visit-revisions': { was: '2026-11-21-visit-rev', adds: ['visits.rev'] },
  '2026-11-21-6-sealed-vitals': { was: '2026-11-21-vitals-sealed', converts: sealAgain },
  '2026-11-22-1-alert-channels': { was: '2026-11-22-alert-channels', adds: ['alert_channels'], converts: alertChannels },
  '2026-11-22-2-scim': { was: '2026-11-22-scim', adds: ['scim_tokens', 'scim_users'] },
  '2026-11-22-3-sign-in': {
    was: '2026-11-22-sign-in',
    adds: ['passwords', 'sessions', 'devices', 'one_time_links', 'attempts', 'audit_entries.door', 'audit_entries.outcome'],
    converts: db => sql`update audit_entries set door = 'command' where surface = 'cli'`.execute(db),
  },
  '2026-11-22-4-sign-in-factors': {
    was: '2026-11-22-sign-in-factors',
    adds: ['totp', 'recovery_codes', 'passkeys', 'passkey_challenges', 'mails', 'reset_requests'],
  },
  '2026-11-22-5-sso': { was: '2026-11-22-sso', adds: ['sso_configurations', 'sso_domains'] },
  '2026-11-22-6-sso-logins': { was: '2026-11-22-sso-logins', adds: ['sso_requests', 'sso_identities', 'sso_sessions'] },
  '2026-11-22-7-workspace-people': { was: '2026-11-22-workspace-people', adds: ['invitations', 'workspace_settings'] },
  '2026-11-22-8-sealed-purchases': { was: '2026-11-22-x-purchases', converts: sealAgain },
  '2026-11-22-9-attended': { was: '2026-11-22-y-attended', adds: ['visits.attended_at'] },
  '2026-11-22-10-readable-paths': { was: '2026-11-22-z-readable-paths', converts: readablePaths },
  '2026-11-22-11-sharing': { was: '2026-11-22-z-sharing', adds: ['shared_links', 'share_tokens'] },
  '2026-11-22-12-traffic-rules': {
    was: '2026-11-22-z-traffic-rules',
    adds: ['traffic_rules', 'traffic_rule_matches', 'traffic_settings'],
  },
  '2026-11-22-13-tracking': { was: '2026-11-22-za-tracking', adds: ['site_tracking'], converts: scriptPaths },
  '2026-11-22-14-channel-rules': {
    was: '2026-11-22-zb-channel-rules',
    adds: ['visits.custom_channel', 'channel_rules', 'channel_rule_sets', 'channel_applications'],
    converts: sealAgain,
  },
  '2026-11-22-15-campaigns': { was: '2026-11-22-zc-campaigns', adds: ['campaigns', 'campaign_links'] },
  '2026-11-22-16-feedback': { was: '2026-11-22-zc-feedback', adds: ['feedback'] },
  '2026-11-22-17-crawlers': { was: '2026-11-22-zd-crawlers', adds: ['crawler_days', 'crawler_pages'] },
  '2026-11-22-18-imports': {
    was: '2026-11-22-zi-imports',
    adds: [
      'imports',
      'import_days',
      'import_refusals',
      'exports',
      'imported_visitors',
      'imported_sources',
      'imported_pages',
      'imported_entry_pages',
      'imported_exit_pages',
      'imported_custom_events',
      'imported_locations',
      'imported_devices',
      'imported_browsers',
      'imported_operating_systems',
    ],
  },
  '2026-11-22-19-oauth': {
    was: '2026-11-22-zo-oauth',
    adds: ['oauth_clients', 'oauth_codes', 'oauth_grants', 'oauth_refresh_tokens'],
  },
  '2026-11-23-1-email-reports': {
    was: '2026-11-23-a-email-reports',
    adds: [
      'email_reports',
      'email_report_sites',
      'email_report_goals',
      'email_report_recipients',
      'email_report_mails',
      'imports.created_by',
      'exports.created_by',
    ],
  },
  '2026-11-23-2-status-pages': {
    was: '2026-11-23-b-status-pages',
    adds: [
      'uptime_days',
      'uptime_maintenance',
      'status_pages',
      'status_page_groups',
      'status_page_checks',
      'status_incidents',
      'status_incident_checks',
      'status_incident_updates',
      'status_subscribers',
      'status_messages',
    ],
  },
  '2026-11-23-3-warehouse-syncs': {
    was: '2026-11-23-c-warehouse-syncs',
    adds: ['warehouse_syncs', 'warehouse_sync_sites', 'warehouse_sync_days', 'warehouse_sync_runs'],
  },
  '2026-11-23-4-export-filters': { was: '2026-11-23-ca-export-filters', adds: ['exports.filters', 'exports.segment_id', 'exports.scope'] },
  '2026-11-23-5-assistant': {
    was: '2026-11-23-d-assistant',
    adds: ['assistant_conversations', 'assistant_messages'],
    // Nothing read the setting before, so no workspace has agreed by it that a model receives its figures.
    converts: db => sql`update workspace_settings set assistant_enabled = 0`.execute(db),
  },
  '2026-11-23-6-plans': { was: '2026-11-23-e-plans', adds: ['workspace_plans', 'ai_questions', 'usage_months.hits_limit'] },
  '2026-11-23-7-billing': {
    was: '2026-11-23-ea-billing',
    adds: ['billing_customers', 'billing_invoices', 'billing_events', 'billing_endings'],
  },
  '2026-11-23-8-sign-up': { was: '2026-11-23-eb-sign-up', adds: ['sign_ups'] },
  '2026-11-23-9-affiliate': {
    was: '2026-11-23-ec-affiliate',
    adds: ['affiliates', 'affiliate_referrals', 'affiliate_payouts', 'affiliate_commissions'],
  },
  '2026-11-23-10-saml-logout': {
    was: '2026-11-23-f-saml-logout',
    adds: ['sso_configurations.idp_slo_url', 'sso_configurations.sp_key', 'sso_configurations.sp_certificate', 'sso_sessions.name_id'],
  },
  '2026-11-23-11-sealing-claims': { was: '2026-11-23-g-a-sealing-claims', adds: ['site_days.sealing_until'] },
  '2026-11-23-12-changes': { was: '2026-11-23-g-changes', converts: changeTriggers },
  '2026-11-24-1-clickhouse': { was: '2026-11-24-a-clickhouse', adds: ['site_days.moved', 'segments.copy', 'clickhouse_copies'] },
  '2026-11-24-2-status-page-language': {
    was: '2026-11-24-c-status-page-words',
    adds: ['status_pages.language', 'status_pages.timezone'],
  },
  '2026-11-24-3-mail-refusals': {
    was: '2026-11-24-ca-mail-refusals',
    adds: ['email_report_recipients.refused', 'status_subscribers.refused'],
  },
  '2026-11-24-4-import-urls': {
    was: '2026-11-24-d-import-urls',
    adds: ['imports.url', 'imports.url_shown', 'imports.url_tag', 'imports.upload_by', 'imports.upload_until'],
  },
  '2026-11-24-5-email-domains': { was: '2026-11-24-e-addresses', converts: emailDomains },
  '2026-11-24-6-awaited-members': {
    was: '2026-11-24-f-awaited-members',
    adds: ['members.awaited_email', 'members.awaited_name'],
    converts: awaitedMembers,
  },
  '2026-11-24-7-installation': { was: '2026-11-24-g-installation', converts: createInstallationId },
  '2026-11-25-1-sso-links': {
    was: '2026-11-25-a-sso-links',
    adds: [
      'sso_identities.linked_at',
      'sso_identities.linked_member_id',
      'sso_sessions.is_linked',
      'sso_sessions.ends_at',
      'sso_requests.account_id',
      'api_tokens.by_sso',
    ],
    // Tokens that OAuth clients received in a session of single sign-on.
    converts: db => sql`update api_tokens set by_sso = 1 where id in (select token_id from oauth_grants where by_sso = 1)`.execute(db),
  },
  '2026-11-25-2-verified-addresses': {
    was: '2026-11-25-b-verified-addresses',
    adds: ['accounts.email_verified_at', 'invitations.mailed_hash'],
    converts: verifiedAddresses,
  },
  '2026-11-25-3-recovery-codes': { was: '2026-11-25-c-recovery-codes', adds: ['recovery_codes.created_at'] },
  '2026-11-25-4-link-hosts': { was: '2026-11-25-d-link-hosts', adds: ['link_hosts'], converts: linkHosts },
  '2026-11-25-5-kept-forms': { was: '2026-11-25-f-kept-forms', adds: ['kept_forms'] },
  '2026-11-26-2-accepted-statuses': { adds: ['uptime_checks.accepted_statuses'] },
  '2026-11-26-3-export-bom': { adds: ['exports.bom'] },
  '2026-11-26-4-old-days': { adds: ['sites.old_days_before'] },
  '2026-11-26-5-page-revenue': { converts: sealAgain },
  '2026-11-26-6-imported-values': { adds: ['imported_values', 'imported_sources.channel', 'imported_locations.city', 'imports.holds'] },
  '2026-11-26-7-deleted-records': { adds: ['deleted_records', 'deleted_rows'] },
  '2026-11-26-8-audit-changes': { adds: ['audit_entries.changes'] },
  '2026-11-26-9-mailed-history': { adds: ['email_reports.include_imported'] },
  '2026-11-27-1-packed-days': { adds: ['day_blocks', 'index site_days_unmoved'] },
  '2026-11-27-2-recut-days': { adds: ['sites.old_days_from'] },
  '2026-11-27-4-page-addresses': {
    adds: ['sites.page_parameters', 'sites.ignored_referrers', 'sites.ignore_known_referrers', 'sites.ignore_own_sites'],
  },
  '2026-11-27-5-networks': { adds: ['visits.network', 'visits.network_kind', 'hits.host'], converts: sealAgain },
  '2026-11-27-6-people': {
    adds: [
      'visits.person',
      'visits.person_after',
      'persons',
      'sites.identity',
      'sites.identity_names',
      'sites.identity_traits',
      'sites.identity_key',
    ],
  },
  '2026-11-27-7-person-deletions': { adds: ['person_deletions'] },
  '2026-11-28-1-import-overlaps': { adds: ['imports.overlap', 'import_days.first_at', 'import_days.last_at'] },
  '2026-11-28-2-raw-import-days': { adds: ['hit_import_days'] },
  '2026-11-28-5-visit-erasures': { adds: ['visit_erasures'] },
  '2026-11-28-6-site-aliases': { adds: ['site_aliases', 'sites.aliases'] },
  '2026-11-28-7-visit-list': { adds: ['sites.visit_list'] },
  '2026-11-28-8-site-merges': { adds: ['site_merges'] },
  '2026-11-28-9-goal-kinds': {
    adds: [
      'goals.properties',
      'goals.regex',
      'goals.depth',
      'goals.duration_seconds',
      'goals.selector',
      'goals.value_amount',
      'goals.value_property',
    ],
  },
  '2026-11-29-1-hit-writers': { adds: ['hit_writers'] },
  '2026-11-29-2-site-groups': { adds: ['sites.kind', 'group_sites'], converts: allSites },
  '2026-11-30-1-erased-texts': { adds: ['erased_texts', 'sites.texts_forgotten'] },
  '2026-12-02-1-backups': { adds: ['backups'] },
  '2026-12-09-1-rotated-tokens': { adds: ['api_tokens.replaced_by'] },
  '2026-12-09-2-erasures-by-value': { adds: ['visit_erasures.by_value'] },
  '2026-12-12-1-sum-runs': { adds: ['sum_runs', 'index segments_of_rows'] },
  '2026-12-14-1-proved-mailboxes': { adds: ['accounts.mailbox_proved_at'], converts: provedMailboxes },
  '2026-12-16-1-moved-persons': { adds: ['persons.moved_to'] },
  '2026-12-17-1-site-offers': { adds: ['site_offers'] },
  '2026-12-18-1-members-of-offers': { adds: ['site_offers.member_id', 'site_offers.token_id'] },
}

/** The names that databases record, in order. */
export const recordedNames: readonly string[] = Object.entries(steps).map(([name, { was }]) => was ?? name)
