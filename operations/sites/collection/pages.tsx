import { RecordView } from '../../../runtime/ui/record.tsx'
import { view } from '../../../runtime/ui/view.ts'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import { say } from '../../../runtime/texts/say.ts'
import { dropReasons, m } from './messages.ts'
import { TrafficTest } from './records.ts'

/** The sentence states these fields. */
const inSentence = new Set(['counted', 'reason', 'rule', 'dropped_30d', 'dropped_30d_unknown'])

/** Whether an imaginary hit is counted, and what decides it. */
export const trafficTest = view(
  TrafficTest,
  ({ data, page: { viewer, schema } }) => {
    const { counted, reason, rule, dropped_30d: dropped, dropped_30d_unknown: unknown } = data
    return (
      <section class="card" aria-label={fieldWords('reason', viewer)}>
        <p class="big">
          <b class={counted ? 'good' : 'bad'}>{say(viewer, counted ? m.is_counted : m.is_not_counted)}</b>
        </p>
        {reason !== null && <p>{say(viewer, dropReasons[reason])}.</p>}
        {rule && (
          <p>
            {valueWords(rule.kind, viewer)}: <code>{rule.value}</code>
          </p>
        )}
        {dropped !== null && <p class="help">{say(viewer, m.would_have_dropped, { count: dropped })}</p>}
        {unknown !== null && <p class="help">{say(viewer, unknown)}</p>}
        <RecordView schema={schema} data={data} viewer={viewer} without={inSentence} />
      </section>
    )
  },
  { hasOptions: true },
)
