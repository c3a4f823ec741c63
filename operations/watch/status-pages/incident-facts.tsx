/** The impact of an incident and its times, in one line. */
import type { Static } from '../../../runtime/table/schema.ts'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import type { StatusIncident } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

type Incident = Static<typeof StatusIncident>

export const ImpactAndTimes = ({ incident, viewer }: { incident: Incident; viewer: Viewer }) => (
  <>
    {incident.kind === 'maintenance' ? say(viewer, m.maintenance) : say(viewer, m.impact, { what: incident.impact })}
    {` · ${times(incident, viewer)}`}
  </>
)

const times = ({ starts_at, ends_at }: Incident, viewer: Viewer): string =>
  ends_at === null
    ? say(viewer, ui.since, { when: instant(starts_at, viewer) })
    : `${instant(starts_at, viewer)} – ${instant(ends_at, viewer)}`
