/** Variants of an experiment: how they convert, by how much more than the control, and how sure that is. */
import { withParts } from '../../../runtime/texts/with-elements.ts'
import { say, told } from '../../../runtime/ui/languages/index.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { intervalScale, type Span } from '../../../runtime/ui/charts/interval.tsx'
import { instant, percent, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { valueWords, withQuery } from '../../../runtime/ui/words.ts'
import { list, number, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

const spanOf = (value: unknown): Span | undefined => (isObject(value) ? { from: number(value.from), to: number(value.to) } : undefined)

/** Asked for in turn: a guest may look back less far than is usual. */
const periods = ['30d', '7d', 'today']

export const experiment: View = {
  hasOptions: true,
  isAsked: true,
  parts: ['ExperimentChoices'],
  async show(seen) {
    const { data, viewer, url } = seen
    if (typeof data.property !== 'string') return { content: <Choices found={await choicesOf(seen)} seen={seen} /> }
    const rows = list(data.rows)
    const ratio = record(data.sample_ratio)
    if (rows.length === 0) {
      return {
        content: (
          <div class="card empty">
            <p>{say(viewer, 'no_variant')}</p>
            <p class="help">{withParts(say(viewer, 'variants_are'), { property: <code>{text(data.property)}</code> })}</p>
          </div>
        ),
      }
    }
    const Interval = intervalScale(rows.flatMap(row => spanOf(row.uplift_interval) ?? []))
    return {
      content: (
        <>
          <p>
            <a href={withQuery(url, { property: undefined, goal_id: undefined, control: undefined })}>{say(viewer, 'other_experiments')}</a>
          </p>
          {ratio.result === 'uneven' && (
            <p class="faults" role="alert">
              <b>{say(viewer, 'uneven')}</b> {told(viewer, text(ratio.message))}
            </p>
          )}
          <section class="card" aria-labelledby="variants">
            <div class="between">
              <h2 id="variants">{say(viewer, 'variants_by', { property: text(data.property), goal: text(record(data.goal).name) })}</h2>
              {typeof data.first_shown_at === 'string' && (
                <p class="help">{say(viewer, 'since', { when: instant(data.first_shown_at, viewer) })}</p>
              )}
            </div>
            <ul class="variants">
              {rows.map(row => (
                <li>
                  <p class="between">
                    <b>{text(row.label)}</b>
                    <Result result={text(row.result)} viewer={viewer} />
                  </p>
                  <p class="help">{told(viewer, text(row.message))}</p>
                  {row.result !== 'control' && (
                    <Interval
                      span={spanOf(row.uplift_interval)}
                      middle={typeof row.uplift === 'number' ? row.uplift : undefined}
                      kind={row.result === 'better' ? 'good' : row.result === 'worse' ? 'bad' : 'plain'}
                    />
                  )}
                </li>
              ))}
            </ul>
            <Figures rows={rows} viewer={viewer} />
            {ratio.result !== 'uneven' && <p class="help">{told(viewer, text(ratio.message))}</p>}
          </section>
        </>
      ),
    }
  },
}

async function choicesOf({ ask, url }: Seen): Promise<Row> {
  const query = url.searchParams
  const asked = ['period', 'from', 'to'].filter(name => query.has(name)).map(name => [name, query.get(name)] as const)
  for (const input of asked.length > 0 ? [Object.fromEntries(asked)] : periods.map(period => ({ period }))) {
    const found = await ask('ExperimentChoices', input)
    if (found) return found
  }
  return {}
}

/** A property for each row, and a link for each goal that its variants can be compared by. */
function Choices({ found, seen: { viewer, url } }: { found: Row; seen: Seen }) {
  const [properties, goals] = [list(found.properties), list(found.goals)]
  if (properties.length === 0)
    return <div class="card empty">{say(viewer, goals.length === 0 ? 'no_goals_to_compare' : 'no_experiments')}</div>
  return (
    <>
      <p class="help">{say(viewer, 'choose_experiment')}</p>
      <ul class="watched">
        {properties.map(({ property, variants, visits }) => (
          <li class="card">
            <p class="between">
              <b>{text(property)}</b> <span class="help">{say(viewer, 'visits_with', { count: plainNumber(number(visits), viewer) })}</span>
            </p>
            <p class="help">{Array.isArray(variants) ? variants.map(String).join(' · ') : ''}</p>
            <p class="ways">
              {goals.map(goal => (
                <a class="button plain" href={withQuery(url, { property: text(property), goal_id: text(goal.id), control: undefined })}>
                  {text(goal.name)}
                </a>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

function Result({ result, viewer }: { result: string; viewer: Viewer }) {
  const kind = result === 'better' ? 'good' : result === 'worse' ? 'bad' : 'plain'
  return <span class={`tag ${kind}`}>{valueWords(result, viewer)}</span>
}

function Figures({ rows, viewer }: { rows: readonly Row[]; viewer: Viewer }) {
  const signed = (value: unknown): string => (typeof value === 'number' ? `${value > 0 ? '+' : ''}${percent(value, viewer)}` : '–')
  return (
    <section class="scroll" tabindex={0} aria-label={say(viewer, 'variant_figures')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say(viewer, 'variant')}</th>
            {[
              say(viewer, 'visitors'),
              say(viewer, 'converted'),
              say(viewer, 'rate'),
              say(viewer, 'uplift'),
              say(viewer, 'interval_95'),
              'p',
            ].map(name => (
              <th scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => {
            const span = spanOf(row.uplift_interval)
            return (
              <tr>
                <th scope="row">{text(row.label)}</th>
                <td class="number">{plainNumber(number(row.visitors), viewer)}</td>
                <td class="number">{plainNumber(number(row.converters), viewer)}</td>
                <td class="number">{percent(number(row.conversion_rate), viewer)}</td>
                <td class="number">{signed(row.uplift)}</td>
                <td class="number">{span ? say(viewer, 'span', { from: signed(span.from), to: signed(span.to) }) : '–'}</td>
                <td class="number">{probability(row.p_value, viewer)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

const probability = (value: unknown, viewer: Viewer): string =>
  typeof value !== 'number' ? '–' : value < 0.01 ? `< ${plainNumber(0.01, viewer)}` : plainNumber(value, viewer)
