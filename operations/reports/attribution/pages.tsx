import { Change } from '../../../runtime/ui/change.tsx'
import { Clipped } from '../../../runtime/ui/clipped.tsx'
import { FigureTable } from '../../../runtime/ui/figure-table.tsx'
import { inUnit, money, percent, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { Mark } from '../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { Bar, Nothing } from '../../../runtime/ui/share.tsx'
import { listOf, view } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { fieldWords, withQuery } from '../../../runtime/ui/words.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import { say, sayParts } from '../../../runtime/texts/say.ts'
import { Form } from '../../../runtime/ui/form.tsx'
import { Select } from '../../../runtime/ui/fields/select.tsx'
import { ui } from '../../../runtime/ui/messages.ts'
import { Kept } from '../../../runtime/ui/periods.tsx'
import { HALF_LIFE_DAYS, type Model, MODELS, OF_ENDS } from '../../../storage/engine/vocabulary/attribution.ts'
import { Goal } from '../../sites/goals/records.ts'
import { Pages, ReportNotes } from '../stats/components.tsx'
import { RowsMeta } from '../stats/records.ts'
import { m } from './messages.ts'
import { Attribution, type Credit as CreditRecord } from './records.ts'

type Found = Static<typeof Attribution>
type Credits = Found['rows'][number]['models']

/** Dimensions that the page offers as tabs; the options have all. */
const OFFERED = ['channel', 'source', 'utm_campaign', 'utm_medium', 'entry_page'] as const
const ROWS = 20
const explained: Readonly<Record<Model, (viewer: Viewer) => string>> = {
  first: viewer => say(viewer, m.about_first),
  last: viewer => say(viewer, m.about_last),
  last_non_direct: viewer => say(viewer, m.about_last_non_direct),
  linear: viewer => say(viewer, m.about_linear),
  position: viewer => say(viewer, m.about_position, { ends: percent(OF_ENDS * 100, viewer) }),
  time_decay: viewer => say(viewer, m.about_time_decay, { days: HALF_LIFE_DAYS }),
}

/** The sources of a goal: a row for each channel or source, a column for each model. */
export const attribution = view(
  Attribution,
  async ({ data, meta, page }) => {
    const { url, viewer } = page
    const goals = (await page.ask(listOf(Goal), { per_page: 12 })) ?? []
    const hasGoals = !meta.notes.some(({ code }) => code === 'no_goals')
    // A shared link may hide purchases, and with them the revenue of the total.
    const purchases = Object.hasOwn(data.total, 'revenue') ? [{ id: undefined, name: say(viewer, m.purchases) }] : []
    return (
      <>
        {hasGoals && (
          <nav class="tabs" aria-label={say(viewer, m.choose_goal)}>
            {[...purchases, ...goals].map(({ id, name }) => (
              <a href={withQuery(url, { goal_id: id, page: undefined })} aria-current={(id ?? null) === data.goal_id ? 'true' : undefined}>
                {name}
              </a>
            ))}
          </nav>
        )}
        {hasGoals && <ReportNotes notes={meta.notes} page={page} />}
        {data.total.conversions === 0 ? (
          <Nothing
            like={{
              icon: 'attribution',
              rows: [
                ['Organic Search', '24.5'],
                ['Email', '11.3'],
              ],
            }}
          >
            {say(viewer, hasGoals ? (data.goal_id === null ? m.none_bought : m.none) : m.no_goals)}
          </Nothing>
        ) : (
          <Brought data={data} page={page} />
        )}
        {data.total.conversions > 0 && <Pages total={meta.total} size={ROWS} url={url} viewer={viewer} />}
      </>
    )
  },
  { meta: RowsMeta, hasOptions: false },
)

function Brought({ data, page: { url, viewer, may } }: { readonly data: Found; readonly page: ViewedPage }) {
  const { dimension, rows, other, total } = data
  // If every path has one visit, all models are the same.
  const isSame = total.visits_each === 1
  const models = isSame ? data.models.slice(0, 1) : data.models
  const max = Math.max(...[...rows.map(row => row.models), other ?? {}].flatMap(each => models.map(name => each[name]?.share ?? 0)), 1)
  const cells = (credits: Credits) =>
    models.map(name => <Credit credit={credits[name]} max={max} hasMoney={total.revenue !== 0} viewer={viewer} />)
  return (
    <>
      <p class="lead">
        <Sentence data={data} viewer={viewer} />
      </p>
      <nav class="tabs" aria-label={say(viewer, m.by_models)}>
        {[...OFFERED, ...((OFFERED as readonly string[]).includes(dimension) ? [] : [dimension])]
          .filter(name => may(name))
          .map(name => (
            <a href={withQuery(url, { dimension: name, page: undefined })} aria-current={name === dimension ? 'true' : undefined}>
              {fieldWords(name, viewer)}
            </a>
          ))}
      </nav>
      <FigureTable
        label={say(viewer, m.by_models)}
        of={fieldWords(dimension, viewer)}
        columns={models.map(name => say(viewer, isSame ? m.every_model : m[name]))}
        keepsColumns
        rows={[
          ...rows.map(row => ({
            head: (
              <span class="with-mark">
                <Mark dimension={dimension} value={row.value} label={row.label} />
                <Clipped text={labelIn(dimension, row, viewer)} />
              </span>
            ),
            cells: cells(row.models),
          })),
          ...(other ? [{ head: say(viewer, m.all_others), cells: cells(other) }] : []),
          { head: <strong>{say(viewer, m.sum)}</strong>, cells: models.map(() => <Sum total={total} viewer={viewer} />) },
        ]}
      />
      <Looking data={data} url={url} viewer={viewer} />
      <details class="card">
        <summary>{say(viewer, m.how_counted)}</summary>
        <dl>
          {data.models.map(name => (
            <>
              <dt>{say(viewer, m[name])}</dt>
              <dd>{explained[name](viewer)}</dd>
            </>
          ))}
        </dl>
      </details>
    </>
  )
}

/** How far back visits count, in days. */
const lookbacks = [7, 14, 30, 60, 90, 180, 365]

/** Chooses how far back visits count, and the models. */
function Looking({ data, url, viewer }: { readonly data: Found; readonly url: URL; readonly viewer: Viewer }) {
  const now = String(data.lookback_days)
  const options = [...new Set([...lookbacks.map(String), now])].toSorted((a, b) => Number(a) - Number(b))
  const days = options.map(value => [value, say(viewer, m.days_before, { count: Number(value) })] as const)
  return (
    <Form method="GET" class="card">
      <Kept url={url} without={['lookback_days', 'models', 'page']} />
      <div class="sentence">
        <p>
          {sayParts(viewer, m.looking_back, {
            days: (
              <span class="slot">
                <Select
                  attributes={{ name: 'lookback_days', 'aria-label': fieldWords('lookback_days', viewer) }}
                  value={now}
                  blank={undefined}
                  options={days}
                />
              </span>
            ),
          })}
        </p>
      </div>
      <fieldset class="group">
        <legend>{say(viewer, m.compared_models)}</legend>
        <div class="choices">
          {MODELS.map(name => (
            <label>
              <input type="checkbox" name="models" value={name} checked={data.models.includes(name)} /> {say(viewer, m[name])}
            </label>
          ))}
        </div>
      </fieldset>
      <p class="ends">
        <button type="submit">{say(viewer, ui.show)}</button>
      </p>
    </Form>
  )
}

/** How much there is to divide, and how well the paths are known. */
function Sentence({ data: { goal_id, total }, viewer }: { readonly data: Found; readonly viewer: Viewer }) {
  const { conversions, revenue, identified, visits_each } = total
  return [
    say(viewer, goal_id === null ? m.bought : m.total, { count: conversions }),
    ...(revenue ? [say(viewer, m.worth, { money: money(revenue, viewer, true) })] : []),
    visits_each === null || visits_each === 1
      ? say(viewer, m.one_visit_each)
      : say(viewer, m.visits_each, { count: plainNumber(visits_each, viewer) }),
    ...(identified > 0 ? [say(viewer, m.known, { percent: percent((identified / conversions) * 100, viewer) })] : []),
  ].join(' · ')
}

interface CreditProps {
  readonly credit: Static<typeof CreditRecord> | undefined
  /** The largest share. */
  readonly max: number
  readonly hasMoney: boolean
  readonly viewer: Viewer
}

function Credit({ credit, max, hasMoney, viewer }: CreditProps) {
  if (!credit) return null
  const { conversions, revenue, share, comparison } = credit
  return (
    <span class="credit" title={share === null ? undefined : percent(share, viewer)}>
      {plainNumber(Math.round(conversions * 10) / 10, viewer)}{' '}
      {comparison && <Change value={comparison.change.conversions} isCompared viewer={viewer} />}
      {hasMoney && <small>{inUnit(revenue ?? null, 'minor_units', viewer)}</small>}
      <Bar value={share ?? 0} max={max} />
    </span>
  )
}

const Sum = ({ total: { conversions, revenue }, viewer }: { readonly total: Found['total']; readonly viewer: Viewer }) => (
  <span class="credit">
    <strong>{plainNumber(conversions, viewer)}</strong>
    {revenue ? <small>{money(revenue, viewer)}</small> : null}
  </span>
)
