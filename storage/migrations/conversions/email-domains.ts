/**
 * Rewrites addresses whose domain is in another script than ASCII (`münchen.example`) as browsers send them
 * (`xn--mnchen-3ya.example`), because accounts are found by that form. If two accounts have one mailbox, both stay as they
 * are.
 */
import { domainToASCII } from 'node:url'
import { type Kysely, sql } from 'kysely'
import type { Conversion } from '../step.ts'

export const emailDomains: Conversion = async (db, { name }) => {
  // More bytes than characters: a letter beyond ASCII.
  const foreign = name === 'postgres' ? 'octet_length(email) > length(email)' : 'length(cast(email as blob)) > length(email)'
  for (const table of ['accounts', 'invitations', 'sign_ups']) await rewrite(db, table, foreign)
}

async function rewrite(db: Kysely<unknown>, table: string, foreign: string): Promise<void> {
  const of = sql.table(table)
  const { rows } = await sql<{ id: string; email: string }>`select id, email from ${of} where ${sql.raw(foreign)}`.execute(db)
  for (const { id, email } of rows) {
    const at = email.lastIndexOf('@')
    const domain = domainToASCII(email.slice(at + 1))
    const canonical = `${email.slice(0, at).toLowerCase().normalize('NFC')}@${domain}`
    if (at < 1 || domain === '' || canonical === email) continue
    const taken = await sql`select 1 from ${of} where email = ${canonical}`.execute(db)
    if (taken.rows.length === 0) await sql`update ${of} set email = ${canonical} where id = ${id}`.execute(db)
  }
}
