/** Loads all data of a page before the page is drawn. */
import { type TSchema, Type } from '@sinclair/typebox'
import { isRefusal, type Refusal } from '../../runtime/table/answer.ts'
import type { App } from '../../runtime/app.ts'
import { m as refusals } from '../../runtime/call/messages.ts'
import { lacksSignIn } from '../../runtime/call/recent-sign-in.ts'
import type { Place } from '../../runtime/table/answer.ts'
import { atGroup, type Caller } from '../../runtime/table/caller.ts'
import { type ErrorBody, Failure } from '../../runtime/table/errors.ts'
import { defaultOf } from '../../runtime/table/schema.ts'
import { isObject } from '../../runtime/values/json.ts'
import { DAY_MS } from '../../runtime/values/durations.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { decodeQuery } from '../http/query.ts'
import { requestId } from '../http/web.ts'
import { fillOf, formOf, settingsOf, viewOf } from './area-views.ts'
import { askAs, askListAs, once, type PageAsk } from './call-operation.ts'
import { choicesFor, optionOf } from './choices.ts'
import { conditionNames } from './condition-names.ts'
import { type DrawnFields, drawFields } from './form-fields.tsx'
import { type DoingProps, pageNamed } from './operation-form.tsx'
import { Message } from '../../runtime/texts/message.ts'
import { calledBy } from '../../runtime/ui/fields/called-by.ts'
import { labelOf } from '../../runtime/ui/operation-labels.ts'
import type { FormContext, Option } from '../../runtime/ui/fields/control-props.ts'
import { type Ask, type Surroundings, surroundings } from './frame.ts'
import { nameOf, type RowLink } from '../../runtime/ui/list.tsx'
import { lookedAt } from './last-visit.ts'
import { filling } from './form-contents.ts'
import type { SubmittedForm } from './page-response.ts'
import {
  contentOf,
  isBlind,
  isOffered,
  isOfferedBy,
  knownIds,
  namesIn,
  namesOf,
  parameterFor,
  paramsOf,
  putsInOrder,
  toolbarOf,
  valuesIn,
} from './answer-facts.ts'
import { isList, isSettings, needsInput, type Spot, spotsOf, titleOf } from './page-tree.ts'
import { carriedIn } from '../../runtime/ui/links.ts'
import { isIgnored, linkWithinSite, withoutForeign } from './passed-on.ts'
import { showWith } from './page-view.ts'
import { firstDay, type PeriodDays } from '../../runtime/ui/periods.tsx'
import { wallClock } from '../../runtime/ui/format.ts'
import { settingsForms } from './settings-forms.tsx'
import type { Content } from '../../runtime/table/page.ts'
import { versionedBy } from '../../runtime/table/record-versions.ts'
import { conditionParts, conditionsIn, type SaveSegment } from '../../runtime/ui/toolbar.tsx'
import { suggestionsPath } from '../../runtime/ui/filter-form.tsx'
import { afterNote } from '../../runtime/ui/slot.ts'
import { cheapestFinder } from '../../runtime/table/subject-finders.ts'
import type { Shown, View } from '../../runtime/ui/view.ts'
import { firstPeriod, type May, mayAsk, offeredOf, type Visit } from './viewer.ts'
import { descriptionFor, errorFor } from './reader-texts.ts'
import { type Answered, type Around, viewedPage } from './viewed-page.ts'
import type { Placed, Way, Ways } from './record-links.ts'
import { type VisitorsNow, visitorsNow } from './visitors-now.ts'
import { filled, withQuery } from '../../runtime/ui/words.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import type { Reader } from '../../runtime/texts/reader.ts'
import { say } from '../../runtime/texts/say.ts'

type Fields = Readonly<Record<string, unknown>>

