/** The page of new recovery codes, which is shown once. */
import type { Child } from 'hono/jsx'
import type { PageContent } from '../../../runtime/table/page.ts'
import type { Say } from '../../../runtime/texts/say.ts'
import { m } from './messages.ts'

/** A text that people store elsewhere. A button copies it; without scripts, one click selects it. @param children further buttons */
export const KeptText = ({ text, say, children }: { text: string; say: Say; children?: Child }) => (
  <div class="kept">
    <pre tabindex={0}>{text}</pre>
    <button type="button" class="plain" hidden data-copy={say(m.copied)}>
      {say(m.copy)}
    </button>
    {children}
  </div>
)

export function codesShown({ recovery_codes }: { readonly recovery_codes: readonly string[] }, _: URLSearchParams, say: Say): PageContent {
  const title = say(m.recovery_codes_for_footfall)
  const file = `${title}\r\n\r\n${recovery_codes.join('\r\n')}\r\n`
  return {
    title: say(m.recovery_codes),
    width: 'narrow',
    scripts: ['keep'],
    content: (
      <section class="card">
        <h1>{title}</h1>
        <p>{say(m.keep_the_codes)}</p>
        <KeptText text={recovery_codes.join('\n')} say={say}>
          <a class="button plain" download="footfall-recovery-codes.txt" href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}>
            {say(m.download)}
          </a>
          <button type="button" class="plain" hidden data-print>
            {say(m.print)}
          </button>
        </KeptText>
        <p>
          <a class="button" href="/account">
            {say(m.i_have_kept_them)}
          </a>
        </p>
      </section>
    ),
  }
}
