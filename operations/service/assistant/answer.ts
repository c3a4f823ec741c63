/** Answers a question: with the model, if there is one and the workspace allows it, otherwise with rules. */
import type { Config } from '../../../runtime/settings/config.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import type { Log } from '../../../runtime/observability/log.ts'
import type { Store } from '../../../storage/store.ts'
import type { AssistantMessageRow } from '../../../storage/tables/assistant.ts'
import { type Caller, isMember } from '../../../runtime/table/caller.ts'
import { sayTo } from '../../people/mail/index.ts'
import { returnQuestion, takeQuestion } from '../../people/plans/index.ts'
import { workspaceSettings } from '../../people/workspaces/index.ts'
import type { Answered, Asking } from './answered.ts'
import type { ChartRecord } from './records.ts'
import { type Model, modelOf } from './model/model.ts'
import { type Say, sayIn } from '../../../runtime/texts/say.ts'

export interface AskingCall extends Omit<Asking, 'earlier' | 'say'> {
  readonly caller: Caller
  readonly store: Store
  readonly config: Config
  readonly log: Log
  readonly emit: Emit
  readonly earlier: readonly AssistantMessageRow[]
}

/** @throws Failure `limit_reached` */
export async function answerTo(call: AskingCall): Promise<Answered> {
  const { question, site, now, read, declarationOf, store, config } = call
  const earlier = call.earlier.map(({ role, content }) => ({ role: role === 'user' ? ('user' as const) : ('assistant' as const), content }))
  const say = await sayFor(call)
  const asking: Asking = { question, earlier, site, say, now, read, declarationOf }
  const model = modelOf(config)
  const { assistant_enabled } = await workspaceSettings(store.read, site.workspace_id)
  const answered = (model && assistant_enabled === 1 ? await byModel(model, asking, call) : undefined) ?? (await byRules(asking))
  return { ...answered, chart: answered.chart && withCurrency(answered.chart, site.currency) }
}

/** A chart with money has its currency: the site's may change after the answer. */
function withCurrency(chart: ChartRecord, currency: string): ChartRecord {
  const formats = chart.type === 'line' ? [chart.format] : chart.columns.map(({ format }) => format)
  return formats.includes('minor_units') ? { ...chart, currency } : chart
}

/** Returns the language of the answer: the account's for a signed-in member, English for a token, as everywhere in the API. */
const sayFor = ({ store, caller }: AskingCall): Promise<Say> =>
  caller.kind === 'session' && isMember(caller) ? sayTo(store.read, caller.member.email) : sayIn('en')

/** The words that the rules know are many, and loaded for the first question. */
async function byRules(asking: Asking): Promise<Answered> {
  const { plan } = await import('./planner/plan.ts')
  return plan(asking)
}

/** Undefined if the model fails; the question is then not counted. */
async function byModel(model: Model, asking: Asking, { store, config, log, emit, site, now }: AskingCall): Promise<Answered | undefined> {
  await store.transaction(trx => takeQuestion(trx, { config, emit, now }, site.workspace_id))
  const [{ converse }, { NoAnswer }] = await Promise.all([import('./model/converse.ts'), import('./model/chat.ts')])
  try {
    return await converse(model, asking)
  } catch (thrown) {
    await returnQuestion(store.write, now, site.workspace_id)
    if (!(thrown instanceof NoAnswer)) throw thrown
    log.warn({ site: site.id, reason: thrown.message }, 'the model did not answer; the question is answered by rules')
    return undefined
  }
}
