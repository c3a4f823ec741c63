import type { Child } from 'hono/jsx'
import { common } from '../../../../runtime/texts/common.ts'
import type { Say } from '../../../../runtime/texts/say.ts'

/** A page that only says something, with the way back. */
export function Message({ title, say, children }: { title: string; say: Say; children: Child }) {
  return (
    <section class="card">
      <h1>{title}</h1>
      {children}
      <p>
        <a href="/sign-in">{say(common.sign_in)}</a>
      </p>
    </section>
  )
}
