/** Texts to copy. */
import { ui } from './messages.ts'
import type { Reader } from '../texts/reader.ts'
import { say } from '../texts/say.ts'

/** Text to copy: by a button if scripts run, otherwise by one click into it, which selects all. */
export function Code({ content, reader }: { content: string; reader: Reader }) {
  return (
    <div class="code">
      <pre tabindex={0}>{content}</pre>
      <Copy reader={reader} />
    </div>
  )
}

/** Copies the text before it. @param isMain whether it is the main button of its page */
export const Copy = ({ reader, isMain = false }: { reader: Reader; isMain?: boolean }) => (
  <button type="button" class={isMain ? undefined : 'plain'} hidden data-copy={say(reader, ui.was_copied)}>
    {say(reader, ui.copy)}
  </button>
)
