/** `npm run plans`, `npm run plans -- assign ws_… pro`: which workspace has which plan. */
import { assignPlan, planOf, plansOf } from '../operations/people/plans/index.ts'
import { workspacesOf } from '../operations/service/setup/set-up.ts'
import { auditCommand } from '../runtime/call/audit-command.ts'
import { withoutHidden } from '../runtime/values/hidden-characters.ts'
import { commandLine } from './command-line.ts'
import { command, random, withDatabase } from './machine.ts'
import { workspaceAsked } from './workspaces.ts'

const program = commandLine('plans')

program
  .command('assigned')
  .description('workspaces with their plans')
  .action(() =>
    command(config =>
      withDatabase(config, async ({ read }) => {
        for (const { id, name, owner } of await workspacesOf(read)) {
          const { plan } = await planOf(read, config, id)
          const line = `${id}  ${plan.id.padEnd(14)}  ${name}${owner === null ? '' : `  (${owner})`}`
          process.stdout.write(`${withoutHidden(line)}\n`)
        }
      }),
    ),
  )

program
  .command('assign <workspace> <plan>')
  .description('give a workspace a plan of PLANS_FILE; a subscription that it pays for changes it again')
  .action((asked: string, plan: string) =>
    command(config =>
      withDatabase(config, async (store, clock) => {
        const workspaceId = await workspaceAsked(store.read, asked)
        const ids = plansOf(config).map(({ id }) => id)
        if (!ids.includes(plan)) throw new Error(`There is no plan "${plan}", but: ${ids.join(', ')}`)
        const now = clock()
        await store.transaction(async trx => {
          await assignPlan(trx, { config, now }, { workspaceId, plan })
          await auditCommand(trx, { now, random, actor: 'plans', operation: 'plans_assign', workspaceId, subjectId: plan, input: { plan } })
        })
        process.stdout.write(`${workspaceId} has ${plan} now.\n`)
      }),
    ),
  )

export async function run(): Promise<void> {
  if (process.argv.length === 2) process.argv.push('assigned')
  await program.parseAsync()
}
