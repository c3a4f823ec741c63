/** The tracking code of a site: for which platform, what to copy where, and whether anything has come in yet. */
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import { type Reader, say, told } from '../../../runtime/ui/languages/index.ts'
import { valueWords, withQuery } from '../../../runtime/ui/words.ts'
import { Code } from '../../../runtime/ui/copy.tsx'
import { list, type Row, sentence, text } from './read.ts'
import type { View } from './view.ts'
import type { Sentence } from '../../../runtime/texts/message.ts'

const againAfter = 10

export const snippet: View = {
  async show(seen) {
    const { data, schema, url, viewer, ask, pathOf } = seen
    const platforms = (schema.properties.for.enum ?? []) as readonly string[]
    const tracking = (await ask('Tracking', {})) ?? {}
    const isWaiting = tracking.first_hit_at === null
    const content = (
      <>
        <Came tracking={tracking} viewer={viewer} overview={pathOf('Overview')} />
        <nav class="pills" aria-label={say(viewer, 'platform')}>
          {platforms.map((name, i) => (
            <a href={withQuery(url, { for: i === 0 ? undefined : name })} aria-current={name === data.for ? 'true' : undefined}>
              {valueWords(name, viewer)}
            </a>
          ))}
        </nav>
        <section class="card">
          <Files files={list(data.files)} reader={viewer} />
          {((data.notes ?? []) as readonly Sentence[]).map(note => (
            <p class="help">{told(viewer, note)}</p>
          ))}
        </section>
        <details class="card">
          <summary>Content-Security-Policy</summary>
          <p>{say(viewer, 'csp_says')}</p>
          <Code content={text(data.csp)} reader={viewer} />
        </details>
      </>
    )
    return { content, ...(isWaiting && { againAfter }) }
  },
}

/** Whether hits come in. */
function Came({ tracking, viewer, overview }: { tracking: Row; viewer: Viewer; overview: string | undefined }) {
  if (tracking.first_hit_at === null) return <Waiting reader={viewer} />
  if (typeof tracking.last_hit_at !== 'string') return null
  return (
    <p class="notice" role="status">
      {say(viewer, 'hits_come', { when: instant(tracking.last_hit_at, viewer) })}{' '}
      {overview !== undefined && <a href={overview}>{say(viewer, 'to_overview')}</a>}
    </p>
  )
}

export const Waiting = ({ reader }: { reader: Reader }) => (
  <p class="notice waiting" role="status">
    <span class="pulse" aria-hidden="true" /> {say(reader, 'waiting')}
  </p>
)

/** Files to change, each with the text to put into it. */
export function Files({ files, reader }: { files: readonly Row[]; reader: Reader }) {
  return (
    <>
      {files.map(file => (
        <>
          <h2>{told(reader, sentence(file.name))}</h2>
          <Code content={text(file.content)} reader={reader} />
        </>
      ))}
    </>
  )
}

export { againAfter }
