/** The first lines that an import refused, with the reasons, and a link to all of them as a file. */
import type { Static } from '../../../runtime/table/schema.ts'
import { inUnit, type Viewer } from '../../../runtime/ui/format.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import type { Refused } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

interface RefusedLinesProps {
  readonly lines: readonly Static<typeof Refused>[]
  /** The number of all refused lines. */
  readonly count: number
  /** Path of the list of refused lines. */
  readonly path: string
  readonly viewer: Viewer
}

export function RefusedLines({ lines, count, path, viewer }: RefusedLinesProps) {
  const head = (name: string) => fieldWords(name, viewer)
  const isArchive = new Set(lines.map(({ file }) => file)).size > 1
  return (
    <section class="card" aria-labelledby="refused">
      <h2 id="refused">
        {count > lines.length
          ? say(viewer, m.import_refused_some, { shown: lines.length, count: inUnit(count, 'count', viewer) })
          : say(viewer, m.import_refused)}
      </h2>
      <table>
        <thead>
          <tr>
            {isArchive && <th scope="col">{head('file')}</th>}
            <th scope="col" class="number">
              {head('line')}
            </th>
            <th scope="col">{head('reason')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ file, line, reason, text }) => (
            <tr>
              {isArchive && <td>{file}</td>}
              <th scope="row" class="number">
                {inUnit(line, 'count', viewer)}
              </th>
              <td>
                {say(viewer, reason)}
                {text !== '' && (
                  <>
                    <br />
                    <code>{text}</code>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="ends">
        <a class="button plain" href={`${path}.csv?per_page=10000`} download>
          {say(viewer, m.import_refused_all)}
        </a>
      </p>
    </section>
  )
}