export interface LoadedPage {
  readonly spot: Spot
  readonly url: URL
  readonly place: Placed
  readonly caller: Caller
  readonly around: Surroundings
  readonly status: number
  readonly title: string
  /** Pages above it, outermost first. */
  readonly above: readonly Way[]
  /** The record that the page shows; undefined for a list, which has `rows`. */
  readonly record: Fields | undefined
  readonly rows: readonly Fields[]
  readonly meta: Fields
  /** Names of the records that ids refer to, if they are known. */
  readonly named: ReadonlyMap<string, string>
  /** The view that an area declares for the page, if any. */
  readonly view: View | undefined
  readonly shown: Shown | undefined
  /** Links after notes of the answer. */
  readonly afterNotes: readonly (Content | undefined)[]
  /** The forms that a record without a view is edited with, and the writes whose forms the page contains. */
  readonly settings: Content | undefined
  readonly inPlace: readonly NamedOperation[]
  /** The error of the operation, if its input is invalid. `isAsking`: required inputs are missing. */
  readonly wrong: ErrorBody['error'] | undefined
  readonly isAsking: boolean
  /** Inputs in the address, and the form that changes them. */
  readonly asked: Fields
  readonly isNarrowed: boolean
  readonly narrow: FormContext | undefined
  readonly inToolbar: readonly string[]
  /** Whether an input may have a value. A shared link limits the reports of a guest. */
  readonly may: May
  /** Inputs that the view sets in addition to the defaults. */
  readonly asks: Fields
  /** The period, if the address has none and the link does not allow the default. */
  readonly period: string | undefined
  /** Days that a report shows, for its calendar. */
  readonly days: PeriodDays | undefined
  /** Saved segments to choose from, if the report takes a segment. */
  readonly segments: readonly Option[] | undefined
  /** The form that saves conditions as a segment, and the address of suggested values, if the viewer may use them. */
  readonly save: SaveSegment | undefined
  readonly suggestions: string | undefined
  /** For the navigation; undefined for guests. */
  readonly now: VisitorsNow | undefined
  /** Name of the record of the page. */
  readonly name: string | undefined
  /** The actions that the page offers, and the form that is open. */
  readonly does: readonly NamedOperation[]
  readonly doing: (DoingProps & Pick<DrawnFields, 'proposals'>) | undefined
  /** Returns a description in the words of the pages. */
  described(description: string): string
  hrefOf(row: Fields): string | undefined
  actionsOf(row: Fields): readonly RowLink[]
}

/** Names of parameters that only pages read. No input of an operation has one of these names. */
export const ours = ['do', 'of', ...conditionParts] as const

function segmentOf({ input }: NamedOperation) {
  const { segment_id } = input.properties
  return segment_id && Type.Object({ segment_id })
}

interface LoadPageInput {
  readonly spot: Spot
  readonly c: PageAsk
  readonly url: URL
  readonly path: Readonly<Record<string, string>>
  readonly sent?: SubmittedForm | undefined
  readonly visit?: Visit | undefined
  /** Reads of the page so far. By default, there are none. */
  readonly ask?: Ask
}

