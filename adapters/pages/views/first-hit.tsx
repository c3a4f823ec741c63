/** A site that nothing has come from yet: what to put on its pages. The page looks again by itself. */
import { say } from '../../../runtime/ui/languages/index.ts'
import { list, text } from './read.ts'
import { againAfter, Files, Waiting } from './snippet.tsx'
import type { Seen, Shown } from './view.ts'

export async function firstHit({ ask, pathOf, viewer, site }: Seen): Promise<Shown> {
  const code = await ask('Snippet', {})
  const all = pathOf('Snippet')
  const domain = text(site?.domain)
  const content = (
    <section class="card first" aria-labelledby="first">
      <h2 id="first">{say(viewer, 'put_this')}</h2>
      <Files files={list(code?.files)} reader={viewer} />
      {all !== undefined && (
        <p>
          <a href={all}>{say(viewer, 'other_platforms')}</a>
        </p>
      )}
      <p>{say(viewer, 'then_open', { domain })}</p>
      <Waiting reader={viewer} />
    </section>
  )
  return { content, againAfter }
}
