/** The body of an operation's page, from its heading down. */
import type { TSchema } from '@sinclair/typebox'
import type { App } from '../../runtime/app.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { hasSeenTimes, type Viewer } from '../../runtime/ui/format.ts'
import { mayDownload } from '../../runtime/table/caller.ts'
import { csvTableOf } from '../http/csv.ts'
import { Doing, Wrong } from './operation-form.tsx'
import { isDeletion, labelOf } from '../../runtime/ui/operation-labels.ts'
import { shortOf } from '../../runtime/table/operation-names.ts'
import { narrowInputs, ListView, nameOf, NarrowForm, Paging } from '../../runtime/ui/list.tsx'
import { descriptionFor } from './reader-texts.ts'
import type { LoadedPage } from './load-page.ts'
import { DangerZone } from './settings-forms.tsx'
import { isGrave, putsInOrder, shownElsewhere } from './answer-facts.ts'
import { linkWithinSite } from './passed-on.ts'
import { Crumbs, Empty, fillingOf } from './page-elements.tsx'
import { isList, titleOf } from './page-tree.ts'
import { containsPage } from './area-views.ts'
import { ResultNotice } from './result-notice.tsx'
import type { Result } from './results.ts'
import { RecordView } from '../../runtime/ui/record.tsx'
import { Periods, periodShown } from '../../runtime/ui/periods.tsx'
import { Chips } from '../../runtime/ui/toolbar.tsx'
import { FilterForm } from '../../runtime/ui/filter-form.tsx'
import { withQuery } from '../../runtime/ui/words.ts'
import { m } from './messages.ts'
import { Icon } from '../../runtime/ui/icons/icon.tsx'
import { isObject } from '../../runtime/values/json.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import { Message } from '../../runtime/texts/message.ts'
import { say } from '../../runtime/texts/say.ts'

/** Whether the options of a page are open because none is chosen yet. Conditions take too much room, and options with defaults need no choice. */
const opensOptions = ({ spot: { operation }, inToolbar, isNarrowed, url }: LoadedPage): boolean =>
  !isList(operation) &&
  inToolbar.length === 0 &&
  !isNarrowed &&
  !url.searchParams.has('do') &&
  Object.entries<TSchema>(operation.input.properties).every(([name, { default: preset }]) => name !== 'filters' && preset === undefined)

interface PageBodyProps {
  readonly loaded: LoadedPage
  readonly app: App
  readonly result: Result | undefined
  /** Whether it is a tab, which leads back by itself. */
  readonly isTab: boolean
  /** Seconds after which there may be more to see. */
  /** Seconds after which the page is loaded again. */
  readonly againAfter: number | undefined
}

