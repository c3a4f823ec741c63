/**
 * `npm start`: opens the database, serves every surface, does what is due, and goes down without losing what it said
 * yes to. `npm start -- --role web|worker` does one half; any number of each may share one database.
 */
import { parseArgs } from 'node:util'
import { command } from './machine.ts'

await command(async config => {
  const { runService } = await import('./service.ts') // loads the table: one that is wrong ends with one line, too
  await runService(config, roleAsked())
})

/** @throws Error naming the roles there are */
function roleAsked(): { web: boolean; worker: boolean } {
  const { role } = parseArgs({ options: { role: { type: 'string', default: 'both' } } }).values
  if (role !== 'web' && role !== 'worker' && role !== 'both') throw new Error('--role must be web, worker or both')
  return { web: role !== 'worker', worker: role !== 'web' }
}
