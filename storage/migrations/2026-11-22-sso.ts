/** Single sign-on: the identity provider of a workspace, and its e-mail domains. */
import { sql } from 'kysely'
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const workspace = 'references workspaces(id) on delete cascade'

export const sso: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'sso_configurations',
    {
      workspace_id: ['text', workspace],
      protocol: 'text',
      status: 'text',
      enforced: 'int',
      idp_sso_url: 'text?',
      idp_entity_id: 'text?',
      idp_certs: 'text',
      oidc_issuer: 'text?',
      oidc_client_id: 'text?',
      oidc_client_secret: 'text?',
      default_role: 'text',
      jit_provisioning: 'int',
      scim_enabled: 'int',
      testing_until: 'bigint?',
      tested_at: 'bigint?',
      test_error: 'text?',
      created_at: 'bigint',
      updated_at: 'bigint',
    },
    { key: 'workspace_id' },
  )
  await createTable(
    db,
    dialect,
    'sso_domains',
    {
      id: 'text',
      workspace_id: ['text', workspace],
      domain: 'text',
      proof: 'text',
      verified_at: 'bigint?',
      checked_at: 'bigint?',
      check_error: 'text?',
      created_at: ['bigint', ', unique (workspace_id, domain)'],
    },
    { key: 'id' },
  )
  // Anybody may claim a domain; only one workspace has proved that it is its own.
  await sql`create unique index sso_domains_verified on sso_domains (domain) where verified_at is not null`.execute(db)
}
