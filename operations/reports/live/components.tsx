import type { Static } from '../../../runtime/table/schema.ts'
import { Bars } from '../../../runtime/ui/charts/bars.tsx'
import { plainNumber, pointLabel, type Viewer } from '../../../runtime/ui/format.ts'
import type { Live } from './records.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

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
        {say(viewer, ui.visitors_now, { count: visitors })}
      </h2>
      <Bars
        viewer={viewer}
        label={say(viewer, m.by_minute)}
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
