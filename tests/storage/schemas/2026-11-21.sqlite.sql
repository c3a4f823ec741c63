CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)

CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)

CREATE TABLE workspaces (id text not null , name text not null , created_at integer not null , primary key (id)) strict

CREATE TABLE accounts (id text not null , email text not null unique, unconfirmed_email text , name text , theme text not null , default_landing text not null , locale text not null , timezone text , shortcuts_enabled integer not null , reduce_motion integer not null , product_emails integer not null , newsletter integer not null , marketing_emails integer not null , two_factor integer not null , passkeys integer not null , created_at integer not null , primary key (id)) strict

CREATE TABLE members (id text not null , workspace_id text not null references workspaces(id) on delete cascade, account_id text not null references accounts(id) on delete cascade, role text not null , active integer not null , created_at integer not null , unique (workspace_id, account_id), primary key (id)) strict

CREATE TABLE api_tokens (id text not null , workspace_id text not null references workspaces(id) on delete cascade, member_id text not null references members(id) on delete cascade, name text not null , hash text not null unique, token_prefix text not null , permissions text not null , site_ids text not null , allowed_ips text not null , oauth_client text , expires_at integer , last_used_at integer , revoked_at integer , created_at integer not null , primary key (id)) strict

CREATE INDEX api_tokens_workspace_id on api_tokens (workspace_id)

CREATE TABLE sites (number integer not null , id text not null unique, workspace_id text not null , name text not null , domain text unique, timezone text not null , currency text not null , public integer not null , week_start integer not null , umami_id text unique, created_at integer not null , deleted_at integer , primary key (number)) strict

CREATE INDEX sites_workspace_id on sites (workspace_id)

