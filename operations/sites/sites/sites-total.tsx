/** The figures of all sites of a list together. */
import type { Static } from '../../../runtime/table/schema.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { inUnit, plainNumber, shortInUnit, type Viewer } from '../../../runtime/ui/format.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { Site, SiteFigures, SiteSums } from './records.ts'
import { m } from './messages.ts'

interface TotalProps {
  readonly sites: readonly Static<typeof Site>[]
  readonly figures: ReadonlyMap<string, SiteFigures>
  readonly viewer: Viewer
}

type Figure = keyof SiteSums

/** Visitors of several sites count once for each. Revenue is added up only in one currency. */
export function SitesTotal({ sites, figures, viewer }: TotalProps) {
  const all = sites.flatMap(site => {
    const found = figures.get(site.id)
    return found ? [{ ...found, currency: site.currency }] : []
  })
  if (all.length === 0) return null
  const sum = (name: Figure, of: 'now' | 'before') => all.reduce((total, each) => total + (each[of]?.[name] ?? 0), 0)
  const [currency, ...others] = new Set(all.filter(({ now, before }) => now.revenue || before?.revenue).map(each => each.currency))
  const names: readonly Figure[] = [
    'visitors',
    'pageviews',
    ...(currency !== undefined && others.length === 0 ? (['revenue'] as const) : []),
  ]
  const reader = currency === undefined ? viewer : { ...viewer, currency }
  return (
    <section class="card total" aria-label={say(viewer, m.all_sites, { count: all.length })}>
      <dl class="sums">
        {names.map((name, i) => {
          const [now, before] = [sum(name, 'now'), sum(name, 'before')]
          const unit = name === 'revenue' ? 'minor_units' : 'count'
          return (
            <div>
              <dt>
                {i === 0 ? `${say(viewer, m.all_sites, { count: all.length })}: ${fieldWords(name, viewer)}` : fieldWords(name, viewer)}
              </dt>
              <dd>
                <span class="figure" title={inUnit(now, unit, reader)}>
                  {shortInUnit(now, unit, reader)}
                </span>
                {before > 0 && <Change value={Math.round((1_000 * (now - before)) / before) / 10} isCompared viewer={viewer} />}
              </dd>
            </div>
          )
        })}
        <div>
          <dt>{say(viewer, m.now)}</dt>
          <dd>
            <span class="figure">
              {plainNumber(
                all.reduce((total, { live }) => total + live, 0),
                viewer,
              )}
            </span>
          </dd>
        </div>
      </dl>
    </section>
  )
}
