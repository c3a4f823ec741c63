import { hook } from '../../../runtime/events/hook.ts'
import type { BillingInvoiceRow } from '../../../storage/tables/billing.ts'

/** In the transaction that stores it; the workspace's row of billing is locked. */
export const invoice_changed = hook<{ readonly invoice: BillingInvoiceRow }>('an invoice was paid, given back or disputed')
