/** The result of checking a site's tracking: one line a check, with what to do where it failed. */
import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant } from '../../../runtime/ui/format.ts'
import { say, told } from '../../../runtime/ui/languages/index.ts'
import { list, sentence, text } from './read.ts'
import { Code } from '../../../runtime/ui/copy.tsx'
import type { View } from './view.ts'

export const verification: View = {
  async show({ data, viewer }) {
    const isWorking = data.status === 'working'
    return {
      content: (
        <>
          <section class="card">
            <p class="between">
              <b>{say(viewer, isWorking ? 'tracking_works' : data.status === 'failing' ? 'tracking_fails' : 'waiting')}</b>
              <Tag value={data.status} viewer={viewer} />
            </p>
            <ul class="checks">
              {list(data.checks).map(check => (
                <li>
                  <span class={check.ok === true ? 'good' : 'bad'} aria-hidden="true">
                    {check.ok === true ? '✓' : '✗'}
                  </span>
                  <div>
                    <p>
                      <span class="unseen">{say(viewer, check.ok === true ? 'yes' : 'no')}: </span>
                      {told(viewer, sentence(check.message))}
                    </p>
                    {sentence(check.remedy) !== '' && <p class="help">{told(viewer, sentence(check.remedy))}</p>}
                  </div>
                </li>
              ))}
            </ul>
          </section>
          {!isWorking && (
            <section class="card">
              <p>{say(viewer, 'open_to_confirm', { when: instant(text(data.verify_until), viewer) })}</p>
              <Code content={text(data.verify_url)} reader={viewer} />
            </section>
          )}
        </>
      ),
    }
  },
}
