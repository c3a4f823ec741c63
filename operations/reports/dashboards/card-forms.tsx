/**
 * Forms that edit the cards of a dashboard without scripts. Each form sends all cards in their new state; unchanged
 * cards are hidden fields, with the names that any form uses.
 */
import { type Drawn, drawnField, drawnText } from '../../../runtime/call/form-digests.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import { commonDimensions } from '../../../runtime/ui/conditions.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'
import { Field, Form, Hidden } from '../../../runtime/ui/form.tsx'
import { Icon } from '../../../runtime/ui/icons/icon.tsx'
import { periodNames, periodWords } from '../../../runtime/ui/periods.tsx'
import { fieldWords, withQuery } from '../../../runtime/ui/words.ts'
import type { Funnel } from '../funnels/records.ts'
import { cardTitle } from './card-content.tsx'
import { cardKinds } from './card-kinds.ts'
import { type Card, cardSizes, cardTypes, sizeOf } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

interface EditProps {
  readonly cards: readonly Card[]
  /** Names of sites by id. */
  readonly sites: ReadonlyMap<string, string>
  /** Funnels by the id of their site. */
  readonly funnels: ReadonlyMap<string, readonly Static<typeof Funnel>[]>
  readonly url: URL
  readonly viewer: Viewer
  /** Context for drawing the form. */
  readonly drawn: Drawn
  /** Index of the card; a new card comes last. */
  readonly index: number
  /** Values of a new card. */
  readonly proposed?: Card | undefined
}

const metrics = ['visitors', 'visits', 'pageviews', 'views_per_visit', 'bounce_rate', 'visit_duration', 'revenue'] as const

const isOffered = (name: string): boolean => (metrics as readonly string[]).includes(name)

/** A refused form is shown by the form of the operation. */
const fresh = { refused: undefined }

/** The form of one card: its type as a choice of links, then a sentence with the settings of that type. */
export function CardForm({ cards, sites, funnels, url, viewer, drawn, index, proposed }: EditProps) {
  const card = cards[index] ?? proposed
  const params = card?.params ?? {}
  const at = `/cards/${index}`
  const type = cardTypes.find(each => each === url.searchParams.get('type')) ?? card?.type ?? 'metric'
  const all = [...funnels].flatMap(([site, each]) => each.map(({ id, name }) => [id, `${sites.get(site)}: ${name}`] as const))
  const slot = (name: string, label: string, value: string, options: readonly (readonly [string, string])[]) => (
    <Slot name={`${at}/${name}`} label={label} value={value} options={options} />
  )
  const known = params.metric && !isOffered(params.metric) ? [...metrics, params.metric] : metrics
  const slots = {
    site: slot('site_id', say(viewer, m.site), card?.site_id ?? '', [...sites]),
    metric: slot('params/metric', fieldWords('metric', viewer), params.metric ?? metrics[0], named(known, viewer)),
    dimension: slot('params/dimension', say(viewer, m.broken_down_by), params.dimension ?? 'source', named(commonDimensions, viewer)),
    funnel: slot('params/funnel_id', say(viewer, m.funnel), params.funnel_id ?? '', all),
    period: slot('params/period', say(viewer, ui.period), params.period ?? '', [
      ['', periodWords(USUAL_PERIOD, viewer)],
      ...periodNames.filter(name => name !== USUAL_PERIOD).map(name => [name, periodWords(name, viewer)] as const),
      ...(params.period === USUAL_PERIOD ? [[USUAL_PERIOD, periodWords(USUAL_PERIOD, viewer)] as const] : []),
    ]),
    table: (
      <b>
        {[params.dimensions, params.metrics]
          .flatMap(names => (names ? names.split(',').map(name => fieldWords(name, viewer)) : []))
          .join(' · ')}
      </b>
    ),
  }
  const kept = (['dimensions', 'metrics', 'order', 'filters', ...(type === 'table' ? (['metric'] as const) : [])] as const).flatMap(name =>
    type === 'table' && params[name] ? [[`${at}/params/${name}`, params[name]] as const] : [],
  )
  return (
    <>
      <nav class="kinds" aria-label={say(viewer, m.card_type)}>
        <div class="cards">
          {cardTypes
            .filter(each => each !== 'table' || type === 'table')
            .filter(each => each !== 'funnel' || all.length > 0 || type === 'funnel')
            .map(each => (
              <a
                class="kind"
                href={withQuery(url, { type: each, do: undefined, done: undefined })}
                aria-current={each === type ? 'true' : undefined}
              >
                <Icon name={cardKinds[each].icon} />
                <span class="name">{say(viewer, cardKinds[each].name)}</span>
              </a>
            ))}
        </div>
      </nav>
      <Form action={url.pathname} method="PATCH" hidden={{ [drawnField]: drawnText(drawn) }} class="edits">
        <Kept cards={cards.slice(0, index)} from={0} />
        <Hidden fields={[[`${at}/type`, type], ...kept]} />
        <div class="sentence">
          <p>{cardKinds[type].sentence(viewer, slots)}</p>
        </div>
        <div class="pair">
          <Field
            name={`${at}/title`}
            label={say(viewer, m.heading)}
            value={card?.title ?? ''}
            maxlength={200}
            autocomplete="off"
            required={false}
            optional={say(viewer, ui.optional)}
            {...fresh}
          />
          <Field
            name={`${at}/size`}
            label={say(viewer, m.width)}
            value={card ? (card.size ?? '') : ''}
            options={cardSizes.map(size => [size, say(viewer, m[size])] as const)}
            required={false}
            blank={say(viewer, m[sizeOf({ type })])}
            {...fresh}
          />
        </div>
        <Kept cards={cards.slice(index + 1)} from={index + 1} />
        <p class="ends">
          <button type="submit">{index < cards.length ? say(viewer, m.change_card) : say(viewer, m.add_this_card)}</button>{' '}
          <a class="button plain" href={url.pathname}>
            {say(viewer, ui.cancel)}
          </a>
        </p>
      </Form>
    </>
  )
}

