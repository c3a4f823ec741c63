import { Code } from '../../../runtime/ui/copy.tsx'
import { FigureTable } from '../../../runtime/ui/figure-table.tsx'
import { plainNumber } from '../../../runtime/ui/format.ts'
import { view } from '../../../runtime/ui/view.ts'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import { say } from '../../../runtime/texts/say.ts'
import { Robots } from './records.ts'
import { m } from './messages.ts'

/** Lines to copy into robots.txt, and what each of the blocked categories does and costs. */
export const robots = view(
  Robots,
  ({ data: { robots_txt, blocked }, page: { viewer } }) => (
    <>
      <section class="card" aria-labelledby="lines">
        <h2 id="lines">{say(viewer, m.lines_to_add)}</h2>
        <Code content={robots_txt} reader={viewer} />
      </section>
      <FigureTable
        label={fieldWords('blocked', viewer)}
        of={fieldWords('blocked', viewer)}
        columns={[{ text: say(viewer, m.consequence) }, fieldWords('recent_requests', viewer), fieldWords('recent_visits', viewer)]}
        rows={blocked.map(({ category, crawlers, recent_requests, recent_visits, cost }) => ({
          head: (
            <>
              <b>{valueWords(category, viewer)}</b>
              <div class="help">{crawlers.join(', ')}</div>
            </>
          ),
          cells: [say(viewer, cost), plainNumber(recent_requests, viewer), plainNumber(recent_visits, viewer)],
        }))}
      />
    </>
  ),
  { hasOptions: true },
)
