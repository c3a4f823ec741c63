/** Pages, settings and actions that a search found, in one card before the records. */
import { Icon } from '../../../runtime/ui/icons/icon.tsx'
import type { Viewer } from '../../../runtime/ui/format.ts'
import type { Destination } from '../../../runtime/ui/viewed-page.ts'
import { say } from '../../../runtime/texts/say.ts'
import { m } from './messages.ts'

export function Destinations({ of, viewer }: { of: readonly Destination[]; viewer: Viewer }) {
  if (of.length === 0) return null
  return (
    <div class="found">
      <section class="card" aria-labelledby="destinations">
        <h2 id="destinations">{say(viewer, m.pages_and_settings)}</h2>
        <ul>
          {of.map(({ href, icon, label, note }) => (
            <li>
              <a href={href}>
                <Icon name={icon} /> {label} {note !== '' && <small class="help">{note}</small>}
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
