/**
 * `npm start`: serves requests and runs background tasks until a signal comes. `npm start -- --role web|worker` does
 * one of both; any number of processes may share a Postgres database.
 */
import { command } from './machine.ts'

export async function run(): Promise<void> {
  const hasArguments = process.argv.length > 2
  const role = hasArguments ? await (await import('./serve-arguments.ts')).roleOfArguments() : 'both'
  await command(async config => {
    const { runService } = await import('./service.ts') // loads the table, whose faults become one line, too
    await runService(config, { web: role !== 'worker', worker: role !== 'web' })
  })
}
