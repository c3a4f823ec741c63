/**
 * Actions on single records that a text names, for the search of pages: `mute purchases` finds “Mute: Purchases today”. Changes
 * and deletions are on the page of the record, which the search finds by its name.
 */
import type { App } from '../../runtime/app.ts'
import { shortOf } from '../../runtime/table/operation-names.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import { isObject } from '../../runtime/values/json.ts'
import { labelOf } from '../../runtime/ui/operation-labels.ts'
import { nameOf } from '../../runtime/ui/list.tsx'
import { matchRank } from '../../runtime/ui/match-rank.ts'
import type { Destination } from '../../runtime/ui/viewed-page.ts'
import { fieldWords, filled, words } from '../../runtime/ui/words.ts'
import { isOffered } from './answer-facts.ts'
import type { AskList } from './choices.ts'
import type { DestinationsOf } from './destinations.ts'
import { isList, recordOf, spotsOf, titleOf } from './page-tree.ts'

const [MAX_ACTIONS, MAX_RECORDS, MAX_FOUND, MIN_VERB_LENGTH] = [3, 50, 5, 3]

interface RecordAction {
  readonly operation: NamedOperation
  readonly page: NamedOperation
  readonly parameter: string
  readonly list: NamedOperation
}

/** @param ask reads a list as the viewer */
export async function recordActionsFor(
  app: App,
  text: string,
  { caller, reader, siteId, workspaceId, ask }: DestinationsOf & { readonly ask: AskList },
): Promise<readonly Destination[]> {
  const path = { ...(workspaceId !== undefined && { workspace_id: workspaceId }), ...(siteId !== undefined && { site_id: siteId }) }
  const namesOf = (operation: NamedOperation) => [declaredText(reader, shortOf(operation)), shortOf(operation)]
  const verbsOf = (operation: NamedOperation): string[] => {
    const record = recordOf(operation) ?? ''
    const nouns = new Set(`${fieldWords(record, reader)} ${words(record)}`.toLowerCase().split(' '))
    return namesOf(operation)
      .flatMap(name => name.toLowerCase().split(/[^\p{L}\p{N}]+/u))
      .filter(word => word.length >= MIN_VERB_LENGTH && !nouns.has(word))
  }
  const typed = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length >= MIN_VERB_LENGTH)
  const isMeant = ({ operation }: RecordAction): boolean =>
    verbsOf(operation).some(verb => typed.some(word => verb.startsWith(word))) && app.allows(caller, operation)
  const matching = actionsBelow(app, path).filter(isMeant).slice(0, MAX_ACTIONS)
  const found = await Promise.all(
    matching.map(async ({ operation, page, parameter, list }) => {
      const rows = (await ask(list, path, { per_page: MAX_RECORDS })) ?? []
      return rows.flatMap((row): (Destination & { rank: number })[] => {
        if (!isObject(row) || typeof row.id !== 'string' || !isOffered(operation, row)) return []
        const name = nameOf(row) ?? row.id
        const rank = matchRank(
          namesOf(operation).map(each => `${each} ${name}`),
          text,
        )
        if (rank === undefined) return []
        return [
          {
            kind: 'action',
            label: `${labelOf(operation, reader)}: ${name}`,
            note: declaredText(reader, titleOf(list)),
            icon: 'next',
            href: `${filled(page.path, { ...path, [parameter]: row.id })}?do=${operation.id}`,
            rank,
          },
        ]
      })
    }),
  )
  return found
    .flat()
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_FOUND)
    .map(({ rank: _, ...destination }) => destination)
}

/** Actions on records of lists with this path. A list of the site replaces the same list of the workspace. */
function actionsBelow(app: App, path: Readonly<Record<string, string>>): RecordAction[] {
  const { byId } = spotsOf(app.table)
  const isKnown = ({ pathInput }: NamedOperation): boolean => Object.keys(pathInput).every(name => Object.hasOwn(path, name))
  const lists = [...byId.values()].filter(({ operation, item }) => item && isList(operation) && isKnown(operation))
  const ofRecord = new Map(
    lists
      .toSorted((a, b) => a.operation.path.length - b.operation.path.length)
      .flatMap(({ operation, item }) => (item ? [[item.operation.id, { list: operation, parameter: item.parameter }] as const] : [])),
  )
  return [...ofRecord].flatMap(([id, { list, parameter }]) => {
    const spot = byId.get(id)
    return (spot?.does ?? [])
      .filter(({ method, effect, undoes }) => method !== 'PATCH' && effect !== 'delete' && undoes === undefined)
      .map(operation => ({ operation, page: spot?.operation ?? operation, parameter, list }))
  })
}
