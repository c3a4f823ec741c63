/** Conditions of a report: its address with one more or one less, and the chips in its head. */
import { conditionWords } from './conditions.ts'
import type { Option } from './fields/control-props.ts'
import type { Viewer } from './format.ts'
import { conditionParts, rowsOf, sentRows } from './filter-rows.ts'
import { Form, Hidden } from './form.tsx'
import { Icon } from './icons/icon.tsx'
import { ui } from './messages.ts'
import { withQuery } from './words.ts'
import { say } from '../texts/say.ts'

export { conditionParts }

/** Conditions of the address; the report reports anything else than a list of them as a fault. */
export function conditionsIn(url: Pick<URL, 'searchParams'>): unknown[] {
  try {
    const given: unknown = JSON.parse(url.searchParams.get('filters') ?? '[]')
    return Array.isArray(given) ? given : []
  } catch {
    return []
  }
}

/** The address with one condition more: another click on the same value changes nothing. */
export function withCondition(
  url: URL,
  { dimension, value, operator = 'is' }: { dimension: string; value: string; operator?: string | undefined },
): string {
  const condition = [dimension, operator, value]
  const others = conditionsIn(url).filter(each => JSON.stringify(each) !== JSON.stringify(condition))
  return withQuery(url, { filters: JSON.stringify([...others, condition]), page: undefined })
}

/** As `withCondition`, for the many values of a table: what is the same for all of them is worked out once. */
export function conditioner(url: URL, dimension: string): (value: string) => string {
  const others = conditionsIn(url).map(each => [JSON.stringify(each), each] as const)
  const rest = withQuery(url, { filters: undefined, page: undefined })
  const begin = `${rest}${rest.includes('?') ? '&' : '?'}filters=`
  return value => {
    const condition = [dimension, 'is', value]
    const same = JSON.stringify(condition)
    return begin + encodeURIComponent(JSON.stringify([...others.filter(([text]) => text !== same).map(([, each]) => each), condition]))
  }
}

/** The address with the conditions that the form sent; undefined if it sent none. */
export function sentCondition(url: URL): string | undefined {
  const sent = sentRows(url)
  if (!sent) return undefined
  const [before, instead] = [conditionsIn(url), sent.instead ?? -1]
  const same = new Set(sent.conditions.map(each => JSON.stringify(each)))
  const kept = before.map((each, i) => (i === instead || same.has(JSON.stringify(each)) ? undefined : each))
  const at = instead >= 0 && instead < kept.length ? instead : kept.length
  const filters = kept.toSpliced(at, instead >= 0 ? 1 : 0, ...sent.conditions).filter(each => each !== undefined)
  return withQuery(url, {
    ...Object.fromEntries(conditionParts.map(name => [name, undefined])),
    page: undefined,
    filters: JSON.stringify(filters),
  })
}

interface ChipsProps {
  readonly url: URL
  readonly viewer: Viewer
  readonly segments: readonly Option[]
  /** The form that saves the conditions as a segment, if the viewer may. */
  readonly save: SaveSegment | undefined
}

/** Conditions and the segment that are on. Each can be changed and taken off, and together they can be saved. */
export function Chips({ url, viewer, segments, save }: ChipsProps) {
  const conditions = conditionsIn(url)
  const chosen = url.searchParams.get('segment_id') ?? ''
  if (conditions.length === 0 && chosen === '') return null
  const named = segments.find(({ id }) => id === chosen)?.name ?? chosen
  const segment = `${say(viewer, ui.segment)}: ${named}`
  return (
    <ul class="chips" aria-label={say(viewer, ui.filters)}>
      {chosen !== '' && (
        <li>
          <Icon name="segment" size="small" />
          <span>{named}</span>
          <TakeOff href={withQuery(url, { segment_id: undefined, page: undefined })} what={segment} viewer={viewer} />
        </li>
      )}
      {conditions.map((condition, i) => {
        const words = conditionWords(condition, viewer)
        const filters = conditions.length === 1 ? undefined : JSON.stringify(conditions.toSpliced(i, 1))
        return (
          <li>
            {rowsOf(condition) ? (
              <a class="edit" href={withQuery(url, { condition: String(i) })} title={say(viewer, ui.change_condition)}>
                {words}
              </a>
            ) : (
              <span>{words}</span>
            )}
            <TakeOff href={withQuery(url, { filters, page: undefined, condition: undefined })} what={words} viewer={viewer} />
          </li>
        )
      })}
      {conditions.length > 0 && save && (
        <li class="all">
          <Save {...save} conditions={conditions} url={url} viewer={viewer} />
        </li>
      )}
      {conditions.length + (chosen === '' ? 0 : 1) > 1 && (
        <li class="all">
          <a href={withQuery(url, { filters: undefined, segment_id: undefined, page: undefined })}>{say(viewer, ui.clear_all)}</a>
        </li>
      )}
    </ul>
  )
}

const TakeOff = ({ href, what, viewer }: { href: string; what: string; viewer: Viewer }) => (
  <a class="off" href={href}>
    <span class="unseen">{say(viewer, ui.take_off, { what })}</span>
    <Icon name="close" size="small" />
  </a>
)

/** Where the form for a saved segment is sent. */
export interface SaveSegment {
  readonly action: string
}

/** Saves the conditions under a name, and shows the report with the segment instead of them. */
function Save({ action, conditions, url, viewer }: SaveSegment & { conditions: readonly unknown[]; url: URL; viewer: Viewer }) {
  const next = withQuery(url, { filters: undefined, page: undefined, segment_id: '{id}' })
  return (
    <details class="more">
      <summary>{say(viewer, ui.save_segment)}</summary>
      <Form action={action} class="card drop">
        <Hidden fields={[['_back', next], ...conditions.map((each, i) => [`/filters/${i}`, JSON.stringify(each)] as const)]} />
        <p class="field">
          <label for="segment-name">{say(viewer, ui.segment_name)}</label>
          <input id="segment-name" name="/name" required maxlength={100} autocomplete="off" />
        </p>
        <button type="submit">{say(viewer, ui.save_segment)}</button>
      </Form>
    </details>
  )
}
