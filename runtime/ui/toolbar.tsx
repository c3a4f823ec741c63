/** The toolbar of a report: conditions as chips that come off, another condition, a saved segment. */
import { commonDimensions, conditionWords, oneValue } from './conditions.ts'
import type { Option } from './fields/control-props.ts'
import type { Viewer } from './format.ts'
import { fieldWords, valueWords, withQuery } from './words.ts'
import { Kept } from './periods.tsx'
import { Line } from './fields/line.tsx'
import { Form } from './form.tsx'
import { Icon } from './icons/icon.tsx'
import { ui } from './messages.ts'
import { say } from '../texts/say.ts'

/** Conditions of the address; the report reports anything else than a list of them as a fault. */
export function conditionsIn(url: URL): unknown[] {
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

/** Conditions that are on, each with a way to take it off. */
export function Chips({ url, viewer }: { url: URL; viewer: Viewer }) {
  const conditions = conditionsIn(url)
  if (conditions.length === 0) return null
  return (
    <ul class="chips" aria-label={say(viewer, ui.filters)}>
      {conditions.map((condition, i) => (
        <li>
          <span>{conditionWords(condition, viewer)}</span>
          <a
            href={withQuery(url, {
              filters: conditions.length === 1 ? undefined : JSON.stringify(conditions.toSpliced(i, 1)),
              page: undefined,
            })}
          >
            <span class="unseen">{say(viewer, ui.take_off, { what: conditionWords(condition, viewer) })}</span>
            <Icon name="close" size="small" />
          </a>
        </li>
      ))}
      {conditions.length > 1 && (
        <li class="all">
          <a href={withQuery(url, { filters: undefined })}>{say(viewer, ui.clear_all)}</a>
        </li>
      )}
    </ul>
  )
}

/** Parameters of the form, which leads on to the address with the condition in it. */
export const conditionParts = ['where', 'how', 'what'] as const

/** The address with the condition that the form above sent; undefined where it sent none. */
export function sentCondition(url: URL): string | undefined {
  const [dimension, operator, value] = conditionParts.map(name => url.searchParams.get(name))
  if (!dimension || value === null || value === undefined) return undefined
  const rest = new URL(withQuery(url, { where: undefined, how: undefined, what: undefined }), url)
  return withCondition(rest, { dimension, value, operator: operator || 'is' })
}

/** @param may whether a dimension may be asked about */
export function AddCondition({ url, viewer, may }: { url: URL; viewer: Viewer; may(dimension: string): boolean }) {
  return (
    <details class="more">
      <summary class="button plain">
        <Icon name="filter" />
        {say(viewer, ui.filter)}
      </summary>
      <Form method="GET" class="card drop">
        <Kept url={url} without={['page', ...conditionParts]} />
        <Line
          id="where"
          name="where"
          label={say(viewer, ui.dimension)}
          value={undefined}
          options={commonDimensions.filter(may).map(name => [name, fieldWords(name, viewer)])}
        />
        <Line
          id="how"
          name="how"
          label={say(viewer, ui.operator)}
          value={undefined}
          options={oneValue.map(name => [name, valueWords(name, viewer)])}
        />
        <Line
          id="what"
          name="what"
          label={say(viewer, ui.value)}
          value={undefined}
          attributes={{ maxlength: 1000, autocomplete: 'off', 'data-key': '/', 'aria-label': say(viewer, ui.filter) }}
          required
        />
        <button type="submit">{say(viewer, ui.show)}</button>
      </Form>
    </details>
  )
}

/** Saved conditions, one of which may be on. */
export function Segments({ url, viewer, segments }: { url: URL; viewer: Viewer; segments: readonly Option[] }) {
  const chosen = url.searchParams.get('segment_id') ?? ''
  if (segments.length === 0 && chosen === '') return null
  const link = (id: string, name: string) => (
    <li>
      <a
        href={withQuery(url, { segment_id: id === '' ? undefined : id, page: undefined })}
        aria-current={id === chosen ? 'true' : undefined}
      >
        {name}
      </a>
    </li>
  )
  return (
    <details class="more">
      <summary class="button plain">
        <Icon name="segment" />
        {segments.find(({ id }) => id === chosen)?.name ?? <span class="opt">{say(viewer, ui.segment)}</span>}
      </summary>
      <ul class="card drop">
        {link('', say(viewer, ui.no_segment))}
        {segments.map(({ id, name }) => link(id, name))}
      </ul>
    </details>
  )
}
