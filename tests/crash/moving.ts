/** A process that moves a database to another one, and kills itself before its n-th statement. */
import { randomBytes } from 'node:crypto'
import { move } from '../../storage/move/move.ts'
import { openStore } from '../../storage/store.ts'
import { killAt } from './kill-at.ts'

void run()

async function run(): Promise<void> {
  const [from = '', to = '', statement = ''] = process.argv.slice(2)
  const [source, target] = [openStore(from, { connections: 3 }), openStore(to, { connections: 3 })]
  killAt(Number(statement))
  await move(source, target, {
    signal: new AbortController().signal,
    place: 'the other',
    random: randomBytes,
    progress() {},
    compareReports: async () => [],
  })
  await source.close()
  await target.close()
}
