/** Results of a search, a card per kind, each name with the wanted text marked. */
import type { Viewer } from '../../../runtime/ui/format.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import type { IconName } from '../../../runtime/table/icons.ts'
import { Icon } from '../../../runtime/ui/icons/icon.tsx'
import type { OpenableResult } from './openable-results.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

export interface ResultsByKindProps {
  readonly results: readonly OpenableResult[]
  readonly wanted: string
  readonly viewer: Viewer
  /** Whether something else was found. */
  readonly isMore?: boolean
}

/** Icons of the kinds, as they are in the navigation. */
const icons: Readonly<Record<string, IconName>> = {
  site: 'globe',
  goal: 'goal',
  alert: 'alert',
  page: 'page',
  documentation: 'help',
  event: 'event',
  source: 'source',
  funnel: 'funnel',
  segment: 'segment',
  note: 'note',
  dashboard: 'dashboard',
  member: 'people',
  operation: 'hash',
}

export function ResultsByKind({ results, wanted, viewer, isMore = false }: ResultsByKindProps) {
  if (wanted === '') return <p class="card empty">{say(viewer, m.search_says)}</p>
  if (results.length === 0 && isMore) return null
  if (results.length === 0)
    return (
      <div class="card empty">
        <p>{say(viewer, m.found_nothing, { text: wanted })}</p>
        <p class="help">{say(viewer, m.search_hint)}</p>
      </div>
    )
  return (
    <div class="found">
      {byKind(results).map(([kind, found]) => (
        <section class="card" aria-labelledby={`kind-${kind}`}>
          <h2 id={`kind-${kind}`}>
            <Icon name={icons[kind] ?? 'find'} /> {fieldWords(kind, viewer)} <span class="count">{found.length}</span>
          </h2>
          <ul>
            {found.map(({ href, name }) => (
              <li>
                <a href={href}>
                  <Marked text={name} wanted={wanted.trim()} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Kinds in the order of their first result. */
function byKind(results: readonly OpenableResult[]): (readonly [kind: string, found: readonly OpenableResult[]])[] {
  const kinds = new Set(results.map(({ kind }) => kind))
  return [...kinds].map(kind => [kind, results.filter(each => each.kind === kind)] as const)
}

function Marked({ text, wanted }: { text: string; wanted: string }) {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0) return <>{text}</>
  const end = at + wanted.length
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}
