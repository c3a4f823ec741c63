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
export const Now = ({ data, viewer, id }: NowProps) => (
  <>
    <NowCount data={data} viewer={viewer} id={id} />
    <Minutes data={data} viewer={viewer} />
  </>
)

export const NowCount = ({ data: { metrics }, viewer, id }: NowProps) => (
  <h2 id={id} class="big">
    <span class="pulse" aria-hidden="true" />
    {say(viewer, ui.visitors_now, { count: metrics.visitors })}
  </h2>
)

export function Minutes({ data: { series }, viewer }: Pick<NowProps, 'data' | 'viewer'>) {
  return (
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
  )
}
