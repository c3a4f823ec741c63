/** Variants of an experiment: how they convert, by how much more than the control, and how sure that is. */
import { say } from '../languages/index.ts'
import { isObject } from '../../../runtime/json.ts'
import { intervalScale, type Span } from '../charts/interval.tsx'
import { instant, percent, plainNumber, type Viewer } from '../format.ts'
import { valueWords } from '../words.ts'
import { list, number, record, type Row, text } from './read.ts'
import type { View } from './view.ts'

const spanOf = (value: unknown): Span | undefined => (isObject(value) ? { from: number(value.from), to: number(value.to) } : undefined)

export const experiment: View = {
  hasOptions: true,
  async show({ data, viewer }) {
    const rows = list(data.rows)
    const ratio = record(data.sample_ratio)
    if (rows.length === 0) {
      return {
        content: (
          <div class="card empty">
            <p>{say(viewer, 'no_variant')}</p>
            <p class="help">
              Variants are values of the property <code>{text(data.property)}</code>, sent with events.
            </p>
          </div>
        ),
      }
    }
    const Interval = intervalScale(rows.flatMap(row => spanOf(row.uplift_interval) ?? []))
    return {
      content: (
        <>
          {ratio.result === 'uneven' && (
            <p class="faults" role="alert">
              <b>{say(viewer, 'uneven')}</b> {text(ratio.message)}
            </p>
          )}
          <section class="card" aria-labelledby="variants">
            <div class="between">
              <h2 id="variants">
                {text(data.property)}, by {text(record(data.goal).name)}
              </h2>
              {typeof data.first_shown_at === 'string' && (
                <p class="help">{say(viewer, 'since', { when: instant(data.first_shown_at, viewer) })}</p>
              )}
            </div>
            <ul class="variants">
              {rows.map(row => (
                <li>
                  <p class="between">
                    <b>{text(row.label)}</b>
                    <Result result={text(row.result)} />
                  </p>
                  <p class="help">{text(row.message)}</p>
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
            {ratio.result !== 'uneven' && <p class="help">{text(ratio.message)}</p>}
          </section>
        </>
      ),
    }
  },
}

function Result({ result }: { result: string }) {
  const kind = result === 'better' ? 'good' : result === 'worse' ? 'bad' : 'plain'
  return <span class={`tag ${kind}`}>{valueWords(result)}</span>
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
