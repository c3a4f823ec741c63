/** Gives every site the settings of its script, with a random path. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Conversion } from '../step.ts'

export const scriptPaths: Conversion = async db => {
  const { rows } = await sql<{ id: string; created_at: number }>`select id, created_at from sites`.execute(db)
  for (const { id, created_at } of rows) {
    const path = pathOf(randomBytes(12))
    await sql`insert into site_tracking
      (site_id, script_path, hash, outbound_links, downloads, download_extensions, forms, clicks, vitals, respect_dnt, include, exclude, updated_at)
      values (${id}, ${path}, 0, 1, 1, '[]', 0, 0, 0, 0, '[]', '[]', ${created_at})`.execute(db)
  }
}

/** Makes a path of a letter, a digit, and ten of both. */
function pathOf(random: Uint8Array): string {
  const [letters, digits] = ['abcdefghijkmnpqrstuvwxyz', '23456789']
  const of = (alphabet: string, i: number) => alphabet[(random[i] ?? 0) % alphabet.length] ?? ''
  return of(letters, 0) + of(digits, 1) + Array.from({ length: 10 }, (_, i) => of(letters + digits, i + 2)).join('')
}
