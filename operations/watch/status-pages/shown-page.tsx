/** Draws the public pages: the status page, one incident, and a reader's subscription. They have no script, no cookie and no third-party content. */
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { ButtonForm, Faults, OperationForm } from '../../../runtime/ui/form.tsx'
import type { Looks, PageContent, PageRequest } from '../../../runtime/table/page.ts'
import { among } from '../../../runtime/table/schema.ts'
import type { StatusPageRow } from '../../../storage/tables/status-pages.ts'
import { canMail } from '../../people/mail/index.ts'
import { dayOf } from '../uptime/index.ts'
import { BadDays, Bars, type DatedDay, ResponseLine } from './bars.tsx'
import { openMarkdown, type RenderMarkdown } from '../../../runtime/ui/markdown.tsx'
import { incidentPath, themes } from './records.ts'
import { averageOf, uptimeOf } from './render.ts'
import { type Condition, namesOf, pageBySlug, readStatus, type Shown, type ShownCheck, type ShownIncident, withDetails } from './status.ts'
import { status_subscriptions_confirm, status_subscriptions_create } from './subscription-operations.ts'
import { findSubscription } from './subscription.ts'
import { isOver, statuses } from './timeline.ts'
import { type PageWords, statusWords, wordsFor } from './page-words.ts'
import { m } from './messages.ts'
import { common } from '../../../runtime/texts/common.ts'
import { oneSentence } from '../../../runtime/ui/one-sentence.tsx'
import { type Language, readerBy } from '../../../runtime/texts/reader.ts'
import { type Say, sayParts } from '../../../runtime/texts/say.ts'
import { grouped } from '../../../storage/values/grouped.ts'

const headlines: Readonly<Record<Condition, PlainMessage>> = {
  operational: m.all_systems_are_operational,
  unknown: m.there_is_no_data_yet,
  degraded_performance: m.some_systems_are_degraded,
  partial_outage: m.some_systems_are_down,
  major_outage: m.there_is_a_major_outage,
  under_maintenance: m.maintenance_is_going_on,
}

/** A page that shows no check has nothing to say, unless an incident does. */
const isEmpty = ({ groups, condition }: Shown): boolean => groups.length === 0 && condition === 'unknown'

const conditionWords: Readonly<Record<Condition, PlainMessage>> = {
  operational: m.operational,
  unknown: m.unknown,
  degraded_performance: m.degraded,
  partial_outage: m.partial_outage,
  major_outage: m.down,
  under_maintenance: m.maintenance,
}

const pathOf = ({ slug }: Pick<StatusPageRow, 'slug'>): string => `/status/${slug}`

function looksOf(row: StatusPageRow, isAtHost: boolean): Looks {
  return {
    theme: among(themes, row.theme),
    isEmbedded: false,
    isTransparent: false,
    ancestors: [],
    isListed: row.indexable === 1,
    brand: { name: row.name, href: isAtHost ? '/' : pathOf(row) },
  }
}

const styles = ['status']

const gone = (say: Say): PageContent => oneSentence(404, say(common.there_is_nothing_here), say(m.no_page_here))

export async function showPage(
  { path, query, url, refused, now, say: ofReader }: PageRequest,
  { store, config }: HandlerServices,
): Promise<PageContent> {
  const row = await pageBySlug(store.read, path.slug ?? '')
  if (!row) return gone(ofReader)
  const shown = await readStatus(store.read, row, now)
  const feed = `${pathOf(row)}/feed.atom`
  const [markdown, words] = [await openMarkdown(), await wordsFor(row)]
  const { say, time } = words
  return {
    title: say(m.name_status_2, { name: row.name }),
    language: words.language,
    looks: looksOf(row, url.pathname === '/'),
    styles,
    feeds: [{ type: 'application/atom+xml', href: feed }],
    content: (
      <div class="status">
        <section class={`banner is-${shown.condition}`} aria-labelledby="overall">
          <h1 id="overall">{say(isEmpty(shown) ? m.shows_no_check : headlines[shown.condition])}</h1>
          <p>{time(now)}</p>
        </section>
        {row.description !== '' && <p class="purpose">{row.description}</p>}
        <Incidents title={say(m.open_incidents)} all={shown.incidents} page={row} now={now} markdown={markdown} words={words} />
        <Incidents title={say(m.maintenance)} all={shown.maintenance} page={row} now={now} markdown={markdown} words={words} />
        {shown.groups.map(({ name, checks, position }) => (
          <section class="card" aria-labelledby={`group-${position}`}>
            <h2 id={`group-${position}`}>{name}</h2>
            <ul class="systems">
              {checks.map(check => (
                <Check check={check} now={now} words={words} />
              ))}
            </ul>
          </section>
        ))}
        <Past shown={shown} markdown={markdown} words={words} />
        <section class="card" id="subscribe" aria-labelledby="subscribe-title">
          <h2 id="subscribe-title">{say(m.stay_informed)}</h2>
          {query.has('subscribed') && (
            <p class="notice" role="status">
              {say(m.confirmation_mailed)}
            </p>
          )}
          <Faults refused={refused} fields={['email']} />
          {canMail(config) && (
            <OperationForm of={status_subscriptions_create} path={{ slug: row.slug }} hidden={{ _slug: row.slug }} refused={refused}>
              {({ field }) => (
                <>
                  {field('email', { label: say(common.e_mail_address), type: 'email', autocomplete: 'email', maxlength: 254 })}
                  <button type="submit">{say(m.subscribe)}</button>
                </>
              )}
            </OperationForm>
          )}
          <p class="beside">
            <a href={feed}>{say(m.atom_feed)}</a> · <a href={`${pathOf(row)}/api/v2/summary.json`}>JSON</a> ·{' '}
            {say(m.times_in_zone, { zone: row.timezone.replaceAll('_', ' ') })}
          </p>
        </section>
      </div>
    ),
  }
}

