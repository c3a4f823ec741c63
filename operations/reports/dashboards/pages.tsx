import type { Static } from '../../../runtime/table/schema.ts'
import { drawnFor } from '../../../runtime/ui/control-values.ts'
import { Nothing } from '../../../runtime/ui/share.tsx'
import { fill } from '../../../runtime/ui/slot.ts'
import { form as formOf } from '../../../runtime/ui/form-layout.ts'
import { listOf, listView, view } from '../../../runtime/ui/view.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { Site } from '../../sites/sites/records.ts'
import { Funnel } from '../funnels/records.ts'
import { CardData } from './answers.ts'
import { CardContent, cardTitle } from './card-content.tsx'
import { Arrangement, CardForm, CardMoves } from './card-forms.tsx'
import { reportOf } from './card-report.ts'
import { dashboardFields, newDashboardFields } from './form.tsx'
import { dashboards_card, dashboards_create, dashboards_delete, dashboards_update } from './operations.ts'
import { type Card, cardTypes, Dashboard, paramFields, sizeOf } from './records.ts'
import { ImportedNotes, includesImported, type ReportNote } from '../stats/components.tsx'
import { tableKeeper } from '../stats/records.ts'
import { periods } from './cards.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { Icon } from '../../../runtime/ui/icons/icon.tsx'
import { periodWords } from '../../../runtime/ui/periods.tsx'
import { say } from '../../../runtime/texts/say.ts'

/** Links that add the table of the explorer to a dashboard: each leads to the form for a new card, filled in. */
export const keeper = fill(tableKeeper, async ({ dimensions, metrics, page }) => {
  const { url, viewer, siteId } = page
  const boards = (await page.ask(listOf(Dashboard), { per_page: 100 })) ?? []
  const own = (name: string) => url.searchParams.get(name) ?? ''
  const fields = {
    edit: 'new',
    type: 'table',
    ...{ site_id: siteId ?? '', dimensions: dimensions.join(), metrics: metrics.join() },
    ...{ metric: own('sort'), order: own('order'), filters: own('filters') },
  }
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''))
  const links = boards.flatMap(({ id, name }) => {
    const path = page.pathOf(Dashboard, { id })
    return path === undefined ? [] : [{ name, href: `${path}?${query}` }]
  })
  if (links.length === 0) return undefined
  return (
    <p class="ends keep">
      {say(viewer, m.keep_on)}:{' '}
      {links.map(({ name, href }) => (
        <>
          <a class="button plain" href={href}>
            {name}
          </a>{' '}
        </>
      ))}
    </p>
  )
})

/** A new card that the address describes. */
function cardIn({ searchParams }: URL): Card | undefined {
  const type = cardTypes.find(each => each === searchParams.get('type'))
  if (!type) return undefined
  const params = Object.keys(paramFields).map(name => [name, searchParams.get(name) ?? ''] as const)
  return {
    type,
    site_id: searchParams.get('site_id') ?? '',
    params: Object.fromEntries(params.filter(([name, value]) => value !== '' && name !== 'period')),
  }
}
export const createDashboard = formOf(dashboards_create, newDashboardFields)
export const changeDashboard = formOf(dashboards_update, dashboardFields)

/** Dashboards as tiles, each with a picture of its cards. */
export const dashboards = listView(Dashboard, async ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const names = new Map(((await page.ask(listOf(Site), { per_page: 100 })) ?? []).map(({ id, name }) => [id, name]))
  return (
    <ul class="tiles">
      {rows.map(row => {
        const sites = [...new Set(row.cards.map(({ site_id }) => names.get(site_id)))].filter(each => each !== undefined)
        return (
          <li class="card tile">
            <div class="tile-of">
              <div>
                <a href={page.hrefOf(row)}>
                  <b>{row.name}</b>
                </a>
                <span class="help">{[say(viewer, m.card_count, { count: row.cards.length }), ...sites].join(' · ')}</span>
              </div>
            </div>
            <Miniature cards={row.cards} />
          </li>
        )
      })}
    </ul>
  )
})

/** One card with a heading. */
export const card = view(CardData, async ({ data, page }) => (
  <section class="card panel">
    <h2>{cardTitle(data, page.viewer)}</h2>
    {await CardContent({ data, page, id: 'card' })}
  </section>
))

/** Periods that all cards can be shown for at once. */
const commonPeriods = ['today', '7d', '30d', '90d', '12mo'] as const

