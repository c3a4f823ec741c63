/** The panel that adds or changes a condition of a report, and offers saved segments. */
import { dimensionNames } from '../../storage/engine/vocabulary/dimensions.ts'
import { allOperators } from './conditions.ts'
import type { Option } from './fields/control-props.ts'
import { Named } from './fields/named.tsx'
import { Form, Hidden } from './form.tsx'
import type { Content } from '../table/page.ts'
import type { Viewer } from './format.ts'
import { conditionParts, type FilterRow, isDuration, MAX_ROWS, partName, PROPERTY, rowsOf } from './filter-rows.ts'
import { Icon } from './icons/icon.tsx'
import { filterGroups, ui } from './messages.ts'
import { Kept } from './periods.tsx'
import { slot } from './slot.ts'
import { conditionsIn } from './toolbar.tsx'
import { fieldWords, valueWords, withQuery } from './words.ts'
import { say } from '../texts/say.ts'

/** The address of suggested values, to which a dimension is added; the area that suggests them fills it in. */
export const suggestionsPath = slot<object, string>('address of suggested values')

/** Dimensions by what they are about, those that people filter by most first. */
const groups = {
  content: ['page', 'entry_page', 'exit_page', 'hostname', 'url'],
  origin: ['source', 'channel', 'custom_channel', 'referrer', 'utm_campaign', 'utm_source', 'utm_medium', 'utm_content', 'utm_term'],
  place: ['country', 'region', 'city', 'language', 'network', 'network_kind'],
  device: ['device', 'browser', 'browser_version', 'os', 'os_version', 'screen'],
  behaviour: ['goal', 'event', PROPERTY, 'bounce', 'visit_pageviews', 'visit_duration', 'new_person'],
  time: dimensionNames.filter(name => name === 'weekday' || name === 'hour'),
} as const satisfies Partial<Record<keyof typeof filterGroups, readonly string[]>>

interface FilterFormProps {
  readonly url: URL
  readonly viewer: Viewer
  /** Whether a dimension may be asked about. */
  may(dimension: string): boolean
  /** Saved segments, if the report takes one. */
  readonly segments: readonly Option[]
  /** Address of the suggestions of values, to which the dimension is added; undefined if the viewer may not see them. */
  readonly suggestions: string | undefined
}

/** @returns the panel; it is open at a condition that is changed */
export function FilterForm({ url, viewer, may, segments, suggestions }: FilterFormProps) {
  const at = url.searchParams.get('condition')
  const changed = at === null ? undefined : rowsOf(conditionsIn(url)[Number(at)])
  const rows = [...Array(MAX_ROWS).keys()].map(i => changed?.rows[i])
  const props = { viewer, may }
  return (
    <details class="more filter" open={changed !== undefined}>
      <summary class="button plain">
        <Icon name="filter" />
        <span class="opt">{say(viewer, ui.filter)}</span>
      </summary>
      <div class="card drop filter-menu">
        {segments.length > 0 && !changed && <Segments url={url} viewer={viewer} segments={segments} />}
        <Form method="GET" class="filter-form">
          <Kept url={url} without={['page', ...conditionParts]} />
          {changed && <Hidden fields={[['instead', at ?? undefined]]} />}
          <Row {...props} index={0} row={rows[0]} suggestions={suggestions} />
          <details class="of-choice" open={rows[1] !== undefined}>
            <summary>{say(viewer, ui.another_condition)}</summary>
            <label class="joined">
              <span class="unseen">{say(viewer, ui.joined)}</span>
              <select name="joined">
                <option value="all">{say(viewer, ui.joined_all)}</option>
                <option value="any" selected={changed?.isAny === true}>
                  {say(viewer, ui.joined_any)}
                </option>
              </select>
            </label>
            {rows.slice(1).map((row, i) => (
              <Row {...props} index={i + 1} row={row} suggestions={suggestions} />
            ))}
          </details>
          <p class="ends">
            <button type="submit">{say(viewer, changed ? ui.change_condition : ui.add_condition)}</button>
            {changed && (
              <a class="button plain" href={withQuery(url, { condition: undefined })}>
                {say(viewer, ui.cancel)}
              </a>
            )}
          </p>
        </Form>
      </div>
    </details>
  )
}

interface RowProps {
  readonly viewer: Viewer
  may(dimension: string): boolean
  readonly index: number
  readonly row: FilterRow | undefined
  readonly suggestions: string | undefined
}

