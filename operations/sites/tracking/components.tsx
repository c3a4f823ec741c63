/** Parts of pages about the tracking code, for this area and the overview of a site. */
import type { Sentence } from '../../../runtime/texts/message.ts'
import { Code } from '../../../runtime/ui/copy.tsx'
import type { Shown } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { Site } from '../sites/records.ts'
import { tracking_snippet } from './operations.ts'
import { m } from './messages.ts'
import type { Reader } from '../../../runtime/texts/reader.ts'
import { say } from '../../../runtime/texts/say.ts'

/** Seconds after which a page that waits for the first hit is loaded again. */
export const againAfter = 10

export const Waiting = ({ reader }: { reader: Reader }) => (
  <p class="notice waiting" role="status">
    <span class="pulse" aria-hidden="true" /> {say(reader, m.waiting)}
  </p>
)

/** Links to the code, for a report that is empty because no hit has arrived yet. */
export function SnippetLink({ page }: { page: ViewedPage }) {
  const href = page.pathOf(tracking_snippet)
  return href === undefined ? null : <a href={href}>{say(page.viewer, m.put_snippet)}</a>
}

interface File {
  readonly name: Sentence
  readonly content: string
}

/** Files to change, each with the text to put into it. */
export function Files({ files, reader, level = 2 }: { files: readonly File[]; reader: Reader; level?: 2 | 3 }) {
  const Heading = `h${level}` as const
  return (
    <>
      {files.map(({ name, content }) => (
        <>
          <Heading>{say(reader, name)}</Heading>
          <Code content={content} reader={reader} />
        </>
      ))}
    </>
  )
}

/** The page of a site without hits: the code to put on its pages. It looks for hits by itself. */
export async function firstHit(page: ViewedPage): Promise<Shown> {
  const { viewer } = page
  const code = await page.ask(tracking_snippet)
  const all = page.pathOf(tracking_snippet)
  const content = (
    <section class="card first" aria-labelledby="first">
      <h2 id="first">{say(viewer, m.put_this)}</h2>
      <Files files={code?.files ?? []} reader={viewer} level={3} />
      {all !== undefined && (
        <p>
          <a href={all}>{say(viewer, m.other_platforms)}</a>
        </p>
      )}
      <p>{say(viewer, m.then_open, { domain: page.within(Site)?.domain ?? '' })}</p>
      <Waiting reader={viewer} />
    </section>
  )
  return { content, againAfter }
}