/** A dashboard: its cards as their reports, each with a way to edit it. */
export const dashboard = view(
  Dashboard,
  async ({ data: { cards }, page }) => {
    const { url, viewer } = page
    const change = page.offered(dashboards_update)
    const period = periods.find(each => each === url.searchParams.get('period'))
    const asked = url.searchParams.get('site_id')
    const isEditing = change !== undefined && url.searchParams.has('edit')
    const sites = (await page.ask(listOf(Site), { per_page: 100 })) ?? []
    const site = sites.find(({ id }) => id === asked)?.id
    const common = { include_imported: includesImported(url), ...(period && { period }), ...(site && { site_id: site }) }
    const answers = await Promise.all(cards.map((_, index) => page.answerOf(dashboards_card, { index: String(index), ...common })))
    const names = new Map(sites.map(({ id, name }) => [id, name]))
    const shownOf = (each: Card): Card => (site && each.type !== 'funnel' ? { ...each, site_id: site } : each)
    const pageOf = ({ site_id }: Card): ViewedPage => {
      const currency = sites.find(({ id }) => id === site_id)?.currency ?? viewer.currency
      return { ...page, viewer: { ...viewer, currency } }
    }
    const edited = change ? (url.searchParams.get('edit') ?? '') : ''
    /** Without a kind of card and what else was chosen for another one. */
    const addressOf = (edit: string | undefined): string => withQuery(url, { ...unchosen, edit, do: undefined, done: undefined })
    const form = change &&
      edited !== '' && {
        cards,
        sites: names,
        funnels: await funnelsOf([...names.keys()], page),
        url,
        viewer,
        drawn: drawnFor(change, { cards }, viewer.timezone),
      }
    const importedNotes = answers.flatMap(answer => (answer ? otherThanLeftOut(answer.meta.notes) : []))
    const links = await Promise.all(cards.map(each => reportOf(shownOf(each), page)))
    const contents = await Promise.all(
      cards.map((each, i) => {
        const data = answers[i]?.data
        return data && CardContent({ data, page: pageOf(shownOf(each)), metric: each.params.metric, id: `now-${i}` })
      }),
    )
    const content = (
      <>
        <div class="between board-head">
          <nav class="tabs" aria-label={say(viewer, ui.period)}>
            <a
              href={withQuery(url, { period: undefined, edit: edited || undefined })}
              aria-current={period === undefined ? 'true' : undefined}
            >
              {say(viewer, m.own_periods)}
            </a>
            {commonPeriods.map(each => (
              <a href={withQuery(url, { period: each, edit: edited || undefined })} aria-current={each === period ? 'true' : undefined}>
                {periodWords(each, viewer)}
              </a>
            ))}
          </nav>
          <div class="ways">
            {names.size > 1 && <SiteChoice names={names} site={site} edit={edited || undefined} url={url} viewer={viewer} />}{' '}
            <button type="button" class="plain" data-fullscreen=".board" hidden>
              <Icon name="screen" /> {say(viewer, m.full_screen)}
            </button>{' '}
            {isEditing && edited !== 'new' && (
              <a class="button plain" href={addressOf('new')}>
                {say(viewer, m.add_card)}
              </a>
            )}{' '}
            {change && (
              <a class="button plain" href={addressOf(isEditing ? undefined : 'cards')}>
                {say(viewer, isEditing ? m.done_editing : m.edit)}
              </a>
            )}
          </div>
        </div>
        {form && edited === 'new' && (
          <section class="card" aria-labelledby="new">
            <h2 id="new">{say(viewer, m.add_card)}</h2>
            <CardForm {...form} index={cards.length} proposed={cardIn(url)} />
          </section>
        )}
        {cards.length === 0 && edited !== 'new' && <Nothing>{say(viewer, m.no_card)}</Nothing>}
        {isEditing && edited === 'cards' && form && cards.length > 0 && <Arrangement {...form} />}
        <div class="board">
          {runsOf(cards).map(run => {
            const drawn = run.map(({ card: each, i }) => {
              const title = cardTitle({ ...each, ...each.params }, viewer)
              return (
                <section class={`card panel ${sizeOf(each)}`} aria-labelledby={`card-${i}`} id={`at-${i}`} data-card={i}>
                  <div class="between">
                    <h2 id={`card-${i}`}>
                      <a href={links[i]}>{title}</a>
                    </h2>
                    {isEditing && edited !== String(i) && (
                      <a class="edit" href={`${addressOf(String(i))}#at-${i}`}>
                        {say(viewer, m.edit)} <span class="unseen">{title}</span>
                      </a>
                    )}
                  </div>
                  {form && edited === 'cards' && <CardMoves {...form} index={i} isArranged />}
                  {names.size > 1 && <p class="help">{names.get(shownOf(each).site_id)}</p>}
                  {form && edited === String(i) ? (
                    <>
                      <CardMoves {...form} index={i} />
                      <CardForm {...form} index={i} />
                    </>
                  ) : (
                    (contents[i] ?? <p class="none">{say(viewer, m.card_gone)}</p>)
                  )}
                </section>
              )
            })
            return run.length > 1 ? <div class="smalls">{drawn}</div> : drawn
          })}
        </div>
        <ImportedNotes notes={importedNotes} url={url} viewer={viewer} />
      </>
    )
    return { content, has: isEditing ? [] : [dashboards_update, dashboards_delete] }
  },
  { own: ['edit', 'include_imported', 'period', 'type', 'site_id', ...Object.keys(paramFields)] },
)