/** Fields of one condition: its dimension (`where`), key of a property (`which`), operator (`how`) and values (`what`). */
function Row({ viewer, may, index, row, suggestions }: RowProps) {
  const [where, which, how, what] = [partName('where', index), partName('which', index), partName('how', index), partName('what', index)]
  const [, key] = /^property:(.*)$/s.exec(row?.dimension ?? '') ?? []
  const chosen = key === undefined ? (row?.dimension ?? '') : PROPERTY
  const isSingle = row !== undefined && operatorsOfOneValue.has(row.operator)
  const values = [...(row?.values ?? []), ''].slice(0, isSingle ? 1 : undefined)
  const unseen = index > 0 ? <span class="unseen"> {say(viewer, ui.of_condition, { number: index + 1 })}</span> : null
  const known = Object.values(groups).flat() as string[]
  return (
    <fieldset class="filter-row" data-suggestions={suggestions}>
      <legend class="unseen">{say(viewer, ui.condition_number, { number: index + 1 })}</legend>
      <p>
        <label for={where}>
          {say(viewer, ui.dimension)}
          {unseen}
        </label>
        <select id={where} name={where}>
          {chosen !== '' && !known.includes(chosen) && (
            <option value={chosen} selected>
              {fieldWords(chosen, viewer)}
            </option>
          )}
          {Object.entries(groups).map(([group, names]) => (
            <optgroup label={say(viewer, filterGroups[group as keyof typeof groups])}>
              {names
                .filter(name => may(name === PROPERTY ? `${PROPERTY}:-` : name))
                .map(name => (
                  <option value={name} selected={name === chosen}>
                    {name === PROPERTY
                      ? say(viewer, ui.property)
                      : isDuration(name)
                        ? `${fieldWords(name, viewer)} (1m 30s)`
                        : fieldWords(name, viewer)}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </p>
      <p data-key-of={where}>
        <label for={which}>
          {say(viewer, ui.property_key)}
          {unseen}
        </label>
        <Suggested id={which} name={which} value={key ?? ''} />
      </p>
      <p>
        <label for={how}>
          {say(viewer, ui.operator)}
          {unseen}
        </label>
        <select id={how} name={how}>
          {formOperators.map(name => (
            <option value={name} selected={name === (row?.operator ?? 'is')}>
              {valueWords(name, viewer)}
            </option>
          ))}
        </select>
      </p>
      <div class="values" data-more={say(viewer, ui.or_value)}>
        <label for={what}>
          {say(viewer, ui.value)}
          {unseen}
        </label>
        {values.map((value, i) => (
          <Suggested
            id={i === 0 ? what : `${what}-${i}`}
            name={what}
            value={value}
            named={(<Named dimension={row?.dimension ?? ''} value={value} reader={viewer} />) as Content}
            label={i === 0 ? undefined : say(viewer, ui.or_value)}
            does={i === 0 && index === 0 ? say(viewer, ui.filter) : undefined}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** Operators that compare with one value; with the others a form has an empty line for one more. */
const operatorsOfOneValue: ReadonlySet<string> = new Set(['gt', 'lt', 'regex', 'not_regex'])

/** With several values `is` means `any_of`, and `is_not` means `none_of`, so the form leaves these two out. */
const formOperators = allOperators.filter(name => name !== 'any_of' && name !== 'none_of')

interface SuggestedProps {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly named?: Content
  readonly label?: string | undefined
  /** Name that the list of keyboard shortcuts shows, if a shortcut leads to this line. */
  readonly does?: string | undefined
}

/** A line whose list a script fills with values of the data. */
const Suggested = ({ id, name, value, named, label, does }: SuggestedProps) => (
  <span class="combobox">
    <input
      id={id}
      name={name}
      value={value}
      maxlength={1000}
      autocomplete="off"
      list={`${id}-known`}
      aria-label={label}
      placeholder={label}
      data-key={does === undefined ? undefined : 's'}
      data-does={does}
    />
    {named}
    <datalist id={`${id}-known`} />
  </span>
)

/** Saved conditions, one of which may be on. */
function Segments({ url, viewer, segments }: { url: URL; viewer: Viewer; segments: readonly Option[] }) {
  const chosen = url.searchParams.get('segment_id') ?? ''
  return (
    <nav class="segments" aria-label={say(viewer, ui.segments)}>
      <h2>{say(viewer, ui.segments)}</h2>
      <ul>
        {[{ id: '', name: say(viewer, ui.no_segment) }, ...segments].map(({ id, name }) => (
          <li>
            <a
              href={withQuery(url, { segment_id: id === '' ? undefined : id, page: undefined })}
              aria-current={id === chosen ? 'true' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