/** Calls the operation of a page and loads what surrounds its answer. @returns the refusal, unless only the input is invalid */
export async function loadPage(
  app: App,
  ways: Ways,
  { spot, c, url: given, path, sent, visit, ask = once(visit?.ask ?? askAs(app, { c })) }: LoadPageInput,
): Promise<LoadedPage | { readonly refusal: Refusal }> {
  const { operation } = spot
  const url = withoutForeign(app.table, operation, given)
  const view = viewOf(app.table, operation)
  const options = view?.options ?? {}
  // The address names the row that an action applies to. This parameter does not filter the list.
  const ofRows = spot.rowDoes.map(({ parameter }) => parameter).filter(name => !Object.hasOwn(operation.input.properties, name))
  // The address fills in the form that it opens.
  const elsewhere = spot.leadsTo.map(each => each.operation)
  const opens = [...spot.does, ...spot.rowDoes.map(row => row.operation), ...elsewhere].find(({ id }) => id === url.searchParams.get('do'))
  const ofForm = Object.keys(opens?.input.properties ?? {}).filter(name => !Object.hasOwn(operation.input.properties, name))
  const ownNames = new Set<string>([...ours, ...ofRows, ...ofForm, ...(options.own ?? [])])
  const isOwn = (name: string): boolean => ownNames.has(name) || isIgnored(name, operation)
  const query = new URLSearchParams([...url.searchParams].filter(([name, value]) => value !== '' && !isOwn(name)))
  const asked = decodeQuery(operation.input, query)
  const may = mayAsk(operation, asked, visit?.within)
  const wished = options.asks?.(url.searchParams, name => may('panels', [name])) ?? {}
  const asks = offeredOf(operation, { asks: wished, asked, may })
  const first = firstPeriod(operation, asked, may)
  const answer = await ask(operation, path, { ...asks, ...first, ...asked })
  if (isRefusal(answer) && answer.status !== 422) return { refusal: answer }
  const { caller: askedBy } = answer
  if (!askedBy) throw new Error(`${operation.id} has a page, but its answer has no caller`) // its access is not public
  const place: Place = answer.place ?? { workspaceId: undefined, siteId: null, id: null }
  const caller = place.isGroup ? atGroup(askedBy, app.table.operations.values()) : askedBy // nothing is offered that a group refuses
  const surrounded =
    visit?.around ?? (await surroundings(app, ask, { siteId: place.siteId, workspaceId: place.workspaceId ?? caller.workspaceId }))
  const known = knownIds(operation, path, place)
  const askList = askListAs(app, caller, ask)
  const { data, meta } = contentOf(answer)
  const within = [conditionsIn(url), sent?.values, operation.answers.kind === 'report' ? undefined : data]
  const names = await conditionNames(app.table, { within, known, ask: askList })
  const around = names ? { ...surrounded, viewer: { ...surrounded.viewer, names } } : surrounded
  const choicesOf = async (of: NamedOperation) => {
    const choices = await choicesFor(app.table, { input: of.input, known, ask: askList })
    return putsInOrder(of) && rows.length > 0 && rows.length === meta.total
      ? new Map([...choices, ['ids', rows.flatMap(optionOf)] as const])
      : choices
  }
  const described = (description: string) => descriptionFor(app.table, around.viewer, description)
  const inOwnWords = (error: ErrorBody['error'] | undefined) => error && errorFor(around.viewer, error)
  const contextOf = async (of: NamedOperation, error: ErrorBody['error'] | undefined): Promise<FormContext> => ({
    faults: error?.details ?? [],
    choices: await choicesOf(of),
    secrets: of.secrets,
    timezone: around.viewer.timezone,
    locale: around.viewer.locale,
    currency: around.viewer.currency,
    names: around.viewer.names,
    described,
    isChange: of.method === 'PATCH',
    isBlind: isBlind(app.table, of),
  })

  const wrong = inOwnWords(isRefusal(answer) ? answer.body.error : undefined)
  const inToolbar = toolbarOf(operation)
  const isAsking =
    wrong !== undefined &&
    needsInput(operation) &&
    [...query.keys()].every(each => inToolbar.includes(each)) &&
    wrong.details.every(({ code }) => code === 'required')
  const record = isObject(data) ? data : undefined
  const rows = Array.isArray(data) ? data.filter(isObject) : []
  const name = isList(operation) || operation.answers.kind === 'report' ? undefined : nameOf(record)
  const hrefOf = (row: Fields) => {
    const href = ways.hrefOf(spot, { path, place, row, caller })
    return href === undefined ? undefined : linkWithinSite(href, { siteId: place.siteId, url: given })
  }

  const offered = (each: NamedOperation, to: Fields | undefined): boolean => app.allows(caller, each) && isOffered(each, to)
  const mayDo = spot.does
    .filter(each => each.undoes === undefined) // a record that has a page is not deleted
    .filter(each => offered(each, isList(operation) ? undefined : record))
    .filter(each => !(isList(operation) && putsInOrder(each) && rows.length < 2))
  const byOthers = await Promise.all(mayDo.map(each => isOfferedBy(app.table, { each, path, askList })))
  const does = mayDo.filter((_, i) => byOthers[i]).toSorted((a, b) => Number(a.effect === 'delete') - Number(b.effect === 'delete'))
  const rowOf = (each: NamedOperation): Fields | undefined =>
    rows.find(({ id }) => id === (sent ? path : paramsOf(url))[parameterFor(spot, each)])
  const chosen =
    sent?.operation ??
    [
      ...does,
      ...spot.rowDoes.map(row => row.operation).filter(each => offered(each, rowOf(each))),
      ...elsewhere.filter(each => app.allows(caller, each)),
    ].find(({ id }) => id === url.searchParams.get('do'))
  // Asked for before anything is typed: secrets of a form are not kept while the user signs in.
  if (chosen && !sent && lacksSignIn(chosen, caller, app.now()))
    return { refusal: app.answerTo(new Failure('reauthentication_required'), requestId(c), 'query') }
  const about = chosen && (isList(operation) ? rowOf(chosen) : record)
  const inPlace: NamedOperation[] = []
  const settings = async (each: NamedOperation): Promise<Content | undefined> => {
    const { read } = versionedBy(app.table).get(each.id) ?? {}
    if (!read || !app.allows(caller, each)) return undefined
    const now = read === operation ? record : contentOf(await ask(read, path)).data
    if (!isObject(now) || !isOffered(each, now)) return undefined
    inPlace.push(each)
    const ownSent = sent?.operation === each ? sent : undefined
    return settingsForms({
      operation: each,
      layout: settingsOf(app.table, each),
      action: filled(each.path, path),
      page: operation,
      form: await contextOf(each, inOwnWords(ownSent?.error)),
      sent: ownSent && { section: ownSent.section ?? '0', error: inOwnWords(ownSent.error) },
      ...filling(each, { record: now, sent: ownSent ?? { values: {} } }, around.viewer),
    })
  }
  const actionsOf = (row: Fields): RowLink[] =>
    spot.rowDoes
      .filter(each => typeof row.id === 'string' && offered(each.operation, row))
      .map(each => ({
        label: labelOf(each.operation, around.viewer),
        href: withQuery(url, { do: each.operation.id, [each.parameter]: String(row.id) }),
      }))
  const namesOfRecord = async () =>
    record && operation.answers.kind === 'record'
      ? namesIn(app.table, { operation, record, known, ask: askList })
      : new Map<string, string>()
  // The workspace of a record is known even if its path does not name it, as in `/alerts/{id}`.
  const pathAbove = { ...(place.workspaceId !== undefined && { workspace_id: place.workspaceId }), ...path }
  const answered = (): Answered => ({
    operation,
    meta: withNotes(around.viewer, meta),
    url,
    does,
    lookedBefore: visit ? () => undefined : lookedAt(app, c).before,
    hrefOf,
    actionsOf,
    choicesOf: of => choicesFor(app.table, { input: of.input, known, ask: askList }),
    settings,
    names: namesOfRecord,
    may: dimension => may('panels', [dimension]),
  })
  const surrounding = (): Around => ({ app, caller, path: pathAbove, ask, around, answered: answered() })
  const days = inToolbar.includes('from') ? await daysOf(record, surrounding(), visit === undefined) : undefined
  const young = days && !wrong && first.period === undefined ? youngPeriod({ operation, asked, days, meta }) : undefined
  if (young) return loadPage(app, ways, { spot, c, url: new URL(withQuery(given, young), given), path, sent, visit, ask })
  const present = visit ? undefined : visitorsNow(app, viewedPage(surrounding())) // while the page is loaded
  /** A record above the page is called by its name, unless the heading of the page is that name. */
  async function wayNamed(way: Way): Promise<Way> {
    const above = way.of && nameOf(contentOf(await ask(way.of.operation, way.of.path)).data)
    const label = above === undefined || above === shown?.title ? way.label : above
    return { ...way, label, href: linkWithinSite(way.href, { siteId: place.siteId, url: given }) }
  }
  async function doingOf(operation: NamedOperation): Promise<NonNullable<LoadedPage['doing']>> {
    const path = { ...pathAbove, ...(sent ? {} : paramsOf(url)) }
    const error = inOwnWords(sent?.error)
    const form = {
      ...(await contextOf(operation, error ?? inOwnWords(draftError(sent)))),
      isRedrawn: true,
      isDraft: sent?.draft !== undefined,
    }
    const { values, drawn, conflicts } = filling(
      operation,
      { record: about, sent: sent ?? { values: valuesIn(operation, url) } },
      { ...around.viewer, isBlind: isBlind(app.table, operation) },
    )
    const page = () => viewedPage(surrounding())
    const { content, proposals, labels } = await drawFields({
      operation,
      layout: formOf(app.table, operation),
      values,
      record: about,
      typed: sent?.draft?.typed ?? new Set(Object.keys(sent?.values ?? {})),
      proposed: sent?.proposed ?? {},
      form,
      page,
    })
    const isElsewhere = spotsOf(app.table).spotOf.get(operation.id) !== spot
    return {
      operation,
      fields: content,
      isLaidOut: formOf(app.table, operation) !== undefined,
      // Its faults are shown here, too, and not on the page of its list.
      page: isElsewhere || carriedIn(given.searchParams).size > 0 ? pageNamed(spot.operation, pathAbove, given) : undefined,
      proposals,
      action: filled(operation.path, path),
      drawn,
      conflicts,
      form,
      error: error && { ...error, details: calledBy(labels, error.details, around.viewer) },
      other: otherIn(sent?.error, id => hrefOf({ id })),
      isKept: sent !== undefined && sent.error === undefined && sent.draft === undefined,
      isRestorable: [...app.table.operations.values()].some(each => each.undoes === operation.id),
      subject: isList(spot.operation) ? nameOf(rowOf(operation)) : (name ?? shown?.title),
      back: withQuery(
        url,
        Object.fromEntries([...ours, ...ofForm, ...spot.rowDoes.map(({ parameter }) => parameter)].map(each => [each, undefined])),
      ),
    }
  }
  const shown =
    view && (!wrong || (isAsking && options.isAsked)) ? await showWith(view, surrounding(), isList(operation) ? rows : record) : undefined
  const changes = isSettings(operation, spotsOf(app.table))
    ? does.find(each => each.method === 'PATCH' && each.path === operation.path)
    : undefined
  const ownSettings = shown || wrong || visit || !changes || formOf(app.table, changes) ? undefined : await settings(changes)
  const doing = chosen && !inPlace.includes(chosen) ? await doingOf(chosen) : undefined
  const suggestions =
    inToolbar.includes('filters') && !visit
      ? await fillOf(app.table, suggestionsPath)?.make({ page: viewedPage(surrounding()) } as never)
      : undefined
  const notes = Array.isArray(meta.notes) && !view?.options.meta ? meta.notes.filter(isObject) : []
  const fill = fillOf(app.table, afterNote)
  const afterNotes = await Promise.all(
    notes.map(({ code }) => fill?.make({ code, page: viewedPage(surrounding()) } as never) as Promise<Content | undefined>),
  )
  const inputSegment = operation.answers.kind === 'report' ? segmentOf(operation) : undefined
  // A fault of a report with a view is mended in the head or taken back, and not by fields that only programs know.
  const isViewed = shown !== undefined || (view !== undefined && !isAsking)
  const hasInputs = Object.keys(operation.input.properties).length > 0 && (!isViewed || (options.hasOptions ?? isList(operation)))
  // An empty list has nothing to narrow, unless other days have something, or it leaves something out by default.
  const isEmpty = isList(operation) && answer.status === 200 && rows.length === 0 && query.size === 0
  const isWidened = Object.keys(operation.input.properties).some(name => name === 'from' || name.startsWith('include_'))
  const isNarrowable = hasInputs && (!isEmpty || isWidened)
  return {
    spot,
    url,
    place,
    caller,
    around,
    status: sent?.status ?? (isAsking ? 200 : answer.status),
    name,
    title: shown?.title ?? name ?? declaredText(around.viewer, titleOf(operation)),
    above: visit ? [] : await Promise.all(ways.above(spot, { url, path, place }).map(wayNamed)), // guests see no lists of members
    record,
    rows,
    meta,
    named: record && !shown ? await namesOfRecord() : await namesOf(app.table, { rows, siteId: place.siteId, known, ask: askList }),
    view,
    shown,
    afterNotes,
    settings: ownSettings,
    inPlace,
    wrong,
    isAsking,
    asked,
    isNarrowed: query.size > 0,
    may,
    asks,
    period: first.period,
    narrow: isNarrowable ? { ...(await contextOf(operation, sent || isAsking ? undefined : wrong)), isQuery: true } : undefined,
    inToolbar,
    days,
    segments:
      inputSegment && !wrong ? (await choicesFor(app.table, { input: inputSegment, known, ask: askList })).get('segment_id') : undefined,
    does: does.filter(each => !inPlace.includes(each)),
    now: await present,
    save: inputSegment && !visit ? saveFor(app, caller, known) : undefined,
    suggestions: typeof suggestions === 'string' ? suggestions : undefined,
    doing,
    described,
    hrefOf,
    actionsOf,
  }
}

