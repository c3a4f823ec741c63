import { onHook } from '../../../runtime/events/subscriber.ts'
import { signed_up } from '../../people/sign-up/index.ts'
import { invoice_changed } from '../billing/index.ts'
import { attribute } from './attribute.ts'
import { creditUsed, settleInvoice } from './settle-invoice.ts'
import { hasProgram } from './terms.ts'

export const attribute_sign_up = onHook(signed_up, async (signed, { db, config }) => {
  if (hasProgram(config)) await attribute(db, signed)
})

export const settle_commission = onHook(invoice_changed, async ({ invoice }, hearing) => {
  await settleInvoice(hearing, invoice)
  await creditUsed(hearing, invoice)
})
