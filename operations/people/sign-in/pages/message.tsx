import type { Child } from 'hono/jsx'

/** A page that only says something, with the way back. */
export function Message({ title, children }: { title: string; children: Child }) {
  return (
    <section class="card">
      <h1>{title}</h1>
      {children}
      <p>
        <a href="/sign-in">Sign in</a>
      </p>
    </section>
  )
}
