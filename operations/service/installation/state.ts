/** Reads the state of the installation. Loaded with the first request for it. */
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Static } from '@sinclair/typebox'
import type { Config } from '../../../runtime/settings/config.ts'
import type { Resource } from '../../../runtime/settings/resource.ts'
import { readVersion } from '../../../runtime/settings/version.ts'
import { type Db, fileOf, type Store } from '../../../storage/store.ts'
import { canMail } from '../../people/mail/index.ts'
import { backupPlace } from './backup-place.ts'
import { type Installation, toBackup, toTask } from './records.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

const MAX_SHOWN = 20

interface Reading {
  readonly db: Db
  readonly store: Store
  readonly config: Config
  readonly now: number
  use<T>(resource: Resource<T>): T
}

export async function readState({ db, store, config, now, use }: Reading): Promise<Static<typeof Installation>> {
  const file = fileOf(store.url)
  const space = store.file?.space()
  const disk = file === undefined ? undefined : await statfs(path.dirname(path.resolve(file)))
  const counted = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('workspaces')
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .as('workspaces'),
      selectFrom('sites')
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .where('kind', '=', 'site')
        .as('sites'), // and no groups
      selectFrom('mails')
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .as('mails'),
    ])
    .executeTakeFirstOrThrow()
  const backups = await db.selectFrom('backups').selectAll().orderBy('started_at', 'desc').limit(MAX_SHOWN).execute()
  const tasks = await db.selectFrom('tasks').selectAll().orderBy('name').execute()
  const largest = await db
    .selectFrom('usage_days as u')
    .innerJoin('sites as s', 's.number', 'u.site_id')
    .select(({ fn }) => ['s.id', 's.domain', fn.sum<number>('u.hits').as('hits')])
    .where('u.day', '>', Math.floor(now / DAY_MS) - 30)
    .groupBy(['s.id', 's.domain'])
    .orderBy('hits', 'desc')
    .orderBy('s.id')
    .limit(MAX_SHOWN)
    .execute()
  return {
    ...readVersion(),
    database: file === undefined ? 'postgres' : 'sqlite',
    database_size: space ? space.pages * space.pageSize : null,
    disk_free: disk ? disk.bavail * disk.bsize : null,
    workspaces: Number(counted.workspaces),
    sites: Number(counted.sites),
    mail: canMail(config),
    mails_waiting: Number(counted.mails),
    has_backups: use(backupPlace) !== undefined,
    backups: backups.map(toBackup),
    largest_sites: largest.map(({ id, domain, hits }) => ({ site_id: id, domain: domain ?? '', hits: Number(hits) })),
    tasks: tasks.map(toTask).sort((a, b) => Number(b.last_error !== null) - Number(a.last_error !== null)),
  }
}
