/**
 * Destinations of the search of pages, besides records: pages, settings, forms and actions. They are derived from the operations
 * that the caller may use; no operation is named.
 */
import { LRUCache } from 'lru-cache'
import type { App } from '../../runtime/app.ts'
import { type Caller, rightsOf } from '../../runtime/table/caller.ts'
import { shortOf } from '../../runtime/table/operation-names.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import type { PlainMessage } from '../../runtime/texts/message.ts'
import type { Reader } from '../../runtime/texts/reader.ts'
import { say } from '../../runtime/texts/say.ts'
import { idOf } from '../../runtime/ui/fields/control-props.ts'
import { matchRank } from '../../runtime/ui/match-rank.ts'
import type { Destination } from '../../runtime/ui/viewed-page.ts'
import { fieldWords, filled, words } from '../../runtime/ui/words.ts'
import { containsPage, viewOf } from './area-views.ts'
import { called } from './called.ts'
import { containerOf } from './frame.ts'
import { m, placeNames } from './messages.ts'
import { themes } from './themes.ts'
import { isList, isSettings, needsInput, placeOf, type Spot, spotsOf, titleOf } from './page-tree.ts'

interface Findable extends Destination {
  /** Its names, in the language of the reader and in English. */
  readonly names: readonly string[]
}

export interface DestinationsOf {
  readonly caller: Caller
  readonly reader: Reader
  readonly siteId: string | undefined
  readonly workspaceId: string | undefined
}

const known = new WeakMap<Table, LRUCache<string, readonly Findable[]>>()

