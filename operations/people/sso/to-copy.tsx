/** A value to copy, below its label. */
import { Code } from '../../../runtime/ui/copy.tsx'
import type { Viewer } from '../../../runtime/ui/format.ts'

export const ToCopy = ({ label, content, viewer }: { label: string; content: string | null; viewer: Viewer }) =>
  content === null ? null : (
    <section class="nested" aria-label={label}>
      <h3>{label}</h3>
      <Code content={content} reader={viewer} />
    </section>
  )
