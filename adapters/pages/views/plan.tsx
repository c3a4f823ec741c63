/** The plan of a workspace: what is used of it, what else it says, and where it is paid. */
import { duration, inUnit, instant } from '../../../runtime/ui/format.ts'
import { isKey, say } from '../../../runtime/ui/languages/index.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { fieldsOf, number, record, text } from './read.ts'
import { UseBars } from '../../../runtime/ui/use-bars.tsx'
import type { Seen, View } from './view.ts'

export const plan: View = {
  async show(seen) {
    const { data, viewer, schema } = seen
    const [used, limits] = [record(data.used), record(data.limits)]
    const limit = (name: string): number | null => (typeof limits[name] === 'number' ? number(limits[name]) : null)
    const uses = Object.keys(used).map(name => ({ label: labelOf(name, viewer), used: number(used[name]), limit: limit(name) }))
    const rest = Object.entries(limits).filter(([name]) => !Object.hasOwn(used, name))
    const billing = await seen.ask('Billing', {})
    const isSold = billing?.provider === 'stripe'
    const path = seen.pathOf('Billing')
    return {
      content: (
        <>
          <Refused seen={seen} />
          <section class="card" aria-labelledby="plan-name">
            <div class="between">
              <h2 id="plan-name">{say(viewer, 'plan_use')}</h2>
              {isSold && path !== undefined && <a href={path}>{say(viewer, 'to_billing')}</a>}
            </div>
            {text(data.description) !== '' && <p>{text(data.description)}</p>}
            <UseBars uses={uses} viewer={viewer} />
            <dl>
              {rest.map(([name, value]) => (
                <>
                  <dt>{labelOf(name, viewer)}</dt>
                  <dd>
                    {typeof value !== 'number'
                      ? say(viewer, 'no_limit')
                      : name.endsWith('_seconds')
                        ? duration(value * 1000, viewer)
                        : inUnit(value, fieldsOf(schema, 'limits')[name]?.unit, viewer)}
                  </dd>
                </>
              ))}
            </dl>
          </section>
        </>
      ),
    }
  },
}

const labelOf = (name: string, viewer: Seen['viewer']): string => {
  const key = `use_${name}`
  return isKey(key) ? say(viewer, key) : fieldWords(name, viewer)
}

/** Told on the pages of plan and billing alike. */
export function Refused({ seen: { data, now, viewer } }: { seen: Seen }) {
  const from = text(data.creates_refused_from)
  if (from === '') return null
  const isOver = Date.parse(from) <= now
  return (
    <p class="notice" role="status">
      {say(viewer, isOver ? 'creates_refused' : 'creates_refused_from', { when: instant(from, viewer) })}
    </p>
  )
}
