/** Results of a search, a card per kind, each name with the wanted text marked. */
import { inLanguage, say } from '../../../runtime/ui/languages/index.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'
import { words } from '../../../runtime/ui/words.ts'
import { KindIcon } from './kind-icon.tsx'
import type { OpenableResult } from './openable-results.ts'

export interface ResultsByKindProps {
  readonly results: readonly OpenableResult[]
  readonly wanted: string
  readonly viewer: Viewer
}

export function ResultsByKind({ results, wanted, viewer }: ResultsByKindProps) {
  if (wanted === '') return <p class="card empty">{say(viewer, 'search_says')}</p>
  if (results.length === 0)
    return (
      <div class="card empty">
        <p>{say(viewer, 'found_nothing', { text: wanted })}</p>
        <p class="help">{say(viewer, 'search_hint')}</p>
      </div>
    )
  return (
    <div class="found">
      {byKind(results).map(([kind, found]) => (
        <section class="card" aria-labelledby={`kind-${kind}`}>
          <h2 id={`kind-${kind}`}>
            <KindIcon kind={kind} /> {inLanguage(viewer, words(kind))} <span class="count">{found.length}</span>
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