CREATE TABLE notes (id text not null , site_id text not null references sites(id) on delete cascade, at integer not null , text text not null , author text not null , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX notes_site_id_at on notes (site_id, at)

CREATE TABLE goals (id text not null , site_id text not null references sites(id) on delete cascade, name text not null , kind text not null , path text , event text , property text , value text , created_at integer not null , updated_at integer not null , unique (site_id, name), primary key (id)) strict

CREATE TABLE saved_segments (id text not null , site_id text not null references sites(id) on delete cascade, name text not null , filters text not null , created_at integer not null , updated_at integer not null , unique (site_id, name), primary key (id)) strict

CREATE TABLE alerts (id text not null , workspace_id text not null references workspaces(id) on delete cascade, site_id text references sites(id) on delete cascade, name text not null , kind text not null , metric text , operator text , threshold real , window_minutes integer not null , sensitivity text not null , goal_id text , uptime_check_id text , channel_ids text not null , state text not null , enabled integer not null , muted_until integer , last_triggered_at integer , last_evaluated_at integer , created_at integer not null , evaluate_at integer, leased_until integer, streak integer not null default 0, primary key (id)) strict

CREATE INDEX alerts_workspace_id on alerts (workspace_id)

CREATE INDEX alerts_site_id on alerts (site_id)

CREATE TABLE alert_incidents (id text not null , alert_id text not null references alerts(id) on delete cascade, triggered_at integer not null , resolved_at integer , resolution text , value real , message text , acknowledged_at integer , acknowledged_by text , announced_at integer, primary key (id)) strict

CREATE INDEX alert_incidents_alert_id_triggered_at on alert_incidents (alert_id, triggered_at)

CREATE UNIQUE INDEX alert_incidents_open on alert_incidents (alert_id) where resolved_at is null

CREATE TABLE audit_entries (id text not null , workspace_id text not null , site_id text , at integer not null , operation text not null , subject_id text , actor text not null , token_id text , surface text not null , ip text , request_id text not null , input text not null , primary key (id)) strict

CREATE INDEX audit_entries_workspace_id_at on audit_entries (workspace_id, at)

CREATE TABLE events (id text not null , type text not null , workspace_id text not null , site_id text , data text not null , created_at integer not null , primary key (id)) strict

CREATE INDEX events_workspace_id_created_at on events (workspace_id, created_at)

CREATE TABLE idempotency_keys (token_id text not null , operation text not null , key text not null , fingerprint text not null , answer text , created_at integer not null , primary key (token_id, operation, key)) strict

CREATE TABLE dict (site_id integer not null , dim integer not null , id integer not null , value text not null , unique (site_id, dim, value), primary key (site_id, dim, id)) strict, without rowid

CREATE TABLE salts (site_id integer not null , day integer not null , salt text not null , primary key (site_id, day)) strict, without rowid

CREATE TABLE site_days (site_id integer not null , day integer not null , starts_at integer not null , ends_at integer not null , next_visitor integer not null , next_loose integer not null , rev integer not null , sealed_rev integer not null , primary key (site_id, day)) strict, without rowid

CREATE TABLE visitors (site_id integer not null , day integer not null , hash text not null , visitor integer not null , primary key (site_id, day, hash)) strict, without rowid

CREATE TABLE visits (site_id integer not null , day integer not null , visit_id integer not null , started_at integer not null , duration integer not null , pageviews integer not null , events integer not null , bounce integer not null , entry_page integer not null , exit_page integer not null , channel integer not null , source integer not null , referrer integer not null , utm_source integer not null , utm_medium integer not null , utm_campaign integer not null , utm_content integer not null , utm_term integer not null , country integer not null , region integer not null , city integer not null , browser integer not null , browser_version integer not null , os integer not null , os_version integer not null , device integer not null , screen integer not null , language integer not null , hostname integer not null , revenue integer not null , entry_after integer not null , exit_after integer not null , next_seq integer not null , rev integer not null default 0, primary key (site_id, day, visit_id)) strict, without rowid

CREATE TABLE hits (site_id integer not null , day integer not null , visit_id integer not null , seq integer not null , at integer not null , page integer not null , event integer not null , interactive integer not null , revenue integer not null , engaged_ms integer not null , scroll integer not null , primary key (site_id, day, visit_id, seq)) strict, without rowid

CREATE TABLE hit_props (site_id integer not null , day integer not null , event integer not null , key integer not null , visit_id integer not null , seq integer not null , value integer not null , num real , primary key (site_id, day, event, key, visit_id, seq)) strict, without rowid

CREATE TABLE vitals (site_id integer not null , day integer not null , page integer not null , metric text not null , visit_id integer not null , seq integer not null , value integer not null , device integer not null , primary key (site_id, day, page, metric, visit_id, seq)) strict, without rowid

CREATE TABLE clicks (site_id integer not null , day integer not null , page integer not null , visit_id integer not null , seq integer not null , selector integer not null , x integer not null , y integer not null , primary key (site_id, day, page, visit_id, seq)) strict, without rowid

CREATE TABLE drops (site_id integer not null , day integer not null , reason text not null , count integer not null , primary key (site_id, day, reason)) strict, without rowid

CREATE TABLE tasks (name text not null , next_at integer not null , leased_by text , leased_until integer , last_started_at integer , last_ended_at integer , last_error text , done integer not null , total integer , primary key (name)) strict

CREATE TABLE webhooks (id text not null , workspace_id text not null references workspaces(id) on delete cascade, url text not null , events text not null , enabled integer not null , secret text not null , previous_secret text , previous_until integer , consecutive_failures integer not null , failing_since integer , last_success_at integer , last_failure_at integer , created_at integer not null , primary key (id)) strict

CREATE INDEX webhooks_workspace_id on webhooks (workspace_id)

CREATE TABLE webhook_deliveries (id text not null , webhook_id text not null references webhooks(id) on delete cascade, event text not null , event_id text not null , payload text not null , manual integer not null , status text not null , attempt integer not null , status_code integer , error text , duration_ms integer , response_body text , delivered_at integer , next_at integer , leased_until integer , created_at integer not null , primary key (id)) strict

CREATE INDEX webhook_deliveries_webhook_id_created_at on webhook_deliveries (webhook_id, created_at)

CREATE INDEX webhook_deliveries_created_at on webhook_deliveries (created_at)

CREATE INDEX webhook_deliveries_due on webhook_deliveries (next_at) where next_at is not null

CREATE INDEX webhook_deliveries_lane on webhook_deliveries (webhook_id, next_at) where next_at is not null

CREATE TABLE instance_secrets (name text not null , value text not null , primary key (name)) strict

CREATE TABLE uptime_checks (number integer not null , id text not null unique, workspace_id text not null references workspaces(id) on delete cascade, site_id text references sites(id) on delete cascade, name text , kind text not null , url text , host text , port integer , keyword text , expected_status integer not null , http_method text not null , interval_seconds integer not null , timeout_seconds integer not null , public integer not null , status text not null , status_since integer not null , watched_since integer not null , last_checked_at integer , next_check_at integer , leased_until integer , last_response_ms integer , ssl_expires_at integer , ssl_issuer text , domain text , domain_expires_at integer , created_at integer not null , primary key (number)) strict

CREATE INDEX uptime_checks_workspace_id on uptime_checks (workspace_id)

CREATE INDEX uptime_checks_site_id on uptime_checks (site_id)

CREATE INDEX uptime_checks_next_check_at on uptime_checks (next_check_at)

CREATE INDEX uptime_checks_domain on uptime_checks (domain)

CREATE TABLE uptime_locations (check_number integer not null references uptime_checks(number) on delete cascade, location text not null , state text not null , ok integer not null , streak integer not null , streak_since integer not null , errors text not null , last_at integer not null , primary key (check_number, location)) strict, without rowid

CREATE TABLE uptime_results (check_number integer not null references uptime_checks(number) on delete cascade, location text not null , span integer not null , at integer not null , probes integer not null , failures integer not null , timed integer not null , total_ms integer not null , primary key (check_number, location, span, at)) strict, without rowid

CREATE TABLE uptime_periods (check_number integer not null references uptime_checks(number) on delete cascade, started_at integer not null , status text not null , primary key (check_number, started_at)) strict, without rowid

CREATE TABLE uptime_incidents (id text not null , check_number integer not null references uptime_checks(number) on delete cascade, started_at integer not null , resolved_at integer , cause text , errors text not null , failed_locations text not null , primary key (id)) strict

CREATE INDEX uptime_incidents_check_number_started_at on uptime_incidents (check_number, started_at)

CREATE UNIQUE INDEX uptime_incidents_open on uptime_incidents (check_number) where resolved_at is null

CREATE TABLE uptime_domains (id text not null , expires_at integer , asked_at integer , next_at integer not null , leased_until integer , primary key (id)) strict

CREATE INDEX uptime_domains_next_at on uptime_domains (next_at)

CREATE TABLE probe_tokens (id text not null , workspace_id text not null references workspaces(id) on delete cascade, name text not null , location text not null , hash text not null unique, token_prefix text not null , created_by text not null , last_used_at integer , revoked_at integer , created_at integer not null , primary key (id)) strict

CREATE INDEX probe_tokens_workspace_id on probe_tokens (workspace_id)

CREATE INDEX alerts_evaluate_at on alerts (evaluate_at)

CREATE TABLE channels (id text not null , workspace_id text not null references workspaces(id) on delete cascade, name text not null , kind text not null , target text not null , shown text , last_sent_at integer , last_error text , last_error_at integer , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX channels_workspace_id on channels (workspace_id)

CREATE TABLE notifications (id text not null , channel_id text not null references channels(id) on delete cascade, message text not null , status text not null , attempt integer not null , due_at integer , leased_until integer , error text , sent_at integer , created_at integer not null , primary key (id)) strict

CREATE INDEX notifications_channel_id_created_at on notifications (channel_id, created_at)

CREATE INDEX notifications_channel_id_due_at on notifications (channel_id, due_at)

CREATE INDEX notifications_due_at on notifications (due_at)

CREATE INDEX notifications_created_at on notifications (created_at)

CREATE TABLE usage_days (site_id integer not null , day integer not null , rev integer not null , hits integer not null , primary key (site_id, day)) strict

CREATE TABLE usage_months (workspace_id text not null references workspaces(id) on delete cascade, month text not null , hits integer not null , announced integer not null , primary key (workspace_id, month)) strict

CREATE TABLE funnels (id text not null , site_id text not null references sites(id) on delete cascade, name text not null , steps text not null , created_at integer not null , updated_at integer not null , unique (site_id, name), primary key (id)) strict

CREATE TABLE dashboards (id text not null , workspace_id text not null references workspaces(id) on delete cascade, name text not null , cards text not null , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX dashboards_workspace_id_created_at on dashboards (workspace_id, created_at)

CREATE TABLE event_settings (site_id text not null references sites(id) on delete cascade, name text not null , display_name text , hidden integer not null , currency text , updated_at integer not null , primary key (site_id, name)) strict, without rowid

CREATE TABLE property_settings (site_id text not null references sites(id) on delete cascade, key text not null , display_name text , hidden integer not null , export_safe integer not null , updated_at integer not null , unique (site_id, display_name), primary key (site_id, key)) strict, without rowid

CREATE TABLE event_deletions (site_id text not null references sites(id) on delete cascade, event integer not null , name text not null , hits integer not null , next_day integer , progress integer not null , requested_at integer not null , finished_at integer , primary key (site_id, event)) strict, without rowid

CREATE TABLE new_texts (site_id integer not null , day integer not null , dim integer not null , count integer not null , primary key (site_id, day, dim)) strict, without rowid

CREATE TABLE hit_imports (site_id integer not null , fingerprint text not null , options text not null , records integer not null , hits integer not null , refused integer not null , moneyless integer not null , started_at integer not null , updated_at integer not null , finished_at integer , primary key (site_id, fingerprint)) strict, without rowid

CREATE TABLE hit_import_refusals (site_id integer not null , fingerprint text not null , line integer not null , reason text not null , primary key (site_id, fingerprint, line)) strict, without rowid

CREATE TABLE segments (site_id integer not null , day integer not null , rev integer not null , format integer not null , starts_at integer not null , ends_at integer not null , shape text not null , primary key (site_id, day)) strict

CREATE TABLE segment_cols (site_id integer not null , col integer not null , day integer not null , data blob not null , primary key (site_id, col, day)) strict

CREATE TABLE segment_sums (site_id integer not null , col integer not null , day integer not null , data blob not null , primary key (site_id, col, day)) strict

CREATE INDEX site_days_unsealed on site_days (ends_at) where sealed_rev <> rev

insert into kysely_migration (name, timestamp) values ('2026-11-20-a-foundation', '2026-11-21T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-20-b-hits', '2026-11-21T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-20-c-tasks', '2026-11-21T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-20-d-webhooks', '2026-11-21T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-20-e-uptime', '2026-11-21T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-20-f-alerting', '2026-11-21T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-dashboards', '2026-11-21T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-events', '2026-11-21T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-history', '2026-11-21T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-sealed', '2026-11-21T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-visit-rev', '2026-11-21T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-vitals-sealed', '2026-11-21T00:00:00Z')
