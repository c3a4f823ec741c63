/** SQLite's log is written into the database every now and then, however small it is. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { migrate } from '../../storage/migrations/migrate.ts'
import { openStore } from '../../storage/store.ts'

test('a copy of only the database file has the writes of some time ago', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-checkpoint-'))
  const store = openStore(`file:${folder}/live.db`, { checkpointMs: 20 })
  try {
    await migrate(store)
    await store.write.insertInto('workspaces').values({ id: 'ws_1', name: 'Acme', created_at: 1 }).execute()
    let names: string[] = []
    while (names.length === 0) {
      await sleep(20)
      fs.copyFileSync(`${folder}/live.db`, `${folder}/copy.db`)
      const copy = openStore(`file:${folder}/copy.db`)
      names = await copy.read
        .selectFrom('workspaces')
        .select('name')
        .execute()
        .then(
          rows => rows.map(({ name }) => name),
          () => [], // no table yet
        )
      await copy.close()
    }
    assert.deepEqual(names, ['Acme'])
  } finally {
    await store.close()
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
