/**
 * `npm start`: serves requests and runs background tasks until a signal comes. `npm start -- --role web|worker` does
 * one of both; any number of processes may share a Postgres database.
 */
import { parseArgs } from 'node:util'
import { command } from './machine.ts'

await command(async config => {
  const { runService } = await import('./service.ts') // loads the table, whose faults become one line, too
  await runService(config, roleAsked())
})

/** @throws Error naming the roles */
function roleAsked(): { web: boolean; worker: boolean } {
  const { role } = parseArgs({ options: { role: { type: 'string', default: 'both' } } }).values
  if (role !== 'web' && role !== 'worker' && role !== 'both') throw new Error('--role must be web, worker or both')
  return { web: role !== 'worker', worker: role !== 'web' }
}