/** Destinations that fit a text, best first. */
export function destinationsFor(app: App, text: string, of: DestinationsOf): readonly Destination[] {
  const cache = known.get(app.table) ?? new LRUCache<string, readonly Findable[]>({ max: 200 })
  known.set(app.table, cache)
  const key = `${of.siteId} ${of.workspaceId} ${of.reader.locale} ${rightsOf(of.caller)}`
  const all = cache.get(key) ?? [...new Map(findable(app, of).map(each => [`${each.kind} ${each.label} ${each.note}`, each])).values()]
  cache.set(key, all)
  return all
    .flatMap(each => {
      const rank = matchRank(each.names, text)
      return rank === undefined ? [] : [{ each, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ each: { names: _, ...destination } }) => destination)
}

function findable(app: App, { caller, reader, siteId, workspaceId }: DestinationsOf): Findable[] {
  const spots = spotsOf(app.table)
  const path = { ...(siteId !== undefined && { site_id: siteId }), ...(workspaceId !== undefined && { workspace_id: workspaceId }) }
  const named = (english: string): string[] => [declaredText(reader, english), english]
  const synonyms = (name: string): string[] => {
    const message = (called as Readonly<Record<string, PlainMessage>>)[name]
    return message ? [...say(reader, message).split(', '), ...String(message()).split(', ')] : []
  }
  const isKnown = ({ pathInput }: NamedOperation): boolean => Object.keys(pathInput).every(name => Object.hasOwn(path, name))
  /** The page that contains another one among the settings. */
  const shownAt = (operation: NamedOperation): NamedOperation =>
    [...spots.byId.values()].find(spot => {
      const view = viewOf(app.table, spot.operation)
      return (
        isKnown(spot.operation) &&
        placeOf(spot.operation) !== 'top' &&
        view !== undefined &&
        isSettings(operation, spots) &&
        containsPage(view, operation)
      )
    })?.operation ?? operation
  const noteOf = (operation: NamedOperation): string => {
    const place = (placeNames as Readonly<Record<string, PlainMessage>>)[placeOf(operation)]
    const container = operation.on[0]?.name === 'site' ? m.site_settings : m.workspace_settings
    return isSettings(operation, spots) || place ? [say(reader, container), place && say(reader, place)].filter(Boolean).join(' › ') : ''
  }
  const lastWord = ({ path: of }: NamedOperation): string => of.split('/').findLast(part => !part.startsWith('{')) ?? ''

  const pageAt = ({ operation }: Spot): Findable[] => {
    if (needsInput(operation) && placeOf(operation) !== 'top' && !operation.icon) return []
    const entries = operation.entries.filter(entry =>
      Object.keys(operation.pathInput).every(name => Object.hasOwn({ ...path, ...entry.path }, name)),
    )
    const own = isKnown(operation) ? [{ title: titleOf(operation), icon: operation.icon, path: {} }] : []
    return [...own, ...entries].map(({ title, icon, path: of }) => ({
      kind: 'page',
      label: declaredText(reader, title),
      note: noteOf(operation),
      icon: icon ?? 'page',
      href: filled(operation.path, { ...path, ...of }),
      names: [...named(title), ...synonyms(lastWord(operation)), ...operation.asked],
    }))
  }
  const fieldsOf = (change: NamedOperation, href: string, anchor: (name: string) => string, note: string): Findable[] =>
    Object.keys(change.input.properties).map(name => ({
      kind: 'setting',
      label: fieldWords(name, reader),
      note,
      icon: 'settings',
      href: `${href}#${anchor(name)}`,
      names: [fieldWords(name, reader), words(name), ...synonyms(name)],
    }))
  const actionsAt = (spot: Spot): Findable[] =>
    spot.does
      .filter(each => each.undoes === undefined && app.allows(caller, each))
      .flatMap(each => {
        const isInPlace = each.method === 'PATCH' && each.path === spot.operation.path && isSettings(spot.operation, spots)
        const page = isInPlace ? shownAt(spot.operation) : spot.operation
        const list = isKnown(page) ? page : listAbove(page)
        if (!list) return []
        const href = filled(list.path, path)
        if (isInPlace) return list === page ? fieldsOf(each, href, name => idOf(`/${name}`), noteOf(page)) : []
        const english = shortOf(each)
        return [
          {
            kind: 'action',
            label: declaredText(reader, english),
            note: declaredText(reader, titleOf(list)),
            icon: each.effect === 'create' ? 'add' : each.effect === 'delete' ? 'delete' : 'next',
            href: list === page ? `${href}?do=${each.id}` : href,
            names: [
              ...named(english),
              ...named(each.summary),
              ...each.asked,
              ...(each.effect === 'delete' ? synonyms('confirm') : []),
              ...synonymOfNew(each),
            ],
          },
        ]
      })
  const synonymOfNew = (operation: NamedOperation): string[] =>
    operation.effect === 'create'
      ? [
          `${say(reader, m.new_record, { name: fieldWords(operation.output.title ?? '', reader) })}`,
          `new ${words(operation.output.title ?? '').toLowerCase()}`,
        ]
      : []
  /** The list from which one comes to a record. */
  const listAbove = (page: NamedOperation): NamedOperation | undefined =>
    [...spots.byId.values()].find(({ operation, item }) => isList(operation) && item?.operation === page && isKnown(operation))?.operation

  const own = [...app.table.operations.values()].filter(
    ({ form, pathInput }) => form !== undefined && Object.keys(pathInput).length === 0 && isAccount(app.table, form.page),
  )
  const account = own
    .filter(each => app.allows(caller, each))
    .flatMap((each): Findable[] => {
      const href = each.form?.page.slice('GET '.length) ?? '/'
      const note = say(reader, m.your_account)
      if (each.method === 'PATCH') {
        const colours = Object.hasOwn(each.input.properties, 'theme') ? themes : []
        return [
          ...colours.map(
            ({ value, action }): Findable => ({
              kind: 'action',
              label: say(reader, action),
              note,
              icon: 'theme',
              href,
              sends: { method: each.method, action: each.path, fields: { theme: value } },
              names: [say(reader, action), String(action())],
            }),
          ),
          ...fieldsOf(each, href, name => name, note),
        ]
      }
      const fields = Object.keys(each.input.properties)
      const english = shortOf(each)
      return [
        {
          kind: 'setting',
          label: declaredText(reader, english),
          note,
          icon: 'people',
          href,
          names: [...named(english), ...named(each.summary), ...each.asked, ...[...fields, lastWord(each)].flatMap(synonyms)],
        },
      ]
    })
  const allowed = [...spots.byId.values()].filter(
    ({ operation }) => app.allows(caller, operation) && containerOf(app, operation.on[0]?.name ?? '') !== undefined,
  )
  return [...allowed.flatMap(pageAt), ...account, ...allowed.flatMap(actionsAt)]
}

const isAccount = ({ pages }: Table, route: string): boolean => pages.some(page => page.route === route && page.access === 'session')
