/** Gives each workspace with a site its group of all sites. */
import { sql } from 'kysely'
import type { Conversion } from '../step.ts'

export const allSites: Conversion = async db => {
  await sql`
    insert into sites (id, workspace_id, kind, name, timezone, currency, public, week_start, created_at)
    select 'pa_' || substr(w.id, 4), w.id, 'all', 'All sites', 'UTC', 'XXX', 0, 1, min(s.created_at)
    from workspaces as w join sites as s on s.workspace_id = w.id and s.deleted_at is null
    group by w.id`.execute(db)
}