function Check({ check, now, words }: { check: ShownCheck; now: number; words: PageWords }) {
  const { say } = words
  const { name, condition, responseMs } = check
  const first = dayOf(now) - check.days.length + 1
  const days: DatedDay[] = check.days.map((times, i) => ({ day: first + i, times }))
  const uptime = uptimeOf(check.days)
  const average = averageOf(responseMs)
  return (
    <li>
      <p class="between">
        <strong>{name}</strong>
        <span class={`health is-${condition}`}>{say(conditionWords[condition])}</span>
      </p>
      <Bars name={name} days={days} words={words} />
      <p class="extent">
        <span>{say(m.count_days_ago, { count: days.length })}</span>
        <span>{uptime === null ? say(m.no_data_yet) : say(m.percent_up, { percent: uptime })}</span>
        <span>{say(m.today)}</span>
      </p>
      <BadDays days={days} words={words} />
      {average !== null && <ResponseLine name={name} points={responseMs} average={average} words={words} />}
    </li>
  )
}

interface IncidentsProps {
  readonly title: string
  readonly all: readonly ShownIncident[]
  readonly page: StatusPageRow
  readonly now: number
  readonly markdown: RenderMarkdown
  readonly words: PageWords
}

function Incidents({ title, all, page, now, markdown, words }: IncidentsProps) {
  if (all.length === 0) return null
  return (
    <section aria-label={title}>
      {all.map(each => (
        <article class={`card incident is-${each.row.kind === 'maintenance' ? 'planned' : each.row.impact}`}>
          <h2>
            <a href={incidentPath(page, each.row.id)}>{each.row.title}</a>
          </h2>
          <About incident={each} now={now} words={words} />
          <Timeline markdown={markdown} incident={each} max={3} more={incidentPath(page, each.row.id)} words={words} />
        </article>
      ))}
    </section>
  )
}

const impactWords: Readonly<Record<string, PlainMessage>> = {
  minor: m.minor_impact,
  major: m.major_impact,
  critical: m.critical_impact,
}

function About({ incident: { row, status, checks }, now, words }: { incident: ShownIncident; now: number; words: PageWords }) {
  const { say, time, duration } = words
  const impact = row.kind === 'incident' ? impactWords[row.impact] : undefined
  const parts = [
    say(statusWords[status]),
    impact && say(impact),
    row.kind === 'maintenance' && row.ends_at !== null
      ? say(m.from_to_to, { from: time(row.starts_at), to: time(row.ends_at) })
      : undefined,
    row.kind === 'incident' && row.ends_at === null ? say(m.for_time, { time: duration(now - row.starts_at) }) : undefined,
    row.kind === 'incident' && row.ends_at !== null ? say(m.lasted_time, { time: duration(row.ends_at - row.starts_at) }) : undefined,
  ].filter(part => part !== undefined)
  return (
    <p class="help">
      {parts.join(' · ')}
      {checks.length > 0 && (
        <>
          <br />
          {say(m.affects_what_2, { what: checks.map(({ name }) => name).join(', ') })}
        </>
      )}
    </p>
  )
}

interface TimelineProps {
  readonly incident: ShownIncident
  /** Maximum number of shown updates; `more` links to all of them. */
  readonly max: number
  readonly more?: string
  readonly markdown: RenderMarkdown
  readonly words: PageWords
}

function Timeline({ incident: { updates, updatesInAll }, max, more, markdown, words: { say, time } }: TimelineProps) {
  return (
    <>
      <ol class="updates">
        {updates.slice(0, max).map(({ status, body, created_at }) => (
          <li>
            <p class="told">
              <strong>{say(statusWords[among(statuses, status)])}</strong>{' '}
              <time datetime={new Date(created_at).toISOString()}>{time(created_at)}</time>
            </p>
            {body !== '' && markdown(body)}
          </li>
        ))}
      </ol>
      {more !== undefined && updatesInAll > Math.min(updates.length, max) && (
        <p>
          <a href={more}>{say(m.all_count_updates, { count: updatesInAll })}</a>
        </p>
      )}
    </>
  )
}

