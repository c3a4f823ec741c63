/** The form of a dashboard: its name, and the cards that it begins with. The cards are arranged on the dashboard itself. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import { Hidden } from '../../../runtime/ui/form.tsx'
import type { FormParts, ItemParts } from '../../../runtime/ui/form-layout.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { cardKinds } from './card-kinds.ts'
import { cardTitle } from './card-content.tsx'
import { m } from './messages.ts'
import { type CardType, cardTypes } from './records.ts'

/** Proposed cards, in order. */
const firstCards = [
  { type: 'metric', params: { metric: 'visitors' } },
  { type: 'live' },
  { type: 'chart', params: { metric: 'visitors' } },
  { type: 'breakdown', params: { dimension: 'source' } },
  { type: 'breakdown', params: { dimension: 'page' } },
  { type: 'goal' },
] as const

export function newDashboardFields(parts: FormParts<'name' | 'cards'>): Content {
  const { reader, page, choices } = parts
  const sites = choices.get('site_id') ?? []
  const first = sites.find(({ id }) => id === page.siteId) ?? sites[0]
  parts.begin({ cards: first ? firstCards.map(card => ({ ...card, site_id: first.id })) : [] })
  return (
    <>
      {parts.field('name', { help: '', proposed: first && say(reader, m.proposed_name, { site: first.name }) })}
      {parts.list('cards', {
        label: say(reader, m.first_cards),
        help: say(reader, m.first_cards_help),
        add: say(reader, m.add_card),
        draw: item => (<CardLine item={item} page={page} />) as Content,
      })}
    </>
  ) as Content
}

/** A proposed card by its title, with its site to choose; an added one by its type as well. */
function CardLine({ item: { index, values, field }, page }: { item: ItemParts; page: ViewedPage }) {
  const params = isObject(values.params) ? values.params : {}
  const type = cardTypes.find(each => each === values.type)
  const siteField = { isWanted: true, label: say(page.viewer, m.site) } as const
  if (type === undefined || Object.keys(params).length + Number(bare.has(type)) === 0)
    return (
      <div class="pair">
        {field('type', {
          label: say(page.viewer, m.card_type),
          isWanted: true,
          options: cardTypes.map(each => [each, say(page.viewer, cardKinds[each].name)] as const),
        })}
        {field('site_id', siteField)}
      </div>
    )
  const at = `/cards/${index}`
  const kept = Object.entries(params).map(([name, value]) => [`${at}/params/${name}`, String(value)] as const)
  return (
    <div class="pair">
      <p>
        <b>{cardTitle({ type, ...textsIn(params) }, page.viewer)}</b>{' '}
        <span class="tag plain">{say(page.viewer, cardKinds[type].name)}</span>
      </p>
      {field('site_id', { ...siteField, isSlot: true })}
      <Hidden fields={[[`${at}/type`, type], ...kept]} />
    </div>
  )
}

/** Types whose cards need no parameters. */
const bare: ReadonlySet<CardType> = new Set<CardType>(['live', 'goal', 'uptime', 'vitals'])
const textsIn = ({ metric, dimension }: Readonly<Record<string, unknown>>) => ({
  ...(typeof metric === 'string' && { metric }),
  ...(typeof dimension === 'string' && { dimension }),
})

/** Changes the name. The cards are edited on the dashboard; if the operation refuses them, this form shows them again. */
export function dashboardFields(parts: FormParts<'name' | 'cards'>): Content {
  const { values, record } = parts
  if (values.cards === undefined || JSON.stringify(values.cards) === JSON.stringify(record?.cards)) parts.without('cards')
  return (
    <>
      {parts.field('name', { help: '' })}
      {parts.rest()}
    </>
  ) as Content
}
