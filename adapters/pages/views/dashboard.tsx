/** A dashboard: its cards as their reports, each with a way to edit it. */
import { say } from '../../../runtime/ui/languages/index.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { drawnFor } from '../../../runtime/ui/control-values.ts'
import { CardContent, cardTitle } from './card.tsx'
import { CardForm, CardMoves } from './card-forms.tsx'
import { linkTo } from '../../../runtime/ui/links.ts'
import { list, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'
import { Nothing } from '../../../runtime/ui/share.tsx'

/** Cards of these types need the whole width. */
const wide = new Set(['chart', 'vitals'])

export const dashboard: View = {
  own: ['edit'],
  async show(seen) {
    const { data, ask, does, url, viewer, schemaOf } = seen
    const cards = list(data.cards)
    const change = does.find(({ method, input }) => method === 'PATCH' && Object.hasOwn(input.properties, 'cards'))
    const [answers, sites] = await Promise.all([
      Promise.all(cards.map((_, index) => ask('CardData', {}, { index: String(index) }))),
      ask('[Site]', { per_page: 100 }),
    ])
    const names = new Map(list(sites?.rows).map(site => [text(site.id), text(site.name)]))
    const currencies = new Map(list(sites?.rows).map(site => [text(site.id), text(site.currency)]))
    const viewerOf = (card: Row): Viewer => ({ ...viewer, currency: currencies.get(text(card.site_id)) || viewer.currency })
    const edited = change ? (url.searchParams.get('edit') ?? '') : ''
    const form =
      edited === '' || !change
        ? undefined
        : {
            cards,
            sites: names,
            funnels: await funnelsOf([...names.keys()], ask),
            url,
            viewer,
            drawn: drawnFor(change, { cards: data.cards }, viewer.timezone),
          }
    return {
      content: (
        <>
          {change && edited !== 'new' && (
            <p>
              <a class="button" href={withQuery(url, { edit: 'new', do: undefined, done: undefined })}>
                {say(viewer, 'add_card')}
              </a>
            </p>
          )}
          {form && edited === 'new' && (
            <section class="card" aria-labelledby="new">
              <h2 id="new">{say(viewer, 'add_card')}</h2>
              <CardForm {...form} index={cards.length} />
            </section>
          )}
          {cards.length === 0 && edited !== 'new' && <Nothing>{say(viewer, 'no_card')}</Nothing>}
          <div class="board">
            {cards.map((card, i) => (
              <section class={wide.has(text(card.type)) ? 'card panel wide' : 'card panel'} aria-labelledby={`card-${i}`} id={`at-${i}`}>
                <div class="between">
                  <h2 id={`card-${i}`}>
                    <a href={wholeReport(card, seen)}>{cardTitle(card, viewer)}</a>
                  </h2>
                  {change && edited !== String(i) && (
                    <a class="edit" href={`${withQuery(url, { edit: String(i), do: undefined, done: undefined })}#at-${i}`}>
                      {say(viewer, 'edit')} <span class="unseen">{cardTitle(card, viewer)}</span>
                    </a>
                  )}
                </div>
                {names.size > 1 && <p class="help">{names.get(text(card.site_id))}</p>}
                {form && edited === String(i) ? (
                  <>
                    <CardMoves {...form} index={i} />
                    <CardForm {...form} index={i} />
                  </>
                ) : answers[i] ? (
                  <CardContent
                    data={answers[i]}
                    schema={schemaOf('CardData') ?? seen.schema}
                    viewer={viewerOf(card)}
                    metric={metricOf(card)}
                    pathOf={seen.pathOf}
                    id={`now-${i}`}
                  />
                ) : (
                  <p class="none">{say(viewer, 'card_gone')}</p>
                )}
              </section>
            ))}
          </div>
        </>
      ),
    }
  },
}

const metricOf = ({ params }: Row): string | undefined => text(record(params).metric) || undefined

async function funnelsOf(sites: readonly string[], ask: Seen['ask']): Promise<ReadonlyMap<string, readonly Row[]>> {
  const asked = sites.slice(0, mostSites)
  const funnels = await Promise.all(asked.map(site_id => ask('[Funnel]', { per_page: 100 }, { site_id })))
  return new Map(asked.map((site, i) => [site, list(funnels[i]?.rows)]))
}
const mostSites = 20

/** The page with all of what a card shows a part of. */
function wholeReport(card: Row, { pathOf, url }: Seen): string | undefined {
  const site_id = text(card.site_id)
  const { period, dimension, funnel_id, metric } = record(card.params)
  const over = { ...(typeof period === 'string' && { period }) }
  const bare = new URL(url.pathname, url)
  switch (card.type) {
    case 'breakdown':
      return linkTo(pathOf('Breakdown', { site_id, dimension: text(dimension) || 'page' }), bare, over)
    case 'goal':
      return linkTo(pathOf('Breakdown', { site_id, dimension: 'goal' }), bare, over)
    case 'live':
      return pathOf('Live', { site_id })
    case 'funnel':
      return linkTo(pathOf('FunnelReport', { site_id, id: text(funnel_id) }), bare, over)
    case 'uptime':
      return pathOf('[CheckAvailability]', { site_id })
    default:
      return linkTo(pathOf('Overview', { site_id }), bare, { ...over, ...(typeof metric === 'string' && { metric }) })
  }
}
