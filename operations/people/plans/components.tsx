/** Parts of pages about plans, for this area and the page of the subscription. */
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

/** The notice that an unpaid workspace can create nothing from a time on. @param from null for a paid workspace */
export function CreatesRefused({ from, now, viewer }: { from: string | null; now: number; viewer: Viewer }) {
  if (from === null) return null
  const isOver = Date.parse(from) <= now
  return (
    <p class="notice" role="status">
      {isOver ? say(viewer, m.creates_refused) : say(viewer, m.creates_refused_from, { when: instant(from, viewer) })}
    </p>
  )
}