/** Finds the form for another record with conditions, in the list that `segment_id` chooses from. */
function saveFor({ table, allows }: App, caller: Caller, known: ReadonlyMap<string, string>): SaveSegment | undefined {
  const list = cheapestFinder(table, 'segment', new Set(known.keys()))
  const create =
    list &&
    spotsOf(table)
      .byId.get(list.id)
      ?.does.find(each => each.effect === 'create' && takesFilters(each))
  const path = list?.on.map(({ name }, depth) => [list.onParameters[depth] ?? '', known.get(name)] as const) ?? []
  const named = Object.fromEntries(path.flatMap(([name, id]) => (id === undefined ? [] : [[name, id] as const])))
  return create && allows(caller, create) && Object.keys(named).length === path.length ? { action: filled(create.path, named) } : undefined
}
const takesFilters = ({ input }: NamedOperation): boolean => Object.hasOwn(input.properties, 'filters')

/** The record that exists already, if the error names it and it has a page. */
function otherIn(error: ErrorBody['error'] | undefined, hrefOf: (id: string) => string | undefined): DoingProps['other'] {
  if (!(error?.message instanceof Message) || error.message.code !== refusals.the_other_one.code) return undefined
  const { id, name } = error.message.params
  const href = hrefOf(String(id))
  return href === undefined ? undefined : { href, name: String(name) }
}