function Past({ shown: { past, page, at }, markdown, words }: { shown: Shown; markdown: RenderMarkdown; words: PageWords }) {
  const { say } = words
  const days = grouped(past, ({ row }) => words.day(row.starts_at))
  return (
    <section class="card past" aria-labelledby="past">
      <h2 id="past">{say(m.past_incidents)}</h2>
      {days.size === 0 && <p class="help">{say(m.none_in_the_last_90_days)}</p>}
      {[...days].map(([day, all]) => (
        <>
          <h3>{day}</h3>
          {all.map(each => (
            <article>
              <h4>
                <a href={incidentPath(page, each.row.id)}>{each.row.title}</a>
              </h4>
              <About incident={each} now={at} words={words} />
              <Timeline markdown={markdown} incident={each} max={1} more={incidentPath(page, each.row.id)} words={words} />
            </article>
          ))}
        </>
      ))}
    </section>
  )
}

export async function showIncident({ path, now, say: ofReader }: PageRequest, { store }: HandlerServices): Promise<PageContent> {
  const row = await pageBySlug(store.read, path.slug ?? '')
  const id = path.id ?? ''
  const found =
    row && /^[\w-]{1,64}$/.test(id)
      ? await store.read.selectFrom('status_incidents').selectAll().where('id', '=', id).where('page_id', '=', row.id).executeTakeFirst()
      : undefined
  if (!row || !found) return gone(ofReader)
  const [incident] = await withDetails(store.read, { rows: [found], shown: await namesOf(store.read, row.id), now })
  if (!incident) return gone(ofReader)
  const [markdown, words] = [await openMarkdown(), await wordsFor(row)]
  const { say } = words
  const kind = found.kind === 'maintenance' ? 'planned' : isOver(found, now) ? 'none' : found.impact
  return {
    title: `${found.title} · ${say(m.name_status_2, { name: row.name })}`,
    language: words.language,
    looks: looksOf(row, false),
    styles,
    content: (
      <div class="status">
        <p>
          <a href={pathOf(row)}>← {say(m.name_status_2, { name: row.name })}</a>
        </p>
        <article class={`card incident is-${kind}`}>
          <h1>{found.title}</h1>
          <About incident={incident} now={now} words={words} />
          <Timeline markdown={markdown} incident={incident} max={incident.updates.length} words={words} />
        </article>
      </div>
    ),
  }
}

const plainly = (title: string, language: Language, content: PageContent['content']): PageContent => ({
  title,
  language,
  width: 'narrow',
  styles,
  looks: { theme: 'system', isEmbedded: false, isTransparent: false, ancestors: [], isListed: false },
  content: (
    <section class="card">
      <h1>{title}</h1>
      {content}
    </section>
  ),
})

/** Opening the link changes nothing, because mail scanners open links, too. Only the buttons change the subscription. */
export async function showSubscription(
  { path, query, refused, now, header, say: ofReader }: PageRequest,
  { store, use }: HandlerServices,
): Promise<PageContent> {
  const token = path.token ?? ''
  const { locale } = readerBy(header('accept-language'))
  if (token === 'ended') return plainly(ofReader(m.you_are_unsubscribed), locale, <p>{ofReader(m.no_more_mails)}</p>)
  const found = await findSubscription(use, { db: store.read, token, now })
  if (!found)
    return {
      ...plainly(ofReader(common.this_link_has_ended), locale, <p>{ofReader(m.subscription_unknown)}</p>),
      status: 404,
    }
  const { page: row, subscriber } = found
  const { say, language } = await wordsFor(row)
  const isConfirmed = subscriber.confirmed_at !== null
  const content = plainly(
    say(isConfirmed ? m.you_are_subscribed : m.confirm_your_subscription),
    language,
    <>
      {query.has('done') && isConfirmed && (
        <p class="notice" role="status">
          {say(m.subscribed_thanks)}
        </p>
      )}
      <Faults refused={refused} />
      <p>{sayParts(say, m.status_of_name_to_email, { name: row.name, email: <strong>{subscriber.email}</strong> })}</p>
      {!isConfirmed && (
        <OperationForm of={status_subscriptions_confirm} path={{ token }} hidden={{ _token: token }} refused={refused}>
          {() => <button type="submit">{say(common.confirm)}</button>}
        </OperationForm>
      )}
      {isConfirmed && (
        <ButtonForm action={`/status/subscriptions/${token}`} hidden={{ _page: '1' }} label={say(common.unsubscribe)} danger />
      )}
      <p class="beside">
        <a href={pathOf(row)}>{say(m.status_of_name, { name: row.name })}</a>
      </p>
    </>,
  )
  return { ...content, looks: { ...looksOf(row, false), isListed: false } }
}
