import type { Static } from '../../../runtime/table/schema.ts'
import { Form } from '../../../runtime/ui/form.tsx'
import { Kept } from '../../../runtime/ui/periods.tsx'
import { intervalScale, type Span } from '../../../runtime/ui/charts/interval.tsx'
import { instant, percent, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { view } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { valueWords, withQuery } from '../../../runtime/ui/words.ts'
import { experiments_choices } from './choices.ts'
import { Experiment, ExperimentChoices } from './records.ts'
import { Nothing } from '../../../runtime/ui/share.tsx'
import { Goal } from '../../sites/goals/records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say, sayParts } from '../../../runtime/texts/say.ts'

type Variant = Static<typeof Experiment>['rows'][number]

/** Asked for in turn: a guest may look back less far than is usual. */
const periods = ['30d', '7d', 'today'] as const

/** Variants of an experiment: how they convert, by how much more than the control, and how certain that is. */
export const experiment = view(
  Experiment,
  async ({ data, page }) => {
    const { url, viewer } = page
    if (!data) return <Choices found={await choicesOf(page)} page={page} url={url} />
    const { property, goal, rows, sample_ratio: ratio, first_shown_at, duration } = data
    if (rows.length === 0) {
      return (
        <div class="card empty">
          <p>{say(viewer, m.no_variant)}</p>
          <p class="help">{sayParts(viewer, m.variants_are, { property: <code>{property}</code> })}</p>
        </div>
      )
    }
    const Interval = intervalScale(rows.flatMap(({ uplift_interval }) => uplift_interval ?? []))
    return (
      <>
        <p>
          <a href={withQuery(url, { property: undefined, goal_id: undefined, control: undefined })}>{say(viewer, m.other_experiments)}</a>
        </p>
        {ratio.result === 'uneven' && (
          <p class="faults" role="alert">
            <b>{say(viewer, m.uneven)}</b> {say(viewer, ratio.message)}
          </p>
        )}
        <section class="card" aria-labelledby="variants">
          <div class="between">
            <h2 id="variants">{say(viewer, m.variants_by, { property, goal: goal.name })}</h2>
            {first_shown_at !== null && <p class="help">{say(viewer, ui.since, { when: instant(first_shown_at, viewer) })}</p>}
          </div>
          <ul class="variants">
            {rows.map(({ label, result, message, uplift, uplift_interval }) => (
              <li>
                <p class="between">
                  <b>{label}</b>
                  <span class={`tag ${kindOf(result)}`}>{valueWords(result, viewer)}</span>
                </p>
                <p class="help">{say(viewer, message)}</p>
                {result !== 'control' && (
                  <Interval span={uplift_interval ?? undefined} middle={uplift ?? undefined} kind={kindOf(result)} />
                )}
              </li>
            ))}
          </ul>
          <VariantFigures rows={rows} viewer={viewer} />
          {ratio.result !== 'uneven' && <p class="help">{say(viewer, ratio.message)}</p>}
          {duration && <Duration duration={duration} viewer={viewer} />}
        </section>
      </>
    )
  },
  { hasOptions: true, isAsked: true, parts: [ExperimentChoices] },
)

/** The choices on a page of their own, whose links lead to the report. */
export const choices = view(ExperimentChoices, ({ data, page }) => {
  const report = new URL(page.pathOf(Experiment) ?? page.url.pathname, page.url)
  report.search = page.url.search
  return <Choices found={data} page={page} url={report} />
})

const kindOf = (result: Variant['result']) => (result === 'better' ? 'good' : result === 'worse' ? 'bad' : 'plain')

async function choicesOf({ ask, url }: ViewedPage): Promise<Static<typeof ExperimentChoices> | undefined> {
  const query = url.searchParams
  const asked = ['period', 'from', 'to'].filter(name => query.has(name)).map(name => [name, query.get(name)] as const)
  for (const input of asked.length > 0 ? [Object.fromEntries(asked)] : periods.map(period => ({ period }))) {
    const found = await ask(experiments_choices, input)
    if (found) return found
  }
  return undefined
}

interface ChoicesProps {
  readonly found: Pick<Static<typeof ExperimentChoices>, 'properties' | 'goals'> | undefined
  readonly page: ViewedPage
  /** Address of the report. */
  readonly url: URL
}

/** Other properties, such as amounts and addresses, have few values as well, but are not compared. */
const [MIN_VARIANTS, MAX_LIKELY, MAX_VARIANT_LENGTH] = [2, 6, 40]
const isVariantName = (name: string): boolean => name.length <= MAX_VARIANT_LENGTH && !/[/:@]/.test(name)
const looksLikeVariants = ({ variants }: Choice): boolean =>
  variants.length >= MIN_VARIANTS &&
  variants.length <= MAX_LIKELY &&
  variants.every(isVariantName) &&
  !variants.every(name => /^[\d.,\s]+$/.test(name))

type Choice = Static<typeof ExperimentChoices>['properties'][number]

/** Properties that look like variants first, with a link for each goal that they can be compared by; the others open on demand. */
function Choices({ found: { properties, goals } = { properties: [], goals: [] }, page, url }: ChoicesProps) {
  const { viewer } = page
  if (properties.length === 0) return <NoChoice hasGoals={goals.length > 0} page={page} />
  const likely = properties.filter(looksLikeVariants)
  const others = properties.filter(each => !looksLikeVariants(each))
  const listed = (choices: readonly Choice[]) => (
    <ul class="watched">
      {choices.map(({ property, variants, visits }) => (
        <li class="card">
          <p class="between">
            <b>{property}</b> <span class="help">{say(viewer, m.visits_with, { count: visits })}</span>
          </p>
          <p class="help">{variants.join(' · ')}</p>
          <p class="ways">
            {goals.map(({ id, name }) => (
              <a class="button plain" href={withQuery(url, { property, goal_id: id, control: undefined })}>
                {name}
              </a>
            ))}
          </p>
        </li>
      ))}
    </ul>
  )
  return (
    <>
      <Question properties={[...likely, ...others]} goals={goals} url={url} viewer={viewer} />
      <p class="help">{say(viewer, m.choose_experiment)}</p>
      {listed(likely)}
      {others.length > 0 && (
        <details class="others" open={likely.length === 0}>
          <summary>{say(viewer, m.other_properties, { count: others.length })}</summary>
          {listed(others)}
        </details>
      )}
    </>
  )
}

/** Says what an experiment needs, and leads to the first of it. */
function NoChoice({ hasGoals, page }: { readonly hasGoals: boolean; readonly page: ViewedPage }) {
  const { viewer } = page
  const create = hasGoals ? undefined : page.formFor(Goal, {})
  return (
    <Nothing
      like={{
        icon: 'experiment',
        rows: [
          ['variant: blue', '+12 %'],
          ['variant: green', '+3 %'],
        ],
      }}
      help={
        create === undefined ? (
          sayParts(viewer, m.send_variant, {
            code: <code>{"footfall('Saw an experiment', { props: { variant: 'blue' } })"}</code>,
          })
        ) : (
          <a class="button" href={create}>
            {say(viewer, m.create_goal)}
          </a>
        )
      }
    >
      {say(viewer, hasGoals ? m.no_experiments : m.no_goals_to_compare)}
    </Nothing>
  )
}

interface QuestionProps extends Choices {
  readonly url: URL
  readonly viewer: Viewer
}
type Choices = Pick<Static<typeof ExperimentChoices>, 'properties' | 'goals'>

/** The question of an experiment as a sentence: the hypothesis, its variants, the goal, and the smallest uplift that matters. */
function Question({ properties, goals, url, viewer }: QuestionProps) {
  const slot = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <span class="slot">
      <select name={name} aria-label={label}>
        {options.map(([value, text]) => (
          <option value={value}>{text}</option>
        ))}
      </select>
    </span>
  )
  return (
    <Form method="GET" action={url.pathname} class="card">
      <Kept url={url} without={['property', 'goal_id', 'control', 'wished_uplift']} />
      <div class="sentence">
        <p>
          {sayParts(viewer, m.question, {
            property: slot(
              'property',
              say(viewer, ui.property),
              properties.map(({ property, variants }) => [property, `${property} (${variants.join(', ')})`]),
            ),
            goal: slot(
              'goal_id',
              say(viewer, m.goal),
              goals.map(({ id, name }) => [id, name]),
            ),
            uplift: (
              <span class="slot">
                <input type="number" name="wished_uplift" value="10" min="0.1" max="1000" step="any" aria-label={say(viewer, m.uplift)} />
              </span>
            ),
          })}
        </p>
      </div>
      <button type="submit">{say(viewer, ui.show)}</button>
    </Form>
  )
}

