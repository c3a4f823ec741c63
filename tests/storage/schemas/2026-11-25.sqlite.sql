CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)

CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)

CREATE TABLE workspaces (id text not null , name text not null , created_at integer not null , primary key (id)) strict

CREATE TABLE accounts (id text not null , email text not null unique, unconfirmed_email text , name text , theme text not null , default_landing text not null , locale text not null , timezone text , shortcuts_enabled integer not null , reduce_motion integer not null , product_emails integer not null , newsletter integer not null , marketing_emails integer not null , two_factor integer not null , passkeys integer not null , created_at integer not null , email_verified_at integer, primary key (id)) strict

CREATE TABLE members (id text not null , workspace_id text not null references workspaces(id) on delete cascade, account_id text not null references accounts(id) on delete cascade, role text not null , active integer not null , created_at integer not null , awaited_email text, awaited_name text, unique (workspace_id, account_id), primary key (id)) strict

CREATE TABLE api_tokens (id text not null , workspace_id text not null references workspaces(id) on delete cascade, member_id text not null references members(id) on delete cascade, name text not null , hash text not null unique, token_prefix text not null , permissions text not null , site_ids text not null , allowed_ips text not null , oauth_client text , expires_at integer , last_used_at integer , revoked_at integer , created_at integer not null , by_sso integer not null default 0, primary key (id)) strict

CREATE INDEX api_tokens_workspace_id on api_tokens (workspace_id)

CREATE TABLE sites (number integer not null , id text not null unique, workspace_id text not null , name text not null , domain text unique, timezone text not null , currency text not null , public integer not null , week_start integer not null , umami_id text unique, created_at integer not null , deleted_at integer , primary key (number)) strict

CREATE INDEX sites_workspace_id on sites (workspace_id)

