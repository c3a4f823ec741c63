/** An export of a whole workspace, as one file that another installation imports. */
import { Type } from '@sinclair/typebox'
import { type RawBuilder, sql } from 'kysely'
import { OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import type { ExportRow, TableName } from '../../../storage/tables/index.ts'
import { leftOutTables } from '../../../storage/transfer/carried-tables.ts'
import { workspaceKind } from './export-files.ts'
import { fileFields, fileOf, lock } from './records.ts'

/** Records that a file leaves out, because each is a secret or needs one, or belongs to people who have not been asked. */
const leftOut = [...leftOutTables.map(([table]) => table), 'uptime_alerts', 'identity_keys'] as const
type LeftOutKind = (typeof leftOut)[number]

export const WorkspaceExport = record(
  'WorkspaceExport',
  {
    id: Type.String({ description: 'Prefix `exp_`.' }),
    workspace_id: Type.String({ description: 'Exported workspace.' }),
    left_out: Type.Array(
      Type.Object({
        what: OneOf(leftOut, { description: 'Kind of record.' }),
        count: Type.Integer({ unit: 'count', description: 'How many the workspace has.' }),
      }),
      {
        description:
          'Records that the file does not have: members, secrets, and what needs them. `identity_keys`: sites whose returning people count as new after an import; `uptime_alerts`: alerts of a check.',
      },
    ),
    ...fileFields,
  },
  'An export of a whole workspace.',
)

export const workspaceExport = subject<'export', ExportRow>({
  name: 'export',
  calledBy: null,
  async find(db, id) {
    const row = await db.selectFrom('exports').selectAll().where('id', '=', id).where('kind', '=', workspaceKind).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
  lock,
})

interface LeftOut {
  readonly what: LeftOutKind
  readonly count: number
}

/** Counts what the file of a workspace will not have. */
export async function countLeftOut(db: Db, workspaceId: string): Promise<LeftOut[]> {
  const found: LeftOut[] = []
  const add = async (what: LeftOutKind, table: TableName, own: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)} where ${own}`.execute(db)
    const count = Number(rows[0]?.count ?? 0)
    if (count > 0) found.push({ what, count })
  }
  for (const [table, by] of leftOutTables) {
    const own =
      by === 'workspace_id'
        ? sql`workspace_id = ${workspaceId}`
        : sql`site_id in (select id from sites where workspace_id = ${workspaceId})`
    await add(table, table, own)
  }
  await add('uptime_alerts', 'alerts', sql`workspace_id = ${workspaceId} and uptime_check_id is not null`)
  await add('identity_keys', 'sites', sql`workspace_id = ${workspaceId} and identity_key is not null`)
  return found
}

/** Reads what an export leaves out, which `workspaces_export` stored as JSON. */
export const leftOutOf = ({ scope }: Pick<ExportRow, 'scope'>): LeftOut[] => JSON.parse(scope ?? '[]')

/** @param downloadUrl null if there is no file */
export function toWorkspaceExport(row: ExportRow, downloadUrl: string | null): Static<typeof WorkspaceExport> {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    left_out: leftOutOf(row),
    ...fileOf(row, downloadUrl),
  }
}
