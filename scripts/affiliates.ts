/** `npm run affiliates -- list|approve|reject|suspend|pay`: what who runs the service decides about affiliates. */
import { affiliates, type Decision, decide, decisions, findAffiliate, type Outcome, payOut } from '../operations/service/affiliate/index.ts'
import { balancesOf } from '../operations/service/affiliate/records.ts'
import { sellsPlans, stripe } from '../operations/service/billing/index.ts'
import { majorUnits } from '../operations/sites/collection/index.ts'
import { withoutHidden } from '../runtime/values/hidden-characters.ts'
import { openLog } from '../runtime/observability/log.ts'
import { openResources } from '../runtime/settings/resource.ts'
import { commandLine } from './command-line.ts'
import { command, random, withDatabase } from './machine.ts'

const program = commandLine('affiliates')
/** People write addresses and messages: nothing in them steers a terminal. */
const print = (line: string): void => void process.stdout.write(`${withoutHidden(line, 'lines')}\n`)

const money = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(majorUnits(minor, currency))

program
  .command('list')
  .description('who applied, and what they earned')
  .action(() =>
    command(config =>
      withDatabase(config, async ({ read }) => {
        const all = await affiliates(read).execute()
        if (all.length === 0) print('Nobody has applied.')
        for (const { account_id, code, status, email, payout_method, website, message } of all) {
          print(`${code}  ${status.padEnd(9)}  ${payout_method.padEnd(8)}  ${email}${website ? `  ${website}` : ''}`)
          for (const balance of await balancesOf(read, account_id)) {
            const { currency, pending_cents, approved_cents, paid_cents } = balance
            const [held, payable, paid] = [pending_cents, approved_cents, paid_cents].map(cents => money(cents, currency))
            print(`    ${held} on hold, ${payable} payable, ${paid} paid`)
          }
          if (status === 'pending' && message) print(`    ${message.replaceAll('\n', '\n    ')}`)
        }
      }),
    ),
  )

const deciding = (decision: Decision, description: string) =>
  program
    .command(`${decision} <affiliate>`)
    .description(`${description}; by code or e-mail address`)
    .option('--reason <text>', 'reason that they receive', '')
    .action((asked: string, { reason }: { reason: string }) =>
      command(config =>
        withDatabase(config, async (store, now) => {
          const { account_id, email } = await findAffiliate(store.read, asked)
          await store.transaction(trx => decide(trx, { accountId: account_id, decision, now: now(), random, reason: reason || null }))
          print(`${email} is ${decisions[decision]} now.`)
        }),
      ),
    )
deciding('approve', 'let an applicant in, or in again')
deciding('reject', 'turn an application down')
deciding('suspend', 'nothing more is earned or paid out')

const waits = {
  threshold: 'less than AFFILIATE_THRESHOLD_CENTS',
  currency: 'their workspace pays in another currency',
  program: 'their workspace has a discount',
  no_subscription: 'they pay for no workspace',
  no_workspace: 'they own no workspace',
} as const

function outcomeLine(email: string, outcome: Outcome): string {
  const amount = money(outcome.amount, outcome.currency)
  if ('waits' in outcome) return `${email}: ${amount} waits: ${waits[outcome.waits]}`
  return outcome.done === 'applied'
    ? `${email}: ${amount} is on their account`
    : `${email}: transfer ${amount} by bank; it is noted as paid`
}

program
  .command('pay [affiliate]')
  .description('pay out what is payable: put credits on accounts, and say which transfers to make')
  .action((asked: string | undefined) =>
    command(config =>
      withDatabase(config, async (store, now) => {
        if (!sellsPlans(config)) throw new Error('STRIPE_SECRET_KEY is not set')
        const resources = openResources({ store, config, log: openLog(config.LOG_LEVEL), now, random })
        const paying = { store, config, now: now(), random, stripe: () => resources.use(stripe)() }
        const all = asked === undefined ? await affiliates(store.read).execute() : [await findAffiliate(store.read, asked)]
        let found = 0
        for (const affiliate of all) {
          const outcomes = await payOut(paying, affiliate)
          for (const outcome of outcomes) print(outcomeLine(affiliate.email, outcome))
          found += outcomes.length
        }
        if (found === 0) print('Nothing is payable.')
        await resources.close()
      }),
    ),
  )

export async function run(): Promise<void> {
  if (process.argv.length === 2) process.argv.push('list') // a default command would take any word for its own
  await program.parseAsync()
}
