/** The faults of a form above it. */
import type { Child } from 'hono/jsx'
import type { Sentence } from '../../texts/message.ts'

interface FaultListProps {
  readonly summary: Sentence
  /** With the address of its control, if the page has one. */
  readonly faults: readonly { readonly message: Sentence; readonly href?: string | undefined }[]
  readonly children?: Child
}

export const FaultList = ({ summary, faults, children }: FaultListProps) => (
  <div class="faults" role="alert">
    <p>{summary}</p>
    {faults.length > 0 && (
      <ul>
        {faults.map(({ message, href }) => (
          <li>{href === undefined ? message : <a href={href}>{message}</a>}</li>
        ))}
      </ul>
    )}
    {children}
  </div>
)
