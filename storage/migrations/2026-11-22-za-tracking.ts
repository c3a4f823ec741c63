/** How each site's script tracks, and where it is. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const tracking: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'site_tracking',
    {
      site_id: ['text', 'references sites(id) on delete cascade'],
      script_path: ['text', 'unique'],
      hash: 'int',
      outbound_links: 'int',
      downloads: 'int',
      download_extensions: 'text',
      forms: 'int',
      clicks: 'int',
      vitals: 'int',
      respect_dnt: 'int',
      include: 'text',
      exclude: 'text',
      nonce: 'text?',
      nonce_expires_at: 'bigint?',
      confirmed_at: 'bigint?',
      updated_at: 'bigint',
    },
    { key: 'site_id' },
  )
  const { rows } = await sql<{ id: string; created_at: number }>`select id, created_at from sites`.execute(db)
  for (const { id, created_at } of rows) {
    const path = pathOf(randomBytes(12))
    await sql`insert into site_tracking
      (site_id, script_path, hash, outbound_links, downloads, download_extensions, forms, clicks, vitals, respect_dnt, include, exclude, updated_at)
      values (${id}, ${path}, 0, 1, 1, '[]', 0, 0, 0, 0, '[]', '[]', ${created_at})`.execute(db)
  }
}

/** Paths of scripts as they were then: a letter, a digit, ten of both. */
function pathOf(random: Uint8Array): string {
  const [letters, digits] = ['abcdefghijkmnpqrstuvwxyz', '23456789']
  const of = (alphabet: string, i: number) => alphabet[(random[i] ?? 0) % alphabet.length] ?? ''
  return of(letters, 0) + of(digits, 1) + Array.from({ length: 10 }, (_, i) => of(letters + digits, i + 2)).join('')
}
