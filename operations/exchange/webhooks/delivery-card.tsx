/** A delivery on the page of its webhook. */
import type { Static } from '../../../runtime/table/schema.ts'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { duration, instant } from '../../../runtime/ui/format.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import type { WebhookDelivery } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

export function DeliveryCard({ delivery, page }: { delivery: Static<typeof WebhookDelivery>; page: ViewedPage }) {
  const { viewer } = page
  const { error, response_body } = delivery
  const actions = page.actionsOf(delivery)
  const hasAnswer = response_body !== null && response_body !== ''
  return (
    <>
      <p class="between">
        <b>{delivery.event}</b>
        <span>
          {delivery.status_code !== null && <code>{delivery.status_code}</code>} <Tag value={delivery.status} viewer={viewer} />
        </span>
      </p>
      <p class="help">
        <time datetime={delivery.created_at}>{instant(delivery.created_at, viewer)}</time>
        {` · ${say(viewer, m.attempt, { number: delivery.attempt })}`}
        {delivery.duration_ms !== null && ` · ${duration(delivery.duration_ms, viewer)}`}
        {error !== null && error !== '' && ` · ${say(viewer, error)}`}
      </p>
      <details>
        <summary>{say(viewer, hasAnswer ? m.sent_and_answer : m.sent_only)}</summary>
        <pre tabindex={0}>{JSON.stringify(delivery.payload, undefined, 2)}</pre>
        {hasAnswer && (
          <>
            <p class="help">{say(viewer, m.the_answer)}</p>
            <pre tabindex={0}>{response_body}</pre>
          </>
        )}
      </details>
      {actions.length > 0 && (
        <p class="ends">
          {actions.map(({ href, label }) => (
            <a class="button plain" href={href}>
              {label}
            </a>
          ))}
        </p>
      )}
    </>
  )
}