interface DurationProps {
  readonly duration: NonNullable<Static<typeof Experiment>['duration']>
  readonly viewer: Viewer
}

function Duration({ duration: { uplift, visitors_needed: visitors, days_left: days }, viewer }: DurationProps) {
  const needs = m.needs({ uplift, visitors })
  return <p class="help">{say(viewer, days === null ? needs : days === 0 ? m.enough({ needs }) : m.days_left({ needs, days }))}</p>
}

function VariantFigures({ rows, viewer }: { rows: readonly Variant[]; viewer: Viewer }) {
  const signed = (value: number | null): string => (value === null ? '–' : `${value > 0 ? '+' : ''}${percent(value, viewer)}`)
  const spanWords = (span: Span | null) => (span ? say(viewer, m.span, { from: signed(span.from), to: signed(span.to) }) : '–')
  const headings = [
    say(viewer, ui.visitors),
    say(viewer, m.converted),
    say(viewer, ui.rate),
    say(viewer, m.uplift),
    say(viewer, m.interval_95),
    say(viewer, m.corrected),
    say(viewer, m.sequential),
  ]
  return (
    <section class="scroll" tabindex={0} aria-label={say(viewer, m.variant_figures)}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say(viewer, m.variant)}</th>
            {headings.map(name => (
              <th scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr>
              <th scope="row">{row.label}</th>
              <td class="number">{plainNumber(row.visitors, viewer)}</td>
              <td class="number">{plainNumber(row.converters, viewer)}</td>
              <td class="number">{percent(row.conversion_rate, viewer)}</td>
              <td class="number">{signed(row.uplift)}</td>
              <td class="number">{spanWords(row.uplift_interval)}</td>
              <td class="number">{probability(row.corrected_p_value, viewer)}</td>
              <td class="number">{probability(row.sequential_p_value, viewer)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const probability = (value: number | null, viewer: Viewer): string =>
  value === null ? '–' : value < 0.01 ? `< ${plainNumber(0.01, viewer)}` : plainNumber(value, viewer)
