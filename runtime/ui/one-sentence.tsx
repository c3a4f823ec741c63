/** A page that says one thing: that a link has ended, or that there is nothing at an address. */
import type { Content, PageContent } from '../table/page.ts'

export const oneSentence = (status: number, title: string, sentence: string | Content): PageContent => ({
  title,
  status,
  width: 'narrow',
  content: (
    <section class="card">
      <h1>{title}</h1>
      <p>{sentence}</p>
    </section>
  ) as Content, // JSX of ours is text
})