export function PageBody({ loaded, app, result, isTab, againAfter }: PageBodyProps) {
  const { spot, url, around, caller, title, doing, wrong, isAsking, narrow, inToolbar, shown, meta } = loaded
  const { operation } = spot
  const { viewer } = around
  const below = spot.below.filter(each => app.allows(caller, each) && !(loaded.view && containsPage(loaded.view, each)))
  return (
    <>
      <header class="head">
        <div class="title">
          {!isTab && <Crumbs ways={loaded.above} reader={viewer} />}
          <h1>{title}</h1>
          {caller.member && <ManualLink app={app} operation={operation} viewer={viewer} />}
          {shown?.besideTitle}
          <OnPaper loaded={loaded} />
        </div>
        {narrow && (
          <NarrowForm
            operation={operation}
            url={url}
            values={loaded.asked}
            form={narrow}
            without={inToolbar}
            isOpen={(wrong !== undefined && !(isAsking && shown)) || opensOptions(loaded)}
            isFolded={shown !== undefined}
          />
        )}
        <div class="acts">
          <Acts loaded={loaded} />
          {spot.leadsTo
            .filter(each => app.allows(caller, each.operation) && !shown?.has?.includes(each.operation.declared))
            .map(each => (
              <a class={operation.answers.kind === 'report' ? 'button plain' : 'button'} href={withQuery(url, { do: each.operation.id })}>
                {each.operation.icon ? <Icon name={each.operation.icon} /> : each.operation.effect === 'create' && <Icon name="add" />}
                <span class={each.operation.icon && 'opt'}>{labelOf(each.operation, viewer)}</span>
              </a>
            ))}
        </div>
        {inToolbar.length > 0 && !shown?.againAfter && <Toolbar loaded={loaded} />}
        {inToolbar.includes('filters') && <Chips url={url} viewer={viewer} segments={loaded.segments ?? []} save={loaded.save} />}
      </header>
      {result && (
        <ResultNotice
          result={result}
          reader={viewer}
          url={url}
          isSeen={shown?.brings !== undefined || loaded.inPlace.includes(result.operation)}
        />
      )}
      {doing && <Doing {...doing} />}
      {wrong && !isAsking && (
        <Wrong error={wrong} names={narrow ? narrowInputs(operation, inToolbar) : nothing} reader={viewer} reset={url.pathname} />
      )}
      {isAsking && !shown && <p class="notice">{say(viewer, m.choose)}</p>}
      {(!wrong || shown) && (
        <div id="shown" data-refresh={againAfter ?? (refreshes(loaded) ? '' : undefined)}>
          {shown ? shown.content : loaded.settings}
          {!shown && <Projected loaded={loaded} />}
          <AnswerNotes loaded={loaded} />
          {isList(operation) && <Paging url={url} meta={meta} viewer={viewer} />}
          <div class="foot">
            <Download loaded={loaded} />
            <Zone loaded={loaded} />
          </div>
          <DangerZone
            title={say(viewer, m.danger_zone)}
            does={inDangerZone(loaded).map(each => ({
              label:
                loaded.name !== undefined && isDeletion(each)
                  ? say(viewer, m.deletes, { name: loaded.name })
                  : declaredText(viewer, shortOf(each)),
              help: each.description && descriptionFor(app.table, viewer, each.description),
              href: withQuery(url, { do: each.id }),
            }))}
          />
        </div>
      )}
      {below.length > 0 && (
        <ul class="below">
          {below.map(each => (
            <li>
              <a
                class="button plain"
                href={linkWithinSite(`${url.pathname}/${each.path.split('/').at(-1) ?? ''}`, { siteId: loaded.place.siteId, url })}
              >
                {declaredText(viewer, titleOf(each))}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const makesRowOf = (list: NamedOperation, { path, output }: NamedOperation): boolean =>
  path === list.path || output.title === list.output.items?.title

/** Actions of a page. Several of a report or a list that make nothing, such as renaming an event, are behind one button. */
function Acts({ loaded }: { loaded: LoadedPage }) {
  const { spot, url, around } = loaded
  const { viewer } = around
  const offered = offeredInHead(loaded)
  const rare = isList(spot.operation) || spot.operation.answers.kind === 'report' ? offered.filter(({ effect }) => effect !== 'create') : []
  const isFolded = rare.length > 1
  // Next to what changes the record, a key of it is not the main action.
  const isOfRecord = offered.some(({ effect }) => effect === 'delete')
  const hrefOf = ({ id }: NamedOperation) => withQuery(url, { do: id })
  return (
    <>
      {offered
        .filter(each => !isFolded || !rare.includes(each))
        .map(each => (
          <a
            class={isGrave(each) ? 'button plain danger' : each.effect === 'create' && !isOfRecord ? 'button' : 'button plain'}
            href={hrefOf(each)}
          >
            {isList(spot.operation) && each.effect === 'create' && makesRowOf(spot.operation, each) && <Icon name="add" />}
            {labelOf(each, viewer)}
          </a>
        ))}
      {isFolded && (
        <details class="more">
          <summary class="button plain" aria-label={say(viewer, m.more_actions)} title={say(viewer, m.more_actions)}>
            <Icon name="more" />
          </summary>
          <div class="card drop menu">
            {rare.map(each => (
              <a href={hrefOf(each)} class={isGrave(each) ? 'danger' : undefined}>
                {labelOf(each, viewer)}
              </a>
            ))}
          </div>
        </details>
      )}
    </>
  )
}

/** Leads to what the manual says about the page. */
function ManualLink({ app, operation, viewer }: { app: App; operation: NamedOperation; viewer: Viewer }) {
  const { manual } = app.table.areas.find(({ name }) => name === operation.area) ?? {}
  if (manual === undefined) return null
  const label = say(viewer, m.manual_about, { page: declaredText(viewer, titleOf(operation)) })
  return (
    <a class="about" href={manual} title={label} aria-label={label}>
      <Icon name="help" />
    </a>
  )
}

const nothing: ReadonlySet<string> = new Set()

/** Actions that the content has no form for. The button that fills an empty list is in the middle of the page. */
function offeredInHead(loaded: LoadedPage) {
  const { spot, does, shown, rows, isNarrowed } = loaded
  const dangerous = inDangerZone(loaded)
  const isEmpty = isList(spot.operation) && rows.length === 0 && !shown && !isNarrowed
  const filling = isEmpty ? fillingOf(does) : undefined
  return does.filter(
    each =>
      each !== filling &&
      !dangerous.includes(each) &&
      !shown?.brings?.includes(each) &&
      !shown?.has?.includes(each.declared) &&
      !(putsInOrder(each) && rows.length < 2) &&
      !(isEmpty && each.method === 'PATCH'),
  )
}

/** Deletions on a page of settings are at its end. */
const inDangerZone = ({ does, inPlace }: LoadedPage) => (inPlace.length === 0 ? [] : does.filter(({ effect }) => effect === 'delete'))

function Toolbar({ loaded }: { loaded: LoadedPage }) {
  const { spot, url, around, asks, may, period, days, inToolbar, segments = [], suggestions } = loaded
  const { viewer } = around
  return (
    <div class="toolbar">
      {inToolbar.includes('filters') && (
        <FilterForm
          url={url}
          viewer={viewer}
          may={name => may('filters', [[name, 'is', '-']])}
          segments={segments}
          suggestions={suggestions}
        />
      )}
      <Periods operation={spot.operation} url={url} viewer={viewer} asks={asks} may={may} first={period} days={days} />
    </div>
  )
}

/** Printed, a page has lost what is around it: the site, and the period. */
function OnPaper({ loaded: { spot, url, around, period } }: { loaded: LoadedPage }) {
  const shown = periodShown(spot.operation, { url, viewer: around.viewer, first: period })
  const lines = [nameOf(around.site), shown].filter(each => each !== undefined)
  return lines.length > 0 ? <p class="on-paper">{lines.join(' · ')}</p> : null
}

/** The time zone of the times of a list or a record that were drawn before: the one of the account or, if it has none, of the site. */
function Zone({ loaded: { spot, around } }: { loaded: LoadedPage }) {
  if (!hasSeenTimes(around.viewer) || spot.operation.answers.kind === 'report') return null
  return <p class="help zone">{say(around.viewer, m.times_in, { zone: around.viewer.timezone.replaceAll('_', ' ') })}</p>
}

/** Notes of the answer, such as what a filter leaves out. A view that takes `meta` places them itself. */
function AnswerNotes({ loaded: { shown, view, meta, around, afterNotes } }: { loaded: LoadedPage }) {
  if (!Array.isArray(meta.notes) || (shown && view?.options.meta)) return null
  return (
    <>
      {meta.notes.filter(isObject).map(({ message }, index) => (
        <p class={afterNotes[index] === undefined ? 'help' : 'notice'}>
          {message instanceof Message ? say(around.viewer, message) : String(message)} {afterNotes[index]}
        </p>
      ))}
    </>
  )
}

/** A link to the same address as CSV, with as many rows as one answer has. */
function Download({ loaded: { spot, url, around, caller, asks, period, meta, rows, record, wrong } }: { loaded: LoadedPage }) {
  const { operation } = spot
  const { properties = {} } = isList(operation) ? operation.output.items : operation.output
  if (Object.hasOwn(properties, 'download_url')) return null // its rows have files of their own
  const table = csvTableOf(operation)
  if (wrong || !mayDownload(caller) || !table) return null
  const tableRows = isList(operation) ? rows : table.field === undefined ? undefined : record?.[table.field]
  if (Array.isArray(tableRows) && tableRows.length === 0) return null
  const { per_page, limit } = operation.input.properties as Readonly<Record<string, TSchema | undefined>>
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => Object.hasOwn(operation.input.properties, name)))
  for (const [name, value] of Object.entries({ ...asks, ...(period !== undefined && { period }) }))
    if ((typeof value === 'string' || typeof value === 'boolean') && !query.has(name)) query.set(name, String(value))
  const sizeParameter = per_page ? 'per_page' : limit ? 'limit' : undefined
  if (sizeParameter !== undefined && Number(meta.total ?? 0) > rows.length) {
    query.set(sizeParameter, String((per_page ?? limit)?.maximum ?? 100))
    query.delete('page')
  }
  query.set('bom', 'true') // most people open it in a spreadsheet
  return (
    <p class="download">
      <a href={`${url.pathname}.csv?${query}`} download>
        <Icon name="download" />
        {say(around.viewer, m.download)}
      </a>
    </p>
  )
}

/** Figures of a period that still goes on, and of what is going on now. */
const refreshes = ({ spot, url }: LoadedPage): boolean =>
  spot.operation.answers.kind === 'report' && !['custom', 'yesterday'].includes(url.searchParams.get('period') ?? '')

/** Without a view, an answer is shown by its schema. */
function Projected({ loaded }: { loaded: LoadedPage }) {
  const { spot, url, around, record, rows, named, does, isNarrowed, place } = loaded
  const { operation } = spot
  if (isList(operation)) {
    return (
      <ListView
        operation={operation}
        rows={rows}
        url={url}
        viewer={around.viewer}
        named={named}
        hrefOf={loaded.hrefOf}
        actionsOf={loaded.actionsOf}
        empty={
          <Empty
            operation={operation}
            does={does}
            url={url}
            isNarrowed={isNarrowed}
            icon={operation.icon ?? 'sites'}
            viewer={around.viewer}
            described={loaded.described}
          />
        }
      />
    )
  }
  const edited = loaded.inPlace.flatMap(({ input }) => Object.keys(input.properties))
  if (!record) return null
  const without = new Set([...shownElsewhere(operation, record, place), ...edited, ...(record.name === loaded.title ? ['name'] : [])])
  // Nothing is left of a record of which all fields are edited here.
  if (Object.keys(record).every(name => without.has(name))) return null
  return (
    <div class={loaded.settings ? 'card settings' : 'card'}>
      <RecordView schema={operation.output} data={record} viewer={around.viewer} named={named} without={without} />
    </div>
  )
}
