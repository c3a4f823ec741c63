/**
 * Forms that edit the cards of a dashboard without scripts. Each form sends all cards in their new state; unchanged
 * cards are hidden fields, with the names that any form uses.
 */
import { type Drawn, drawnField, drawnText } from '../../../runtime/call/form-digests.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import { commonDimensions } from '../../../runtime/ui/conditions.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'
import { periodNames, periodWords } from '../../../runtime/ui/periods.tsx'
import { fieldWords } from '../../../runtime/ui/words.ts'
import type { Funnel } from '../funnels/records.ts'
import { type Card, cardTypes } from './records.ts'
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
}

const metrics = ['visitors', 'visits', 'pageviews', 'views_per_visit', 'bounce_rate', 'visit_duration', 'revenue'] as const

/** A form for one card, with a field for each setting. */
export function CardForm({ cards, sites, funnels, url, viewer, drawn, index }: EditProps) {
  const card = cards[index]
  const params = card?.params ?? {}
  const at = `/cards/${index}`
  const all = [...funnels].flatMap(([site, each]) => each.map(({ id, name }) => [id, `${sites.get(site)}: ${name}`] as const))
  return (
    <form method="post" action={`${url.pathname}?_method=PATCH`} class="edits">
      <input type="hidden" name={drawnField} value={drawnText(drawn)} />
      <Kept cards={cards.slice(0, index)} from={0} />
      <Choice
        viewer={viewer}
        name={`${at}/type`}
        label={say(viewer, m.card_type)}
        value={card?.type ?? ''}
        options={named(cardTypes, viewer)}
        isNeeded
      />
      <Choice
        viewer={viewer}
        name={`${at}/site_id`}
        label={say(viewer, m.site)}
        value={card?.site_id ?? ''}
        options={[...sites]}
        isNeeded
      />
      <p class="field">
        <label for={`edit-${at}/title`}>
          {say(viewer, m.heading)} <span class="optional">{say(viewer, ui.optional)}</span>
        </label>
        <input id={`edit-${at}/title`} name={`${at}/title`} maxlength={200} value={card?.title ?? ''} autocomplete="off" />
      </p>
      <Choice
        viewer={viewer}
        name={`${at}/params/period`}
        label={say(viewer, ui.period)}
        value={params.period ?? ''}
        options={periodNames.map(name => [name, periodWords(name, viewer)])}
      />
      <Choice
        viewer={viewer}
        name={`${at}/params/metric`}
        label={say(viewer, m.card_metric)}
        value={params.metric ?? ''}
        options={named(metrics, viewer)}
      />
      <Choice
        viewer={viewer}
        name={`${at}/params/dimension`}
        label={say(viewer, m.broken_down_by)}
        value={params.dimension ?? ''}
        options={named(commonDimensions, viewer)}
      />
      <Choice viewer={viewer} name={`${at}/params/funnel_id`} label={say(viewer, m.funnel)} value={params.funnel_id ?? ''} options={all} />
      <Kept cards={cards.slice(index + 1)} from={index + 1} />
      <p class="ends">
        <button type="submit">{index < cards.length ? say(viewer, m.change_card) : say(viewer, m.add_this_card)}</button>{' '}
        <a class="button plain" href={url.pathname}>
          {say(viewer, ui.cancel)}
        </a>
      </p>
    </form>
  )
}

const named = (values: readonly string[], viewer: Viewer) => values.map(value => [value, fieldWords(value, viewer)] as const)

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, name: string])[]
  readonly viewer: Viewer
  readonly isNeeded?: boolean
}

function Choice({ name, label, value, options, viewer, isNeeded = false }: ChoiceProps) {
  const isKnown = value === '' || options.some(([each]) => each === value)
  return (
    <p class="field">
      <label for={`edit-${name}`}>
        {label}
        {!isNeeded && <span class="optional"> {say(viewer, ui.optional)}</span>}
      </label>
      <select id={`edit-${name}`} name={name}>
        {!isNeeded && <option value="" />}
        {!isKnown && (
          <option value={value} selected>
            {value}
          </option>
        )}
        {options.map(([each, called]) => (
          <option value={each} selected={each === value}>
            {called}
          </option>
        ))}
      </select>
    </p>
  )
}

/** Buttons that move or remove the card. */
export function CardMoves({ cards, url, viewer, drawn, index }: EditProps) {
  const card = cards[index]
  if (!card) return null
  const others = cards.toSpliced(index, 1)
  const moved = (to: number) => others.toSpliced(to, 0, card)
  return (
    <div class="moves">
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
    <form method="post" action={`${url.pathname}?_method=PATCH`}>
      <input type="hidden" name={drawnField} value={drawnText(drawn)} />
      <Kept cards={cards} from={0} />
      <button type="submit" class={isDangerous ? 'plain danger' : 'plain'}>
        {label}
      </button>
    </form>
  )
}

/** Hidden fields for unchanged cards. Includes the name of the list, because the list may be empty. */
function Kept({ cards, from }: { cards: readonly Card[]; from: number }) {
  const fields = cards.flatMap((card, i) => {
    const at = `/cards/${from + i}`
    const own = (['type', 'site_id', 'title'] as const).map(name => [`${at}/${name}`, card[name] ?? ''] as const)
    return [...own, ...Object.entries(card.params).map(([name, value]) => [`${at}/params/${name}`, value] as const)]
  })
  return (
    <>
      {from === 0 && <input type="hidden" name="/cards" value="" />}
      {fields
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
    </>
  )
}
