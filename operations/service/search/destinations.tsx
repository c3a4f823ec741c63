/** Pages, settings and actions that a search found, in one card before the records. */
import { Icon } from '../../../runtime/ui/icons/icon.tsx'
import type { Viewer } from '../../../runtime/ui/format.ts'
import type { Destination } from '../../../runtime/ui/viewed-page.ts'
import { Form } from '../../../runtime/ui/form.tsx'
import { say } from '../../../runtime/texts/say.ts'
import { m } from './messages.ts'

interface DestinationsProps {
  readonly of: readonly Destination[]
  /** The page that a sent form returns to. Scripts replace it with the page below the dialog. */
  readonly here: string
  readonly viewer: Viewer
}

export function Destinations({ of, here, viewer }: DestinationsProps) {
  if (of.length === 0) return null
  return (
    <div class="found">
      <section class="card" aria-labelledby="destinations">
        <h2 id="destinations">{say(viewer, m.pages_and_settings)}</h2>
        <ul>
          {of.map(({ href, sends, ...words }) => (
            <li>
              {sends ? (
                <Form method={sends.method} action={sends.action} hidden={{ ...sends.fields, _back: here }}>
                  <button type="submit" class="plain">
                    <Words {...words} />
                  </button>
                </Form>
              ) : (
                <a href={href}>
                  <Words {...words} />
                </a>
              )}
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

const Words = ({ icon, label, note }: Pick<Destination, 'icon' | 'label' | 'note'>) => (
  <>
    <Icon name={icon} /> {label} {note !== '' && <small class="help">{note}</small>}
  </>
)