interface ShownPeriod {
  readonly operation: NamedOperation
  readonly asked: Fields
  readonly days: PeriodDays
  readonly meta: Fields
}

/** Today or a week, with nothing before it, for an address without a period, if that is all that the site has. */
function youngPeriod({ operation, asked, days, meta }: ShownPeriod): Record<string, string> | undefined {
  const { period, compare } = operation.input.properties as Readonly<Record<string, TSchema | undefined>>
  if (!period || asked.period !== undefined || days.begins === undefined) return undefined
  if (defaultOf(period, asked) !== '30d' || hasImported(meta)) return undefined
  const age = (Date.parse(days.today) - Date.parse(days.begins)) / DAY_MS
  return age >= 7 ? undefined : { period: age <= 0 ? 'today' : '7d', ...(compare && asked.compare === undefined && { compare: 'none' }) }
}
const hasImported = ({ notes }: Fields): boolean =>
  Array.isArray(notes) && notes.some(note => isObject(note) && String(note.code).startsWith('imported_'))

/** @param isMember whether the viewer may see when the site began */
async function daysOf(record: Fields | undefined, around: Around, isMember: boolean): Promise<PeriodDays | undefined> {
  const { app, around: of } = around
  const period = isObject(record?.period) ? record.period : undefined
  const { timezone, week_start: weekStart } = of.site ?? {}
  if (typeof period?.first_day !== 'string' || typeof period.last_day !== 'string' || typeof timezone !== 'string') return undefined
  const fill = isMember ? fillOf(app.table, firstDay) : undefined
  const begins: unknown = await fill?.make({ page: viewedPage(around) } as never)
  return {
    first: period.first_day,
    last: period.last_day,
    today: wallClock(app.now(), timezone).slice(0, 10),
    begins: typeof begins === 'string' ? begins : undefined,
    weekStart: Number(weekStart ?? 1),
  }
}

/** Faults of a form that is checked while someone fills it in. */
const draftError = (sent: SubmittedForm | undefined): ErrorBody['error'] | undefined =>
  sent?.draft && { code: 'validation_failed', message: '', details: sent.draft.faults }

/** Notes of a report in the language of the reader. */
const withNotes = (reader: Reader, meta: Fields): Fields =>
  Array.isArray(meta.notes)
    ? {
        ...meta,
        notes: meta.notes.filter(isObject).map(note => ({
          ...note,
          message: say(reader, note.message instanceof Message ? note.message : String(note.message)),
        })),
      }
    : meta
