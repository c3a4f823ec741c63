import type { Child } from 'hono/jsx'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { form } from '../../../runtime/ui/form-layout.ts'
import { listOf, listView, view } from '../../../runtime/ui/view.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { Site } from '../../sites/sites/records.ts'
import { LastError, namesOf, NextAndLast, recipientsCounted, rhythm, zoneOf } from './mailing-facts.tsx'
import { email_reports_create, email_reports_update } from './operations.ts'
import { reportFields } from './form.tsx'
import { EmailReport } from './records.ts'
import { goalsOf, segmentOf } from './report-contents.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

/** Reports as cards: when each is mailed, about which sites, and to how many. */
export const emailReports = listView(EmailReport, async ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const sites = (await page.ask(listOf(Site), { per_page: 100 })) ?? []
  return (
    <ul class="folded">
      {rows.map(row => (
        <li class="card">
          <p>
            <b>
              <a href={page.hrefOf(row)}>{row.name}</a>
            </b>{' '}
            {!row.enabled && <Tag value={say(viewer, ui.off)} viewer={viewer} />}
          </p>
          <p class="help">
            {[rhythm(row, sites, viewer), namesOf(row.site_ids, sites).join(', '), recipientsCounted(row, viewer)]
              .filter(each => each !== '')
              .join(' · ')}
          </p>
          <p class="help">
            <NextAndLast report={row} zone={zoneOf(row, sites)} viewer={viewer} />
          </p>
          <LastError report={row} viewer={viewer} />
        </li>
      ))}
    </ul>
  )
})

/** A report: when it is mailed, its contents and recipients, and a preview of the next mail. */
export const emailReport = view(EmailReport, async ({ data, page }) => {
  const { viewer, url } = page
  const sites = (await page.ask(listOf(Site), { per_page: 100 })) ?? []
  const [segment, goals] = [await segmentOf(data, page), await goalsOf(data, page)]
  const facts: readonly (readonly [label: string, value: Child])[] = [
    [fieldWords('site_ids', viewer), namesOf(data.site_ids, sites).join(', ')],
    [fieldWords('segment_id', viewer), segment],
    [fieldWords('goal_ids', viewer), goals],
    [fieldWords('include_imported', viewer), data.include_imported ? '' : say(viewer, ui.no)],
    [fieldWords('panels', viewer), data.panels.map(name => fieldWords(name, viewer)).join(', ')],
    [
      fieldWords('recipients', viewer),
      <ul class="plain-list">
        {data.recipients.map(email => (
          <li>
            {email} {data.unsubscribed.includes(email) && <Tag value={say(viewer, m.unsubscribed)} viewer={viewer} />}
            {data.failing.includes(email) && <Tag value="failing" viewer={viewer} />}
          </li>
        ))}
      </ul>,
    ],
  ]
  return (
    <>
      <section class="card">
        <p>
          {rhythm(data, sites, viewer)} {!data.enabled && <Tag value={say(viewer, ui.off)} viewer={viewer} />}
        </p>
        <p class="help">
          <NextAndLast report={data} zone={zoneOf(data, sites)} viewer={viewer} />
        </p>
        <LastError report={data} viewer={viewer} />
        <dl>
          {facts
            .filter(([, value]) => value !== '')
            .map(([label, value]) => (
              <>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </>
            ))}
        </dl>
      </section>
      {data.site_ids.length > 0 && (
        <section class="card" aria-labelledby="preview">
          <h2 id="preview">{say(viewer, m.mail_preview)}</h2>
          <iframe class="preview" src={`${url.pathname}/preview`} title={say(viewer, m.mail_preview)} loading="lazy" />
        </section>
      )}
    </>
  )
})

export const createEmailReport = form(email_reports_create, reportFields)
export const changeEmailReport = form(email_reports_update, reportFields)
