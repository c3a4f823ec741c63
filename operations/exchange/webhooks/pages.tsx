import { listView } from '../../../runtime/ui/view.ts'
import { DeliveryCard } from './delivery-card.tsx'
import { WebhookDelivery } from './records.ts'

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
