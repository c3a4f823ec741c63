/** How often the alert of a form would have been triggered in the days before, and when. */
import type { Content } from '../../../runtime/table/page.ts'
import { say, sayParts } from '../../../runtime/texts/say.ts'
import { instant } from '../../../runtime/ui/format.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { m } from './messages.ts'
import { alerts_preview } from './preview/operation.ts'

type Fields = Readonly<Record<string, unknown>>

/** Most times that are listed. */
const maxTimes = 5

/** @param values of the form; undefined if they are not complete or the preview is refused */
export async function alertPreview(values: Fields, fields: readonly string[], page: ViewedPage): Promise<Content | undefined> {
  const given = fields.flatMap(name => {
    const value = values[name] ?? undefined
    return value === undefined || value === ''
      ? []
      : [[name, typeof value === 'string' && numbers.has(name) ? Number(value) : value] as const]
  })
  const found = await page.ask(alerts_preview, Object.fromEntries(given))
  if (!found) return undefined
  const { viewer } = page
  const [last] = found.incidents
  if (!last) return (<p class="forecast">{say(viewer, m.would_never)}</p>) as Content
  const bold = (text: string): Content => (<b>{text}</b>) as Content
  const shown = { times: bold(say(viewer, m.times, { count: found.triggered })), when: bold(instant(last.triggered_at, viewer)) }
  const times = found.incidents.slice(0, maxTimes).map(({ triggered_at }) => instant(triggered_at, viewer))
  return (
    <>
      <p class="forecast">{sayParts<Content, typeof m.would_have.english>(viewer, m.would_have, shown)}</p>
      {times.length > 1 && <p class="forecast">{say(viewer, m.when_all, { list: times.join(' · ') })}</p>}
    </>
  ) as Content
}
const numbers: ReadonlySet<string> = new Set(['threshold', 'window_minutes'])
