/** The form of a funnel that is not saved: a line for each step, and what divides it. It leads to an address with the steps in it. */
import { say, sayParts } from '../../../runtime/texts/say.ts'
import { Combobox } from '../../../runtime/ui/fields/combobox-input.tsx'
import { Select, type ChoiceOption } from '../../../runtime/ui/fields/select.tsx'
import type { Suggestion } from '../../../runtime/ui/fields/suggestions.ts'
import { Form } from '../../../runtime/ui/form.tsx'
import { ui } from '../../../runtime/ui/messages.ts'
import { Kept } from '../../../runtime/ui/periods.tsx'
import { listOf } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { fieldWords, withQuery } from '../../../runtime/ui/words.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { Goal } from '../../sites/goals/records.ts'
import { knownValues } from '../../sites/sites/records.ts'
import { m } from './messages.ts'
import { funnels_create } from './operations.ts'

/** Parameters of the form. `begun` keeps the only step that is filled in, and the choices below it. */
const [KIND, WHAT, BEGUN] = ['step_kind', 'step_what', 'begun'] as const
export const exploring = [KIND, WHAT, BEGUN] as const

const [MIN_STEPS, MAX_STEPS] = [2, 10]
const divisions = ['device', 'source', 'channel', 'utm_campaign', 'country', 'browser', 'entry_page'] as const
const windows = ['', '10m', '30m', '2h'] as const
const spans = { '10m': m.ten_minutes, '30m': m.half_an_hour, '2h': m.two_hours } as const

type Step = Readonly<Record<string, unknown>>

/** Choices below the steps, which the report takes only together with its steps. */
const choices = ['order', 'window', 'by'] as const

/** The address with the steps that the form sent. */
export function withSteps(url: URL): string | undefined {
  const kinds = url.searchParams.getAll(KIND)
  if (kinds.length === 0) return undefined
  const texts = url.searchParams.getAll(WHAT)
  const steps = kinds.slice(0, MAX_STEPS).flatMap((kind, i): Step[] => {
    const text = texts[i]?.trim() ?? ''
    if (kind.startsWith('goal_')) return [{ goal_id: kind }]
    if (text === '') return []
    return [kind === 'event' ? { event: text } : { path: text }]
  })
  const isComplete = steps.length >= MIN_STEPS
  const chosen = Object.fromEntries(choices.map(name => [name, url.searchParams.get(name) || undefined]))
  const isBegun = !isComplete && (steps.length > 0 || Object.values(chosen).some(Boolean))
  return withQuery(url, {
    ...Object.fromEntries(choices.map(name => [name, isComplete ? chosen[name] : undefined])),
    [KIND]: undefined,
    [WHAT]: undefined,
    steps: isComplete ? JSON.stringify(steps) : undefined,
    [BEGUN]: isBegun ? JSON.stringify({ steps, ...chosen }) : undefined,
  })
}

export async function Explore({ page }: { readonly page: ViewedPage }) {
  const { url, viewer, siteId = '' } = page
  const begun = begunIn(url)
  const steps = url.searchParams.has('steps') ? stepsOf(parsed(url.searchParams.get('steps'))) : stepsOf(begun.steps)
  const [goals = [], pages, events] = await Promise.all([
    page.ask(listOf(Goal), { per_page: 100 }),
    page.fill(knownValues, { siteId, dimension: 'page', text: '' }),
    page.fill(knownValues, { siteId, dimension: 'event', text: '' }),
  ])
  const kinds: readonly ChoiceOption[] = [
    ['page', say(viewer, m.page)],
    ['event', say(viewer, m.event)],
    ...goals.map(({ id, name }) => [id, `${say(viewer, m.goal)}: ${name}`] as const),
  ]
  const count = Math.min(MAX_STEPS, Math.max(MIN_STEPS + 1, steps.length + 1))
  const isWhole = url.searchParams.has('steps')
  const save = isWhole ? page.formFor(funnels_create, { steps: JSON.stringify(steps) }) : undefined
  const slot = (name: (typeof choices)[number], options: readonly ChoiceOption[]) => (
    <span class="slot">
      <Select
        attributes={{ name, 'aria-label': fieldWords(name, viewer) }}
        value={url.searchParams.get(name) ?? textOf(begun[name])}
        blank={undefined}
        options={options}
      />
    </span>
  )
  return (
    <Form method="GET" class="card explored">
      <Kept url={url} without={[...exploring, ...choices, 'steps', 'page']} />
      <ol class="steps-asked">
        {Array.from({ length: count }, (_, i) => (
          <StepLine index={i} step={steps[i]} kinds={kinds} pages={pages?.values ?? []} events={events?.values ?? []} page={page} />
        ))}
      </ol>
      <div class="sentence">
        <p>
          {sayParts(viewer, m.explored, {
            order: slot('order', [
              ['', say(viewer, m.anything)],
              ['strict', say(viewer, m.nothing)],
            ]),
            window: slot(
              'window',
              windows.map(each => [each, say(viewer, each === '' ? m.any_time : spans[each])]),
            ),
            by: slot('by', [
              ['', say(viewer, m.undivided)],
              ...divisions.filter(each => page.may(each)).map(each => [each, fieldWords(each, viewer)] as const),
            ]),
          })}
        </p>
      </div>
      <p class="ends">
        <button type="submit">{say(viewer, ui.show)}</button>
        {save !== undefined && (
          <a class="button plain" href={save}>
            {say(viewer, m.save_funnel)}
          </a>
        )}
      </p>
    </Form>
  )
}

interface StepLineProps {
  readonly index: number
  readonly step: Step | undefined
  readonly kinds: readonly ChoiceOption[]
  readonly pages: readonly Suggestion[]
  readonly events: readonly Suggestion[]
  readonly page: ViewedPage
}

function StepLine({ index, step = {}, kinds, pages, events, page: { viewer } }: StepLineProps) {
  const number = String(index + 1)
  const kind = textOf(step.goal_id) || (textOf(step.event) === '' ? 'page' : 'event')
  const event = say(viewer, m.event)
  return (
    <li class="pair first-short">
      <Select
        attributes={{ name: KIND, 'aria-label': say(viewer, m.kind_of_step, { number }) }}
        value={kind}
        blank={undefined}
        options={kinds}
      />
      <Combobox
        attributes={{
          id: `step-${number}`,
          name: WHAT,
          maxlength: 2000,
          placeholder: index === 0 ? '/' : undefined,
          'aria-label': say(viewer, m.what_of_step, { number }),
        }}
        value={textOf(step.path) || textOf(step.event)}
        suggestions={{ values: [...pages, ...events.map(each => ({ ...each, note: event }))] }}
      />
    </li>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const stepsOf = (given: unknown): readonly Step[] => (Array.isArray(given) ? given.filter(isObject).slice(0, MAX_STEPS) : [])

/** The steps and choices of a form with fewer than two steps. */
function begunIn(url: URL): Step {
  const given = parsed(url.searchParams.get(BEGUN))
  return isObject(given) ? given : {}
}

/** JSON of an address, which anyone can write; undefined if it is none. */
function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
