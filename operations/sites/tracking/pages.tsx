import type { Content } from '../../../runtime/table/page.ts'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { Code } from '../../../runtime/ui/copy.tsx'
import { instant, wallClock } from '../../../runtime/ui/format.ts'
import { firstDay } from '../../../runtime/ui/periods.tsx'
import { afterNote, fill } from '../../../runtime/ui/slot.ts'
import { settings } from '../../../runtime/ui/settings.ts'
import { view } from '../../../runtime/ui/view.ts'
import { valueWords, withQuery } from '../../../runtime/ui/words.ts'
import { Site } from '../sites/records.ts'
import { againAfter, Files, SnippetLink } from './components.tsx'
import { HitsNotice } from './hits-notice.tsx'
import { tracking_get, tracking_update } from './operations.ts'
import { platforms } from './platforms.ts'
import { reportsPath, Snippet, Tracking, Verification } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

/** Sections of the settings of the script. */
export const trackingSettings = settings(tracking_update, [
  { title: m.what_is_measured, fields: ['outbound_links', 'downloads', 'download_extensions', 'forms', 'clicks', 'vitals'] },
  { title: m.which_pages, fields: ['include', 'exclude', 'hash', 'respect_dnt'] },
  { title: m.script_address, fields: ['rotate_script_path'] },
])

/** The tracking code of a site: for which platform, what to copy where, and whether hits come in. */
export const snippet = view(
  Snippet,
  async ({ data, page }) => {
    const { url, viewer } = page
    const tracking = await page.ask(tracking_get)
    const content = (
      <>
        {tracking && <HitsNotice tracking={tracking} viewer={viewer} reports={await page.fill(reportsPath, {})} />}
        <nav class="tabs" aria-label={say(viewer, m.platform)}>
          {platforms.map((name, i) => (
            <a href={withQuery(url, { for: i === 0 ? undefined : name })} aria-current={name === data.for ? 'true' : undefined}>
              {valueWords(name, viewer)}
            </a>
          ))}
        </nav>
        <section class="card">
          <Files files={data.files} reader={viewer} />
          {data.notes.map(note => (
            <p class="help">{say(viewer, note)}</p>
          ))}
        </section>
        <details class="card">
          <summary>Content-Security-Policy</summary>
          <p>{say(viewer, m.csp_says)}</p>
          <Code content={data.csp} reader={viewer} />
        </details>
        {await page.settings(tracking_update)}
      </>
    )
    return { content, ...(tracking?.first_hit_at === null && { againAfter }) }
  },
  { parts: [Tracking] },
)

/** The result of checking a site's tracking: one line per check, with what to do if it failed. */
export const verification = view(Verification, ({ data, page: { viewer } }) => (
  <>
    <section class="card">
      <p class="between">
        <b>{say(viewer, data.status === 'working' ? m.tracking_works : data.status === 'failing' ? m.tracking_fails : m.waiting)}</b>
        <Tag value={data.status} viewer={viewer} />
      </p>
      <ul class="checks">
        {data.checks.map(({ ok, message, remedy }) => (
          <li>
            <span class={ok ? 'good' : 'bad'} aria-hidden="true">
              {ok ? '✓' : '✗'}
            </span>
            <div>
              <p>
                <span class="unseen">{say(viewer, ok ? ui.yes : ui.no)}: </span>
                {say(viewer, message)}
              </p>
              {remedy !== null && <p class="help">{say(viewer, remedy)}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
    {data.status !== 'working' && (
      <section class="card">
        <p>{say(viewer, m.open_to_confirm, { when: instant(data.verify_until, viewer) })}</p>
        <Code content={data.verify_url} reader={viewer} />
      </section>
    )}
  </>
))

/** The day of the first hit, which the calendar of a report begins at. */
export const firstDayOfSite = fill(firstDay, async ({ page }) => {
  const found = await page.ask(tracking_get)
  return found?.first_hit_at ? wallClock(Date.parse(found.first_hit_at), page.within(Site)?.timezone ?? 'UTC').slice(0, 10) : undefined
})

/** Every report without hits leads to the code. */
export const snippetAfterNote = fill(afterNote, ({ code, page }) =>
  code === 'no_data_yet' ? ((<SnippetLink page={page} />) as Content) : undefined,
)
