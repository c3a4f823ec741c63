/** Outages of an uptime check: when each began and ended, its cause, and the locations that saw it. */
import type { Static } from '../../../runtime/table/schema.ts'
import { duration, instant, type Viewer } from '../../../runtime/ui/format.ts'
import type { UptimeIncident } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'
import { valueWords } from '../../../runtime/ui/words.ts'

interface OutagesProps {
  readonly outages: readonly Static<typeof UptimeIncident>[]
  readonly viewer: Viewer
}

export const OutagesTable = ({ outages, viewer }: OutagesProps) => (
  <div class="card">
    <h2>{say(viewer, m.outages)}</h2>
    {outages.length === 0 ? (
      <p class="none">{say(viewer, m.never_down)}</p>
    ) : (
      <section class="scroll" tabindex={0} aria-label={say(viewer, m.outages)}>
        <table class="stacks">
          <thead>
            <tr>
              <th scope="col">{say(viewer, m.began)}</th>
              <th scope="col">{say(viewer, m.ended)}</th>
              <th scope="col" class="number">
                {say(viewer, m.lasted)}
              </th>
              <th scope="col">{say(viewer, m.cause)}</th>
              <th scope="col">{say(viewer, m.seen_from)}</th>
            </tr>
          </thead>
          <tbody>
            {outages.map(({ started_at, resolved_at, duration_seconds, cause, failed_locations }) => (
              <tr>
                <th scope="row">
                  <time datetime={started_at}>{instant(started_at, viewer)}</time>
                </th>
                <td data-label={say(viewer, m.ended)}>
                  {resolved_at === null ? (
                    <span class="tag bad">{say(viewer, m.still_down)}</span>
                  ) : (
                    <time datetime={resolved_at}>{instant(resolved_at, viewer)}</time>
                  )}
                </td>
                <td class="number" data-label={say(viewer, m.lasted)}>
                  {duration(duration_seconds * 1_000, viewer)}
                </td>
                <td data-label={say(viewer, m.cause)}>{cause === null ? say(viewer, ui.unknown) : causeWords(cause, viewer)}</td>
                <td data-label={say(viewer, m.seen_from)}>{failed_locations.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    )}
  </div>
)

/** `status_503` → `status 503`; other causes are the names of faults. */
function causeWords(cause: string, viewer: Viewer): string {
  const status = /^status_(\d+)$/.exec(cause)?.[1]
  return status === undefined ? valueWords(cause, viewer) : say(viewer, m.cause_status, { status })
}
