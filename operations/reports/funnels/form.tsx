/** The form of a funnel: steps that can be added, moved and removed, and a preview of the last 30 days. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { Suggestions } from '../../../runtime/ui/fields/suggestions.ts'
import type { FormParts, ItemParts } from '../../../runtime/ui/form-layout.ts'
import { listOf } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { Goal } from '../../sites/goals/records.ts'
import { knownValues } from '../../sites/sites/records.ts'
import { Steps } from './components.tsx'
import { m } from './messages.ts'
import { funnels_preview } from './operations.ts'

type Fields = Readonly<Record<string, unknown>>
/** The kind that is chosen for a step. The operation takes a goal without a kind. */
type StepKind = 'page' | 'event' | 'goal'

const minSteps = 2
const maxNameLength = 200

export async function funnelFields(parts: FormParts<'name' | 'steps'>): Promise<Content> {
  const { reader, page, values, isNew } = parts
  const steps = (Array.isArray(values.steps) ? values.steps : []).map((step): Fields => (isObject(step) ? step : {}))
  const shown = Array.from({ length: Math.max(minSteps, steps.length) }, (_, i): Fields => steps[i] ?? {})
  const [goals = [], known, preview] = await Promise.all([
    page.ask(listOf(Goal), { per_page: 100 }),
    Promise.all(shown.map(step => knownOf(step, page))),
    previewOf(steps, page),
  ])
  const named = goals.map(({ id, name }) => [id, name] as const)
  const labelOf = (step: Fields | undefined): string =>
    textOf(step?.name) || textOf(step?.path) || textOf(step?.event) || (goals.find(({ id }) => id === step?.goal_id)?.name ?? '')
  const [first, last] = [labelOf(steps[0]), labelOf(steps.at(-1))]
  const name = first === '' || last === '' ? '' : say(reader, m.proposed_name, { first, last }).slice(0, maxNameLength)
  return (
    <>
      {parts.list('steps', {
        label: say(reader, m.steps_in_order),
        help: '',
        add: say(reader, m.add_step),
        first: minSteps,
        draw: item => (<Step item={item} goals={named} known={known[item.index]} parts={parts} />) as Content,
      })}
      {parts.live('preview', preview)}
      {parts.field('name', { help: '', proposed: isNew ? name : undefined })}
    </>
  ) as Content
}

/** Suggestions for the fields of a step. */
interface Known {
  /** For the path or the event. */
  readonly own: Suggestions | undefined
  readonly properties: Suggestions | undefined
  readonly values: Suggestions | undefined
}

interface StepProps {
  readonly item: ItemParts
  readonly goals: readonly (readonly [id: string, name: string])[]
  readonly known: Known | undefined
  readonly parts: Pick<FormParts<'steps'>, 'reader'>
}

function Step({ item, goals, known, parts: { reader } }: StepProps) {
  const kind = kindOf(item.values)
  const kinds = [
    ['page', say(reader, m.page)],
    ['event', say(reader, m.event)],
    ...(goals.length > 0 ? [['goal', say(reader, m.goal)] as const] : []),
  ] as const
  const isDetailed = ['name', 'property', 'value'].some(name => textOf(item.values[name]) !== '')
  const own = { suggestions: known?.own, placeholder: kind === 'page' ? '/' : undefined, isWanted: true } as const
  return (
    <>
      <div class="pair first-short">
        {item.choice('kind', {
          label: say(reader, m.kind_of_step, { number: String(item.index + 1) }),
          options: kinds,
          value: kind,
          isWanted: true,
        })}
        {kind === 'goal'
          ? item.field('goal_id', { options: goals, blank: say(reader, m.choose_goal), isWanted: true })
          : item.field(kind === 'page' ? 'path' : 'event', own)}
      </div>
      <details class="more-fields" open={isDetailed}>
        <summary>{say(reader, m.step_details)}</summary>
        {item.field('name', { help: say(reader, m.step_name_help) })}
        {kind !== 'goal' && (
          <div class="pair">
            {item.field('property', { suggestions: known?.properties })}
            {item.field('value', { suggestions: known?.values })}
          </div>
        )}
      </details>
    </>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const kindOf = (step: Fields): StepKind => {
  if (step.kind === 'goal' || step.kind === 'event' || step.kind === 'page') return step.kind
  return textOf(step.goal_id) !== '' ? 'goal' : textOf(step.event) !== '' ? 'event' : 'page'
}

async function knownOf(step: Fields, page: ViewedPage): Promise<Known> {
  const kind = kindOf(step)
  const siteId = page.siteId ?? ''
  const [event, property] = [textOf(step.event), textOf(step.property)]
  const filters = kind === 'event' && event !== '' ? [['event', 'is', event] as const] : undefined
  const [own, properties, values] = await Promise.all([
    kind === 'goal' ? undefined : page.fill(knownValues, { siteId, dimension: kind, text: kind === 'event' ? event : textOf(step.path) }),
    kind === 'goal' ? undefined : page.fill(knownValues, { siteId, dimension: 'property', text: property, filters }),
    property === '' ? undefined : page.fill(knownValues, { siteId, dimension: `property:${property}`, text: textOf(step.value), filters }),
  ])
  return { own, properties, values }
}

/** The steps as the operation takes them: each with only the fields of its kind. */
export const stepsSent = (values: Fields): Fields =>
  Array.isArray(values.steps) ? { ...values, steps: values.steps.map(step => (isObject(step) ? stepSent(step) : {})) } : values

function stepSent(step: Fields): Fields {
  const kind = kindOf(step)
  const own = { goal: ['name', 'goal_id'], page: ['name', 'path', 'property', 'value'], event: ['name', 'event', 'property', 'value'] }[
    kind
  ]
  const fields = Object.fromEntries(
    Object.entries(step).filter(([name, value]) => own.includes(name) && value !== undefined && value !== ''),
  )
  return kind === 'goal' ? fields : { kind, ...fields }
}

/** The funnel of the last 30 days, if its steps are filled in. */
async function previewOf(steps: readonly Fields[], page: ViewedPage): Promise<Content | undefined> {
  const filled = steps.map(stepSent).filter(step => [step.path, step.event, step.goal_id].some(each => textOf(each) !== ''))
  if (filled.length < minSteps) return undefined
  const report = await page.ask(funnels_preview, { steps: filled as never }) // they are checked by the operation
  if (!report) return undefined
  return (
    <>
      <p class="forecast">{say(page.viewer, m.would_have)}</p>
      <Steps rows={report.rows} viewer={page.viewer} />
    </>
  ) as Content
}
