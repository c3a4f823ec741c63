/** Parts of reports that pages of other areas draw. */
import { Change } from '../../../runtime/ui/change.tsx'
import type { BarRow } from '../../../runtime/ui/bar-table.tsx'
import { shortInUnit, percent, type Viewer } from '../../../runtime/ui/format.ts'
import { Mark } from '../../../runtime/ui/icons/icon.tsx'
import { type Labelled, labelIn } from '../../../runtime/ui/labels.ts'
import type { Sentence } from '../../../runtime/texts/message.ts'
import { say } from '../../../runtime/texts/say.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { SnippetLink } from '../../sites/tracking/components.tsx'
import { withQuery } from '../../../runtime/ui/words.ts'
import { isOfImported, isOfImportedDays } from './imported.ts'
import { m } from './messages.ts'

export { AddedUp } from './added-up.tsx'
export { allMeasured, measured } from './measured.ts'
export { Pages } from './pages/paging.tsx'
export { TableRows } from './pages/table-rows.tsx'

interface ValueRow<M extends string> extends Labelled {
  readonly share: number
  readonly comparison?: { readonly change: Readonly<Partial<Record<M, number | null>>> }
}

/**
 * A value with a count, and the change of the count or, without a comparison, its share.
 *
 * @param dimension of the value, which has a mark
 */
export const valueRow = <M extends string>(
  row: ValueRow<M> & Readonly<Record<M, number>>,
  metric: M,
  viewer: Viewer,
  dimension?: string,
): BarRow => ({
  label: labelIn('source', row, viewer),
  mark: dimension !== undefined && <Mark dimension={dimension} value={String(row.value ?? '')} label={String(row.label)} />,
  weight: row[metric],
  cells: [
    shortInUnit(row[metric], 'count', viewer),
    row.comparison ? <Change value={row.comparison.change[metric]} isCompared viewer={viewer} /> : percent(row.share, viewer),
  ],
})

export interface ReportNote {
  readonly code: string
  readonly message: Sentence
}

interface ImportedNotesProps {
  readonly notes: readonly ReportNote[]
  readonly url: URL
  readonly viewer: Viewer
}

/** Whether a page asks for imported history. */
export const includesImported = ({ searchParams }: URL): boolean => searchParams.get('include_imported') !== 'false'

/** Notes that are not about imported history. A page asks for it unbidden, so nothing is said if there is none. */
export const otherNotes = <N extends ReportNote>(notes: readonly N[]): N[] => notes.filter(note => !isOfImported(note))

interface ReportNotesProps {
  readonly notes: readonly ReportNote[]
  readonly page: ViewedPage
}

/** All notes of a report: an empty page says why it is empty, and what to do if nothing has arrived yet. */
export function ReportNotes({ notes, page }: ReportNotesProps) {
  const { url, viewer } = page
  return (
    <>
      {otherNotes(notes).map(({ code, message }) => (
        <p class={code === 'no_data_yet' ? 'notice' : 'help'}>
          {say(viewer, message)} {code === 'no_data_yet' && <SnippetLink page={page} />}
        </p>
      ))}
      <ImportedNotes notes={notes} url={url} viewer={viewer} />
    </>
  )
}

/** Why a report is empty, in a sentence. */
export const nothingIn = ({ searchParams }: URL, viewer: Viewer): string =>
  say(viewer, ['filters', 'segment'].some(name => searchParams.get(name)) ? m.nothing_matches : ui.nothing_in_period)

/** Notes of a report on imported history, and a link that leaves it out or includes it. Pages include it unless the address says no. */
export function ImportedNotes({ notes, url, viewer }: ImportedNotesProps) {
  const isLeftOut = !includesImported(url)
  const shown = notes.filter(isOfImportedDays)
  const isIncluded = shown.some(({ code }) => code === 'imported_included')
  if (shown.length === 0 && !isLeftOut) return null
  return (
    <p class="help imported">
      {[...new Set(shown.map(({ message }) => say(viewer, message)))].map(sentence => `${sentence} `)}
      {isLeftOut ? (
        <a href={withQuery(url, { include_imported: undefined, page: undefined })}>{say(viewer, m.include_imported_history)}</a>
      ) : (
        isIncluded && <a href={withQuery(url, { include_imported: 'false', page: undefined })}>{say(viewer, m.leave_imported_out)}</a>
      )}
    </p>
  )
}
