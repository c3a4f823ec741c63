import type { Static } from '../../../runtime/table/schema.ts'
import { isSaidAsOne } from '../../../runtime/texts/plural.ts'
import { Bars } from '../../../runtime/ui/charts/bars.tsx'
import { plainNumber, pointLabel, type Viewer } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import type { Live } from './records.ts'

interface NowProps {
  readonly data: Pick<Static<typeof Live>, 'metrics' | 'series'>
  readonly viewer: Viewer
  readonly id: string
}

/** The number of current visitors, and the last half hour by the minute. */
export function Now({ data: { metrics, series }, viewer, id }: NowProps) {
  const { visitors } = metrics
  return (
    <>
      <h2 id={id} class="big">
        <span class="pulse" aria-hidden="true" />
        {say(viewer, isSaidAsOne(visitors, viewer.locale) ? 'visitor_now' : 'visitors_now', { count: plainNumber(visitors, viewer) })}
      </h2>
      <Bars
        viewer={viewer}
        label={say(viewer, 'by_minute')}
        bars={series.map(({ at, pageviews, partial }) => ({
          label: pointLabel(at, 'minute', viewer),
          value: pageviews,
          isPartial: partial,
        }))}
        format={value => plainNumber(value, viewer)}
      />
    </>
  )
}
