/** Goals that the script of a site watches for. The script is public: it has nothing of them but their selectors and events. */
import { prepared } from '../../../storage/sql/prepared.ts'
import type { Db } from '../../../storage/store.ts'

export interface ClickGoal {
  readonly selector: string
  readonly event: string
}

/** Bounds the script of a site with very many goals. */
const MAX_GOALS = 100

export async function clickGoals(db: Db, siteId: string): Promise<ClickGoal[]> {
  const rows = await ofSite(db, siteId, 'click', MAX_GOALS)
  return rows.flatMap(({ selector, event }) => (selector === null || event === null ? [] : [{ selector, event }]))
}

const ofSite = prepared('click-goals.of-script', (db, siteId: string, kind: 'click', max: number) =>
  db
    .selectFrom('goals')
    .select(['selector', 'event'])
    .where('site_id', '=', siteId)
    .where('kind', '=', kind)
    .orderBy('created_at')
    .orderBy('id')
    .limit(max),
)