/** The period of a card that names none. */
const USUAL_PERIOD = '30d'

interface SlotProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
}

/** A choice within a sentence. */
const Slot = ({ name, label, value, options }: SlotProps) => (
  <span class="slot">
    <select name={name} aria-label={label}>
      {options.map(([each, text]) => (
        <option value={each} selected={each === value}>
          {text}
        </option>
      ))}
    </select>
  </span>
)

const named = (values: readonly string[], viewer: Viewer) => values.map(value => [value, fieldWords(value, viewer)] as const)

/** Address of the dashboard in its mode of editing, which stays open. */
const editing = (url: URL): string => withQuery(url, { edit: 'cards', do: undefined, done: undefined })

/** All cards as they are. The script puts them in another order, or gives one another width, and sends it. */
export function Arrangement({ cards, url, drawn }: Pick<EditProps, 'cards' | 'url' | 'drawn'>) {
  return (
    <Form action={url.pathname} method="PATCH" hidden={{ [drawnField]: drawnText(drawn), _back: editing(url) }} class="arrangement">
      <Kept cards={cards} from={0} />
    </Form>
  )
}

/** Other places of the card, and none. */
export function CardMoves({ cards, url, viewer, drawn, index, isArranged = false }: EditProps & { isArranged?: boolean }) {
  const card = cards[index]
  if (!card) return null
  const others = cards.toSpliced(index, 1)
  const moved = (to: number) => others.toSpliced(to, 0, card)
  return (
    <div class="moves">
      {isArranged && <Handle card={card} viewer={viewer} />}
      {index > 0 && <Whole cards={moved(index - 1)} url={url} drawn={drawn} label={say(viewer, m.move_up)} />}
      {index < cards.length - 1 && <Whole cards={moved(index + 1)} url={url} drawn={drawn} label={say(viewer, m.move_down)} />}
      <Whole cards={others} url={url} drawn={drawn} label={say(viewer, m.remove)} isDangerous />
    </div>
  )
}

interface WholeProps extends Pick<EditProps, 'cards' | 'url' | 'drawn'> {
  readonly label: string
  readonly isDangerous?: boolean
}

function Whole({ cards, url, drawn, label, isDangerous = false }: WholeProps) {
  return (
    <Form action={url.pathname} method="PATCH" hidden={{ [drawnField]: drawnText(drawn), _back: editing(url) }}>
      <Kept cards={cards} from={0} />
      <button type="submit" class={isDangerous ? 'plain danger' : 'plain'}>
        {label}
      </button>
    </Form>
  )
}

/** Hidden fields for unchanged cards. Includes the name of the list, because the list may be empty. */
function Kept({ cards, from }: { cards: readonly Card[]; from: number }) {
  const fields = cards.flatMap((card, i) => {
    const at = `/cards/${from + i}`
    const own = (['type', 'site_id', 'title', 'size'] as const).map(name => [`${at}/${name}`, card[name] ?? ''] as const)
    return [...own, ...Object.entries(card.params).map(([name, value]) => [`${at}/params/${name}`, value] as const)]
  })
  const sent = fields.filter(([, value]) => value !== '')
  return <Hidden fields={from === 0 ? [['/cards', ''], ...sent] : sent} />
}

/** Moves a card by dragging or with the arrow keys, and sets its width. The script shows it; without, there are buttons and the form. */
function Handle({ card, viewer }: { card: Card; viewer: Viewer }) {
  const title = cardTitle({ ...card, ...card.params }, viewer)
  return (
    <div class="handle" hidden>
      <button type="button" class="plain grip" aria-label={say(viewer, m.grip, { card: title })} title={say(viewer, m.grip_help)}>
        <Icon name="grip" />
      </button>
      <select data-size aria-label={say(viewer, m.width_of, { card: title })}>
        {cardSizes.map(size => (
          <option value={size} selected={size === sizeOf(card)}>
            {say(viewer, m[size])}
          </option>
        ))}
      </select>
    </div>
  )
}