/** Parameters of a card that is being made. The site stays, as it may be the one of all cards. */
const unchosen = {
  type: undefined,
  ...Object.fromEntries(
    Object.keys(paramFields)
      .filter(name => name !== 'period')
      .map(name => [name, undefined]),
  ),
}

interface SiteChoiceProps {
  /** Names of sites by id. */
  readonly names: ReadonlyMap<string, string>
  readonly site: string | undefined
  /** The form that is open, for a person who may change cards. */
  readonly edit: string | undefined
  readonly url: URL
  readonly viewer: Viewer
}

/** One site for all cards. */
function SiteChoice({ names, site, edit, url, viewer }: SiteChoiceProps) {
  const choice = (id: string | undefined, name: string) => (
    <a href={withQuery(url, { site_id: id, edit, do: undefined, done: undefined })} aria-current={id === site ? 'true' : undefined}>
      {name}
    </a>
  )
  return (
    <details class="more">
      <summary class="button plain">
        <Icon name="globe" /> {site === undefined ? say(viewer, m.own_sites) : names.get(site)} <Icon name="down" />
      </summary>
      <div class="card drop menu">
        {choice(undefined, say(viewer, m.own_sites))}
        {[...names].map(([id, name]) => choice(id, name))}
      </div>
    </details>
  )
}

const [WIDE, GAP, ROW] = [320, 8, 72]
/** Cards of a size that have room in a row. */
const inRow = { small: 4, half: 2, full: 1 }

/** The cards of a dashboard as outlines in their widths, as many as there is room for. */
function Miniature({ cards }: { cards: readonly Card[] }) {
  const rows: Card[][] = []
  for (const card of cards) {
    const last = rows.at(-1)
    if (last?.[0] && sizeOf(last[0]) === sizeOf(card) && last.length < inRow[sizeOf(card)]) last.push(card)
    else rows.push([card])
  }
  let y = 0
  return (
    <svg class="spark plot mini" viewBox={`0 0 ${WIDE} 1`} preserveAspectRatio="xMidYMin" aria-hidden="true" focusable="false">
      {rows.map(row => {
        const top = y
        const height = row.every(({ type }) => type === 'metric') ? ROW / 2 : ROW
        y += height + GAP
        const width = (WIDE - GAP * (row.length - 1)) / row.length
        return row.map((card, i) => <Outline card={card} x={i * (width + GAP)} width={width} y={top} height={height} />)
      })}
    </svg>
  )
}

/** A card as people recognise its kind: a figure, a curve, or bars. */
function Outline({ card: { type }, x, y, width, height }: { card: Card; x: number; y: number; width: number; height: number }) {
  const [left, right] = [x + 10, x + width - 10]
  const bar = (at: number, share: number) => <rect class="shade" x={left} y={y + at} width={(right - left) * share} height={8} rx={2} />
  const step = (right - left) / 4
  return (
    <>
      <rect class="grid" fill="none" x={x + 0.5} y={y + 0.5} width={width - 1} height={height - 1} rx={6} />
      {type === 'metric' ? (
        <rect class="shade" x={left} y={y + 13} width={Math.min(34, right - left)} height={10} rx={2} />
      ) : type === 'chart' || type === 'live' || type === 'vitals' ? (
        <path class="now" d={`M${left} ${y + 52}c${step} 0 ${step} -26 ${2 * step} -20s${step} -16 ${2 * step} -16`} />
      ) : (
        [0.9, 0.6, 0.45, 0.2].map((share, i) => bar(12 + 13 * i, share))
      )}
    </>
  )
}

interface Placed {
  readonly card: Card
  readonly i: number
}

/** Small cards that follow each other are a row of their own, so that none is as high as a list next to it. */
function runsOf(cards: readonly Card[]): Placed[][] {
  const runs: Placed[][] = []
  for (const [i, card] of cards.entries()) {
    const last = runs.at(-1)
    if (last && sizeOf(card) === 'small' && last.every(before => sizeOf(before.card) === 'small')) last.push({ card, i })
    else runs.push([{ card, i }])
  }
  return runs
}

/** Cards of reports that imported history is never in say nothing of it. */
const otherThanLeftOut = (notes: unknown): ReportNote[] =>
  Array.isArray(notes) ? notes.filter((note: ReportNote) => note.code === 'imported_included' || note.code === 'imported_unknown') : []

const MAX_SITES = 20

/** Funnels to choose from, by the id of their site. */
async function funnelsOf(sites: readonly string[], { ask }: ViewedPage): Promise<ReadonlyMap<string, readonly Static<typeof Funnel>[]>> {
  const lists = sites.slice(0, MAX_SITES).map(async site_id => {
    return [site_id, (await ask(listOf(Funnel), { site_id, per_page: 100 })) ?? []] as const
  })
  return new Map(await Promise.all(lists))
}
