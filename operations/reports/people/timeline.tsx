/** Visits of a person, newest first, each with its pages and events in order. */
import type { Static } from '../../../runtime/table/schema.ts'
import { duration, instant, money, timeOfDay, type Viewer } from '../../../runtime/ui/format.ts'
import { Icon, Mark } from '../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { say } from '../../../runtime/texts/say.ts'
import { dimensionOf, labelOf } from '../stats/index.ts'
import { m } from './messages.ts'
import type { PersonVisit } from './records.ts'

type Visit = Static<typeof PersonVisit>

const shownDimensions = ['source', 'country', 'device', 'browser'] as const

export const Timeline = ({ visits, viewer }: { visits: readonly Visit[]; viewer: Viewer }) => (
  <ol class="visits-of">
    {visits.map(visit => (
      <li>
        <p class="between">
          <b>
            <time datetime={visit.started_at}>{instant(visit.started_at, viewer)}</time>
          </b>
          <span class="help">
            {say(viewer, m.lasted, { duration: duration(visit.duration, viewer), pages: visit.pageviews })}
            {visit.revenue > 0 && <b> · {money(visit.revenue, viewer)}</b>}
          </span>
        </p>
        <p class="facts">
          {shownDimensions.map(dimension => (
            <Fact dimension={dimension} value={visit[dimension]} viewer={viewer} />
          ))}
        </p>
        <ol class="stream">
          {visit.steps.map(step => (
            <li>
              <time datetime={step.at}>{timeOfDay(step.at, viewer)}</time>
              <span class="what" title={step.page}>
                <Icon name={step.event === null ? 'page' : 'event'} />
                <span>{step.event === null ? step.page : `${step.event} · ${step.page}`}</span>
              </span>
              <span class="from">
                {step.revenue > 0 && <b>{money(step.revenue, viewer)}</b>}
                {Object.entries(step.properties).map(([name, value]) => (
                  <span class="tag plain" title={`${name}: ${value}`}>
                    {name}: {value}
                  </span>
                ))}
              </span>
            </li>
          ))}
        </ol>
      </li>
    ))}
  </ol>
)

function Fact({ dimension: name, value, viewer }: { dimension: string; value: string; viewer: Viewer }) {
  const dimension = dimensionOf(name)
  if (value === '' && name !== 'source') return null
  const label = dimension ? labelOf(dimension, value) : value
  return (
    <span class="nowrap">
      <Mark dimension={name} value={value} label={label} /> {labelIn(name, { value, label }, viewer)}
    </span>
  )
}
