/** Updates of an incident for the members who write them: whether subscribers received each. */
import type { Static } from '../../../runtime/table/schema.ts'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import type { RenderMarkdown } from '../../../runtime/ui/markdown.tsx'
import type { StatusUpdate } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

interface UpdateListProps {
  readonly updates: readonly Static<typeof StatusUpdate>[]
  readonly markdown: RenderMarkdown
  readonly viewer: Viewer
}

export const UpdateList = ({ updates, markdown, viewer }: UpdateListProps) => (
  <ol class="happened">
    {updates.map(({ created_at, status, notify, body }) => (
      <li>
        <p>
          <time datetime={created_at}>{instant(created_at, viewer)}</time> <Tag value={status} viewer={viewer} />{' '}
          {!notify && <span class="tag plain">{say(viewer, m.no_mail_was_sent)}</span>}
        </p>
        {body !== '' && <div>{markdown(body)}</div>}
      </li>
    ))}
  </ol>
)