CREATE TABLE notes (id text not null , site_id text not null references sites(id) on delete cascade, at integer not null , text text not null , author text not null , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX notes_site_id_at on notes (site_id, at)

CREATE TABLE goals (id text not null , site_id text not null references sites(id) on delete cascade, name text not null , kind text not null , path text , event text , property text , value text , created_at integer not null , updated_at integer not null , unique (site_id, name), primary key (id)) strict

CREATE TABLE saved_segments (id text not null , site_id text not null references sites(id) on delete cascade, name text not null , filters text not null , created_at integer not null , updated_at integer not null , unique (site_id, name), primary key (id)) strict

CREATE TABLE alerts (id text not null , workspace_id text not null references workspaces(id) on delete cascade, site_id text references sites(id) on delete cascade, name text not null , kind text not null , metric text , operator text , threshold real , window_minutes integer not null , sensitivity text not null , goal_id text , uptime_check_id text , state text not null , enabled integer not null , muted_until integer , last_triggered_at integer , last_evaluated_at integer , created_at integer not null , evaluate_at integer, leased_until integer, streak integer not null default 0, primary key (id)) strict

CREATE INDEX alerts_workspace_id on alerts (workspace_id)

CREATE INDEX alerts_site_id on alerts (site_id)

CREATE TABLE alert_incidents (id text not null , alert_id text not null references alerts(id) on delete cascade, triggered_at integer not null , resolved_at integer , resolution text , value real , message text , acknowledged_at integer , acknowledged_by text , announced_at integer, primary key (id)) strict

CREATE INDEX alert_incidents_alert_id_triggered_at on alert_incidents (alert_id, triggered_at)

CREATE UNIQUE INDEX alert_incidents_open on alert_incidents (alert_id) where resolved_at is null

CREATE TABLE audit_entries (id text not null , workspace_id text not null , site_id text , at integer not null , operation text not null , subject_id text , actor text not null , token_id text , surface text not null , ip text , request_id text not null , input text not null , door text not null default 'api_token', outcome text not null default 'done', primary key (id)) strict

CREATE INDEX audit_entries_workspace_id_at on audit_entries (workspace_id, at)

CREATE TABLE events (id text not null , type text not null , workspace_id text not null , site_id text , data text not null , created_at integer not null , primary key (id)) strict

CREATE INDEX events_workspace_id_created_at on events (workspace_id, created_at)

CREATE TABLE idempotency_keys (token_id text not null , operation text not null , key text not null , fingerprint text not null , answer text , created_at integer not null , primary key (token_id, operation, key)) strict

CREATE TABLE dict (site_id integer not null , dim integer not null , id integer not null , value text not null , unique (site_id, dim, value), primary key (site_id, dim, id)) strict, without rowid

CREATE TABLE salts (site_id integer not null , day integer not null , salt text not null , primary key (site_id, day)) strict, without rowid

CREATE TABLE site_days (site_id integer not null , day integer not null , starts_at integer not null , ends_at integer not null , next_visitor integer not null , next_loose integer not null , rev integer not null , sealed_rev integer not null , sealing_until integer not null default 0, moved integer not null default 0, primary key (site_id, day)) strict, without rowid

CREATE TABLE visitors (site_id integer not null , day integer not null , hash text not null , visitor integer not null , primary key (site_id, day, hash)) strict, without rowid

CREATE TABLE visits (site_id integer not null , day integer not null , visit_id integer not null , started_at integer not null , duration integer not null , pageviews integer not null , events integer not null , bounce integer not null , entry_page integer not null , exit_page integer not null , channel integer not null , source integer not null , referrer integer not null , utm_source integer not null , utm_medium integer not null , utm_campaign integer not null , utm_content integer not null , utm_term integer not null , country integer not null , region integer not null , city integer not null , browser integer not null , browser_version integer not null , os integer not null , os_version integer not null , device integer not null , screen integer not null , language integer not null , hostname integer not null , revenue integer not null , entry_after integer not null , exit_after integer not null , next_seq integer not null , rev integer not null default 0, attended_at integer not null default 0, custom_channel integer not null default 0, primary key (site_id, day, visit_id)) strict, without rowid

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

CREATE TABLE usage_months (workspace_id text not null references workspaces(id) on delete cascade, month text not null , hits integer not null , announced integer not null , hits_limit integer, primary key (workspace_id, month)) strict

CREATE TABLE funnels (id text not null , site_id text not null references sites(id) on delete cascade, name text not null , steps text not null , created_at integer not null , updated_at integer not null , unique (site_id, name), primary key (id)) strict

CREATE TABLE dashboards (id text not null , workspace_id text not null references workspaces(id) on delete cascade, name text not null , cards text not null , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX dashboards_workspace_id_created_at on dashboards (workspace_id, created_at)

CREATE TABLE event_settings (site_id text not null references sites(id) on delete cascade, name text not null , display_name text , hidden integer not null , currency text , updated_at integer not null , primary key (site_id, name)) strict, without rowid

CREATE TABLE property_settings (site_id text not null references sites(id) on delete cascade, key text not null , display_name text , hidden integer not null , export_safe integer not null , updated_at integer not null , unique (site_id, display_name), primary key (site_id, key)) strict, without rowid

CREATE TABLE event_deletions (site_id text not null references sites(id) on delete cascade, event integer not null , name text not null , hits integer not null , next_day integer , progress integer not null , requested_at integer not null , finished_at integer , primary key (site_id, event)) strict, without rowid

CREATE TABLE new_texts (site_id integer not null , day integer not null , dim integer not null , count integer not null , primary key (site_id, day, dim)) strict, without rowid

CREATE TABLE hit_imports (site_id integer not null , fingerprint text not null , options text not null , records integer not null , hits integer not null , refused integer not null , moneyless integer not null , started_at integer not null , updated_at integer not null , finished_at integer , primary key (site_id, fingerprint)) strict, without rowid

CREATE TABLE hit_import_refusals (site_id integer not null , fingerprint text not null , line integer not null , reason text not null , primary key (site_id, fingerprint, line)) strict, without rowid

CREATE TABLE segments (site_id integer not null , day integer not null , rev integer not null , format integer not null , starts_at integer not null , ends_at integer not null , shape text not null , copy integer not null default 0, primary key (site_id, day)) strict

CREATE TABLE segment_cols (site_id integer not null , col integer not null , day integer not null , data blob not null , primary key (site_id, col, day)) strict

CREATE TABLE segment_sums (site_id integer not null , col integer not null , day integer not null , data blob not null , primary key (site_id, col, day)) strict

CREATE INDEX site_days_unsealed on site_days (ends_at) where sealed_rev <> rev

CREATE TABLE alert_channels (alert_id text not null references alerts(id) on delete cascade, channel_id text not null references channels(id) on delete cascade, position integer not null , primary key (alert_id, channel_id)) strict, without rowid

CREATE INDEX alert_channels_channel_id on alert_channels (channel_id)

CREATE TABLE scim_tokens (id text not null , workspace_id text not null references workspaces(id) on delete cascade, hash text not null unique, token_prefix text not null , created_by text not null , last_used_at integer , revoked_at integer , created_at integer not null , primary key (id)) strict

CREATE INDEX scim_tokens_workspace_id on scim_tokens (workspace_id)

CREATE TABLE scim_users (member_id text not null references members(id) on delete cascade, workspace_id text not null references workspaces(id) on delete cascade, user_name text not null , user_key text not null , external_id text , email text not null , attributes text not null , updated_at integer not null , unique (workspace_id, user_key), primary key (member_id)) strict

CREATE TABLE passwords (account_id text not null references accounts(id) on delete cascade, hash text not null , changed_at integer not null , primary key (account_id)) strict

CREATE TABLE sessions (id text not null , account_id text not null references accounts(id) on delete cascade, hash text not null unique, method text not null , signed_in_at integer not null , last_used_at integer not null , expires_at integer not null , ip text not null , user_agent text not null , created_at integer not null , primary key (id)) strict

CREATE INDEX sessions_account_id on sessions (account_id)

CREATE TABLE devices (account_id text not null references accounts(id) on delete cascade, hash text not null , seen_at integer not null , primary key (account_id, hash)) strict

CREATE TABLE one_time_links (id text not null , kind text not null , hash text not null unique, account_id text not null references accounts(id) on delete cascade, email text , created_at integer not null , expires_at integer not null , primary key (id)) strict

CREATE INDEX one_time_links_account_id on one_time_links (account_id)

CREATE TABLE attempts (limit_name text not null , who text not null , count integer not null , ends_at integer not null , primary key (limit_name, who)) strict

CREATE TABLE totp (account_id text not null references accounts(id) on delete cascade, secret text not null , enabled_at integer , last_step integer not null , primary key (account_id)) strict

CREATE TABLE recovery_codes (account_id text not null references accounts(id) on delete cascade, hash text not null , created_at integer, primary key (account_id, hash)) strict

CREATE TABLE passkeys (id text not null , account_id text not null references accounts(id) on delete cascade, name text not null , credential_id text not null unique, public_key text not null , counter integer not null , transports text not null , backed_up integer not null , last_used_at integer , created_at integer not null , primary key (id)) strict

CREATE INDEX passkeys_account_id on passkeys (account_id)

CREATE TABLE passkey_challenges (hash text not null , account_id text references accounts(id) on delete cascade, expires_at integer not null , primary key (hash)) strict

CREATE TABLE mails (id text not null , recipient text not null , sealed text not null , attempt integer not null , due_at integer not null , leased_until integer , created_at integer not null , primary key (id)) strict

CREATE INDEX mails_due_at on mails (due_at)

CREATE TABLE reset_requests (id text not null , email text not null , due_at integer not null , leased_until integer , created_at integer not null , primary key (id)) strict

CREATE INDEX reset_requests_due_at on reset_requests (due_at)

CREATE TABLE sso_configurations (workspace_id text not null references workspaces(id) on delete cascade, protocol text not null , status text not null , enforced integer not null , idp_sso_url text , idp_entity_id text , idp_certs text not null , oidc_issuer text , oidc_client_id text , oidc_client_secret text , default_role text not null , jit_provisioning integer not null , scim_enabled integer not null , testing_until integer , tested_at integer , test_error text , created_at integer not null , updated_at integer not null , idp_slo_url text, sp_key text, sp_certificate text, primary key (workspace_id)) strict

CREATE TABLE sso_domains (id text not null , workspace_id text not null references workspaces(id) on delete cascade, domain text not null , proof text not null , verified_at integer , checked_at integer , check_error text , created_at integer not null , unique (workspace_id, domain), primary key (id)) strict

CREATE UNIQUE INDEX sso_domains_verified on sso_domains (domain) where verified_at is not null

CREATE TABLE sso_requests (id text not null , workspace_id text not null references workspaces(id) on delete cascade, kind text not null , is_test integer not null , issuer text not null , browser_hash text not null , next text , profile text , created_at integer not null , expires_at integer not null , account_id text references accounts(id) on delete cascade, primary key (id)) strict

CREATE TABLE sso_identities (workspace_id text not null references workspaces(id) on delete cascade, issuer text not null , subject text not null , account_id text not null references accounts(id) on delete cascade, created_at integer not null , last_used_at integer not null , linked_at integer, linked_member_id text references members(id) on delete set null, primary key (workspace_id, issuer, subject)) strict

CREATE INDEX sso_identities_account_id on sso_identities (account_id)

CREATE TABLE sso_sessions (session_id text not null references sessions(id) on delete cascade, workspace_id text not null references workspaces(id) on delete cascade, name_id text, is_linked integer not null default 0, ends_at integer, primary key (session_id)) strict

CREATE TABLE invitations (id text not null , workspace_id text not null references workspaces(id) on delete cascade, email text not null , role text not null , hash text not null unique, invited_by text not null , expires_at integer not null , created_at integer not null , updated_at integer not null , mailed_hash text, unique (workspace_id, email), primary key (id)) strict

CREATE INDEX invitations_expires_at on invitations (expires_at)

CREATE TABLE workspace_settings (workspace_id text not null references workspaces(id) on delete cascade, default_timezone text not null , default_currency text not null , week_start integer not null , require_two_factor integer not null , assistant_enabled integer not null , report_logo_url text , primary key (workspace_id)) strict

CREATE TABLE shared_links (id text not null , site_id text not null references sites(id) on delete cascade, slug text not null unique, name text not null , password_hash text , expires_at integer , segment_id text , reports text not null , dimensions text not null , max_days integer , show_revenue integer not null , allow_export integer not null , embed_origins text not null , theme text not null , views integer not null , last_viewed_at integer , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX shared_links_site_id on shared_links (site_id)

CREATE TABLE share_tokens (id text not null , hash text not null unique, site_id text not null references sites(id) on delete cascade, link_id text references shared_links(id) on delete cascade, expires_at integer not null , created_at integer not null , primary key (id)) strict

CREATE INDEX share_tokens_site_id on share_tokens (site_id)

CREATE INDEX share_tokens_link_id on share_tokens (link_id)

CREATE TABLE traffic_rules (id text not null , site_id text not null references sites(id) on delete cascade, kind text not null , action text not null , value text not null , note text , enabled integer not null , expires_at integer , created_at integer not null , updated_at integer not null , unique (site_id, kind, value), primary key (id)) strict

CREATE TABLE traffic_rule_matches (rule_id text not null , day integer not null , count integer not null , last_at integer not null , primary key (rule_id, day)) strict

CREATE INDEX traffic_rule_matches_last_at on traffic_rule_matches (last_at)

CREATE TABLE traffic_settings (site_id text not null references sites(id) on delete cascade, bots text not null , spam_referrers integer not null , revision integer not null , updated_at integer not null , primary key (site_id)) strict

CREATE TABLE site_tracking (site_id text not null references sites(id) on delete cascade, script_path text not null unique, hash integer not null , outbound_links integer not null , downloads integer not null , download_extensions text not null , forms integer not null , clicks integer not null , vitals integer not null , respect_dnt integer not null , include text not null , exclude text not null , nonce text , nonce_expires_at integer , confirmed_at integer , updated_at integer not null , primary key (site_id)) strict

CREATE TABLE channel_rules (id text not null , site_id text not null references sites(id) on delete cascade, channel text not null , match text not null , conditions text not null , position integer not null , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX channel_rules_site_id_position on channel_rules (site_id, position)

CREATE TABLE channel_rule_sets (site_id text not null references sites(id) on delete cascade, revision integer not null , changed_at integer not null , primary key (site_id)) strict

CREATE TABLE channel_applications (id text not null , site_id text not null references sites(id) on delete cascade, status text not null , from_day integer not null , to_day integer not null , next_day integer not null , next_visit integer not null , changed integer not null , error text , created_at integer not null , started_at integer , finished_at integer , primary key (id)) strict

CREATE INDEX channel_applications_site_id on channel_applications (site_id)

CREATE TABLE campaigns (id text not null , site_id text not null references sites(id) on delete cascade, name text not null , utm_campaign text not null , starts_on text , ends_on text , cost_cents integer , goal_id text references goals(id) on delete set null, created_at integer not null , updated_at integer not null , unique (site_id, utm_campaign), primary key (id)) strict

CREATE INDEX campaigns_goal_id on campaigns (goal_id)

CREATE TABLE campaign_links (id text not null , site_id text not null references sites(id) on delete cascade, slug text not null unique, url text not null , utm_source text , utm_medium text , utm_campaign text , utm_content text , utm_term text , clicks integer not null , last_clicked_at integer , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX campaign_links_site_id on campaign_links (site_id)

CREATE TABLE feedback (id text not null , account_id text references accounts(id) on delete set null, kind text not null , message text not null , created_at integer not null , primary key (id)) strict

CREATE TABLE crawler_days (site_id text not null references sites(id) on delete cascade, day integer not null , name text not null , operator text not null , category text not null , requests integer not null , script_hits integer not null , status_4xx integer not null , status_5xx integer not null , bytes integer not null , verified integer not null , spoofed integer not null , first_at integer not null , last_at integer not null , primary key (site_id, day, name)) strict

CREATE TABLE crawler_pages (site_id text not null references sites(id) on delete cascade, day integer not null , name text not null , category text not null , path text not null , requests integer not null , last_at integer not null , primary key (site_id, day, name, path)) strict

CREATE TABLE imports (id text not null , workspace_id text not null , site_id text not null references sites(id) on delete cascade, source text not null , kind text not null , filename text not null , map text not null , timezone text not null , from_day integer , to_day integer , dry_run integer not null , bytes integer , fingerprint text , first_day integer , last_day integer , rows_read integer not null , rows_taken integer not null , rows_refused integer not null , ignored text not null , removing integer not null , status text not null , progress integer not null , error_code text , error_message text , started_at integer , finished_at integer , created_at integer not null , updated_at integer not null , created_by text references accounts(id) on delete set null, url text, url_shown text, url_tag text, upload_by text, upload_until integer, primary key (id)) strict

CREATE INDEX imports_site_id_created_at on imports (site_id, created_at)

CREATE INDEX imports_status on imports (status)

CREATE TABLE import_days (import_id text not null references imports(id) on delete cascade, day integer not null , rev integer not null , visitors integer not null , alone integer not null , primary key (import_id, day)) strict, without rowid

CREATE TABLE import_refusals (import_id text not null references imports(id) on delete cascade, seq integer not null , file text not null , line integer not null , reason text not null , text text not null , primary key (import_id, seq)) strict, without rowid

CREATE TABLE imported_visitors (import_id text not null references imports(id) on delete cascade, day integer not null , seq integer not null , visitors integer , pageviews integer , bounces integer , visits integer , visit_duration integer , primary key (import_id, day, seq)) strict, without rowid

CREATE TABLE imported_sources (import_id text not null references imports(id) on delete cascade, day integer not null , seq integer not null , source text not null , referrer text not null , utm_source text not null , utm_medium text not null , utm_campaign text not null , utm_content text not null , utm_term text not null , pageviews integer , visitors integer , visits integer , visit_duration integer , bounces integer , primary key (import_id, day, seq)) strict, without rowid

CREATE TABLE imported_pages (import_id text not null references imports(id) on delete cascade, day integer not null , seq integer not null , hostname text not null , page text not null , visits integer , visitors integer , pageviews integer , total_scroll_depth integer , total_scroll_depth_visits integer , total_time_on_page integer , total_time_on_page_visits integer , primary key (import_id, day, seq)) strict, without rowid

CREATE TABLE imported_entry_pages (import_id text not null references imports(id) on delete cascade, day integer not null , seq integer not null , entry_page text not null , visitors integer , entrances integer , visit_duration integer , bounces integer , pageviews integer , primary key (import_id, day, seq)) strict, without rowid

CREATE TABLE imported_exit_pages (import_id text not null references imports(id) on delete cascade, day integer not null , seq integer not null , exit_page text not null , visitors integer , visit_duration integer , exits integer , bounces integer , pageviews integer , primary key (import_id, day, seq)) strict, without rowid

CREATE TABLE imported_custom_events (import_id text not null references imports(id) on delete cascade, day integer not null , seq integer not null , name text not null , link_url text not null , path text not null , visitors integer , events integer , primary key (import_id, day, seq)) strict, without rowid

CREATE TABLE imported_locations (import_id text not null references imports(id) on delete cascade, day integer not null , seq integer not null , country text not null , region text not null , visitors integer , visits integer , visit_duration integer , bounces integer , pageviews integer , primary key (import_id, day, seq)) strict, without rowid

CREATE TABLE imported_devices (import_id text not null references imports(id) on delete cascade, day integer not null , seq integer not null , device text not null , visitors integer , visits integer , visit_duration integer , bounces integer , pageviews integer , primary key (import_id, day, seq)) strict, without rowid

CREATE TABLE imported_browsers (import_id text not null references imports(id) on delete cascade, day integer not null , seq integer not null , browser text not null , browser_version text not null , visitors integer , visits integer , visit_duration integer , bounces integer , pageviews integer , primary key (import_id, day, seq)) strict, without rowid

CREATE TABLE imported_operating_systems (import_id text not null references imports(id) on delete cascade, day integer not null , seq integer not null , operating_system text not null , operating_system_version text not null , visitors integer , visits integer , visit_duration integer , bounces integer , pageviews integer , primary key (import_id, day, seq)) strict, without rowid

CREATE TABLE exports (id text not null , workspace_id text not null , site_id text not null references sites(id) on delete cascade, kind text not null , format text not null , from_day integer not null , to_day integer not null , raw integer not null , rows_written integer not null , bytes integer , sha256 text , expires_at integer , status text not null , progress integer not null , error_code text , error_message text , started_at integer , finished_at integer , created_at integer not null , updated_at integer not null , created_by text references accounts(id) on delete set null, filters text, segment_id text, scope text, primary key (id)) strict

CREATE INDEX exports_site_id_created_at on exports (site_id, created_at)

CREATE INDEX exports_status on exports (status)

CREATE TABLE oauth_clients (id text not null , name text not null , redirect_uris text not null , created_at integer not null , expires_at integer not null , primary key (id)) strict

CREATE TABLE oauth_codes (hash text not null , client_id text not null , client_name text not null , redirect_uri text not null , challenge text not null , resource text not null , member_id text not null references members(id) on delete cascade, permissions text not null , site_ids text not null , by_sso integer not null , token_id text references api_tokens(id) on delete cascade, used_at integer , expires_at integer not null , primary key (hash)) strict

CREATE TABLE oauth_grants (token_id text not null references api_tokens(id) on delete cascade, client_id text not null , client_host text not null , resource text not null , permissions text not null , by_sso integer not null , created_at integer not null , expires_at integer not null , primary key (token_id)) strict

CREATE TABLE oauth_refresh_tokens (hash text not null , token_id text not null references api_tokens(id) on delete cascade, used_at integer , created_at integer not null , expires_at integer not null , primary key (hash)) strict

CREATE INDEX oauth_refresh_tokens_token_id on oauth_refresh_tokens (token_id)

CREATE TABLE email_reports (id text not null , workspace_id text not null references workspaces(id) on delete cascade, created_by text references accounts(id) on delete set null, name text not null , frequency text not null , hour integer not null , segment_id text , panels text not null , locale text not null , skip_empty integer not null , enabled integer not null , next_day integer , next_at integer , leased_until integer , last_sent_at integer , last_error text , told integer not null , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX email_reports_workspace_id on email_reports (workspace_id)

CREATE INDEX email_reports_created_by on email_reports (created_by)

CREATE INDEX email_reports_next_at on email_reports (next_at)

CREATE TABLE email_report_sites (report_id text not null references email_reports(id) on delete cascade, site_id text not null references sites(id) on delete cascade, position integer not null , primary key (report_id, site_id)) strict

CREATE INDEX email_report_sites_site_id on email_report_sites (site_id)

CREATE TABLE email_report_goals (report_id text not null references email_reports(id) on delete cascade, goal_id text not null references goals(id) on delete cascade, position integer not null , primary key (report_id, goal_id)) strict

CREATE INDEX email_report_goals_goal_id on email_report_goals (goal_id)

CREATE TABLE email_report_recipients (report_id text not null references email_reports(id) on delete cascade, email text not null , position integer , unsubscribed_at integer , token_hash text not null unique, token text not null , refused integer not null default 0, primary key (report_id, email)) strict

CREATE TABLE email_report_mails (id text not null , report_id text not null references email_reports(id) on delete cascade, email text not null , from_day integer not null , to_day integer not null , status text not null , attempt integer not null , due_at integer , leased_until integer , expires_at integer not null , created_at integer not null , unique (report_id, from_day, to_day, email), primary key (id)) strict

CREATE INDEX email_report_mails_due_at on email_report_mails (due_at)

CREATE INDEX imports_created_by on imports (created_by)

CREATE INDEX exports_created_by on exports (created_by)

CREATE TABLE uptime_days (check_number integer not null references uptime_checks(number) on delete cascade, day integer not null , up_ms integer not null , down_ms integer not null , primary key (check_number, day)) strict, without rowid

CREATE TABLE uptime_maintenance (planned_by text not null , check_number integer not null references uptime_checks(number) on delete cascade, starts_at integer not null , ends_at integer not null , primary key (check_number, planned_by, starts_at)) strict, without rowid

CREATE INDEX uptime_maintenance_planned_by on uptime_maintenance (planned_by)

CREATE TABLE status_pages (id text not null , workspace_id text not null references workspaces(id) on delete cascade, name text not null , slug text not null unique, domain text unique, description text not null , show_response_times integer not null , theme text not null , indexable integer not null , auto_incidents integer not null , created_at integer not null , updated_at integer not null , language text not null default 'en', timezone text not null default 'UTC', primary key (id)) strict

CREATE INDEX status_pages_workspace_id on status_pages (workspace_id)

CREATE TABLE status_page_groups (page_id text not null references status_pages(id) on delete cascade, position integer not null , name text not null , primary key (page_id, position)) strict, without rowid

CREATE TABLE status_page_checks (page_id text not null references status_pages(id) on delete cascade, check_number integer not null references uptime_checks(number) on delete cascade, group_position integer not null , position integer not null , label text , primary key (page_id, check_number)) strict, without rowid

CREATE INDEX status_page_checks_check_number on status_page_checks (check_number)

CREATE TABLE status_incidents (id text not null , page_id text not null references status_pages(id) on delete cascade, kind text not null , title text not null , impact text not null , status text not null , automatic integer not null , automatic_for text unique, starts_at integer not null , ends_at integer , clock_at integer , notify_at integer , notify_since integer , notify_after text not null , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX status_incidents_page_id_starts_at on status_incidents (page_id, starts_at)

CREATE INDEX status_incidents_clock_at on status_incidents (clock_at)

CREATE INDEX status_incidents_notify_at on status_incidents (notify_at)

CREATE TABLE status_incident_checks (incident_id text not null references status_incidents(id) on delete cascade, check_number integer not null references uptime_checks(number) on delete cascade, outage_id text , primary key (incident_id, check_number)) strict, without rowid

CREATE INDEX status_incident_checks_check_number on status_incident_checks (check_number)

CREATE INDEX status_incident_checks_outage_id on status_incident_checks (outage_id)

CREATE TABLE status_incident_updates (id text not null , incident_id text not null references status_incidents(id) on delete cascade, status text not null , body text not null , notify integer not null , created_at integer not null , primary key (id)) strict

CREATE INDEX status_incident_updates_incident_id_created_at on status_incident_updates (incident_id, created_at)

CREATE TABLE status_subscribers (id text not null , page_id text not null references status_pages(id) on delete cascade, email text not null , pending_until integer , confirmed_at integer , created_at integer not null , refused integer not null default 0, primary key (id)) strict

CREATE UNIQUE INDEX status_subscribers_address on status_subscribers (page_id, email)

CREATE INDEX status_subscribers_page_id_id on status_subscribers (page_id, id)

CREATE INDEX status_subscribers_pending_until on status_subscribers (pending_until)

CREATE TABLE status_messages (id text not null , incident_id text not null references status_incidents(id) on delete cascade, subscriber_id text not null references status_subscribers(id) on delete cascade, due_at integer , leased_until integer , attempt integer not null , told_until integer not null , sent_at integer , primary key (id)) strict

CREATE UNIQUE INDEX status_messages_one on status_messages (incident_id, subscriber_id)

CREATE INDEX status_messages_subscriber_id on status_messages (subscriber_id)

CREATE INDEX status_messages_due_at on status_messages (due_at)

CREATE TABLE warehouse_syncs (id text not null , workspace_id text not null references workspaces(id) on delete cascade, name text not null , destination text not null , tables text not null , format text , endpoint text , region text , bucket text , prefix text , access_key_id text , host text , port integer , database text , schema text , username text , tls text , secret text not null , backfill_from integer , enabled integer not null , consecutive_failures integer not null , failing_since integer , last_error text , last_synced_at integer , lag_days integer not null , requested integer not null , created_by text not null , next_at integer , leased_until integer , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX warehouse_syncs_workspace_id on warehouse_syncs (workspace_id)

CREATE INDEX warehouse_syncs_next_at on warehouse_syncs (next_at)

CREATE TABLE warehouse_sync_sites (sync_id text not null references warehouse_syncs(id) on delete cascade, site_id text not null references sites(id) on delete cascade, primary key (sync_id, site_id)) strict, without rowid

CREATE INDEX warehouse_sync_sites_site_id on warehouse_sync_sites (site_id)

CREATE TABLE warehouse_sync_days (sync_id text not null references warehouse_syncs(id) on delete cascade, table_name text not null , site_id text not null references sites(id) on delete cascade, day integer not null , rev integer not null , sent_at integer not null , primary key (sync_id, table_name, site_id, day)) strict, without rowid

CREATE INDEX warehouse_sync_days_site_id on warehouse_sync_days (site_id)

CREATE TABLE warehouse_sync_runs (id text not null , sync_id text not null references warehouse_syncs(id) on delete cascade, status text not null , requested integer not null , days integer not null , rows_sent integer not null , bytes integer not null , error_code text , error_message text , started_at integer not null , finished_at integer , primary key (id)) strict

CREATE INDEX warehouse_sync_runs_sync_id_started_at on warehouse_sync_runs (sync_id, started_at)

CREATE TABLE assistant_conversations (id text not null , site_id text not null references sites(id) on delete cascade, account_id text not null references accounts(id) on delete cascade, title text not null , created_at integer not null , updated_at integer not null , primary key (id)) strict

CREATE INDEX assistant_conversations_site_id_account_id_updated_at on assistant_conversations (site_id, account_id, updated_at)

CREATE INDEX assistant_conversations_account_id on assistant_conversations (account_id)

CREATE INDEX assistant_conversations_updated_at on assistant_conversations (updated_at)

CREATE TABLE assistant_messages (id text not null , conversation_id text not null references assistant_conversations(id) on delete cascade, position integer not null , role text not null , content text not null , queries text not null , chart text , goal_draft text , input_tokens integer , output_tokens integer , created_at integer not null , primary key (conversation_id, position)) strict

CREATE TABLE workspace_plans (workspace_id text not null references workspaces(id) on delete cascade, plan text not null , since integer not null , blocked_from integer , primary key (workspace_id)) strict

CREATE TABLE ai_questions (workspace_id text not null references workspaces(id) on delete cascade, month text not null , questions integer not null , primary key (workspace_id, month)) strict

CREATE TABLE billing_customers (id text not null , workspace_id text not null unique references workspaces(id) on delete cascade, subscription_id text , status text not null , amount_cents integer , currency text , interval text , trial_ends_at integer , period_ends_at integer , cancels_at integer , unpaid_since integer , blocked_from integer , is_discounted integer not null , due_at integer not null , asked integer not null , attempt integer not null , leased_until integer , read_at integer , created_at integer not null , primary key (id)) strict

CREATE INDEX billing_customers_due_at on billing_customers (due_at)

CREATE TABLE billing_invoices (id text not null , workspace_id text not null references workspaces(id) on delete cascade, number text , status text not null , currency text not null , total_cents integer not null , paid_cents integer not null , net_cents integer not null , reversed_cents integer not null , created_at integer not null , paid_at integer , url text , pdf_url text , primary key (id)) strict

CREATE INDEX billing_invoices_workspace_id_created_at on billing_invoices (workspace_id, created_at)

CREATE TABLE billing_events (id text not null , type text not null , received_at integer not null , primary key (id)) strict

CREATE INDEX billing_events_received_at on billing_events (received_at)

CREATE TABLE billing_endings (id text not null , due_at integer , attempt integer not null , leased_until integer , created_at integer not null , primary key (id)) strict

CREATE INDEX billing_endings_due_at on billing_endings (due_at)

CREATE TABLE sign_ups (id text not null , email text not null unique, name text , hash text not null unique, code text , via text , created_at integer not null , expires_at integer not null , primary key (id)) strict

CREATE INDEX sign_ups_code on sign_ups (code)

CREATE TABLE affiliates (account_id text not null references accounts(id) on delete cascade, status text not null , code text not null unique, payout_method text not null , website text , message text , rejection_reason text , applied_at integer not null , decided_at integer , approved_at integer , primary key (account_id)) strict

CREATE TABLE affiliate_referrals (workspace_id text not null , affiliate_id text not null references affiliates(account_id) on delete cascade, account_id text not null , via text not null , signed_up_at integer not null , first_paid_at integer , primary key (workspace_id)) strict

CREATE INDEX affiliate_referrals_affiliate_id on affiliate_referrals (affiliate_id)

CREATE TABLE affiliate_payouts (id text not null , affiliate_id text not null references affiliates(account_id) on delete cascade, amount_cents integer not null , currency text not null , payout_method text not null , status text not null , workspace_id text , credited_at integer , created_at integer not null , paid_at integer , primary key (id)) strict

CREATE INDEX affiliate_payouts_affiliate_id_created_at on affiliate_payouts (affiliate_id, created_at)

CREATE TABLE affiliate_commissions (id text not null , affiliate_id text not null references affiliates(account_id) on delete cascade, workspace_id text not null , invoice_id text not null , kind text not null , status text not null , amount_cents integer not null , basis_cents integer not null , currency text not null , percent integer not null , earned_at integer not null , due_at integer not null , approved_at integer , paid_at integer , payout_id text , created_at integer not null , primary key (id)) strict

CREATE INDEX affiliate_commissions_affiliate_id_created_at on affiliate_commissions (affiliate_id, created_at)

CREATE INDEX affiliate_commissions_invoice_id on affiliate_commissions (invoice_id)

CREATE INDEX affiliate_commissions_status_due_at on affiliate_commissions (status, due_at)

CREATE INDEX site_days_moved on site_days (site_id, day) where moved <> 0

CREATE TABLE clickhouse_copies (site_id integer not null , day integer not null , copy integer not null , drop_at integer , keep_until integer not null , emptied integer not null , visits integer not null , hits integer not null , first_at integer not null , last_at integer not null , ended_at integer not null , primary key (site_id, day, copy)) strict

CREATE INDEX clickhouse_copies_drop_at on clickhouse_copies (drop_at) where drop_at is not null

CREATE INDEX clickhouse_copies_full on clickhouse_copies (site_id, day) where emptied = 0 and drop_at is null

CREATE UNIQUE INDEX invitations_mailed_hash on invitations (mailed_hash)

CREATE TABLE link_hosts (id text not null , workspace_id text not null references workspaces(id) on delete cascade, host text not null , created_at integer not null , unique (workspace_id, host), primary key (id)) strict

CREATE TABLE kept_forms (id text not null , account_id text not null , sealed text not null , created_at integer not null , primary key (id)) strict

CREATE INDEX kept_forms_account_id on kept_forms (account_id)

insert into kysely_migration (name, timestamp) values ('2026-11-20-a-foundation', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-20-b-hits', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-20-c-tasks', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-20-d-webhooks', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-20-e-uptime', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-20-f-alerting', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-dashboards', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-events', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-history', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-sealed', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-visit-rev', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-21-vitals-sealed', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-alert-channels', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-scim', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-sign-in', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-sign-in-factors', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-sso', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-sso-logins', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-workspace-people', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-x-purchases', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-y-attended', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-z-readable-paths', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-z-sharing', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-z-traffic-rules', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-za-tracking', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-zb-channel-rules', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-zc-campaigns', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-zc-feedback', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-zd-crawlers', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-zi-imports', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-22-zo-oauth', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-a-email-reports', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-b-status-pages', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-c-warehouse-syncs', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-ca-export-filters', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-d-assistant', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-e-plans', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-ea-billing', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-eb-sign-up', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-ec-affiliate', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-f-saml-logout', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-g-a-sealing-claims', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-23-g-changes', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-24-a-clickhouse', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-24-c-status-page-words', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-24-ca-mail-refusals', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-24-d-import-urls', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-24-e-addresses', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-24-f-awaited-members', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-24-g-installation', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-25-a-sso-links', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-25-b-verified-addresses', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-25-c-recovery-codes', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-25-d-link-hosts', '2026-11-25T00:00:00Z')

insert into kysely_migration (name, timestamp) values ('2026-11-25-f-kept-forms', '2026-11-25T00:00:00Z')
