import { listView } from '../../../runtime/ui/view.ts'
import { form } from '../../../runtime/ui/form-layout.ts'
import { DeliveryCard } from './delivery-card.tsx'
import { webhookFields } from './form.tsx'
import { webhooks_create, webhooks_update } from './operations.ts'
import { WebhookDelivery } from './records.ts'

export const createWebhook = form(webhooks_create, webhookFields)
export const changeWebhook = form(webhooks_update, webhookFields)

/** Deliveries of a webhook: the payloads and the answers, each with a button that sends it again. */
export const deliveries = listView(WebhookDelivery, ({ rows, page }) =>
  rows.length === 0 ? undefined : (
    <ul class="folded">
      {rows.map(row => (
        <li class="card">
          <DeliveryCard delivery={row} page={page} />
        </li>
      ))}
    </ul>
  ),
)
