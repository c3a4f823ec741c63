/** Texts to copy. */
import { type Reader, say } from './languages/index.ts'

/** Text to copy: by a button if scripts run, otherwise by one click into it, which selects all. */
export function Code({ content, reader }: { content: string; reader: Reader }) {
  return (
    <div class="code">
      <pre tabindex={0}>{content}</pre>
      <Copy reader={reader} />
    </div>
  )
}

/** Copies the text before it. */
export const Copy = ({ reader }: { reader: Reader }) => (
  <button type="button" class="plain" hidden data-copy={say(reader, 'was_copied')}>
    {say(reader, 'copy')}
  </button>
)
